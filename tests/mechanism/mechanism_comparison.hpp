// Compares two mechanisms field by field, wherever they came from (names of files and lines apart).
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "cardan/mechanism.hpp"

namespace cardan {

inline void expect_same(const Function& a, const Function& b, const std::string& what) {
  for (const double x : {-1.7, -0.3, 0.0, 0.4, 1.1, 2.9}) {
    const auto p = a.evaluate(x), q = b.evaluate(x);
    EXPECT_EQ(p.f, q.f) << what << " at " << x;
    EXPECT_EQ(p.d1, q.d1) << what << " at " << x;
    EXPECT_EQ(p.d2, q.d2) << what << " at " << x;
  }
}

inline void expect_same(const std::optional<Vec3>& a, const std::optional<Vec3>& b, const std::string& what) {
  ASSERT_EQ(a.has_value(), b.has_value()) << what;
  if (!a) return;
  for (int i = 0; i < 3; ++i) {
    if (std::isnan((*a)[i])) {
      EXPECT_TRUE(std::isnan((*b)[i])) << what;
    } else {
      EXPECT_EQ((*a)[i], (*b)[i]) << what;
    }
  }
}

inline void expect_same(const Body& a, const Body& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass, b.mass) << a.name;
  EXPECT_EQ(a.center, b.center) << a.name;
  EXPECT_EQ(a.inertia, b.inertia) << a.name;
  EXPECT_EQ(a.axes, b.axes) << a.name;
  EXPECT_EQ(a.unphysical, b.unphysical) << a.name;
  expect_same(a.initial_velocity, b.initial_velocity, a.name);
  expect_same(a.initial_angular_velocity, b.initial_angular_velocity, a.name);
}

inline void expect_same(const Joint& a, const Joint& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type) << a.name;
  EXPECT_EQ(a.body1, b.body1) << a.name;
  EXPECT_EQ(a.body2, b.body2) << a.name;
  EXPECT_EQ(a.frame1.origin, b.frame1.origin) << a.name;
  EXPECT_EQ(a.frame2.origin, b.frame2.origin) << a.name;
  EXPECT_EQ(a.frame1.axes, b.frame1.axes) << a.name;
  EXPECT_EQ(a.frame2.axes, b.frame2.axes) << a.name;
  EXPECT_EQ(a.length, b.length) << a.name;
  EXPECT_EQ(a.pitch, b.pitch) << a.name;
  EXPECT_EQ(a.drawn, b.drawn) << a.name;
  EXPECT_EQ(a.switched, b.switched) << a.name;
  EXPECT_EQ(a.present, b.present) << a.name;
  EXPECT_EQ(a.initial_position, b.initial_position) << a.name;
  EXPECT_EQ(a.initial_velocity, b.initial_velocity) << a.name;
}

inline void expect_same(const SpringDamper& a, const SpringDamper& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body1, b.body1) << a.name;
  EXPECT_EQ(a.body2, b.body2) << a.name;
  EXPECT_EQ(a.point1, b.point1) << a.name;
  EXPECT_EQ(a.point2, b.point2) << a.name;
  EXPECT_EQ(a.free_length, b.free_length) << a.name;
  expect_same(a.spring, b.spring, a.name);
  expect_same(a.damper, b.damper, a.name);
}

inline void expect_same(const JointSpringDamper& a, const JointSpringDamper& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.joint, b.joint) << a.name;
  EXPECT_EQ(a.coordinate, b.coordinate) << a.name;
  EXPECT_EQ(a.free_position, b.free_position) << a.name;
  expect_same(a.spring, b.spring, a.name);
  expect_same(a.damper, b.damper, a.name);
}

inline void expect_same(const Bushing& a, const Bushing& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body1, b.body1) << a.name;
  EXPECT_EQ(a.body2, b.body2) << a.name;
  EXPECT_EQ(a.frame1.origin, b.frame1.origin) << a.name;
  EXPECT_EQ(a.frame2.origin, b.frame2.origin) << a.name;
  EXPECT_EQ(a.frame1.axes, b.frame1.axes) << a.name;
  EXPECT_EQ(a.frame2.axes, b.frame2.axes) << a.name;
  EXPECT_EQ(a.stiffness, b.stiffness) << a.name;
  EXPECT_EQ(a.damping, b.damping) << a.name;
  EXPECT_EQ(a.rotational_stiffness, b.rotational_stiffness) << a.name;
  EXPECT_EQ(a.rotational_damping, b.rotational_damping) << a.name;
}

inline void expect_same(const Rotor& a, const Rotor& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.joint, b.joint) << a.name;
  EXPECT_EQ(a.coordinate, b.coordinate) << a.name;
  EXPECT_EQ(a.inertia, b.inertia) << a.name;
  EXPECT_EQ(a.gear, b.gear) << a.name;
}

