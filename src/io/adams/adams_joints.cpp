// Joints, joint primitives, motions, couplers and gears. A joint's coordinates lead from the J marker to the I marker,
// along and about the z axis of J, so that body 1 of the model's joint is that of J.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

bool near(const Vec3& a, const Vec3& b, double scale) { return (a - b).norm() <= 1e-9 * std::max(scale, 1e-3); }

double size_of(const Vec3& a, const Vec3& b) { return std::max(a.norm(), b.norm()); }

TreeNode two(const Vec3& a, const Vec3& b, const SourceLocation& where) {
  return list_node({vector_node(tidy(a), where), vector_node(tidy(b), where)}, where);
}

/// For two axes: a name would be taken for a point.
TreeNode two_axes(const Vec3& a, const Vec3& b, const SourceLocation& where) {
  return list_node({direction_node(a, where), direction_node(b, where)}, where);
}

}  // namespace

double angle_about_z(const Frame& i, const Frame& j) {
  return std::atan2(i.axes.col(0).dot(j.axes.col(1)), i.axes.col(0).dot(j.axes.col(0)));
}

TreeElement AdamsModel::new_joint(const Statement& s, const std::string& type, bool carries) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  if (i.part == j.part) broken("both markers are on one part");
  const std::string name = name_of(s);
  remember(s, name);
  if (carries) tied_.emplace_back(body_of(j), body_of(i));
  TreeElement joint =
      model_.add("joints", name, s.where, name == s.view_name ? fmt::format("{}/{}", s.keyword, s.id) : s.label());
  joint.words(type, {body_of(j), body_of(i)});
  return joint;
}

// With one place where the markers coincide, or differ along the axis alone (`along_axis`), else with two; the same of
// the axis.
void AdamsModel::place_joint(TreeElement& joint, const AdamsMarker& i, const AdamsMarker& j, bool along_axis) {
  const Vec3 z = j.frame.axes.col(2);
  const Vec3 apart = i.frame.origin - j.frame.origin;
  const Vec3 off = along_axis ? Vec3(apart - apart.dot(z) * z) : apart;
  if (off.norm() <= 1e-9 * std::max(size_of(i.frame.origin, j.frame.origin), 1e-3)) {
    joint.vector("at", along_axis ? i.frame.origin : j.frame.origin);
  } else {
    joint.set("at", two(j.frame.origin, i.frame.origin, joint.where()));
  }
}

// One axis where those of the markers agree, else two.
void AdamsModel::point_joint(TreeElement& joint, const AdamsMarker& i, const AdamsMarker& j) {
  const Vec3 zi = i.frame.axes.col(2), zj = j.frame.axes.col(2);
  if (near(zi, zj, 1)) {
    joint.direction("axis", zj);
  } else {
    joint.set("axis", two_axes(zj, zi, joint.where()));
  }
}

// What turns about an axis or moves along it, with how far it does so as drawn.
void AdamsModel::add_axial_joint(const Statement& s, AdamsJoint& kept) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  const double angle = tidy(angle_about_z(i.frame, j.frame));
  const double along = tidy(j.frame.axes.col(2).dot(i.frame.origin - j.frame.origin));
  if (s.has("SCREW") && !s.has("PITCH")) broken("PITCH is missing");
  TreeElement joint = begin_joint(s, kept,
                                  s.has("REVOLUTE")        ? "revolute"
                                  : s.has("SCREW")         ? "screw"
                                  : s.has("TRANSLATIONAL") ? "prismatic"
                                                           : "cylindrical");
  place_joint(joint, i, j, kept.type != "revolute");
  point_joint(joint, i, j);
  if (kept.type == "screw") joint.number("pitch", number(s, "PITCH", 0) * units_.length);
  if (kept.type == "cylindrical") {
    if (angle != 0 || along != 0)
      joint.set("drawn", list_node({number_node(along, s.where), number_node(angle, s.where)}, s.where));
  } else if (const double drawn = kept.type == "prismatic" ? along : angle; drawn != 0) {
    joint.number("drawn", drawn);
  }
}

