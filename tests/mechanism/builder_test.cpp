// The builder: the same mechanism as the model file's, all problems at once, and messages without a place.
#include "cardan/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cardan/io.hpp"
#include "mechanism/mechanism_comparison.hpp"

namespace cardan {
namespace {

TEST(Builder, PlanarModelEqualsTheFile) {
  MechanismBuilder b("four-bar");
  b.planar().gravity({0, -9.81, 0});
  b.point("A0", {0, 0}).point("B0", {0, 1}).point("B1", {1, 1}).point("A1", {1, 0});
  b.rod("crank", "A0", "B0", 1).rod("coupler", "B0", "B1", 1).rod("rocker", "A1", "B1", 1);
  b.revolute("pinA0", "ground", "crank", "A0").revolute("pinB0", "crank", "coupler", "B0");
  b.revolute("pinB1", "coupler", "rocker", "B1").revolute("pinA1", "ground", "rocker", "A1");
  b.angular_velocity("crank", {0, 0, -1});
  b.simulation({.until = 10.0, .step = 0.01, .formulation = "hybrid", .integrator = "trapezoidal"});
  const Mechanism file = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/four_bar.yaml");
  expect_same(b.build(), file);
  EXPECT_EQ(file.bodies[0].where.line, 10);
  EXPECT_TRUE(b.build().bodies[0].where.file.empty());
}

TEST(Builder, JointElementsEqualTheFile) {
  MechanismBuilder b("elements");
  b.point("O", {0, 0, 0}).point("A", {1, 0, 0}).point("B", {1, 2, 0.5});
  b.rod("arm", "O", "A", 2, 0.1).rod("nut", "A", "B", 1, 0.1).sphere("ball", 0.2, "B", 3).sphere("slide", 0.2, "A", 3);
  b.marker("mount", "arm", "A");
  b.revolute("hinge", "ground", "arm", "O", "y").screw("thread", "arm", "nut", "A", "x", -0.01);
  b.free("float", "ground", "ball").prismatic("rail", "ground", "slide", "A", "x");
  b.point_on_line("wire", "arm", "ball", "O", "x", "B").point_on_plane("floor", "ground", "ball", "B", "z", "B");
  b.parallel("aligned", "arm", "ball", "z").perpendicular("square", "arm", "ball", "x", "y");
  b.gear("teeth", "hinge", "thread", -2.5).rack("rack", "hinge", "rail", 0.3);
  CouplerSpec picked;
  picked.name = "picked";
  picked.joint1 = "float";
  picked.coordinate1 = 2;
  picked.joint2 = "hinge";
  picked.coordinate2 = 1;
  picked.ratio = 4;
  b.add(picked);
  BushingSpec rubber;
  rubber.name = "rubber";
  rubber.body1 = "arm";
  rubber.body2 = "ball";
  rubber.at1 = Place("mount");
  rubber.stiffness = Located<Vec3>(Vec3(100, 200, 300));
  rubber.damping = Located<Vec3>(Vec3(2, 2, 2));
  rubber.rotational_stiffness = Located<Vec3>(Vec3(4, 5, 6));
  b.add(rubber);
  b.friction("drag", "hinge", 0.5, 2).rotor("motor", "hinge", 1e-4, -60);
  FrictionSpec motor_side;
  motor_side.name = "brush";
  motor_side.joint = "thread";
  motor_side.viscous = Number(1e-3);
  motor_side.coulomb = Number(0.4);
  motor_side.coulomb_backward = Number(-0.3);
  motor_side.gear = Number(-50);
  motor_side.velocity = Number(0.02);
  b.add(motor_side);
  const Mechanism built = b.build();
  expect_same(built, read_mechanism_text(R"(
cardan: 1
name: elements
points: {O: [0, 0, 0], A: [1, 0, 0], B: [1, 2, 0.5]}
bodies:
  arm: {rod: [O, A], mass: 2, radius: 0.1}
  nut: {rod: [A, B], mass: 1, radius: 0.1}
  ball: {sphere: 0.2, at: B, mass: 3}
  slide: {sphere: 0.2, at: A, mass: 3}
markers: {mount: {body: arm, at: A}}
joints:
  hinge: {revolute: [ground, arm], at: O, axis: y}
  thread: {screw: [arm, nut], at: A, axis: x, pitch: -0.01}
  float: {free: [ground, ball]}
  rail: {prismatic: [ground, slide], at: A, axis: x}
  wire: {point_on_line: [arm, ball], at: [O, B], axis: x}
  floor: {point_on_plane: [ground, ball], at: [B, B], axis: z}
  aligned: {parallel: [arm, ball], axis: z}
  square: {perpendicular: [arm, ball], axes: [x, y]}
couplers:
  teeth: {gear: [hinge, thread], ratio: -2.5}
  rack: {rack: [hinge, rail], radius: 0.3}
  picked: {gear: [float, hinge], coordinates: [2, 1], ratio: 4}
loads:
  rubber: {bushing: [arm, ball], at: mount, stiffness: [100, 200, 300], damping: 2, rotational_stiffness: [4, 5, 6]}
  drag: {friction: hinge, viscous: 0.5, coulomb: 2}
  brush: {friction: thread, viscous: 1e-3, coulomb: [0.4, -0.3], gear: -50, velocity: 0.02}
  motor: {rotor: hinge, inertia: 1e-4, gear: -60}
)",
                                         ""));
  // At the joint: B G^2 v + |G| Tc, by the direction of the joint's speed.
  EXPECT_NEAR(built.joint_springs[1].damper(2), 2500e-3 * 2 + 50 * 0.4, 1e-12);
  EXPECT_NEAR(built.joint_springs[1].damper(-2), -2500e-3 * 2 - 50 * 0.3, 1e-12);
}

TEST(Builder, SpatialModelEqualsTheFile) {
  MechanismBuilder b("spatial");
  b.point("O", {0, 0, 0}).point("A", {1, 0, 0}).point("B", {1, 2, 0.5});
  b.cylinder("arm", "O", "A", 0.1, 2).sphere("ball", 0.2, "B", 3).box("block", {1, 2, 3}, {4, 5, 6}, 7);
  b.body("lump", 1.5, {1, 1, 1}, Mat3(Vec3(1, 2, 2.5).asDiagonal())).rod("stick", "A", "B", 0.5, 0.01);
  b.marker("tip", "arm", "A");
  b.revolute("hinge", "ground", "arm", "O", "y").universal("cross", "arm", "stick", "A", "x", "z");
  b.prismatic("rail", "ground", "block", {4, 5, 6}, Direction("A", "B"))
      .cylindrical("screw", "block", "lump", {1, 1, 1}, {1, 1, 1});
  b.spherical("socket", "stick", "ball", "B").planar_joint("table", "ground", "ball", "B", "z");
  b.fixed("weld", "lump", "arm").free("float", "ground", "lump").distance("link", "block", "ball", {4, 5, 6}, "B");
  b.spring("spring", "ground", "ball", "O", "B", 100, 5).torsion("twist", "hinge", 10, 1, 0.5);
  b.actuator("motor", "rail", Function::sine(1, 2)).driver("drive", "hinge", Function::polynomial({0, 1}));
  b.add(ForceSpec{.name = "wind",
                  .body = "block",
                  .at = Place("A"),
                  .components = {Function::constant(1), Function(), Function::polynomial({0, 2})}});
  b.velocity("ball", {NAN, 0, 1}).joint_velocity("rail", 3).joint_position("rail", 0.5);
  const Mechanism file = read_mechanism_text(R"(
cardan: 1
name: spatial
points: {O: [0, 0, 0], A: [1, 0, 0], B: [1, 2, 0.5]}
bodies:
  arm: {cylinder: [O, A], radius: 0.1, mass: 2}
  ball: {sphere: 0.2, at: B, mass: 3}
  block: {box: [1, 2, 3], at: [4, 5, 6], mass: 7}
  lump: {mass: 1.5, center: [1, 1, 1], inertia: [1, 2, 2.5]}
  stick: {rod: [A, B], mass: 0.5, radius: 0.01}
markers: {tip: {body: arm, at: A}}
joints:
  hinge: {revolute: [ground, arm], at: O, axis: y}
  cross: {universal: [arm, stick], at: A, axes: [x, z]}
  rail: {prismatic: [ground, block], at: [4, 5, 6], axis: [A, B]}
  screw: {cylindrical: [block, lump], at: [1, 1, 1], axis: [1, 1, 1]}
  socket: {spherical: [stick, ball], at: B}
  table: {planar: [ground, ball], at: B, axis: z}
  weld: {fixed: [lump, arm]}
  float: {free: [ground, lump]}
  link: {distance: [block, ball], at: [[4, 5, 6], B]}
loads:
  spring: {spring: [ground, ball], at: [O, B], stiffness: 100, damping: 5}
  twist: {torsion: hinge, stiffness: 10, damping: 1, free_angle: 0.5}
  motor: {actuator: rail, effort: {sine: {amplitude: 1, omega: 2}}}
  wind: {force: block, at: A, components: [1, 0, {polynomial: [0, 2]}]}
drivers: {drive: {joint: hinge, position: {polynomial: [0, 1]}}}
initial:
  ball: {velocity: [free, 0, 1]}
  rail: {position: 0.5, velocity: 3}
)",
                                             "spatial.yaml");
  expect_same(b.build(), file);
}