inline void expect_same(const Coupler& a, const Coupler& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.joint1, b.joint1) << a.name;
  EXPECT_EQ(a.joint2, b.joint2) << a.name;
  EXPECT_EQ(a.coordinate1, b.coordinate1) << a.name;
  EXPECT_EQ(a.coordinate2, b.coordinate2) << a.name;
  EXPECT_EQ(a.ratio, b.ratio) << a.name;
}

inline void expect_same(const PointForce& a, const PointForce& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body, b.body) << a.name;
  EXPECT_EQ(a.point, b.point) << a.name;
  EXPECT_EQ(a.body_axes, b.body_axes) << a.name;
  for (std::size_t i = 0; i < 3; ++i) expect_same(a.components[i].function, b.components[i].function, a.name);
}

inline void expect_same(const Torque& a, const Torque& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body1, b.body1) << a.name;
  EXPECT_EQ(a.body2, b.body2) << a.name;
  EXPECT_EQ(a.body_axes, b.body_axes) << a.name;
  for (std::size_t i = 0; i < 3; ++i) expect_same(a.components[i].function, b.components[i].function, a.name);
}

inline void expect_same(const Actuator& a, const Actuator& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.joint, b.joint) << a.name;
  EXPECT_EQ(a.coordinate, b.coordinate) << a.name;
  expect_same(a.effort.function, b.effort.function, a.name);
}

inline void expect_same(const Driver& a, const Driver& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.joint, b.joint) << a.name;
  EXPECT_EQ(a.coordinate, b.coordinate) << a.name;
  EXPECT_EQ(a.body1, b.body1) << a.name;
  EXPECT_EQ(a.body2, b.body2) << a.name;
  EXPECT_EQ(a.point1, b.point1) << a.name;
  EXPECT_EQ(a.point2, b.point2) << a.name;
  expect_same(a.position, b.position, a.name);
}

inline void expect_same(const Event& a, const Event& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.time, b.time) << a.name;
  EXPECT_EQ(a.action, b.action) << a.name;
  EXPECT_EQ(a.targets, b.targets) << a.name;
}

inline void expect_same(const Marker& a, const Marker& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.body, b.body) << a.name;
  EXPECT_EQ(a.origin, b.origin) << a.name;
  EXPECT_EQ(a.axes, b.axes) << a.name;
}

inline void expect_same(const Geometry& a, const Geometry& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.axes, b.axes);
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.outline, b.outline);
  EXPECT_EQ(a.thickness, b.thickness);
  EXPECT_EQ(a.color, b.color);
  EXPECT_EQ(a.opacity, b.opacity);
}

template <class Element>
void expect_same(const std::vector<Element>& a, const std::vector<Element>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

inline void expect_same(const SimulationDefaults& a, const SimulationDefaults& b) {
  EXPECT_EQ(a.until, b.until);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.tolerance, b.tolerance);
  EXPECT_EQ(a.penalty, b.penalty);
  EXPECT_EQ(a.dissipation, b.dissipation);
  EXPECT_EQ(a.spectral_radius, b.spectral_radius);
  EXPECT_EQ(a.absolute_tolerance, b.absolute_tolerance);
  EXPECT_EQ(a.relative_tolerance, b.relative_tolerance);
  EXPECT_EQ(a.step_min, b.step_min);
  EXPECT_EQ(a.step_max, b.step_max);
  EXPECT_EQ(a.fixed_penalty, b.fixed_penalty);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.projections, b.projections);
  EXPECT_EQ(a.step_control, b.step_control);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.every, b.every);
  EXPECT_EQ(a.formulation, b.formulation);
  EXPECT_EQ(a.integrator, b.integrator);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.cut, b.cut);
}

inline void expect_same(const Mechanism& a, const Mechanism& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.planar, b.planar);
  EXPECT_EQ(a.gravity, b.gravity);
  expect_same(a.bodies, b.bodies);
  expect_same(a.markers, b.markers);
  expect_same(a.joints, b.joints);
  expect_same(a.springs, b.springs);
  expect_same(a.joint_springs, b.joint_springs);
  expect_same(a.bushings, b.bushings);
  expect_same(a.rotors, b.rotors);
  expect_same(a.couplers, b.couplers);
  expect_same(a.forces, b.forces);
  expect_same(a.torques, b.torques);
  expect_same(a.actuators, b.actuators);
  expect_same(a.drivers, b.drivers);
  expect_same(a.events, b.events);
  expect_same(a.geometry, b.geometry);
  expect_same(a.simulation, b.simulation);
  EXPECT_EQ(a.warnings.size(), b.warnings.size());
}

}  // namespace cardan
