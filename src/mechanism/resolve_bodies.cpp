// Bodies and markers: shapes into mass, centre, inertia and axes, and whether such a body can exist.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/decomposition/decompositions.hpp"
#include "mechanism/frames.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

namespace {

constexpr double kSpinInertia = 0.01;  // of a slender rod that may spin, in parts of m L^2

// Relative to the largest moment: what decimal digits in a file may leave, and published data is rounded to.
constexpr double kInertiaRounding = 1e-6;

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

Mat3 turned(const Mat3& inertia, const Mat3& axes) {
  if (axes.isIdentity(0)) return inertia;
  return axes * inertia * axes.transpose();
}

}  // namespace

void Resolver::resolve_bodies() {
  for (const BodySpec& spec : spec_.bodies) {
    Body body;
    body.name = spec.name.value;
    body.where = spec.name.where;
    body.unphysical = spec.unphysical;
    body_is_sound_.push_back(!noted(spec).incomplete && resolve_body(spec, body));
    result_.bodies.push_back(std::move(body));
  }
}

bool Resolver::resolve_mass(const BodySpec& spec, const std::string& element, double volume, const char* no_density,
                            Body& body) {
  if (spec.mass && spec.density) {
    problems_.error(spec.density->where, element, "both mass and density are given", "give one of them");
    return false;
  }
  if (spec.density && no_density != nullptr) {
    problems_.error(spec.density->where, element, no_density, "give its mass");
    return false;
  }
  if (!spec.mass && !spec.density) {
    problems_.error(spec.name.where, element, "no mass is given",
                    "add 'mass', in kg; 0 is allowed for a massless link");
    return false;
  }
  const Number& given = spec.mass ? *spec.mass : *spec.density;
  const char* what = spec.mass ? "the mass" : "the density";
  if (!check_finite(given, element, what)) return false;
  if (given.value < 0) {
    problems_.error(given.where, element, fmt::format("{} is negative ({})", what, given.value),
                    "give it as 0 or more");
    return false;
  }
  body.mass = spec.mass ? given.value : given.value * volume;
  return true;
}

bool Resolver::check_length(double length, const char* what, const std::string& element, const SourceLocation& where) {
  if (std::isfinite(length) && length > 0) return true;
  problems_.error(where, element, fmt::format("{} is {}", what, length), "give a length above 0");
  return false;
}

/// Slender or solid: moments along its own axes.
bool Resolver::resolve_along(const BodySpec& spec, const std::string& element, const RodShape& rod, const char* what,
                             const char* no_density, const std::optional<Mat3>& axes, Body& body) {
  const double radius = rod.radius;
  const auto p = find_place(rod.from, element), q = find_place(rod.to, element);
  if (!p || !q) return false;
  const Vec3 line = *q - *p;
  const double length = line.stableNorm();
  if (!(length > 0) || !std::isfinite(length)) {
    problems_.error(first_known(rod.from.where, spec.name.where), element, fmt::format("the {} has no length", what),
                    "give two points apart from each other");
    return false;
  }
  if (!resolve_mass(spec, element, std::numbers::pi * radius * radius * length, no_density, body)) return false;
  const Mat3 own = axes_with_x(noted(spec).image.turn.transpose() * line / length);
  const double across = body.mass * (3 * radius * radius + length * length) / 12;
  body.center = *p + line / 2;
  body.inertia = turned(diagonal(body.mass * radius * radius / 2, across, across), own);
  body.axes = axes.value_or(own);
  if (radius > 0) {
    body.shape.emplace();
    body.shape->shape = Geometry::Shape::cylinder;
    body.shape->origin = *p;
    body.shape->end = *q;
    body.shape->radius = radius;
  }
  return true;
}

bool Resolver::resolve_about(const BodySpec& spec, const std::string& element, const Place& center, double volume,
                             const char* no_density, const std::function<Mat3(double mass)>& moments,
                             const std::optional<Mat3>& axes, Body& body) {
  const auto c = find_place(center, element);
  if (!c || !resolve_mass(spec, element, volume, no_density, body)) return false;
  body.center = *c;
  body.axes = axes.value_or(Mat3::Identity());
  body.inertia = turned(moments(body.mass), body.axes);
  return true;
}

