// The driven Iltis on a circle, and what the textbook says of it: the curve of its tyres, the bicycle model, and its
// roll by virtual work.
#pragma once

#include <array>
#include <string>

#include "cardan/simulation.hpp"

namespace cardan {

/// On level ground without rolling resistance, which the textbook leaves out; the engine holds this speed. `skid`:
/// friction of the road over that of the tyre's tests.
Mechanism cornering_iltis(double speed, double skid = 1.0274);

/// The same with the wheels steered, part of full lock to the left, from 0.5 s to 2 s.
Mechanism steered_iltis(double speed, double steer);

/// What the front wheels turn at full lock, rad, nearly.
constexpr double kLock = 0.5;
/// Part of full lock that asks for 0.4 m/s^2.
double linear_steer(double speed);

/// Front left, front right, rear left, rear right; x ahead, y to the left, angles about z and x.
struct SteadyCornering {
  RunSummary summary;
  double speed = 0, yaw_rate = 0, side_slip = 0, roll = 0;  // m/s, rad/s, rad, rad
  std::array<double, 4> steer{}, slip{}, camber{};          // of the wheels, rad
  std::array<double, 4> load{}, side_force{};               // N
  std::array<double, 4> spin{};                             // rad/s
  double acceleration() const { return speed * yaw_rate; }  // to the centre, m/s^2
  double mean(const std::array<double, 4>& of, int axle) const { return 0.5 * (of[2 * axle] + of[2 * axle + 1]); }
  double axle_force(int axle) const { return side_force[2 * axle] + side_force[2 * axle + 1]; }
};

/// After the wheels are steered, part of full lock, and everything has settled.
SteadyCornering corner(double speed, double steer, const std::string& formulation = "hybrid", double step = 0.002);

/// Side force of one tyre by the published formulas, N; slip and camber angle in rad.
double published_side_force(double load, double slip, double camber);

/// One track: two axles, whose tyres are straight lines at their static loads.
struct BicycleModel {
  double mass = 0, front = 0, rear = 0;                     // kg; m from the mass centre to the axles
  std::array<double, 2> cornering{}, by_camber{}, trail{};  // of both tyres of an axle: N/rad, N/rad, m

  explicit BicycleModel(const Mechanism& iltis);
  double wheelbase() const { return front + rear; }
  struct Motion {
    double yaw_rate, side_slip;
    std::array<double, 2> force;  // of the axles, N
  };
  /// With the axles steered and cambered as they are.
  Motion steady(double speed, const std::array<double, 2>& steer, const std::array<double, 2>& camber) const;
  /// d(steer of the front axle)/d(acceleration) at constant radius, without camber, rad s^2/m.
  double understeer() const;
};

/// How the standing vehicle gives way to a torque about its long axis, on tyres that hold nothing sideways.
struct RollTest {
  double stiffness = 0;  // N m/rad
  /// What a side force on the contact of each wheel, a moment on it about the long axis, and an acceleration of all
  /// masses do to the roll: m, 1, kg m.
  std::array<double, 4> lever{}, tilt{};
  double mass_lever = 0;
  double spin_inertia = 0;  // of a wheel, kg m^2

  explicit RollTest(double torque);
  double roll(const SteadyCornering& cornering) const;
};

}  // namespace cardan
