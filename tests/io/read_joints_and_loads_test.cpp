// Joints and their frames, loads, functions and drivers: every kind read once with the values it must have.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/model_text.hpp"

namespace cardan {
namespace {

TEST(Joints, DirectionsMayPointAgainstAnAxis) {
  const auto model = [](const char* down, const char* back, const char* pair) {
    return read(std::string(kTwoBodies) + "joints:\n  pin: {revolute: [ground, a], at: O, axis: " + down +
                ", x_axis: " + back + "}\n  sleeve: {cylindrical: [a, b], at: A, axis: " + pair + "}\n");
  };
  const Mechanism named = model("-z", "-y", "[-x, -y]");
  const Mechanism written = model("[0, 0, -1]", "[0, -2, 0]", "[[-1, 0, 0], [0, -1, 0]]");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(named.joints[i].frame1.axes, written.joints[i].frame1.axes) << i;
    EXPECT_EQ(named.joints[i].frame2.axes, written.joints[i].frame2.axes) << i;
  }
  EXPECT_EQ(Vec3(named.joints[0].frame1.axes.col(2)), Vec3(0, 0, -1));
  EXPECT_EQ(Vec3(named.joints[0].frame1.axes.col(0)), Vec3(0, -1, 0));
  EXPECT_TRUE(named.joints[1].frame2.axes.col(2).isApprox(Vec3(0, -1, 0), kRounding));
}

TEST(Joints, SpatialFramesFollowTheRule) {
  const Mechanism m = read(std::string(kTwoBodies) + R"(
joints:
  revolute: {revolute: [ground, a], at: O, axis: z}
  down: {revolute: [ground, a], at: O, axis: [0, 0, -3]}
  prismatic: {prismatic: [a, b], at: A, axis: [A, B]}
  cylindrical: {cylindrical: [a, b], at: [A, B], axis: [x, y], drawn: [0.1, 0.2]}
  universal: {universal: [a, b], at: A, axes: [y, [0, 0, 2]]}
  spherical: {spherical: [a, b], at: tip}
  planar: {planar: [a, b], at: A, axis: [0, s, c], x_axis: [1, 1, 0]}
  fixed: {fixed: [a, b], at: [1, 1, 1]}
  distance: {distance: [ground, b], at: [O, B]}
  short: {distance: [ground, b], at: [O, B], length: 2}
)");
  const auto joint = [&m](std::size_t i) -> const Joint& { return m.joints[i]; };
  EXPECT_EQ(joint(0).frame1.axes, Mat3::Identity());
  EXPECT_EQ(joint(1).frame1.axes, Mat3(Vec3(1, -1, -1).asDiagonal())) << "half a turn about x";
  EXPECT_TRUE(joint(2).frame1.axes.col(2).isApprox(Vec3(0, 0.6, 0.8), kRounding));
  EXPECT_TRUE(joint(2).frame1.axes.col(0).isApprox(Vec3(1, 0, 0), kRounding)) << "a tilt about x leaves x";
  EXPECT_EQ(joint(2).frame1.axes, joint(2).frame2.axes);
  EXPECT_EQ(joint(3).frame2.origin, Vec3(1, 3, 4));
  EXPECT_TRUE(joint(3).frame1.axes.col(2).isApprox(Vec3::UnitX(), kRounding));
  EXPECT_TRUE(joint(3).frame2.axes.col(2).isApprox(Vec3::UnitY(), kRounding));
  EXPECT_EQ(joint(3).drawn, (std::vector{0.1, 0.2}));
  EXPECT_EQ(Vec3(joint(4).frame1.axes.col(0)), Vec3::UnitY());
  EXPECT_EQ(Vec3(joint(4).frame2.axes.col(1)), Vec3::UnitZ());
  EXPECT_EQ(Vec3(joint(5).frame1.axes.col(0)), Vec3::UnitY()) << "a marker lends its axes";
  EXPECT_EQ(joint(5).frame2.axes, joint(5).frame1.axes);
  EXPECT_TRUE(joint(6).frame1.axes.col(2).isApprox(Vec3(0, 0.8, 0.6), kRounding));
  EXPECT_GT(joint(6).frame1.axes.col(0).dot(Vec3(1, 1, 0)), 0);
  EXPECT_NEAR(joint(6).frame1.axes.col(1).dot(Vec3(1, 1, 0)), 0, kRounding);
  EXPECT_EQ(joint(7).frame2.origin, Vec3(1, 1, 1));
  EXPECT_NEAR(joint(8).length, std::sqrt(26.0), kRounding);
  EXPECT_EQ(joint(9).length, 2);
  for (const Joint& j : m.joints)
    for (const Mat3& axes : {j.frame1.axes, j.frame2.axes}) {
      EXPECT_TRUE((axes.transpose() * axes).isIdentity(kRounding)) << j.name;
      EXPECT_NEAR(axes.determinant(), 1, kRounding) << j.name;
    }
}

TEST(Joints, PlanarPrismaticHasXAlongItsAxis) {
  const Mechanism m = read(R"(
planar: true
parameters: {c: 0.6, s: 0.8}
points: {O: [0, 0], A: [3, 4]}
bodies: {a: {rod: [O, A], mass: 1}, b: {rod: [O, A], mass: 1}}
joints:
  by_components: {prismatic: [ground, a], at: O, axis: [c, s]}
  by_points: {prismatic: [a, b], at: [O, A], axis: [A, O]}
)");
  EXPECT_TRUE(m.joints[0].frame1.axes.col(0).isApprox(Vec3(0.6, 0.8, 0), kRounding));
  EXPECT_TRUE(m.joints[1].frame2.axes.col(0).isApprox(Vec3(-0.6, -0.8, 0), kRounding));
  EXPECT_EQ(Vec3(m.joints[1].frame2.axes.col(2)), Vec3::UnitZ());
  EXPECT_EQ(m.joints[1].frame2.origin, Vec3(3, 4, 0));
}

TEST(Loads, EveryKind) {
  const Mechanism m = read(std::string(kTwoBodies) + R"(
joints:
  screw: {cylindrical: [ground, a], at: O, axis: x}
  pin: {revolute: [a, b], at: A, axis: z}
loads:
  spring: {spring: [ground, b], at: [O, B], stiffness: 10, damping: 2, free_length: 5}
  law: {spring: [ground, b], at: [O, B], force: 3*x^3, damping_force: {polynomial: [0, 1, 2]}}
  twist: {torsion: pin, stiffness: 4, damping: 1, free_angle: pi}
  angle: {torsion: screw, torque: 2*x}
  slide: {joint_spring: screw, stiffness: 7, free_position: 0.1}
  push: {force: b, at: B, components: [1, t, {sine: {amplitude: 2, omega: 3}}], frame: body}
  turn: {torque: [a, b], components: [0, 0, 5]}
  alone: {torque: b, components: [0, 1, 0]}
  motor: {actuator: screw, coordinate: 2, effort: {step: {from: [0, 0], to: [1, 10]}}}
)");
  ASSERT_EQ(m.springs.size(), 2u);
  EXPECT_EQ(m.springs[0].body1, kGround);
  EXPECT_EQ(m.springs[0].body2, 1);
  EXPECT_EQ(m.springs[0].spring(0.5), 5);
  EXPECT_EQ(m.springs[0].damper(0.5), 1);
  EXPECT_EQ(m.springs[0].free_length, 5);
  EXPECT_NEAR(m.springs[1].free_length, std::sqrt(26.0), kRounding) << "as drawn";
  EXPECT_EQ(m.springs[1].spring(2), 24);
  EXPECT_EQ(m.springs[1].damper(2), 10);
  ASSERT_EQ(m.joint_springs.size(), 3u);
  EXPECT_EQ(m.joint_springs[0].joint, 1);
  EXPECT_DOUBLE_EQ(m.joint_springs[0].free_position, std::numbers::pi);
  EXPECT_EQ(m.joint_springs[1].coordinate, 1) << "the only angle of a cylindrical joint";
  EXPECT_EQ(m.joint_springs[2].coordinate, 0);
  EXPECT_EQ(m.joint_springs[2].free_position, 0.1);
  ASSERT_EQ(m.forces.size(), 1u);
  EXPECT_TRUE(m.forces[0].body_axes);
  EXPECT_EQ(m.forces[0].components[1].function(2), 2);
  EXPECT_EQ(m.forces[0].components[2].function(0.5), 2 * std::sin(1.5));
  ASSERT_EQ(m.torques.size(), 2u);
  EXPECT_EQ(m.torques[0].body1, 0);
  EXPECT_EQ(m.torques[0].body2, 1);
  EXPECT_EQ(m.torques[1].body1, kGround);
  ASSERT_EQ(m.actuators.size(), 1u);
  EXPECT_EQ(m.actuators[0].coordinate, 1);
  EXPECT_EQ(m.actuators[0].effort.function(2), 10);
}

TEST(Functions, EveryForm) {
  const auto function = [](const std::string& text) {
    return read(std::string(kPendulum) + "loads: {f: {actuator: pin, effort: " + text + "}}\n")
        .actuators.at(0)
        .effort.function;
  };
  EXPECT_EQ(function("3")(1), 3);
  EXPECT_EQ(function("3*L")(1), 6);
  EXPECT_EQ(function("{constant: L}")(1), 2);
  EXPECT_EQ(function("\"L*t^2\"")(3), 18);
  EXPECT_EQ(function("{expression: L*t}")(3), 6);
  EXPECT_EQ(function("{polynomial: [1, 2, 3]}")(2), 17);
  EXPECT_EQ(function("{table: [[0, 0], [1, 2], [2, 0]]}")(0.5), 1);
  EXPECT_GT(function("{table: [[0, 0], [1, 2], [2, 0]], interpolation: cubic}")(0.5), 1);
  EXPECT_NEAR(function("{sine: {amplitude: 2, frequency: 1, phase: pi/2, offset: 1}}")(0.5), -1, kRounding);
  EXPECT_EQ(function("{step: {from: [0, 1], to: [L, 3]}}")(1), 2);
  const Function pieces =
      function("{piecewise: [{below: 0, constant: 1}, {below: 1, expression: 2*t}, {polynomial: [7]}]}");
  EXPECT_EQ(pieces(-1), 1);
  EXPECT_EQ(pieces(0.5), 1);
  EXPECT_EQ(pieces(2), 7);
}

TEST(Drivers, OfJointsAndDistances) {
  const Mechanism m = read(std::string(kTwoBodies) + R"(
joints:
  float: {free: [ground, a]}
  pin: {revolute: [a, b], at: A, axis: z}
drivers:
  turn: {joint: pin, position: 2*t}
  lift: {joint: float, coordinate: 3, position: {sine: {amplitude: 1, omega: 2}}}
  reach: {distance: [ground, b], at: [O, B], position: 5 + t}
initial: {pin: {velocity: 2, position: 0}}
)");
  ASSERT_EQ(m.drivers.size(), 3u);
  EXPECT_EQ(m.drivers[0].joint, 1);
  EXPECT_EQ(m.drivers[0].position(3), 6);
  EXPECT_EQ(m.drivers[1].coordinate, 2);
  EXPECT_EQ(m.drivers[2].joint, -1);
  EXPECT_EQ(m.drivers[2].point2, Vec3(1, 3, 4));
  EXPECT_EQ(m.joints[1].initial_velocity, 2.0);
}

}  // namespace
}  // namespace cardan