bool Resolver::resolve_shape(const BodySpec& spec, const std::string& element, const std::optional<Mat3>& axes,
                             Body& body) {
  const SourceLocation& where = spec.name.where;
  const auto positive = [&](double value, const char* what) { return check_length(value, what, element, where); };
  if (const auto* rod = std::get_if<RodShape>(&spec.shape)) {
    if (!std::isfinite(rod->radius) || rod->radius < 0) {
      problems_.error(where, element, fmt::format("the radius is {}", rod->radius), "give it as 0 or more");
      return false;
    }
    return resolve_along(spec, element, *rod, "rod", "a rod has no density (a cylinder has)", axes, body);
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&spec.shape)) {
    return positive(cylinder->radius, "the radius") &&
           resolve_along(spec, element, {cylinder->from, cylinder->to, cylinder->radius}, "cylinder", nullptr, axes,
                         body);
  }
  if (const auto* sphere = std::get_if<SphereShape>(&spec.shape)) {
    const double r = sphere->radius;
    body.shape.emplace();
    body.shape->shape = Geometry::Shape::sphere;
    body.shape->radius = r;
    const auto moments = [r](double m) -> Mat3 { return 0.4 * m * r * r * Mat3::Identity(); };
    return positive(r, "the radius") &&
           resolve_about(spec, element, sphere->center, 4.0 / 3 * std::numbers::pi * r * r * r, nullptr, moments, axes,
                         body);
  }
  if (const auto* box = std::get_if<BoxShape>(&spec.shape)) {
    const Vec3 e = box->edges, e2 = e.cwiseAbs2();
    const bool flat = spec_.planar && e.z() == 0;
    body.shape.emplace();
    body.shape->edges = e;
    const auto moments = [&e2](double m) {
      return Mat3(m / 12 * diagonal(e2.y() + e2.z(), e2.x() + e2.z(), e2.x() + e2.y()));
    };
    return positive(e.x(), "an edge") && positive(e.y(), "an edge") && (flat || positive(e.z(), "an edge")) &&
           resolve_about(spec, element, box->center, e.prod(), flat ? "a box with two edges has no volume" : nullptr,
                         moments, axes, body);
  }
  const auto& given = std::get<GivenInertia>(spec.shape);
  const auto moments = [&given](double) -> Mat3 { return given.inertia ? given.inertia->value : Mat3(Mat3::Zero()); };
  if (!resolve_about(spec, element, given.center, 0, "a body without a shape has no volume", moments, axes, body))
    return false;
  if (given.inertia || body.mass <= 0) return true;
  problems_.error(where, element, "no inertia is given",
                  spec_.planar ? "add 'inertia', in kg m^2" : "add 'inertia: [Ixx, Iyy, Izz]', in kg m^2");
  return false;
}

bool Resolver::resolve_body(const BodySpec& spec, Body& body) {
  const std::string element = element_label("body", spec.name.value);
  std::optional<Mat3> axes;
  if (spec.axes) {
    axes = find_axes(*spec.axes, element, noted(spec).image);
    if (!axes) return false;
  }
  if (!resolve_shape(spec, element, axes, body)) return false;
  body.axes = carried_over(body.axes, noted(spec).image);
  body.inertia = turned(body.inertia, noted(spec).image.turn);
  if (body.shape) {
    if (body.shape->shape != Geometry::Shape::cylinder) body.shape->origin = body.center;
    body.shape->axes = body.axes;
    body.shape->body = static_cast<int>(result_.bodies.size());
  }
  const auto* given = std::get_if<GivenInertia>(&spec.shape);
  const bool located = given != nullptr && given->inertia;
  const std::size_t before = problems_.error_count();
  check_inertia(body, element, located ? first_known(given->inertia->where, spec.name.where) : spec.name.where);
  return problems_.error_count() == before;
}

