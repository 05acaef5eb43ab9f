// Mechanisms with every sort of load, of driver and of loop, one in the plane and one in space.
#pragma once

#include "cardan/builder.hpp"

namespace cardan {

inline std::array<Located<Varying>, 3> components(double x, double y, double z) {
  return {Function::sine(x, 2, 0.3, x), Function::sine(y, 1, 0, y), Function::constant(z)};
}

inline JointSpringSpec nonlinear_torsion(const std::string& name, const std::string& joint) {
  JointSpringSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.force = Located<Function>(Function::polynomial({0, 3, 0.5, 2}));
  spec.damping_force = Located<Function>(Function::polynomial({0, 0.4, 0, 0.05}));
  return spec;
}

inline ForceSpec push(const std::string& name, const std::string& body, const Vec3& at, bool body_axes) {
  ForceSpec spec;
  spec.name = name;
  spec.body = body;
  spec.at = Place(at);
  spec.components = components(1.5, -0.7, at.z() == 0 ? 0 : 0.4);
  spec.body_axes = body_axes;
  return spec;
}

inline TorqueSpec twist_of(const std::string& name, const std::string& body1, const std::string& body2, const Vec3& n,
                           bool body_axes) {
  TorqueSpec spec;
  spec.name = name;
  spec.body1 = body1;
  spec.body2 = body2;
  spec.components = components(n.x(), n.y(), n.z());
  spec.body_axes = body_axes;
  return spec;
}

/// A four-bar with a driven slider beside it.
inline Mechanism loaded_in_plane(bool driven = true) {
  MechanismBuilder b("plane");
  b.planar().gravity({0.3, -9.81, 0});
  b.rod("crank", Vec3(0, 0, 0), Vec3(0.1, 0.9, 0), 1);
  b.rod("coupler", Vec3(0.1, 0.9, 0), Vec3(2, 1.4, 0), 2);
  b.rod("rocker", Vec3(1.8, 0, 0), Vec3(2, 1.4, 0), 1.5);
  b.body("slider", 0.7, Vec3(0.4, -1, 0), 0.2);
  b.revolute("A", "ground", "crank", Vec3(0, 0, 0)).revolute("B", "crank", "coupler", Vec3(0.1, 0.9, 0));
  b.revolute("C", "coupler", "rocker", Vec3(2, 1.4, 0)).revolute("D", "ground", "rocker", Vec3(1.8, 0, 0));
  b.prismatic("slide", "ground", "slider", Vec3(0.4, -1, 0), Vec3(1, 0.2, 0));
  b.spring("spring", "crank", "slider", Vec3(0.05, 0.5, 0), Vec3(0.6, -0.9, 0), 12, 0.8);
  b.spring("prop", "ground", "coupler", Vec3(1, 3, 0), Vec3(1.2, 1, 0), 20, 0.3);
  b.add(nonlinear_torsion("hinge", "B"));
  b.torsion("pin", "A", 2, 0.3, 0.4);
  b.actuator("motor", "C", Function::sine(0.8, 3));
  b.add(push("push", "coupler", Vec3(0.7, 1.2, 0), false)).add(push("jet", "rocker", Vec3(1.9, 0.6, 0), true));
  b.add(twist_of("couple", "crank", "rocker", Vec3(0, 0, 0.9), false));
  if (driven) b.driver("move", "slide", Function::sine(0.3, 2));
  b.joint_velocity("A", 1.2);
  return b.build();
}

/// A spatial four-bar of revolute, spherical and universal joints with a driven slider on a cylindrical joint.
inline Mechanism loaded_in_space(bool driven = true) {
  const Mat3 turn = Eigen::AngleAxisd(0.6, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const auto inertia = [&](double x, double y, double z) -> Mat3 {
    return turn * Vec3(x, y, z).asDiagonal() * turn.transpose();
  };
  MechanismBuilder b("space");
  b.gravity({0.2, -0.5, -9.81});
  b.body("crank", 1, Vec3(0, 0.2, 0.3), inertia(0.05, 0.06, 0.03));
  b.body("coupler", 1.4, Vec3(0.8, 0.4, 0.6), inertia(0.1, 0.2, 0.25));
  b.body("rocker", 0.9, Vec3(1.5, 0.3, 0.4), inertia(0.04, 0.07, 0.08));
  b.body("slider", 0.5, Vec3(-0.5, -0.4, 0.2), inertia(0.02, 0.03, 0.04));
  b.revolute("A", "ground", "crank", Vec3(0, 0, 0), Vec3(0.9, 0.1, 0.2));
  b.spherical("B", "crank", "coupler", Vec3(0, 0.4, 0.5));
  b.universal("C", "coupler", "rocker", Vec3(1.5, 0.5, 0.7), Vec3(0, 0, 1), Vec3(0, 1, 0));
  b.revolute("D", "ground", "rocker", Vec3(1.5, 0, 0), Vec3(1, 0.3, 0));
  b.cylindrical("E", "ground", "slider", Vec3(-0.5, -0.4, 0), Vec3(0.2, 0.1, 1));
  b.distance("rod", "slider", "crank", Vec3(-0.4, -0.3, 0.3), Vec3(0.1, 0.3, 0.4));
  b.spring("spring", "slider", "coupler", Vec3(-0.4, -0.2, 0.2), Vec3(0.9, 0.5, 0.4), 12, 0.8);
  b.spring("prop", "ground", "rocker", Vec3(1, 2, 1), Vec3(1.4, 0.4, 0.6), 20, 0.3);
  b.add(nonlinear_torsion("hinge", "A"));
  b.add(push("push", "coupler", Vec3(0.7, 0.5, 0.3), false)).add(push("jet", "rocker", Vec3(1.4, 0.2, 0.5), true));
  b.add(twist_of("couple", "crank", "rocker", Vec3(0.4, -0.2, 0.9), false));
  b.add(twist_of("screw", "coupler", "crank", Vec3(0.1, 0.5, -0.3), true));
  b.actuator("motor", "D", Function::sine(0.8, 3));
  if (driven) b.driver("move", "A", Function::sine(0.3, 2));
  if (!driven) b.joint_velocity("A", 0.8);
  return b.build();
}

/// Links, couplers, screw, bushing, friction and rotors in space, on a frame that flies.
inline MechanismBuilder elements_of_space() {
  const Mat3 inertia = Vec3(0.05, 0.06, 0.04).asDiagonal();
  const Vec3 u = Vec3(0.3, -0.2, 0.9).normalized(), w = u.cross(Vec3(1, 0.3, 0)).normalized();
  MechanismBuilder b("elements");
  b.gravity({0.2, -0.5, -9.81});
  b.body("frame", 2, Vec3(0.1, 0.2, 0.3), 4 * inertia).free("flight", "ground", "frame");
  b.body("wheel", 0.7, Vec3(0.5, 0.1, 0.2), inertia).revolute("axle", "frame", "wheel", Vec3(0.5, 0, 0.1), u);
  b.body("pinion", 0.4, Vec3(0.1, 0.7, 0.1), inertia).revolute("shaft", "pinion", "frame", Vec3(0.1, 0.6, 0), w);
  b.body("nut", 0.5, Vec3(-0.3, 0.2, 0.4), inertia).screw("thread", "frame", "nut", Vec3(-0.3, 0.2, 0.3), u, 0.6);
  b.body("slide", 0.6, Vec3(-0.1, -0.4, 0.2), inertia).cylindrical("guide", "frame", "slide", Vec3(0, -0.4, 0), w);
  b.body("floater", 0.8, Vec3(0.6, 0.5, 0.6), inertia).free("loose", "ground", "floater");
  b.body("other", 0.9, Vec3(0.9, -0.3, 0.5), inertia).free("adrift", "ground", "other");
  b.gear("teeth", "axle", "shaft", -1.7);
  CouplerSpec rack;
  rack.name = "rack";
  rack.joint1 = "thread";
  rack.joint2 = "guide";
  rack.rack = true;
  rack.ratio = 0.2;
  b.add(rack);
  b.point_on_line("wire", "frame", "floater", Vec3(0.5, 0.5, 0.5), u, Vec3(Vec3(0.5, 0.5, 0.5) + 0.3 * u));
  b.perpendicular("square", "wheel", "floater", u, w);
  b.point_on_plane("table", "floater", "other", Vec3(0.8, 0, 0.5), w, Vec3(Vec3(0.8, 0, 0.5) + 0.2 * u));
  b.parallel("aligned", "other", "frame", w);
  BushingSpec rubber;
  rubber.name = "rubber";
  rubber.body1 = "frame";
  rubber.body2 = "floater";
  rubber.at1 = Place(Vec3(0.4, 0.3, 0.5));
  rubber.stiffness = Located<Vec3>(Vec3(30, 50, 20));
  rubber.damping = Located<Vec3>(Vec3(0.4, 0.3, 0.5));
  rubber.rotational_stiffness = Located<Vec3>(Vec3(4, 3, 2));
  rubber.rotational_damping = Located<Vec3>(Vec3(0.1, 0.2, 0.3));
  b.add(rubber);
  b.add(FrictionSpec{.name = "drag",
                     .joint = "axle",
                     .viscous = Number(0.1),
                     .coulomb = Number(0.5),
                     .coulomb_backward = Number(-0.3),
                     .velocity = Number(0.8)});
  b.rotor("motor", "axle", 0.002, 7).rotor("spindle", "thread", 0.1);
  RotorSpec linear;
  linear.name = "flywheel";
  linear.joint = "guide";
  linear.coordinate = 1;
  linear.inertia = 0.4;
  b.add(linear);
  b.angular_velocity("frame", {0.7, -0.4, 0.9}).velocity("frame", {0.3, 0.1, -0.2});
  b.joint_velocity("axle", 1.3).joint_velocity("thread", -0.8);
  return b;
}

inline Mechanism elements_in_space() { return elements_of_space().build(); }

inline Mechanism elements_in_plane() {
  MechanismBuilder b("elements");
  b.planar().gravity({0.3, -9.81, 0});
  b.body("frame", 2, Place(0.1, 0.2), 0.3).free("flight", "ground", "frame");
  b.body("wheel", 0.7, Place(0.5, 0.1), 0.1).revolute("axle", "frame", "wheel", Place(0.5, 0));
  b.body("pinion", 0.4, Place(0.1, 0.7), 0.05).revolute("shaft", "pinion", "frame", Place(0.1, 0.6));
  b.body("slide", 0.6, Place(-0.1, -0.4), 0.04).prismatic("guide", "frame", "slide", Place(0, -0.4), Direction(1, 0.3));
  b.body("floater", 0.8, Place(0.6, 0.5), 0.06).free("loose", "ground", "floater");
  b.body("other", 0.9, Place(0.9, -0.3), 0.07).free("adrift", "ground", "other");
  b.gear("teeth", "axle", "shaft", 2.5).rack("rack", "axle", "guide", 0.2);
  b.point_on_line("wire", "frame", "floater", Place(0.5, 0.5), Direction(1, 1), Place(0.7, 0.7));
  b.parallel("aligned", "other", "floater", Direction(1, 0.2));
  BushingSpec rubber;
  rubber.name = "rubber";
  rubber.body1 = "frame";
  rubber.body2 = "floater";
  rubber.at1 = Place(0.4, 0.3);
  rubber.stiffness = Located<Vec3>(Vec3(30, 50, 0));
  rubber.damping = Located<Vec3>(Vec3(0.4, 0.3, 0));
  rubber.rotational_stiffness = Located<Vec3>(Vec3(0, 0, 2));
  rubber.rotational_damping = Located<Vec3>(Vec3(0, 0, 0.3));
  b.add(rubber);
  b.add(FrictionSpec{
      .name = "drag", .joint = "axle", .viscous = Number(0.1), .coulomb = Number(0.5), .velocity = Number(0.8)});
  b.rotor("motor", "axle", 0.002, 7).rotor("flywheel", "guide", 0.3);
  b.angular_velocity("frame", {0, 0, 0.9}).velocity("frame", {0.3, 0.1, 0}).joint_velocity("axle", 1.3);
  return b.build();
}

}  // namespace cardan