void AdamsModel::add_planar_joint(const Statement& s, AdamsJoint& kept) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  const Vec3 apart = j.frame.axes.transpose() * (i.frame.origin - j.frame.origin);
  const double angle = tidy(angle_about_z(i.frame, j.frame));
  TreeElement joint = begin_joint(s, kept, "planar");
  joint.vector("at", i.frame.origin);
  point_joint(joint, i, j);
  joint.direction("x_axis", j.frame.axes.col(0));
  if (std::abs(apart.z()) > 1e-9 * std::max(1e-3, i.frame.origin.norm()))
    refuse("its markers are drawn out of one plane");
  if (angle != 0 || tidy(apart.x()) != 0 || tidy(apart.y()) != 0)
    joint.set("drawn", vector_node({tidy(apart.x()), tidy(apart.y()), angle}, s.where));
}

// How far it has moved at the start, and how fast it does: IC = displacement, velocity; ICROT of what turns, ICTRAN of
// what slides.
void AdamsModel::add_initial_motion(const Statement& s, const AdamsJoint& kept) {
  TreeNode start = map_node(s.where);
  const bool turns = kept.type == "revolute", slides = kept.type == "prismatic";
  for (const auto& [argument, fits] :
       {std::pair("IC", turns || slides), std::pair("ICROT", turns), std::pair("ICTRAN", slides)}) {
    const auto values = numbers(s, argument, 1, 2);
    if (!values) continue;
    if (!fits) refuse(fmt::format("{} of such a joint is not understood", argument));
    const double unit = slides ? units_.length : 1;
    start->add({"position", s.where, number_node((*values)[0] * unit, s.where)});
    if (values->size() == 2) start->add({"velocity", s.where, number_node((*values)[1] * unit / units_.time, s.where)});
  }
  if (!start->entries.empty()) model_.add("initial", kept.name, start);
}

TreeElement AdamsModel::begin_joint(const Statement& s, AdamsJoint& kept, const char* type) {
  kept.type = type;
  TreeElement joint = new_joint(s, type, true);
  kept.name = model_.root->find("joints")->value->entries.back().key;
  return joint;
}

void AdamsModel::add_joint(const Statement& s) {
  if (s.has("RACKPIN")) return;  // couples joints, when all are there
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  AdamsJoint kept;
  kept.axis = j.frame.axes.col(2);
  kept.i = *identifier(s, "I");
  kept.j = *identifier(s, "J");
  if (s.has("REVOLUTE") || s.has("SCREW") || s.has("TRANSLATIONAL") || s.has("CYLINDRICAL")) {
    add_axial_joint(s, kept);
  } else if (s.has("SPHERICAL")) {
    TreeElement joint = begin_joint(s, kept, "spherical");
    place_joint(joint, i, j, false);
  } else if (s.has("UNIVERSAL") || s.has("HOOKE")) {
    // The arms of the cross are z of both markers, of a Hooke joint y of J and x of I.
    const bool hooke = s.has("HOOKE");
    TreeElement joint = begin_joint(s, kept, "universal");
    place_joint(joint, i, j, false);
    joint.set("axes", two_axes(j.frame.axes.col(hooke ? 1 : 2), i.frame.axes.col(hooke ? 0 : 2), s.where));
  } else if (s.has("PLANAR")) {
    add_planar_joint(s, kept);
  } else if (s.has("FIXED")) {
    TreeElement joint = begin_joint(s, kept, "fixed");
    if (near(i.frame.origin, j.frame.origin, i.frame.origin.norm()) && i.frame.axes.isApprox(j.frame.axes, 1e-9)) {
      joint.vector("at", i.frame.origin);
    } else {
      joint.words("at", {marker_name(kept.j), marker_name(kept.i)});
    }
  } else {
    refuse("such joints are not understood");
  }
  joints_[s.id] = kept;
  add_initial_motion(s, kept);
}

