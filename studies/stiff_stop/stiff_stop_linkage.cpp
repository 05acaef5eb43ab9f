#include "studies/stiff_stop/stiff_stop_linkage.hpp"

#include "cardan/builder.hpp"

namespace cardan {
namespace {

constexpr double kStiffness = 8;    // N m / rad
constexpr double kStopAngle = 0.4;  // rad, from the drawn position

}  // namespace

Mechanism stiff_stop_linkage() {
  MechanismBuilder builder("stiff-stop");
  builder.planar().gravity({0, 0, 0});
  const Place a0(0, 0), a(0, 0.5), b(1.2, 0.8), b0(1, 0);
  builder.rod("crank", a0, a, 1).rod("coupler", a, b, 1).rod("rocker", b0, b, 1);
  builder.revolute("A0", "ground", "crank", a0).revolute("A", "crank", "coupler", a);
  builder.revolute("B", "coupler", "rocker", b).revolute("B0", "ground", "rocker", b0);
  // The torque that pulls the crank back: k x, and beyond the stop another 500 k (x - stop).
  JointSpringSpec stop;
  stop.name = Name("stop");
  stop.joint = Name("A0");
  const double stop_stiffness = kStopRatio * kStiffness;
  stop.force = Located<Function>(Function::piecewise(
      {kStopAngle}, {Function::polynomial({0, kStiffness}),
                     Function::polynomial({-stop_stiffness * kStopAngle, kStiffness + stop_stiffness})}));
  builder.add(stop);
  builder.angular_velocity("crank", {0, 0, 3});
  return builder.build();
}

}  // namespace cardan
