// Joints: which bodies, where, and how their frames lie (the rule is in specs.hpp, the coordinates in mechanism.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanism/frames.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

namespace {

constexpr double kPerpendicular = 1e-6;  // cosine up to which universal axes count as perpendicular
constexpr double kParallelAxes = 1e-9;   // sine below which x_axis counts as parallel to the axis

bool has_axis(JointType type) { return traits(type).has_field("axis"); }

// Whether its axis in planar mechanisms is x, which has to be given, and not z.
bool has_axis_in_plane(JointType type) { return has_axis(type) && traits(type).in_plane.coordinates != "Z"; }

}  // namespace

void Resolver::resolve_joints() {
  for (const JointSpec& spec : spec_.joints) {
    Joint joint;
    joint.name = spec.name.value;
    joint.where = spec.name.where;
    joint.type = spec.type;
    joint.drawn = spec.drawn.value;
    joint_is_sound_.push_back(!noted(spec).incomplete && resolve_joint(spec, joint));
    result_.joints.push_back(std::move(joint));
  }
}

bool Resolver::resolve_joint(const JointSpec& spec, Joint& joint) {
  const std::string element = element_label("joint", spec.name.value);
  if (!check_joint_fits_plane(spec, element)) return false;
  const auto body1 = find_body(spec.body1, element);
  const auto body2 = find_body(spec.body2, element);
  if (!body1 || !body2) return false;
  if (!check_two_bodies(*body1, *body2, element, first_known(spec.body1.where, spec.name.where))) return false;
  joint.body1 = *body1;
  joint.body2 = *body2;
  const bool drawn = check_drawn(spec, element);
  if (!place_joint(spec, element, joint) || !orient_joint(spec, element, joint)) return false;
  for (Frame* frame : {&joint.frame1, &joint.frame2}) frame->axes = carried_over(frame->axes, noted(spec).image);
  return resolve_length(spec, element, joint) && resolve_pitch(spec, element, joint) && drawn;
}

bool Resolver::check_joint_fits_plane(const JointSpec& spec, const std::string& element) {
  if (!spec_.planar) return true;
  const char* remedy = traits(spec.type).instead;
  if (remedy == nullptr) return true;
  problems_.error(spec.name.where, element, fmt::format("a planar model has no {} joint", joint_type_name(spec.type)),
                  remedy);
  return false;
}

bool Resolver::check_drawn(const JointSpec& spec, const std::string& element) {
  const auto& values = spec.drawn.value;
  if (values.empty()) return true;
  const SourceLocation& where = first_known(spec.drawn.where, spec.name.where);
  const int count = joint_coordinate_count(spec.type, spec_.planar);
  if (static_cast<int>(values.size()) != count) {
    problems_.error(
        where, element,
        fmt::format("'drawn' has {} value{}, but a {} joint has {} coordinate{}", values.size(),
                    values.size() == 1 ? "" : "s", joint_type_name(spec.type), count, count == 1 ? "" : "s"));
    return false;
  }
  for (const double value : values) {
    if (std::isfinite(value)) continue;
    problems_.error(where, element, "'drawn' is not a finite number");
    return false;
  }
  return true;
}