void AdamsModel::add_primitive(const Statement& s) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  const Vec3 zi = i.frame.axes.col(2), zj = j.frame.axes.col(2);
  const auto places = [&](TreeElement& joint) { joint.set("at", two(j.frame.origin, i.frame.origin, s.where)); };
  if (s.has("INLINE") || s.has("INPLANE")) {
    TreeElement joint = new_joint(s, s.has("INLINE") ? "point_on_line" : "point_on_plane", false);
    places(joint);
    joint.direction("axis", zj);
  } else if (s.has("PERPENDICULAR")) {
    new_joint(s, "perpendicular", false).set("axes", two_axes(zj, zi, s.where));
  } else if (s.has("PARALLEL_AXES")) {
    new_joint(s, "parallel", false).set("axis", two_axes(zj, zi, s.where));
  } else if (s.has("ATPOINT")) {
    TreeElement joint = new_joint(s, "spherical", true);
    place_joint(joint, i, j, false);
  } else if (s.has("ORIENTATION")) {
    new_joint(s, "parallel", false).set("axis", two_axes(zj, zi, s.where));
    const std::string turn = names_.take(name_of(s) + "_turn", "joint");
    remember(s, turn);
    model_.add("joints", turn, s.where, s.label())
        .words("perpendicular", {body_of(j), body_of(i)})
        .set("axes", two_axes(j.frame.axes.col(0), i.frame.axes.col(1), s.where));
  } else {
    refuse("such primitives are not understood");
  }
}

const AdamsJoint& AdamsModel::joint_of(int id) {
  const auto found = joints_.find(id);
  if (found == joints_.end()) broken(fmt::format("there is no JOINT/{} that is understood", id));
  return found->second;
}

bool AdamsModel::has_one_coordinate(const AdamsJoint& joint) {
  return joint.type == "revolute" || joint.type == "prismatic" || joint.type == "screw";
}

int AdamsModel::coordinate(const AdamsJoint& joint, bool turns) {
  if (joint.type == "revolute" || joint.type == "screw") return turns ? 1 : 0;
  if (joint.type == "prismatic") return turns ? 0 : 1;
  if (joint.type == "cylindrical") return turns ? 2 : 1;
  return 0;
}

// Of a joint, or between two markers: along an axis of J a coordinate of a joint that leaves all free, and about z of J
// that of the hinge between the two parts, which is what the markers say but for a sign and a constant.
AdamsDriven AdamsModel::driven_by(const Statement& s) {
  if (const auto id = identifier(s, "JOINT")) {
    const AdamsJoint& joint = joint_of(*id);
    const bool turns = s.has("ROTATIONAL") || (!s.has("TRANSLATIONAL") && coordinate(joint, true) == 1);
    const int index = coordinate(joint, turns);
    if (index == 0) refuse(fmt::format("a {} joint has no such motion", joint.type));
    return {joint.name, index, turns, has_one_coordinate(joint)};
  }
  int i = 0, j = 0;
  const AdamsMarker &one = marker_of(s, "I", &i), &other = marker_of(s, "J", &j);
  int index = 0;
  for (const auto& [axis, number] : {std::pair("X", 1), {"Y", 2}, {"Z", 3}})
    if (s.has(axis)) index = number;
  if (index == 0) {
    const AdamsJoint* hinge = s.has("B3") ? hinge_between(one, other) : nullptr;
    if (hinge == nullptr) refuse("turns between markers are understood as B3 about the axis of a hinge alone");
    const AdamsMarker &joint_i = marker(hinge->i), &joint_j = marker(hinge->j);
    const double sign = (joint_i.part == one.part ? 1 : -1) * (hinge->axis.dot(other.frame.axes.col(2)) > 0 ? 1 : -1);
    const double shift = angle_about_z(one.frame, other.frame) - sign * angle_about_z(joint_i.frame, joint_j.frame);
    return {hinge->name, coordinate(*hinge, true), true, has_one_coordinate(*hinge), sign, tidy(shift)};
  }
  const std::string name = names_.take(name_of(s) + "_between", "joint");
  TreeElement between = model_.add("joints", name, s.where, s.label());
  between.words("free", {body_of(other), body_of(one)}).words("at", {marker_name(j), marker_name(i)});
  tied_.emplace_back(body_of(other), body_of(one));
  const Vec3 apart = other.frame.axes.transpose() * (one.frame.origin - other.frame.origin);
  std::vector<TreeNode> drawn;
  for (int k = 0; k < 3; ++k) drawn.push_back(number_node(tidy(apart[k]), s.where));
  for (int k = 0; k < 3; ++k) drawn.push_back(number_node(0, s.where));
  between.set("drawn", list_node(std::move(drawn), s.where));
  return {name, index, false, false};
}

