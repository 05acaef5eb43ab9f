// The stiff double pendulum of variable-step-implicit-1997 with its two sets of initial values, and the motion that
// errors are measured against.
#pragma once

#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/simulation.hpp"

namespace cardan {

enum class InitialSet {
  tilted,  // 1: arm 2 tilted by 15 degrees, at rest, 0.1 s
  thrown,  // 2: arms in line, arm 2 at 60 rad/s, 3.6 s
};

/// Table 1 of the paper; assumed, since it gives none: uniform rods, gravity 9.81 along -y, spring 1 free when arm 1
/// hangs.
Mechanism stiff_double_pendulum(InitialSet set);
/// s, as published
double pendulum_duration(InitialSet set);

/// Angles and angular velocities of both arms at one time, counted as the mechanism counts them (arm 1 drawn at 0).
struct PendulumMotion {
  double t = 0;
  double angle[2], rate[2], second[2];

  /// From a state of the formulation cartesian.
  static PendulumMotion of(const Context& state);
  /// Largest difference of the six Cartesian coordinates, and of their rates.
  static double coordinate_difference(const PendulumMotion& one, const PendulumMotion& two);
  static double velocity_difference(const PendulumMotion& one, const PendulumMotion& two);
};

/// M and C of the equations of motion in the angles of both arms, M phi'' + C phi' + ... = 0.
Eigen::Matrix2d pendulum_mass(const PendulumMotion& m);
Eigen::Matrix2d pendulum_damping();

/// The motion by sdirk4 at a tolerance of 1e-13, at any time by the polynomial of degree five between its steps.
class ReferenceMotion {
 public:
  explicit ReferenceMotion(InitialSet set);
  PendulumMotion at(double t) const;
  const PendulumMotion& start() const { return knots_.front(); }
  const PendulumMotion& end() const { return knots_.back(); }
  InitialSet set() const { return set_; }

 private:
  InitialSet set_;
  std::vector<PendulumMotion> knots_;
};

}  // namespace cardan