void Resolver::check_inertia(const Body& body, const std::string& element, const SourceLocation& where) {
  if (!std::isfinite(body.mass) || !body.inertia.allFinite()) {
    problems_.error(where, element, "the mass or inertia is not a finite number", "check the size of the numbers");
    return;
  }
  if (spec_.planar) {
    if (body.inertia(2, 2) < 0)
      problems_.error(where, element, fmt::format("the inertia is negative ({})", body.inertia(2, 2)),
                      "give it as 0 or more");
    return;
  }
  const double rounding = kInertiaRounding * body.inertia.cwiseAbs().maxCoeff();
  if ((body.inertia - body.inertia.transpose()).cwiseAbs().maxCoeff() > rounding) {
    problems_.error(where, element, "the inertia is not symmetric", "give Ixy = Iyx, Ixz = Izx, Iyz = Izy");
    return;
  }
  const Vec3 principal = symmetric_eigenvalues(body.inertia).values;
  if (principal[0] < -rounding) {
    problems_.error(where, element, fmt::format("a principal moment of inertia is negative ({:.6g})", principal[0]),
                    "no body has such an inertia: check signs and order");
    return;
  }
  if (principal[2] <= principal[0] + principal[1] + rounding) return;
  const std::string broken =
      fmt::format("the principal moments of inertia {:.6g}, {:.6g}, {:.6g} break the triangle inequality", principal[0],
                  principal[1], principal[2]);
  if (body.unphysical) {
    problems_.warning(where, element, broken, "let through because the body is marked unphysical");
  } else {
    problems_.error(where, element, broken, "no body has them: check the numbers, or add 'unphysical: true'");
  }
}

void Resolver::resolve_markers() {
  for (const MarkerSpec& spec : spec_.markers) {
    const std::string element = element_label("marker", spec.name.value);
    Marker marker;
    marker.name = spec.name.value;
    marker.where = spec.name.where;
    bool sound = !noted(spec).incomplete;
    if (sound) {
      const auto body = find_body(spec.body, element);
      const auto origin = find_place(spec.at, element);
      const auto axes = spec.axes ? find_axes(*spec.axes, element, noted(spec).image) : Mat3(Mat3::Identity());
      sound = body && origin && axes;
      if (sound) {
        marker.body = *body;
        marker.origin = *origin;
        marker.axes = carried_over(*axes, noted(spec).image);
      }
    }
    marker_is_sound_.push_back(sound);
    result_.markers.push_back(std::move(marker));
  }
}

/// A slender rod held by ball joints on its axis may spin about it, and without inertia there nothing would tell how.
/// What inertia it gets does not matter as long as no moment acts about the axis: the spin then stays zero and nothing
/// else feels it. warn_of_spinning_rods() looks whether that is so.
void Resolver::steady_slender_rods() {
  if (spec_.planar) return;
  for (const BodySpec& spec : spec_.bodies) {
    const auto* rod = std::get_if<RodShape>(&spec.shape);
    const auto found = bodies_.find(spec.name.value);
    if (!rod || rod->radius > 0 || found == bodies_.end()) continue;
    Body& body = result_.bodies[found->second];
    const auto from = find_place(rod->from, ""), to = find_place(rod->to, "");
    if (!from || !to) continue;
    const Vec3 line = *to - *from, axis = line.normalized();
    const bool may_spin = std::all_of(result_.joints.begin(), result_.joints.end(), [&](const Joint& joint) {
      const bool first = joint.body1 == found->second, second = joint.body2 == found->second;
      if (!first && !second) return true;
      const JointEquations equations(joint.type, spec_.planar);
      if (equations.empty()) return true;
      const Vec3 arm = (first ? joint.frame1 : joint.frame2).origin - body.center;
      const bool on_axis = arm.cross(axis).norm() <= 1e-9 * line.norm();
      // Axes of body 1 count where its point stays on a line or plane of them.
      const bool by_points = !equations.has(JointEquation::Kind::right_angle);
      const bool by_axes = first && equations.has(JointEquation::Kind::position) && !equations.same_point();
      return on_axis && by_points && !by_axes;
    });
    if (!may_spin || body.mass == 0) continue;
    body.inertia += kSpinInertia * body.mass * line.squaredNorm() * axis * axis.transpose();
    spinning_rods_.push_back({found->second, body.center, axis, line.norm()});
  }
}

/// Of loads that turn a slender rod about its axis, where its inertia is not its own.
void Resolver::warn_of_spinning_rods() {
  for (const SpinningRod& rod : spinning_rods_) {
    const Body& body = result_.bodies[static_cast<std::size_t>(rod.body)];
    for (const std::string& what : what_turns(rod, result_))
      problems_.warning(body.where, element_label("body", body.name),
                        fmt::format("{} turns this slender rod about its axis, where its inertia is taken as {} m l^2",
                                    what, kSpinInertia),
                        "give it a radius: how it spins depends on that");
  }
}

}  // namespace cardan
