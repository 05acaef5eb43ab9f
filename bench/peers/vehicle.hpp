// The Iltis over a ramp and stairs (models/iltis.yaml) for engines that know neither its tyres nor its springs:
// geometry, masses and the forces between bodies, stated once. It is seen from a frame that goes with it at its
// constant speed, so that what is imposed on the chassis is that it stays where it is along x.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace peers {

using Triple = std::array<double, 3>;

namespace vehicle {

inline constexpr double kSpeed = 5, kEnd = 8, kTyreStiffness = 4.6e5, kLeafStiffness = 35906, kLeafFree = 0.252;
inline constexpr double kChassisMass = 1260, kArmMass = 6, kLeafMass = 0.001, kWheelMass = 57.35;
inline constexpr Triple kChassisCenter{0, 0, 0.57}, kChassisInertia{130, 1620, 1670};
inline constexpr Triple kWheelInertia{1.2402, 1.908, 1.2402};
inline constexpr Triple kArmInertia{0.052099, 0.023235,
                                    0.068864};  // about x, along the arm, and at right angles to both

/// A corner of the vehicle: its points, mirrored and placed.
struct Corner {
  double side_x, side_y, axle, radius;
  Triple at(double x, double y, double z) const { return {axle + side_x * x, side_y * y, z}; }
  Triple arm_in() const { return at(0, 0.259, 0.302); }
  Triple arm_out() const { return at(0, 0.572, 0.229); }
  Triple arm_center() const { return at(0, 0.4155, 0.2655); }
  Triple leaf_in() const { return at(0, 0.1585, 0.6); }
  Triple leaf_out() const { return at(0, 0.488, 0.531); }
  Triple leaf_top() const { return at(0, 0.488, 0.707); }
  Triple wheel() const { return at(0, 0.615, 0.356); }
  Triple tie_in() const { return at(-0.14, 0.07, 0.6); }
  Triple tie_out() const { return at(-0.14, 0.448, 0.531); }
  Triple shock_top() const { return at(0.075, 0.297, 0.632); }
  Triple shock_foot() const { return at(0.075, 0.5, 0.241); }
};
inline constexpr Corner kCorners[] = {
    {1, 1, 0.97, 0.364325}, {1, -1, 0.97, 0.364325}, {-1, 1, -1.047, 0.363812}, {-1, -1, -1.047, 0.363812}};

inline constexpr double kProfile[][2] = {{-5, 0},   {5, 0},    {15, 2},   {20, 2},   {20, 1.7}, {21, 1.7}, {21, 1.4},
                                         {22, 1.4}, {22, 1.1}, {23, 1.1}, {23, 0.8}, {24, 0.8}, {24, 0.5}, {45, 0.5}};

/// Force (x, z) on a disc at (x, z): every straight piece that it overlaps pushes, corners between them count once.
inline std::pair<double, double> tyre_force(double x, double z, double radius) {
  double fx = 0, fz = 0;
  const auto push = [&](double px, double pz, double sign) {
    const double dx = x - px, dz = z - pz, d = std::hypot(dx, dz);
    if (d >= radius || d == 0) return;
    const double force = sign * kTyreStiffness * (radius - d) / d;
    fx += force * dx, fz += force * dz;
  };
  constexpr int count = static_cast<int>(std::size(kProfile));
  for (int i = 0; i + 1 < count; ++i) {
    const double ax = kProfile[i][0], az = kProfile[i][1], bx = kProfile[i + 1][0] - ax, bz = kProfile[i + 1][1] - az;
    const double along = ((x - ax) * bx + (z - az) * bz) / (bx * bx + bz * bz);
    const double s = along < 0 ? 0 : along > 1 ? 1 : along;
    push(ax + s * bx, az + s * bz, 1);
    if (i > 0) push(ax, az, -1);
  }
  return {fx, fz};
}

/// Tension of the shock absorber with its coil, of length and its rate.
inline double shock_force(double length, double rate) {
  const double spring = -4.0092e6 + length * (2.8397e7 + length * (-6.7061e7 + length * 5.2796e7));
  const double damping = rate < -0.2   ? -416.42 + 1844.3 * rate
                         : rate < 0.21 ? rate * (9945.627 + rate * (33955.72 + rate * (-59832.25 - 395651 * rate)))
                                       : 1919.1638 + 1634.727 * rate;
  return spring + damping;
}

/// Tension of the leaf spring, of the distance from its seat on the chassis down to the leaf's end.
inline double leaf_force(double distance) { return kLeafStiffness * (distance - kLeafFree); }

/// Height of the chassis over time, by Cardan with a tolerance far below what is asked for.
struct Motion {
  std::vector<double> t, height;
  /// Linear between samples a millisecond apart.
  double at(double time) const {
    const double place = time / (t[1] - t[0]);
    const std::size_t i = place >= static_cast<double>(t.size() - 1) ? t.size() - 2 : static_cast<std::size_t>(place);
    const double share = (time - t[i]) / (t[i + 1] - t[i]);
    return height[i] + share * (height[i + 1] - height[i]);
  }
};
const Motion& reference();

/// Root mean square over time, however long the steps are.
class HeightError {
 public:
  void see(double time, double height) {
    const double square = std::pow(height - reference().at(time), 2);
    sum_ += 0.5 * (before_ + square) * (time - time_);
    before_ = square, time_ = time;
  }
  double value() const { return time_ > 0 ? std::sqrt(sum_ / time_) : 0; }

 private:
  double sum_ = 0, before_ = 0, time_ = 0;
};

}  // namespace vehicle
}  // namespace peers