bool Resolver::place_joint(const JointSpec& spec, const std::string& element, Joint& joint) {
  const SourceLocation& where = spec.name.where;
  if (!spec.at1) {
    if (traits(spec.type).needs_place) {
      problems_.error(where, element, "no place is given", "add 'at: POINT'");
      return false;
    }
    const int body = joint.body2 != kGround ? joint.body2 : joint.body1;
    if (!body_is_sound_[static_cast<std::size_t>(body)]) return false;
    joint.frame1.origin = joint.frame2.origin = result_.bodies[static_cast<std::size_t>(body)].center;
    return true;
  }
  const bool has_length = traits(spec.type).has_field("length");
  if (has_length && !spec.at2) {
    problems_.error(where, element, fmt::format("a {} link needs two points", joint_type_name(spec.type)),
                    "write 'at: [POINT, POINT]'");
    return false;
  }
  const Place& at2 = spec.at2 ? *spec.at2 : *spec.at1;
  const auto origin1 = find_place(*spec.at1, element);
  const auto origin2 = spec.at2 ? find_place(at2, element) : origin1;
  if (!origin1 || !origin2) return false;
  joint.frame1.origin = *origin1;
  joint.frame2.origin = *origin2;
  const Marker* marker1 = marker_named(spec.at1->name);
  const Marker* marker2 = marker_named(at2.name);
  // Frames are built in the axes of the part to which the joint belongs, and carried over from there.
  const Vec3 signs1 = noted(spec).marker_signs1,
             signs2 = spec.at2 ? noted(spec).marker_signs2 : noted(spec).marker_signs1;
  if (marker1 != nullptr) joint.frame1.axes = carried_back(marker1->axes * signs1.asDiagonal(), noted(spec).image);
  if (marker2 != nullptr) joint.frame2.axes = carried_back(marker2->axes * signs2.asDiagonal(), noted(spec).image);
  if (!spec.at2) return true;
  const auto sits_on = [&](const Marker* marker, int body, const Place& place) {
    if (marker == nullptr || marker->body == body) return true;
    const auto name = [this](int b) -> std::string {
      return b == kGround ? "ground" : "'" + spec_.bodies[static_cast<std::size_t>(b)].name.value + "'";
    };
    problems_.error(first_known(place.where, where), element,
                    fmt::format("marker '{}' sits on {}, not on {}", marker->name, name(marker->body), name(body)),
                    "exchange the places or the bodies");
    return false;
  };
  const bool first = sits_on(marker1, joint.body1, *spec.at1);
  return sits_on(marker2, joint.body2, at2) && first;
}

bool Resolver::orient_joint(const JointSpec& spec, const std::string& element, Joint& joint) {
  const auto refuse = [&](const std::optional<Direction>& direction, const std::string& message, const char* remedy) {
    problems_.error(first_known(direction->where, spec.name.where), element, message, remedy);
    return false;
  };
  if (traits(spec.type).has_field("axes")) return orient_universal(spec, element, joint);
  const bool turns_in_plane = spec_.planar && has_axis(spec.type) && !has_axis_in_plane(spec.type);
  if (!has_axis(spec.type) && spec.axis1)
    return refuse(spec.axis1, fmt::format("a {} joint has no axis", joint_type_name(spec.type)), "leave 'axis' out");
  if (turns_in_plane && spec.axis1 && (spec.axis1->name != "z" || spec.axis2))
    return refuse(spec.axis1, fmt::format("a {} joint of a planar model turns about z", joint_type_name(spec.type)),
                  "leave 'axis' out");
  const bool builds_axes = has_axis(spec.type) && spec.axis1;
  for (const auto& [place, outside] :
       {std::pair(&spec.at1, noted(spec).outside1), std::pair(&spec.at2, noted(spec).outside2)}) {
    if (!outside || builds_axes || traits(spec.type).has_field("length") || marker_named((*place)->name) == nullptr)
      continue;
    problems_.error(first_known((*place)->where, spec.name.where), element,
                    fmt::format("marker '{}' is not mirrored with the joint that takes its axes", (*place)->name),
                    has_axis(spec.type) ? "give the joint an axis" : "connect a point");
    return false;
  }
  const bool from_marker =
      spec.at1 && (marker_named(spec.at1->name) != nullptr || (spec.at2 && marker_named(spec.at2->name) != nullptr));
  if (has_axis(spec.type) && !turns_in_plane && (spec.axis1 || !from_marker)) {
    if (!spec.axis1) {
      problems_.error(
          spec.name.where, element, fmt::format("a {} joint needs an axis", joint_type_name(spec.type)),
          spec_.planar ? "add 'axis: x', [dx, dy] or two points" : "add 'axis: z', [dx, dy, dz] or two points");
      return false;
    }
    if (!orient_along_axis(spec, element, joint)) return false;
  }
  if (!spec.x_axis) return true;
  if (spec_.planar && has_axis_in_plane(spec.type))
    return refuse(spec.x_axis, fmt::format("the x axis of a planar {} joint is its axis", joint_type_name(spec.type)),
                  "leave 'x_axis' out");
  const auto x = find_direction(*spec.x_axis, element, "'x_axis'", noted(spec).image);
  if (!x) return false;
  for (Frame* frame : {&joint.frame1, &joint.frame2}) {
    if (x->cross(Vec3(frame->axes.col(2))).norm() < kParallelAxes)
      return refuse(spec.x_axis, "'x_axis' is parallel to the joint's axis", "give a direction across it");
    frame->axes = turned_about_z(frame->axes, *x);
  }
  return true;
}