void AdamsModel::add_motion(const Statement& s) {
  const std::string order = s.has("VELOCITY") ? "speed" : s.has("ACCELERATION") ? "acceleration" : "position";
  s.find("DISPLACEMENT");
  const AdamsDriven driven = driven_by(s);
  const double length = driven.sign * (driven.turns ? 1 : units_.length);
  const double unit = order == "speed"          ? length / units_.time
                      : order == "acceleration" ? length / (units_.time * units_.time)
                                                : length;
  std::string law = expression(s, "FUNCTION", unit);
  const double shift = driven.sign * driven.shift;
  if (order == "position" && shift != 0) law = fmt::format("{} - ({})", law, number_text(shift));
  const std::string name = name_of(s);
  remember(s, name);
  TreeElement driver = model_.add("drivers", name, s.where, s.label());
  driver.word("joint", driven.joint);
  if (!driven.alone) driver.number("coordinate", driven.coordinate);
  driver.word(order, law);
  const auto start = numbers(s, "ICDISP", 1, 1), rate = numbers(s, "ICVEL", 1, 1);
  if ((!start && !rate) || !driven.alone) return;
  TreeNode fields = map_node(s.where);
  if (start) fields->add({"position", s.where, number_node((*start)[0] * length - shift, s.where)});
  if (rate) fields->add({"velocity", s.where, number_node((*rate)[0] * length / units_.time, s.where)});
  model_.add("initial", driven.joint, fields);
}

// r1 q1 + r2 q2 = 0.
void AdamsModel::add_coupler(const Statement& s) {
  const std::vector<int> ids = identifiers(s, "JOINTS", 2);
  const auto scales = numbers(s, "SCALES", 2, 3);
  if (!scales) broken("SCALES is missing");
  std::string types;
  if (const AdamsArgument* type = s.find("TYPE"))
    for (const char c : upper_case(type->value))
      if (c == 'T' || c == 'R') types += c;
  std::array<int, 2> index{};
  std::array<double, 2> unit{1, 1};
  bool several = false;
  for (std::size_t k = 0; k < 2; ++k) {
    const AdamsJoint& joint = joint_of(ids[k]);
    const bool turns = types.size() == 2 ? types[k] == 'R' : coordinate(joint, true) == 1;
    index[k] = coordinate(joint, turns);
    if (index[k] == 0) refuse(fmt::format("a {} joint has no such coordinate", joint.type));
    if (!turns) unit[k] = units_.length;
    several = several || !has_one_coordinate(joint);
  }
  if ((*scales)[1] == 0) refuse("its second scale is 0");
  TreeElement coupler = model_.add("couplers", name_of(s), s.where, s.label());
  coupler.words("gear", {joint_of(ids[0]).name, joint_of(ids[1]).name});
  if (several) coupler.words("coordinates", {std::to_string(index[0]), std::to_string(index[1])});
  coupler.number("ratio", -(*scales)[0] / (*scales)[1] * unit[1] / unit[0]);
}

// Both joints let their bodies move against one carrier with the same velocity along z of the CV marker, at its place.
void AdamsModel::add_gear(const Statement& s) {
  const std::vector<int> ids = identifiers(s, "JOINTS", 2);
  const AdamsMarker& cv = marker_of(s, "CV");
  std::array<double, 2> speed{};
  for (std::size_t k = 0; k < 2; ++k) {
    const AdamsJoint& joint = joint_of(ids[k]);
    if (joint.type != "revolute" && joint.type != "prismatic")
      refuse(fmt::format("gears on {} joints are not understood", joint.type));
    const Vec3 lever = cv.frame.origin - marker(joint.j).frame.origin;
    const Vec3 motion = joint.type == "revolute" ? Vec3(joint.axis.cross(lever)) : joint.axis;
    speed[k] = motion.dot(cv.frame.axes.col(2));
    if (body_of(marker(joint.i)) == body_of(cv)) speed[k] = -speed[k];  // the carrier is body 2 of this joint
  }
  if (std::abs(speed[1]) < 1e-12) refuse("its second joint does not move the CV marker along z");
  model_.add("couplers", name_of(s), s.where, s.label())
      .words("gear", {joint_of(ids[0]).name, joint_of(ids[1]).name})
      .number("ratio", tidy(speed[0] / speed[1]));
}

