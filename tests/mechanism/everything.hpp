// A mechanism with every joint type, every load and every way to give axes, for the tests of subsystems.
#pragma once

#include <array>

#include "cardan/builder.hpp"

namespace cardan::included {

inline Mat3 rotation(double x, double y, double z, double angle) {
  return Eigen::AngleAxisd(angle, Vec3(x, y, z).normalized()).toRotationMatrix();
}

inline AxesSpec axes_xz(const Direction& x, const Direction& z) {
  AxesSpec axes;
  axes.x = x;
  axes.z = z;
  return axes;
}

inline AxesSpec axes_yz(const Direction& y, const Direction& z) {
  AxesSpec axes;
  axes.y = y;
  axes.z = z;
  return axes;
}

inline JointSpec joint(const char* name, JointType type, const char* body1, const char* body2, const Place& at) {
  JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.body1 = body1;
  spec.body2 = body2;
  spec.at1 = at;
  return spec;
}

inline JointSpringSpec joint_law(const char* name, const char* joint, bool torsion, int coordinate,
                                 double free_position) {
  JointSpringSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.torsion = torsion;
  if (coordinate > 0) spec.coordinate = Located<int>(coordinate);
  spec.free_position = Number(free_position);
  spec.force = Located<Function>(Function::expression("20*x + 5*sqrt(1 + x^2)", "x"));  // not odd: its sign matters
  spec.damping_force = Located<Function>(Function::expression("x + 0.3*sqrt(1 + x^2)", "x"));
  return spec;
}

inline std::array<Located<Varying>, 3> components(double x, double y, double z) {
  return {Function::sine(x, 3), Function::constant(y), Function::polynomial({0, z})};
}

/// Every joint type, every load, every way to give axes.
inline MechanismBuilder everything() {
  MechanismBuilder b("everything");
  b.point("O", {0, 0, 0}).point("A", {0.6, 0.1, 0.2}).point("P", {0, 1, 0}).point("Q", {0.3, 1.5, 0.1});
  b.cylinder("arm", "O", "A", 0.03, 2).rod("tip", {1.3, 0.3, 0.2}, {1.8, 0.1, 0.5}, 0.5);
  BodySpec sleeve{.name = "sleeve",
                  .shape = GivenInertia{{0.7, 0.1, 0.3}, Located<Mat3>(Mat3(Vec3(0.04, 0.05, 0.06).asDiagonal()))},
                  .mass = Number(1.5),
                  .density = {},
                  .axes = axes_xz(Direction("O", "A"), "z")};
  std::get<GivenInertia>(sleeve.shape).inertia->value(0, 1) =
      std::get<GivenInertia>(sleeve.shape).inertia->value(1, 0) = 0.007;
  b.add(sleeve);
  b.add(BodySpec{.name = "yoke",
                 .shape = BoxShape{{0.5, 0.1, 0.2}, {1.0, 0.2, 0.2}},
                 .mass = Number(1),
                 .density = {},
                 .axes = axes_yz({0.1, 1, 0.2}, {1, 0, 3})});
  b.box("cart", {0.2, 0.3, 0.1}, "P", 3).sphere("drone", 0.2, {2, 0, 1}, 1.2);
  b.body("puck", 0.8, {0.1, 1.1, 0.2},
         Mat3((Mat3() << 0.02, 0.003, 0, 0.003, 0.03, 0.004, 0, 0.004, 0.025).finished()));
  b.rod("mast", {0.1, 1.1, 0.2}, {0.1, 1.2, 0.9}, 0.4, 0.02)
      .cylinder("fan", {0.1, 1.2, 0.9}, {0.3, 1.2, 0.9}, 0.1, 0.3);
  b.add(MarkerSpec{.name = "top", .body = "mast", .at = {0.1, 1.2, 0.9}, .axes = axes_xz({-0.1, 1, 0.2}, {1, 0.1, 0})});
  b.add(MarkerSpec{.name = "hub", .body = "fan", .at = {0.1, 1.2, 0.9}, .axes = axes_yz({0.02, -0.2, 1}, {1, 0.1, 0})});
  b.marker("foot", "mast", {0.1, 1.1, 0.2});

  JointSpec hinge = joint("hinge", JointType::revolute, "ground", "arm", "O");
  hinge.axis1 = Direction(0.2, 1, 0.3);
  hinge.drawn = std::vector<double>{0.3};
  b.add(hinge);
  JointSpec tube = joint("tube", JointType::cylindrical, "arm", "sleeve", "A");
  tube.axis1 = Direction(1, 0.2, 0.1);
  tube.drawn = std::vector<double>{0.1, -0.2};
  b.add(tube);
  b.universal("cross", "sleeve", "yoke", {0.8, 0.1, 0.2}, {0, 1, 0.5}, {1, 0, 0})
      .spherical("ball", "yoke", "tip", {1.3, 0.3, 0.2});
  b.prismatic("rail", "ground", "cart", "P", Direction("P", "Q"));
  JointSpec table = joint("table", JointType::planar, "cart", "puck", {0.1, 1.1, 0.2});
  table.axis1 = Direction(0.3, 0.2, 1);
  table.x_axis = Direction(1, 1, 0);
  table.drawn = std::vector<double>{0.05, -0.02, 0.4};
  b.add(table);
  b.add(joint("weld", JointType::fixed, "puck", "mast", "foot"));
  JointSpec mount = joint("mount", JointType::revolute, "mast", "fan", "top");
  mount.at2 = Place("hub");
  b.add(mount);
  b.free("flight", "ground", "drone").distance("string", "tip", "drone", {1.8, 0.1, 0.5}, {2, 0, 1});

  SpringSpec leaf;
  leaf.name = "leaf";
  leaf.body1 = "arm";
  leaf.body2 = "cart";
  leaf.at1 = Place(0.2, 0.1, 0.1);
  leaf.at2 = Place(0, 0.9, 0.3);
  leaf.stiffness = Number(60);
  leaf.free_length = Number(0.3);
  leaf.along = Direction(0.1, 0.5, 0.4);
  b.add(leaf);
  b.spring("strut", "arm", "cart", {0.3, 0.05, 0.1}, {0, 0.9, 0}, 40, 2);
  b.add(joint_law("k_hinge", "hinge", true, 0, 0.1)).add(joint_law("k_tube", "tube", true, 0, -0.3));
  b.add(joint_law("k_slide", "tube", false, 0, 0.15)).add(joint_law("k_table", "table", false, 2, 0.1));
  b.add(joint_law("k_spin", "table", true, 0, 0.2)).add(joint_law("k_mount", "mount", true, 0, 0.2));
  const auto effort = [&b](const char* name, const char* joint, int coordinate, double size) {
    b.add(ActuatorSpec{
        .name = name, .joint = joint, .coordinate = Located<int>(coordinate), .effort = Function::sine(size, 5)});
  };
  effort("m_cross", "cross", 2, 1.5);
  effort("m_tube", "tube", 2, 0.8);
  effort("m_flight", "flight", 2, 4);
  const auto force = [&b](const char* name, const char* body, const Place& at, bool body_axes) {
    b.add(ForceSpec{.name = name, .body = body, .at = at, .components = components(3, -2, 4), .body_axes = body_axes});
  };
  force("wind", "drone", {2, 0.1, 1}, false);
  force("thrust", "drone", {2, 0, 1.2}, true);
  force("push_arm", "arm", "A", true);
  force("push_sleeve", "sleeve", {0.7, 0.3, 0.3}, true);
  force("push_yoke", "yoke", {1.0, 0.2, 0.4}, true);
  const auto torque = [&b](const char* name, const char* body1, const char* body2, bool body_axes) {
    b.add(TorqueSpec{.name = name,
                     .body1 = body1,
                     .body2 = body2,
                     .components = components(0.3, 0.2, -0.5),
                     .body_axes = body_axes});
  };
  torque("twist", "arm", "sleeve", false);
  torque("twist_yoke", "sleeve", "yoke", true);
  torque("twist_drone", "ground", "drone", true);
  b.driver("drive", "rail", Function::sine(0.1, 4));
  b.add(DriverSpec{.name = "winch",
                   .joint = {},
                   .coordinate = {},
                   .body1 = "ground",
                   .body2 = "drone",
                   .at1 = Place(2.5, 0.5, 1.5),
                   .at2 = Place(2, 0, 1),
                   .position = Function::polynomial({Vec3(0.5, 0.5, 0.5).norm(), 0.2})});
  b.joint_velocity("hinge", 1.2).joint_velocity("mount", -3).angular_velocity("drone", {0.3, -0.5, 0.7});
  return b;
}

}  // namespace cardan::included
