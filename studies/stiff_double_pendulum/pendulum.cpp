#include "studies/stiff_double_pendulum/pendulum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "cardan/builder.hpp"

namespace cardan {
namespace {
constexpr double kHalfLength[2] = {1, 1.5};   // m
constexpr double kMass[2] = {3, 0.3};         // kg
constexpr double kStiffness[2] = {400, 300};  // N m/rad
constexpr double kDamping[2] = {15, 1e4};     // N m s/rad
}  // namespace

Mechanism stiff_double_pendulum(InitialSet set) {
  const double tilt = set == InitialSet::tilted ? -std::numbers::pi / 12 : 0;
  const Vec3 knee(2 * kHalfLength[0], 0, 0);
  const Vec3 tip = knee + 2 * kHalfLength[1] * Vec3(std::cos(tilt), std::sin(tilt), 0);
  MechanismBuilder b("stiff-double-pendulum");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm1", Vec3(0, 0, 0), knee, kMass[0]).rod("arm2", knee, tip, kMass[1]);
  b.revolute("pin1", "ground", "arm1", Vec3(0, 0, 0));
  JointSpec pin2;
  pin2.name = "pin2";
  pin2.body1 = "arm1";
  pin2.body2 = "arm2";
  pin2.at1 = Place(knee);
  pin2.drawn = Located<std::vector<double>>({tilt});
  b.add(pin2);
  b.torsion("spring1", "pin1", kStiffness[0], kDamping[0], -std::numbers::pi / 2);
  b.torsion("spring2", "pin2", kStiffness[1], kDamping[1]);
  b.angular_velocity("arm1", {0, 0, 0}).angular_velocity("arm2", {0, 0, set == InitialSet::tilted ? 0.0 : 60.0});
  return b.build();
}

/// Rods about an end: m (2 l)^2 / 3
Eigen::Matrix2d pendulum_mass(const PendulumMotion& m) {
  const double a = kHalfLength[0], b = kHalfLength[1];
  Eigen::Matrix2d M;
  M(0, 0) = 4 * a * a * (kMass[0] / 3 + kMass[1]);
  M(0, 1) = M(1, 0) = 2 * a * b * kMass[1] * std::cos(m.angle[1] - m.angle[0]);
  M(1, 1) = 4 * b * b * kMass[1] / 3;
  return M;
}

Eigen::Matrix2d pendulum_damping() {
  Eigen::Matrix2d C;
  C << kDamping[0] + kDamping[1], -kDamping[1], -kDamping[1], kDamping[1];
  return C;
}

double pendulum_duration(InitialSet set) { return set == InitialSet::tilted ? 0.1 : 3.6; }

PendulumMotion PendulumMotion::of(const Context& state) {
  PendulumMotion m;
  m.t = state.t;
  for (int arm = 0; arm < 2; ++arm) {
    m.angle[arm] = state.q[3 * arm + 2];
    m.rate[arm] = state.v[3 * arm + 2];
    m.second[arm] = state.acceleration[3 * arm + 2];
  }
  return m;
}

namespace {

/// Centres of the arms from the angles, and their velocities, followed by the angles.
std::array<double, 6> coordinates(const PendulumMotion& m) {
  const auto c = [&](int i) { return std::cos(m.angle[i]); };
  const auto s = [&](int i) { return std::sin(m.angle[i]); };
  const double a = kHalfLength[0], b = kHalfLength[1];
  return {a * c(0), a * s(0), m.angle[0], 2 * a * c(0) + b * c(1), 2 * a * s(0) + b * s(1), m.angle[1]};
}
std::array<double, 6> velocities(const PendulumMotion& m) {
  const auto c = [&](int i) { return m.rate[i] * std::cos(m.angle[i]); };
  const auto s = [&](int i) { return m.rate[i] * std::sin(m.angle[i]); };
  const double a = kHalfLength[0], b = kHalfLength[1];
  return {-a * s(0), a * c(0), m.rate[0], -2 * a * s(0) - b * s(1), 2 * a * c(0) + b * c(1), m.rate[1]};
}
double largest_difference(const std::array<double, 6>& one, const std::array<double, 6>& two) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - two[i]));
  return largest;
}

}  // namespace

double PendulumMotion::coordinate_difference(const PendulumMotion& one, const PendulumMotion& two) {
  return largest_difference(coordinates(one), coordinates(two));
}
double PendulumMotion::velocity_difference(const PendulumMotion& one, const PendulumMotion& two) {
  return largest_difference(velocities(one), velocities(two));
}

ReferenceMotion::ReferenceMotion(InitialSet set) : set_(set) {
  RunOptions options;
  options.formulation = "cartesian";
  options.integrator = "sdirk4";
  options.absolute_tolerance = options.relative_tolerance = 1e-13;
  const double end = pendulum_duration(set);
  Simulation simulation(stiff_double_pendulum(set), options);
  knots_.push_back(PendulumMotion::of(simulation.state()));
  while (simulation.time() < end) {
    const double rest = end - simulation.time();
    if (simulation.step(rest) != StepStatus::ok)
      throw std::runtime_error("the reference motion failed " + simulation.summary().reason);
    knots_.push_back(PendulumMotion::of(simulation.state()));
  }
}

PendulumMotion ReferenceMotion::at(double t) const {
  auto next =
      std::lower_bound(knots_.begin() + 1, knots_.end(), t, [](const auto& k, double time) { return k.t < time; });
  if (next == knots_.end()) --next;
  const PendulumMotion &k0 = *(next - 1), &k1 = *next;
  const double h = k1.t - k0.t, s = (t - k0.t) / h, s2 = s * s, s3 = s2 * s;
  PendulumMotion m;
  m.t = t;
  for (int i = 0; i < 2; ++i) {
    const double d = k1.angle[i] - k0.angle[i], v0 = h * k0.rate[i], v1 = h * k1.rate[i];
    const double a0 = h * h * k0.second[i], a1 = h * h * k1.second[i];
    // c3, c4 and c5 of the polynomial from 0 to 1 whose first three coefficients are those at the start.
    const double p = d - v0 - a0 / 2, v = v1 - v0 - a0, a = a1 - a0;
    const double c3 = 10 * p - 4 * v + a / 2, c4 = -15 * p + 7 * v - a, c5 = 6 * p - 3 * v + a / 2;
    m.angle[i] = k0.angle[i] + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))));
    m.rate[i] = (v0 + a0 * s + s2 * (3 * c3 + 4 * c4 * s + 5 * c5 * s2)) / h;
    m.second[i] = (a0 + 6 * c3 * s + 12 * c4 * s2 + 20 * c5 * s3) / (h * h);
  }
  return m;
}

}  // namespace cardan