// JOINT/..., RACKPIN: a pinion, whose axis is z of I, rolls on a rack, which goes along z of J. What guides the two,
// against one carrier, are other joints of the dataset; which way they turn follows from where the rack is:
//     z_J s' = theta' z_I x r,  r from the axis to the rack, PD/2 long.
void AdamsModel::add_rack(const Statement& s) {
  if (!s.has("RACKPIN")) return;
  const AdamsMarker &pinion = marker_of(s, "I"), &rack = marker_of(s, "J");
  const double radius = number(s, "PD", 0) * units_.length / 2;
  if (!(radius > 0)) refuse("its pitch diameter PD is not above 0");
  const Vec3 axis = pinion.frame.axes.col(2), way = rack.frame.axes.col(2);
  Vec3 lever = rack.frame.origin - pinion.frame.origin;
  lever -= lever.dot(axis) * axis + lever.dot(way) * way;
  if (lever.norm() < 1e-6 * radius)
    refuse("on which side of the pinion the rack is cannot be told: its marker is on the axis of the pinion",
           "move the J marker to where the teeth touch");
  const double side = axis.cross(lever.normalized()).dot(way) * radius;
  struct Guide {
    const AdamsJoint* joint = nullptr;
    double along = 0;  // the coordinate by the motion of the part about, or along, the marker's z
  };
  const auto guide = [&](const AdamsMarker& moved, const AdamsMarker& other, const char* type) {
    for (const auto& [id, joint] : joints_) {
      const AdamsMarker &i = marker(joint.i), &j = marker(joint.j);
      const bool is_i = i.part == moved.part;
      if (joint.type != type || (!is_i && j.part != moved.part) || (is_i ? j : i).part == other.part) continue;
      return Guide{&joint, (is_i ? 1.0 : -1.0) * joint.axis.dot(moved.frame.axes.col(2))};
    }
    refuse(fmt::format("no {} joint guides its {}", type, &moved == &pinion ? "pinion" : "rack"));
    return Guide{};
  };
  const Guide turning = guide(pinion, rack, "revolute"), sliding = guide(rack, pinion, "prismatic");
  const auto carrier = [&](const Guide& g, const AdamsMarker& moved) {
    return body_of(marker(marker(g.joint->i).part == moved.part ? g.joint->j : g.joint->i));
  };
  if (carrier(turning, pinion) != carrier(sliding, rack)) refuse("its pinion and its rack are guided by two parts");
  model_.add("couplers", name_of(s), s.where, s.label())
      .words("gear", {turning.joint->name, sliding.joint->name})
      .number("ratio", tidy(side * sliding.along / turning.along));
}

// FUNCTION = 0. One is understood: DM(i, j) less a number, a rod without mass.
void AdamsModel::add_general_constraint(const Statement& s) {
  s.find("I");
  const AdamsArgument* function = s.find("FUNCTION");
  if (function == nullptr) broken("FUNCTION is missing");
  std::string text = upper_case(function->value);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  const std::size_t comma = text.find(','), close = text.find(')');
  double i = 0, j = 0, length = 0;
  const bool rod = text.starts_with("DM(") && comma < close && close + 2 < text.size() && text[close + 1] == '-' &&
                   parse_adams_number(text.substr(3, comma - 3), i) &&
                   parse_adams_number(text.substr(comma + 1, close - comma - 1), j) &&
                   parse_adams_number(text.substr(close + 2), length);
  if (!rod) refuse("constraints other than DM(I, J) - LENGTH are not understood");
  const AdamsMarker &one = marker(static_cast<int>(j)), &other = marker(static_cast<int>(i));
  if (one.part == other.part) broken("both markers are on one part");
  model_.add("joints", name_of(s), s.where, s.label())
      .words("distance", {body_of(one), body_of(other)})
      .set("at", two(one.frame.origin, other.frame.origin, s.where))
      .number("length", length * units_.length);
}

}  // namespace cardan
