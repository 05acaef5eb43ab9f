// A vehicle of 1500 kg on nonlinear springs and stiff tyres, for tests.
#pragma once

#include <tuple>

#include "cardan/builder.hpp"

namespace cardan {

/// Pushes only while compressed.
inline Function unilateral(double stiffness) {
  return Function::piecewise({0}, {Function::polynomial({0, stiffness}), Function::constant(0)});
}

/// A chassis on four wheels that slide up and down in it on progressive springs; tyres push up only, and nothing holds
/// the vehicle along the road, across it or in yaw. `lift`: how high above the road it is drawn.
inline Mechanism sprung_vehicle(double lift) {
  MechanismBuilder b("vehicle");
  b.gravity({0, 0, -9.81});
  b.box("chassis", {3, 1.5, 0.8}, Vec3(0.13, 0.04, 0.8 + lift), 1340);
  b.free("base", "ground", "chassis");
  for (const auto& [name, x, y] :
       {std::tuple{"fl", 1.2, 0.7}, {"fr", 1.2, -0.7}, {"rl", -1.1, 0.7}, {"rr", -1.1, -0.7}}) {
    const std::string n = name;
    const Vec3 hub(x, y, 0.35 + lift);
    b.sphere(n, 0.3, hub, 40);
    b.prismatic(n + "_slide", "chassis", n, hub, Direction("z"));
    b.free(n + "_road", "ground", n);
    b.add(JointSpringSpec{.name = n + "_spring",
                          .joint = n + "_slide",
                          .torsion = false,
                          .free_position = -0.05,
                          .force = Located<Function>(Function::polynomial({0, 25000, 0, 2e6}))});
    b.add(JointSpringSpec{.name = n + "_tyre",
                          .joint = n + "_road",
                          .torsion = false,
                          .coordinate = Located<int>(3),
                          .free_position = -lift,
                          .force = Located<Function>(unilateral(460000))});
  }
  return b.build();
}

}  // namespace cardan
