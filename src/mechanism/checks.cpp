#include "mechanism/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mechanism/phases.hpp"

namespace cardan {

namespace {

// Disjoint sets over the bodies with ground as the last member.
class Groups {
 public:
  explicit Groups(std::size_t bodies) : parent_(bodies + 1) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t of(int body) {
    std::size_t i = body == kGround ? parent_.size() - 1 : static_cast<std::size_t>(body);
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parent_;
};

constexpr double kSame = 1e-9;  // relative difference up to which two given values agree

bool differ(double a, double b) { return std::abs(a - b) > kSame * std::max({1.0, std::abs(a), std::abs(b)}); }

}  // namespace

void check_attachment(const Mechanism& mechanism, Problems& problems) {
  const std::size_t count = mechanism.bodies.size();
  Groups groups(count);
  std::vector<bool> jointed(count, false), linked(count, false), switched(count, false);
  for (const Joint& joint : mechanism.joints) {
    // Joints that events attach or release hold like links: as constraints, when they are there.
    const bool holds_by_constraints = is_link(joint.type) || joint.switched;
    auto& marks = holds_by_constraints ? linked : jointed;
    for (const int body : {joint.body1, joint.body2}) {
      if (body == kGround) continue;
      marks[static_cast<std::size_t>(body)] = true;
      if (joint.switched) switched[static_cast<std::size_t>(body)] = true;
    }
    if (!holds_by_constraints) groups.join(joint.body1, joint.body2);
  }
  std::vector<bool> reported(count + 1, false);
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = mechanism.bodies[i];
    const std::size_t group = groups.of(static_cast<int>(i));
    if (group == groups.of(kGround) || reported[group]) continue;
    const std::string element = element_label("body", body.name);
    const std::string remedy = fmt::format("add a joint, or a free one: {{free: [ground, {}]}}", body.name);
    reported[group] = true;
    if (!jointed[i]) {
      problems.error(body.where, element,
                     switched[i] ? "it is held only by links or joints that events attach or release"
                     : linked[i] ? "it is held by links (distance and the like) only"
                                 : "it is attached to nothing",
                     remedy);
      continue;
    }
    std::string others;
    for (std::size_t j = i + 1; j < count; ++j)
      if (groups.of(static_cast<int>(j)) == group)
        others += fmt::format("{}'{}'", others.empty() ? "" : ", ", mechanism.bodies[j].name);
    problems.error(body.where, element, fmt::format("no chain of joints leads to ground from it or from {}", others),
                   remedy);
  }
}

namespace {

/// True when both are on at some time.
bool meet(const Phases& phases, const Driver& one, const Driver& two) {
  return std::any_of(phases.mechanisms.begin(), phases.mechanisms.end(), [&](const Mechanism& phase) {
    const auto is_on = [&](const Driver& driver) {
      return std::any_of(phase.drivers.begin(), phase.drivers.end(),
                         [&](const Driver& other) { return other.name == driver.name; });
    };
    return is_on(one) && is_on(two);
  });
}

}  // namespace

void check_drivers(const Mechanism& mechanism, Problems& problems) {
  if (mechanism.drivers.empty()) return;
  const Phases phases = phases_of(mechanism);
  const std::vector<Driver>& at_start = phases.mechanisms.front().drivers;
  for (std::size_t i = 0; i < mechanism.drivers.size(); ++i) {
    const Driver& driver = mechanism.drivers[i];
    const std::string element = element_label("driver", driver.name);
    for (std::size_t j = 0; j < i; ++j) {
      const Driver& other = mechanism.drivers[j];
      const bool same_coordinate =
          driver.joint >= 0 && driver.joint == other.joint && driver.coordinate == other.coordinate;
      const bool straight = driver.body1 == other.body1 && driver.body2 == other.body2 &&
                            driver.point1 == other.point1 && driver.point2 == other.point2;
      const bool crossed = driver.body1 == other.body2 && driver.body2 == other.body1 &&
                           driver.point1 == other.point2 && driver.point2 == other.point1;
      const bool same_distance = driver.joint < 0 && other.joint < 0 && (straight || crossed);
      if ((same_coordinate || same_distance) && meet(phases, driver, other))
        problems.error(driver.where, element,
                       same_coordinate
                           ? fmt::format("driver '{}' already drives this coordinate of joint '{}'", other.name,
                                         mechanism.joints[static_cast<std::size_t>(driver.joint)].name)
                           : fmt::format("driver '{}' already drives this distance", other.name),
                       "remove one of the two");
    }
    const bool starts_on =
        std::any_of(at_start.begin(), at_start.end(), [&](const Driver& other) { return other.name == driver.name; });
    if (driver.joint < 0 || !starts_on) continue;
    const Joint& joint = mechanism.joints[static_cast<std::size_t>(driver.joint)];
    const Function::Value start = driver.position.evaluate(0);
    const auto compare = [&](const std::optional<double>& initial, double driven, const char* what) {
      if (initial && differ(*initial, driven))
        problems.error(driver.where, element,
                       fmt::format("joint '{}' is driven with {} {:.6g} at t = 0, but starts with {:.6g}", joint.name,
                                   what, driven, *initial),
                       fmt::format("leave the initial {} out", what));
    };
    compare(joint.initial_position, start.f, "position");
    compare(joint.initial_velocity, start.d1, "velocity");
  }
}

namespace {

/// What is thousands of times too large or too small beside the rest of the mechanism.
void check_units_of_elements(const Mechanism& mechanism, double size, Problems& problems) {
  constexpr double kFar = 30;  // times the size of the mechanism, or the drawn length
  constexpr const char* kRemedy = "lengths are in m";
  for (const SpringDamper& spring : mechanism.springs) {
    const double drawn = (spring.point2 - spring.point1).norm();
    if (spring.axis || !(spring.free_length > kFar * drawn)) continue;
    problems.warning(
        spring.where, element_label("load", spring.name),
        fmt::format("its free length is {:.3g} m, but it is drawn {:.3g} m long", spring.free_length, drawn), kRemedy);
  }
  if (!(size > 0)) return;
  for (const Tyre& tyre : mechanism.tyres) {
    if (!(tyre.radius > kFar * size)) continue;
    problems.warning(tyre.where, element_label("load", tyre.name),
                     fmt::format("its radius is {:.3g} m in a mechanism of {:.3g} m", tyre.radius, size), kRemedy);
  }
  for (const Body& body : mechanism.bodies) {
    const double gyration = body.mass > 0 ? std::sqrt(body.inertia.trace() / body.mass) : 0;
    if (!(gyration > kFar * size)) continue;
    problems.warning(
        body.where, element_label("body", body.name),
        fmt::format("its inertia is that of {:.3g} kg some {:.2g} m away from its centre, in a mechanism of "
                    "{:.3g} m",
                    body.mass, gyration, size),
        "inertias are in kg m^2");
  }
}

}  // namespace

/// Gravity in mm/s^2 is a thousand times what it is in m/s^2. Otherwise mass by the cube of the size: machines and
/// vehicles have some 0.1 to 1000 kg/m^3, a Foucault pendulum 1e-4, the same drawn in millimetres 1e9 times less.
void check_units(const Mechanism& mechanism, Problems& problems) {
  constexpr double kGravity = 1000;   // m/s^2
  constexpr double kSize = 20;        // m
  constexpr double kThinnest = 1e-5;  // kg/m^3
  const SourceLocation whole{mechanism.file};
  constexpr const char* kRemedy = "lengths are in m, masses in kg, times in s";
  if (mechanism.gravity.norm() >= kGravity) {
    problems.warning(whole, "gravity",
                     fmt::format("it is {:g} m/s^2, as if lengths were in mm", mechanism.gravity.norm()), kRemedy);
    return;
  }
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  double mass = 0;
  const auto see = [&](const Vec3& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); };
  for (const Body& body : mechanism.bodies) {
    see(body.center);
    mass += body.mass;
  }
  for (const Joint& joint : mechanism.joints) see(joint.frame1.origin), see(joint.frame2.origin);
  const double size = mechanism.bodies.empty() ? 0 : (high - low).norm();
  check_units_of_elements(mechanism, size, problems);
  if (!(size > kSize) || !(mass > 0) || mass / (size * size * size) > kThinnest) return;
  problems.warning(
      whole, "",
      fmt::format("the mechanism is {:.3g} m large and weighs {:.3g} kg, as if lengths were in mm", size, mass),
      kRemedy);
}

void report_backward_profile(Problems& problems, const SourceLocation& where, const std::string& element, double from,
                             double to) {
  problems.error(where, element, fmt::format("x goes back from {:.6g} to {:.6g} m", from, to),
                 "give the points in the order of x; two at the same x make a vertical face");
}

}  // namespace cardan
