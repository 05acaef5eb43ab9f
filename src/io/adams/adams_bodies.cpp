// Units, gravity, parts, markers, graphics.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"
#include "math/decomposition/decompositions.hpp"

namespace cardan {

namespace {

using UnitTable = std::vector<std::pair<std::string_view, double>>;

const UnitTable kForces{{"NEWTON", 1},
                        {"KNEWTON", 1e3},
                        {"KILONEWTON", 1e3},
                        {"DYNE", 1e-5},
                        {"POUND_FORCE", 4.4482216152605},
                        {"KPOUND_FORCE", 4448.2216152605},
                        {"OUNCE_FORCE", 0.27801385095378125},
                        {"KILOGRAM_FORCE", 9.80665},
                        {"MILLINEWTON", 1e-3},
                        {"CENTINEWTON", 1e-2},
                        {"POUNDAL", 0.138254954376}};
const UnitTable kMasses{{"KILOGRAM", 1},
                        {"KG", 1},
                        {"GRAM", 1e-3},
                        {"MEGAGRAM", 1e3},
                        {"TONNE", 1e3},
                        {"POUND_MASS", 0.45359237},
                        {"SLUG", 14.593902937206365},
                        {"SLINCH", 175.12683524647638},
                        {"OUNCE_MASS", 0.028349523125},
                        {"KPOUND_MASS", 453.59237}};
const UnitTable kLengths{{"METER", 1},       {"MILLIMETER", 1e-3}, {"MM", 1e-3},     {"CENTIMETER", 1e-2},
                         {"KILOMETER", 1e3}, {"INCH", 0.0254},     {"FOOT", 0.3048}, {"MILE", 1609.344}};
const UnitTable kTimes{{"SECOND", 1}, {"SEC", 1}, {"MILLISECOND", 1e-3}, {"MINUTE", 60}, {"HOUR", 3600}};

/// Turns about z, the new x and the new z.
Mat3 from_euler313(const Vec3& a) {
  return (Eigen::AngleAxisd(a.x(), Vec3::UnitZ()) * Eigen::AngleAxisd(a.y(), Vec3::UnitX()) *
          Eigen::AngleAxisd(a.z(), Vec3::UnitZ()))
      .toRotationMatrix();
}

/// z kept, x made perpendicular to it.
Mat3 axes_from(const Vec3& z, const Vec3& x) {
  Mat3 axes;
  axes.col(2) = z.normalized();
  axes.col(0) = (x - x.dot(axes.col(2)) * axes.col(2)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

}  // namespace

void AdamsModel::read_units() {
  for (const Statement& s : dataset_.statements) {
    if (s.keyword != "UNITS") continue;
    const auto unit = [&](std::string_view argument, const UnitTable& table, double& value) {
      const AdamsArgument* given = s.find(argument);
      if (given == nullptr) return;
      const std::string word = upper_case(given->value);
      for (const auto& [name, factor] : table)
        if (word == name || (word.size() >= 3 && name.starts_with(word))) {
          value = factor;
          return;
        }
      std::vector<std::string> known;
      for (const auto& [name, factor] : table) known.emplace_back(name);
      problems_.error(given->where, "UNITS", fmt::format("the unit '{}' is not known", given->value),
                      fmt::format("those of {} are {}", argument, one_of(known)));
    };
    if (const AdamsArgument* system = s.find("SYSTEM")) {
      const std::string word = upper_case(system->value);
      if (word == "MKS" || word == "CGS" || word == "MMKS") {
        units_ = word == "CGS" ? AdamsUnits{1e-2, 1e-3, 1, 1e-5} : AdamsUnits{word == "MKS" ? 1.0 : 1e-3, 1, 1, 1};
      } else if (word == "IPS" || word == "FPS") {
        units_ = {word == "IPS" ? 0.0254 : 0.3048, word == "IPS" ? 0.45359237 : 14.593902937206365, 1, 4.4482216152605};
      } else {
        problems_.error(system->where, "UNITS", fmt::format("the system '{}' is not known", system->value));
      }
    }
    unit("FORCE", kForces, units_.force);
    unit("MASS", kMasses, units_.mass);
    unit("LENGTH", kLengths, units_.length);
    unit("TIME", kTimes, units_.time);
  }
}

void AdamsModel::read_gravity(const Statement& s) {
  const Vec3 g(number(s, "IGRAV", 0), number(s, "JGRAV", 0), number(s, "KGRAV", 0));
  const TreeNode value = vector_node(tidy(g * units_.length / (units_.time * units_.time)), s.where);
  const_cast<YamlNode&>(*model_.root->find("gravity")->value) = *value;
}

Frame AdamsModel::frame_of(const Statement& s, const char* origin, const char* z_point, const char* x_point) {
  Frame frame;
  frame.origin = vector(s, origin, Vec3::Zero()) * units_.length;
  for (const char* name : {"REULER", "EULER", "EU"})
    if (s.has(name)) frame.axes = from_euler313(vector(s, name, Vec3::Zero()));
  if (!s.has(z_point) && !s.has(x_point)) return frame;
  const Vec3 z =
      s.has(z_point) ? Vec3(vector(s, z_point, Vec3::Zero()) * units_.length - frame.origin) : Vec3(Vec3::UnitZ());
  Vec3 x = s.has(x_point) ? Vec3(vector(s, x_point, Vec3::Zero()) * units_.length - frame.origin) : Vec3(Vec3::UnitX());
  if (!(z.norm() > 0)) broken(fmt::format("{} is the origin itself, and gives no direction", z_point));
  const double sine = z.normalized().cross(x.norm() > 0 ? x.normalized() : x).norm();
  if (sine < 1e-9 && s.has(x_point)) broken(fmt::format("{} is on the z axis, and gives no direction", x_point));
  if (sine < 1e-9) x = Vec3::UnitY();
  // USEXP (USEXG) keeps x and gives way with z; else it is the other way round.
  if (s.has(std::string("USE") + x_point)) {
    const Vec3 y = z.cross(x).normalized(), along = x.normalized();
    frame.axes << along, y, along.cross(y);
  } else {
    frame.axes = axes_from(z, x);
  }
  return frame;
}

void AdamsModel::find_part(const Statement& s) {
  AdamsPart part;
  part.statement = &s;
  if (s.has("GROUND")) {
    for (const auto& [id, other] : parts_)
      if (other.body == "ground") broken(fmt::format("PART/{} is ground already", id));
    part.body = "ground";
  } else {
    part.frame = frame_of(s, "QG", "ZG", "XG");
    part.body = name_of(s);
  }
  parts_[s.id] = part;
  for (const char* ignored : {"MATERIAL", "EXACT"}) s.find(ignored);
}

void AdamsModel::find_marker(const Statement& s) {
  AdamsMarker result;
  const auto part = identifier(s, "PART");
  if (!part && (s.has("FLEX_BODY") || s.has("POINT_MASS")))
    refuse("markers of flexible bodies and point masses are not understood");
  if (part) {
    result.part = *part;
  } else {
    // Of the part that stands before it.
    const Statement* last = nullptr;
    for (const Statement& other : dataset_.statements) {
      if (&other == &s) break;
      if (other.keyword == "PART") last = &other;
    }
    if (last == nullptr) broken("PART is missing");
    result.part = last->id;
  }
  const auto found = parts_.find(result.part);
  if (found == parts_.end()) broken(fmt::format("there is no PART/{}", result.part));
  result.floating = s.has("FLOATING");
  result.frame = found->second.frame * frame_of(s, "QP", "ZP", "XP");
  markers_[s.id] = result;
}

void AdamsModel::add_body(const Statement& s) {
  const auto found = parts_.find(s.id);
  if (found == parts_.end() || found->second.body == "ground") return;
  const AdamsPart& part = found->second;
  const double mass = number(s, "MASS", 0) * units_.mass;
  const auto cm = identifier(s, "CM"), im = identifier(s, "IM");
  if (!cm && mass > 0) broken("CM is missing", "give the marker of its centre of mass");
  const auto own = [&](int id) -> const AdamsMarker& {
    const AdamsMarker& found = marker(id);
    if (found.part != s.id) broken(fmt::format("MARKER/{} is on another part", id));
    return found;
  };
  const Frame center = cm ? own(*cm).frame : part.frame;
  TreeElement body =
      model_.add("bodies", part.body, s.where, s.view_name == part.body ? fmt::format("PART/{}", s.id) : s.label());
  body.number("mass", mass).vector("center", center.origin);
  const auto moments = numbers(s, "IP", 3, 6);
  if (mass > 0 || moments) {
    const auto moment = [&](std::size_t i) { return moments && i < moments->size() ? (*moments)[i] : 0; };
    Mat3 about_im;  // products are positive integrals there
    about_im << moment(0), -moment(3), -moment(4), -moment(3), moment(1), -moment(5), -moment(4), -moment(5), moment(2);
    about_im *= units_.mass * units_.length * units_.length;
    const Frame inertial = im ? own(*im).frame : center;
    const Vec3 d = inertial.axes.transpose() * (center.origin - inertial.origin);
    const Mat3 about_center = about_im - mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    const Mat3 turn = part.frame.axes.transpose() * inertial.axes;
    const Mat3 inertia = turn * about_center * turn.transpose();
    std::vector<TreeNode> values;
    for (const auto& [row, column] : {std::pair(0, 0), {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}) {
      double value = inertia(row, column);
      if (std::abs(value) < 1e-15 * inertia.cwiseAbs().maxCoeff()) value = 0;
      values.push_back(number_node(value, s.where));
    }
    if (std::all_of(values.begin() + 3, values.end(),
                    [](const TreeNode& v) { return v->text == "0" || v->text == "-0"; }))
      values.resize(3);
    body.set("inertia", list_node(std::move(values), s.where));
    const Vec3 principal = symmetric_eigenvalues(inertia).values;
    if (principal[0] >= 0 && principal[0] + principal[1] < principal[2] * (1 - 1e-9)) body.word("unphysical", "true");
  }
  body.axes(part.frame.axes);
}

void AdamsModel::add_start(const Statement& s) {
  const auto found = parts_.find(s.id);
  if (found == parts_.end() || found->second.body == "ground") return;
  const AdamsPart& part = found->second;
  const auto velocity = [&](std::array<const char*, 3> names, const char* key, const Mat3& axes, double unit,
                            TreeNode& fields) {
    Vec3 value;
    bool any = false, all = true;
    for (int i = 0; i < 3; ++i) {
      const bool given = s.has(names[static_cast<std::size_t>(i)]);
      any = any || given;
      all = all && given;
      value[i] = number(s, names[static_cast<std::size_t>(i)], 0) * unit;
    }
    if (!any) return;
    std::vector<TreeNode> items;
    const Vec3 turned = axes * value;
    for (int i = 0; i < 3; ++i)
      items.push_back(!s.has(names[static_cast<std::size_t>(i)]) && axes.isIdentity(1e-12)
                          ? word_node("free", s.where)
                          : number_node(tidy(turned[i]), s.where));
    fields->add({key, s.where, list_node(std::move(items), s.where)});
  };
  const auto cm = identifier(s, "CM"), vm = identifier(s, "VM"), wm = identifier(s, "WM");
  TreeNode fields = map_node(s.where);
  velocity({"VX", "VY", "VZ"}, "velocity", vm ? marker(*vm).frame.axes : Mat3::Identity(), units_.length / units_.time,
           fields);
  const Mat3 spin = wm ? marker(*wm).frame.axes : cm ? marker(*cm).frame.axes : part.frame.axes;
  velocity({"WX", "WY", "WZ"}, "angular_velocity", spin, 1 / units_.time, fields);
  if (!fields->entries.empty()) model_.add("initial", part.body, fields);
}

void AdamsModel::add_graphics(const Statement& s) {
  TreeNode node = map_node(s.where);
  TreeElement shape(node, s.where);
  const AdamsMarker* on = nullptr;
  if (s.has("CYLINDER")) {
    on = &marker_of(s, "CM");
    const double length = number(s, "LENGTH", 0) * units_.length, radius = number(s, "RADIUS", 0) * units_.length;
    if (!(radius > 0) || length == 0) refuse("it has no size");
    std::vector<TreeNode> ends{vector_node(tidy(on->frame.origin), s.where),
                               vector_node(tidy(on->frame.origin + length * on->frame.axes.col(2)), s.where)};
    shape.set("cylinder", list_node(std::move(ends), s.where)).number("radius", tidy(radius));
  } else if (s.has("BOX") || s.has("BLOCK")) {
    on = &marker_of(s, "CORNER");
    const Vec3 edges = Vec3(number(s, "X", 0), number(s, "Y", 0), number(s, "Z", 0)) * units_.length;
    if (!(edges.cwiseAbs().minCoeff() > 0)) refuse("it has no size");
    shape.vector("box", edges.cwiseAbs())
        .vector("at", on->frame.origin + on->frame.axes * edges / 2)
        .axes(on->frame.axes);
  } else if (s.has("ELLIPSOID") || s.has("SPHERE")) {
    on = &marker_of(s, "CM");
    const double width = number(s, "XSCALE", 2 * number(s, "RADIUS", 0));
    if (!(width > 0) || number(s, "YSCALE", width) != width || number(s, "ZSCALE", width) != width)
      refuse("ellipsoids are not shown, spheres are");
    const double x = width * units_.length / 2;
    shape.number("sphere", x).vector("at", on->frame.origin);
  } else {
    refuse("such graphics are not shown");
  }
  for (const AdamsArgument& argument : s.arguments) argument.used = true;  // how fine it is drawn, in which colour
  const YamlEntry* bodies = model_.root->find("bodies");
  const std::string& body = body_of(*on);
  if (bodies == nullptr || bodies->value->find(body) == nullptr) {
    if (body != "ground") return;
    model_.add("bodies", "ground", s.where);
  }
  auto& fields = const_cast<YamlNode&>(*model_.root->find("bodies")->value->find(body)->value);
  if (fields.find("geometry") == nullptr) fields.add({"geometry", s.where, list_node({}, s.where)});
  const_cast<YamlNode&>(*fields.find("geometry")->value).items.push_back(node);
}

// Parts that no joint ties to ground move freely.
void AdamsModel::add_free_joints() {
  std::map<std::string, std::string> leader;
  for (const auto& [id, part] : parts_) leader[part.body] = part.body;
  leader["ground"] = "ground";
  const auto find = [&](std::string body) {
    while (leader[body] != body) body = leader[body];
    return body;
  };
  for (const auto& [one, other] : tied_) {
    const std::string a = find(one), b = find(other);
    if (a == b) continue;
    leader[a == "ground" ? b : a] = a == "ground" ? a : b;
  }
  for (const auto& [id, part] : parts_) {
    if (find(part.body) == "ground" || find(part.body) != part.body) continue;
    model_.add("joints", names_.take(part.body + "_free", "joint"), part.statement->where, "no joint holds it")
        .words("free", {"ground", part.body});
  }
}

}  // namespace cardan