TEST(Builder, ThrowsEverythingFoundWithoutPlaces) {
  MechanismBuilder b;
  b.planar().rod("arm", {0, 0}, {0, 0}, 1).rod("leg", {0, 0}, {1, 0}, -1).revolute("pin", "ground", "amr", {0, 0});
  try {
    b.build();
    FAIL();
  } catch (const ModelError& e) {
    ASSERT_EQ(e.diagnostics().size(), 3u);
    EXPECT_STREQ(e.what(),
                 "error: body 'arm': the rod has no length; give two points apart from each other\n"
                 "error: body 'leg': the mass is negative (-1); give it as 0 or more\n"
                 "error: joint 'pin': no body is called 'amr'; did you mean 'arm'?");
  }
}

std::string error_of(const MechanismBuilder& builder) {
  try {
    builder.build();
    return "";
  } catch (const ModelError& e) {
    return e.what();
  }
}

TEST(Builder, RefusesWhatOnlyCodeCanSay) {
  const auto planar = [] {
    return MechanismBuilder().planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0});
  };
  EXPECT_EQ(error_of(planar()), "");
  EXPECT_EQ(error_of(planar().gravity({0, 0, -9.81})),
            "error: gravity: gravity of a planar model has no z; give it in the plane");
  EXPECT_EQ(error_of(planar().point("P", {0, 0, 1})),
            "error: point 'P': a point of a planar model has no z; leave z at 0");
  EXPECT_EQ(error_of(planar().point("P", {NAN, 0})), "error: point 'P': a coordinate is not a finite number");
  EXPECT_EQ(error_of(planar().angular_velocity("arm", {1, 0, 0})),
            "error: initial 'arm': bodies of a planar model turn about z only; leave x and y at 0");
  EXPECT_EQ(error_of(planar().velocity("arm", {0, 0, 1})),
            "error: initial 'arm': a velocity in a planar model has no z");
  EXPECT_EQ(error_of(planar().velocity("arm", {INFINITY, 0, 0})), "error: initial 'arm': the velocity is not finite");
  EXPECT_EQ(error_of(planar().joint_velocity("arm", 1)),
            "error: initial 'arm': a body has no joint coordinate; give 'velocity' and 'angular_velocity' as vectors");
  EXPECT_EQ(error_of(planar().rod("", {0, 0}, {1, 0}, 1).free("f", "ground", "")),
            "error: body '': the name is empty; use letters, digits, '_' and '-'");
  EXPECT_EQ(error_of(planar().torsion("k", "pin", INFINITY)), "error: load 'k': stiffness is not a finite number");
  EXPECT_EQ(error_of(planar().rod("b", {0, 0}, {1, 0}, INFINITY).free("f", "ground", "b")),
            "error: body 'b': the mass is not a finite number");
}

}  // namespace
}  // namespace cardan