bool Resolver::orient_along_axis(const JointSpec& spec, const std::string& element, Joint& joint) {
  const auto axis1 = find_direction(*spec.axis1, element, "the axis", noted(spec).image);
  const auto axis2 =
      spec.axis2 ? find_direction(*spec.axis2, element, "the axis on the second body", noted(spec).image) : axis1;
  if (!axis1 || !axis2) return false;
  if (spec_.planar && (axis1->z() != 0 || axis2->z() != 0)) {
    problems_.error(first_known(spec.axis1->where, spec.name.where), element, "the axis points out of the plane",
                    "give a direction in the plane");
    return false;
  }
  joint.frame1.axes = joint.frame2.axes = spec_.planar ? axes_with_x(*axis1) : axes_with_z(*axis1);
  if (spec.axis2) {
    const Vec3 half_turn = spec_.planar ? Vec3::UnitZ() : Vec3(joint.frame1.axes.col(0));
    joint.frame2.axes = smallest_rotation(*axis1, *axis2, half_turn) * joint.frame1.axes;
  }
  return true;
}

bool Resolver::orient_universal(const JointSpec& spec, const std::string& element, Joint& joint) {
  if (!spec.axis1 || !spec.axis2) {
    problems_.error(spec.name.where, element, fmt::format("a {} joint needs two axes", joint_type_name(spec.type)),
                    "add 'axes: [direction on body 1, direction on body 2]'");
    return false;
  }
  const auto x = find_direction(*spec.axis1, element, "the first axis", noted(spec).image);
  const auto y = find_direction(*spec.axis2, element, "the second axis", noted(spec).image);
  if (!x || !y) return false;
  const double cosine = x->dot(*y);
  if (std::abs(cosine) > kPerpendicular) {
    problems_.error(first_known(spec.axis1->where, spec.name.where), element,
                    fmt::format("the axes of a {} joint are {:.4g} degrees apart", joint_type_name(spec.type),
                                std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi),
                    "draw them at right angles");
    return false;
  }
  Mat3 axes;
  axes.col(2) = x->cross(*y).normalized();
  axes.col(0) = *x;
  axes.col(1) = Vec3(axes.col(2)).cross(*x);
  joint.frame1.axes = axes;
  axes.col(0) = y->cross(Vec3(axes.col(2)));
  axes.col(1) = *y;
  joint.frame2.axes = axes;
  return true;
}

bool Resolver::resolve_pitch(const JointSpec& spec, const std::string& element, Joint& joint) {
  if (!traits(spec.type).has_field("pitch")) {
    if (!spec.pitch) return true;
    problems_.error(spec.pitch->where, element, fmt::format("a {} joint has no pitch", joint_type_name(spec.type)));
    return false;
  }
  if (!spec.pitch) {
    problems_.error(spec.name.where, element, fmt::format("a {} needs a pitch", joint_type_name(spec.type)),
                    "add 'pitch', m for a full turn");
    return false;
  }
  joint.pitch = spec.pitch->value;
  if (std::isfinite(joint.pitch) && joint.pitch != 0) return true;
  problems_.error(spec.pitch->where, element, fmt::format("the pitch is {}", joint.pitch),
                  "give another than 0, or use a revolute joint");
  return false;
}

bool Resolver::resolve_length(const JointSpec& spec, const std::string& element, Joint& joint) {
  if (!traits(spec.type).has_field("length")) {
    if (!spec.length) return true;
    problems_.error(spec.length->where, element, fmt::format("a {} joint has no length", joint_type_name(spec.type)));
    return false;
  }
  joint.length = spec.length ? spec.length->value : (joint.frame2.origin - joint.frame1.origin).stableNorm();
  if (std::isfinite(joint.length) && joint.length > 0) return true;
  if (spec.length) {
    problems_.error(spec.length->where, element, fmt::format("the length is {}", joint.length),
                    "give a length above 0");
  } else {
    problems_.error(
        spec.name.where, element, fmt::format("the two points of the {} link coincide", joint_type_name(spec.type)),
        spec_.planar ? "draw them apart, or use a revolute joint" : "draw them apart, or use a spherical joint");
  }
  return false;
}

}  // namespace cardan
