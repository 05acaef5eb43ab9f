// Positions of rest against closed forms, statics and what a damped motion comes to.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/sprung_vehicle.hpp"
#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr double kGravity = 9.81;

TEST(Equilibrium, OfAWeightOnASpring) {
  MechanismBuilder b("weight");
  b.planar().gravity({0, -kGravity, 0});
  b.body("weight", 3, Place(0, 0), 0.1).prismatic("slide", "ground", "weight", Place(0, 0), Direction(0, 1));
  b.spring("spring", "ground", "weight", Place(0, 2), Place(0, 0), 500, 4);
  const Equilibrium e = find_equilibrium(b.build());
  ASSERT_TRUE(e.converged) << e.reason;
  EXPECT_NEAR(e.value("weight.y"), -3 * kGravity / 500, 1e-13);
  EXPECT_NEAR(e.loads[0].length, 2 + 3 * kGravity / 500, 1e-13);
  EXPECT_NEAR(e.loads[0].force, 3 * kGravity, 1e-10);
  EXPECT_LT(e.force, 1e-10);
  EXPECT_EQ(e.degrees_of_freedom, 1);
  EXPECT_EQ(e.unstable, 0);
}

TEST(Equilibrium, NamesWhatIsTooLargeForNumbers) {
  const auto reason = [](double mass, double stiffness, double free_length) {
    MechanismBuilder b("absurd");
    b.body("block", mass, Place(0, 0, 1), Mat3(mass * Mat3::Identity()));
    b.body("load", 2, Place(0, 0, 2), Mat3(Mat3::Identity()));
    b.prismatic("rail", "ground", "block", Place(0, 0, 1), Direction(0, 0, 1));
    b.prismatic("upper_rail", "block", "load", Place(0, 0, 2), Direction(0, 0, 1));
    b.spring("upper", "block", "load", Place(0, 0, 1), Place(0, 0, 2), 1000, 1);
    SpringSpec support{.name = "support", .body1 = "ground", .body2 = "block"};
    support.at1 = Place(0, 0, 0), support.at2 = Place(0, 0, 1);
    support.stiffness = stiffness, support.free_length = free_length;
    b.add(support);
    const Equilibrium e = find_equilibrium(b.build());
    EXPECT_FALSE(e.converged);
    return e.reason;
  };
  EXPECT_NE(reason(1e300, 1000, 1).find("the weight of body 'block' is 9.81e+300 N"), std::string::npos)
      << reason(1e300, 1000, 1);
  EXPECT_NE(reason(3, 1e300, 1e12).find("the force of 'support' is no finite number"), std::string::npos)
      << reason(3, 1e300, 1e12);
}

Mechanism pendulum(double angle) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -kGravity, 0});
  b.rod("arm", Place(0, 0), Place(std::cos(angle), std::sin(angle)), 2).revolute("pin", "ground", "arm", Place(0, 0));
  return b.build();
}

TEST(Equilibrium, LeavesTheNeighbourhoodOfAnUnstablePosition) {
  for (const double angle : {1.4, 1.57, 0.0, -1.0, 3.0, 4.0}) {
    const Equilibrium e = find_equilibrium(pendulum(angle));
    ASSERT_TRUE(e.converged) << e.reason;
    EXPECT_NEAR(std::remainder(e.value("arm.angle") + M_PI / 2, 2 * M_PI), 0, 1e-9) << angle;
    EXPECT_EQ(e.unstable, 0);
    EXPECT_NEAR(e.value("pin.fy"), 2 * kGravity, 1e-9);
  }
}

TEST(Equilibrium, KeepsAnUnstablePositionThatIsDrawnAndSaysSo) {
  const Equilibrium e = find_equilibrium(pendulum(M_PI / 2));
  ASSERT_TRUE(e.converged) << e.reason;
  EXPECT_NEAR(e.value("arm.angle"), M_PI / 2, 1e-9);
  EXPECT_EQ(e.unstable, 1);
  ASSERT_FALSE(e.notes.empty());
  EXPECT_NE(e.notes.back().find("unstable in 1 direction"), std::string::npos) << e.notes.back();
}

TEST(Equilibrium, OfAVehicleOnStiffTyresBalancesToRounding) {
  for (const double lift : {0.0, 0.02, 0.3}) {
    const Mechanism m = sprung_vehicle(lift);
    const Equilibrium e = find_equilibrium(m);
    ASSERT_TRUE(e.converged) << lift << ": " << e.reason;
    EXPECT_LT(e.force, 1e-7) << lift;
    EXPECT_LT(e.moment, 1e-7) << lift;
    EXPECT_LT(e.iterations, 100) << lift;
    // Moments of weights and tyres about the x and y axes.
    double weight = 0, tyres = 0;
    Vec2 moment = Vec2::Zero();
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
      weight += m.bodies[i].mass * kGravity;
      moment -= m.bodies[i].mass * kGravity * e.bodies[i].position.head<2>();
      if (i == 0) continue;
      const double push = -e.loads[2 * i - 1].force;
      EXPECT_GT(push, 2000);
      tyres += push;
      moment += push * e.bodies[i].position.head<2>();
    }
    EXPECT_NEAR(tyres, weight, 1e-7);
    EXPECT_LT(moment.norm(), 1e-6);
    EXPECT_EQ(e.degrees_of_freedom, 10);
    EXPECT_EQ(e.unstable, 0);
    EXPECT_EQ(e.neutral.size(), 3U) << "along the road, across, yaw";
    // What nothing resists stays as drawn on the average, chassis and wheels.
    Vec2 moved = Vec2::Zero();
    for (std::size_t i = 0; i < m.bodies.size(); ++i) moved += (e.bodies[i].position - m.bodies[i].center).head<2>();
    EXPECT_LT(moved.norm(), 1e-3) << lift;
    RecordProperty("iterations", e.iterations);
  }
}

/// Side forces of tyres go with their camber, and nothing resists a motion across the road: what is left of them is
/// next to nothing beside the weight, and holds the vehicle no less.
TEST(Equilibrium, OfAVehicleOnTyresThatLeanALittle) {
  for (double aside : {0.0, 2e-7, -6e-7}) {
    MechanismBuilder b("leaning");
    b.gravity({0, 0, -9.81});
    b.box("chassis", {3, 1.5, 0.8}, Vec3(0.13, aside, 0.8), 1340);
    b.free("base", "ground", "chassis");
    RoadSpec road;
    road.name = "road";
    road.profile = Located<std::vector<Vec2>>(std::vector<Vec2>{{-50, 0}, {50, 0}});
    b.add(road);
    CalspanTyre side;
    side.a0 = 2625, side.a1 = 14.47, side.a2 = 12930, side.a3 = 2.29, side.a4 = 18175;
    side.b1 = -4.64e-5, side.b3 = 1.216, side.b4 = 2.18e-11;
    side.skid = 1.0274, side.m1 = -1.71e-5, side.m2 = 1.71e-5;
    for (const auto& [name, x, y] :
         {std::tuple{"fl", 1.2, 0.7}, {"fr", 1.2, -0.7}, {"rl", -1.1, 0.7}, {"rr", -1.1, -0.7}}) {
      const std::string n = name;
      const Vec3 hub(x, y, 0.33);
      b.sphere(n, 0.3, hub, 40);
      b.prismatic(n + "_slide", "chassis", n, hub, Direction("z"));
      JointSpringSpec spring{.name = n + "_spring", .joint = n + "_slide", .torsion = false};
      spring.stiffness = Number(25000.0), spring.free_position = Number(-0.1);
      b.add(spring);
      TyreSpec tyre;
      tyre.name = n + "_tyre", tyre.body = n, tyre.road = "road";
      tyre.at = Place(hub), tyre.axis = Direction("y");
      tyre.radius = 0.35, tyre.stiffness = 2e5;
      tyre.lateral = Located<CalspanTyre>(side);
      b.add(tyre);
    }
    const Equilibrium equilibrium = find_equilibrium(b.build());
    ASSERT_TRUE(equilibrium.converged) << aside << " " << equilibrium.reason;
    EXPECT_LT(equilibrium.force, 1e-6 * 1500 * 9.81) << aside;
    EXPECT_EQ(equilibrium.unstable, 0) << aside;
    double load = 0;
    for (const char* n : {"fl", "fr", "rl", "rr"}) load += equilibrium.value(std::string(n) + "_tyre.load");
    EXPECT_NEAR(load, 1500 * 9.81, 1e-3) << aside;
  }
}

TEST(Equilibrium, IsWhereADampedLinkageComesToRest) {
  MechanismBuilder b("linkage");
  b.gravity({0, 0, -kGravity});
  const Vec3 a(0, 0, 0), p(0.1, 0.25, 0.2), q(0.9, 0.35, 0.3), c(1, 0, 0);
  b.cylinder("crank", a, p, 0.03, 0.7).cylinder("coupler", p, q, 0.02, 0.9).cylinder("rocker", c, q, 0.04, 1.1);
  b.revolute("pin1", "ground", "crank", a, Direction(1, 0.1, 0)).spherical("ball", "crank", "coupler", p);
  b.universal("cross", "coupler", "rocker", q, Direction(Vec3(0, 0.3, -0.35)), Direction(Vec3(1, 0, 0)));
  b.revolute("pin2", "ground", "rocker", c, Direction(0.2, 1, 0));
  b.torsion("torsion", "pin2", 12, 3, 0.2).spring("pull", "ground", "coupler", Vec3(0.4, 1, 0.5), p, 30, 5);
  const Mechanism m = b.build();
  const Equilibrium e = find_equilibrium(m);
  ASSERT_TRUE(e.converged) << e.reason;
  EXPECT_LT(e.force, 1e-9);
  const FinishedRun run = finish(m, options_of("hybrid", 0.01, 60));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  for (const char* column : {"crank.x", "crank.z", "coupler.y", "rocker.z", "pin1.q", "pin2.q"}) {
    EXPECT_NEAR(e.value(column), run.last[column], 1e-6) << column;
  }
  for (const char* column : {"pin1.fx", "pin1.fz", "pin2.fy", "ball.fx", "pin2.mx"}) {
    EXPECT_NEAR(e.value(column), run.last[column], 1e-4) << column;
  }
}

TEST(Equilibrium, AllowsRedundantJointsAndNamesWhatNothingResists) {
  MechanismBuilder b("door");
  b.gravity({0, 0, -kGravity});
  b.box("door", {1, 0.05, 2}, Vec3(0.5, 0, 1), 20);
  b.revolute("lower", "ground", "door", Vec3(0, 0, 0.3), Direction("z"))
      .revolute("upper", "ground", "door", Vec3(0, 0, 1.7), Direction("z"));
  const Equilibrium e = find_equilibrium(b.build());
  ASSERT_TRUE(e.converged) << e.reason;
  EXPECT_EQ(e.iterations, 0);
  ASSERT_EQ(e.neutral.size(), 1U);
  EXPECT_TRUE(e.neutral[0] == "lower.q" || e.neutral[0] == "upper.q") << e.neutral[0];
  EXPECT_NEAR(e.value("lower.fz") + e.value("upper.fz"), 20 * kGravity, 1e-6);
}

TEST(Equilibrium, HoldsDriversWhereTheyStart) {
  MechanismBuilder b("driven");
  b.planar().gravity({0, -kGravity, 0});
  b.box("cart", {1, 1, 1}, Place(0, 0), 5).prismatic("rail", "ground", "cart", Place(0, 0), Direction(1, 0));
  b.rod("arm", Place(0, 0), Place(0.6, -0.3), 2).revolute("pin", "cart", "arm", Place(0, 0));
  b.driver("motor", "rail", Function::polynomial({0.25, 5}));
  b.velocity("arm", {1, 0, 0});
  const Equilibrium e = find_equilibrium(b.build());
  ASSERT_TRUE(e.converged) << e.reason;
  EXPECT_NEAR(e.value("cart.x"), 0.25, 1e-12);
  EXPECT_NEAR(e.value("arm.x"), 0.25, 1e-10);
  EXPECT_NEAR(e.value("motor.effort"), 0, 1e-9);
}

TEST(Equilibrium, ThatDoesNotExistIsSaid) {
  MechanismBuilder b("falling");
  b.planar().gravity({0, -kGravity, 0});
  b.box("stone", {1, 1, 1}, Place(0, 0), 5).free("nothing", "ground", "stone");
  const Equilibrium e = find_equilibrium(b.build());
  EXPECT_FALSE(e.converged);
  EXPECT_NE(e.reason.find("no load resists a motion of nothing.q2"), std::string::npos) << e.reason;
}

/// A wheel that an engine turns rests nowhere; where the search gets to while it turns does not say so.
TEST(Equilibrium, WhatAnActuatorDrivesAndNothingResistsIsNamed) {
  MechanismBuilder b("engine");
  b.planar().gravity({0, -kGravity, 0});
  b.box("frame", {1, 1, 1}, Place(0, 0), 5).prismatic("slide", "ground", "frame", Place(0, 0), Direction(0, 1));
  b.spring("spring", "ground", "frame", Place(0, 2), Place(0, 0), 500, 4);
  b.box("wheel", {0.1, 0.1, 0.1}, Place(0.1, 0), 2).revolute("bearing", "frame", "wheel", Place(0.1, 0));
  b.actuator("motor", "bearing", 7.5).actuator("lift", "slide", 3);
  const Equilibrium e = find_equilibrium(b.build());
  EXPECT_FALSE(e.converged);
  EXPECT_NE(e.reason.find("no load resists a motion of bearing.q, which is driven by 'motor' (7.5 N m)"),
            std::string::npos)
      << e.reason;
  EXPECT_EQ(e.reason.find("lift"), std::string::npos) << e.reason;
}

/// A body that hangs on two springs, drawn with its weight above them or below.
TEST(Equilibrium, SaysWhatHasTurnedOver) {
  for (const bool upside_down : {true, false}) {
    MechanismBuilder b("hung");
    b.planar().gravity({0, -kGravity, 0});
    b.body("weight", 5, Place(0.02, upside_down ? 0.3 : -0.3), 0.2).free("loose", "ground", "weight");
    b.spring("left", "ground", "weight", Place(-0.6, 1.5), Place(-0.05, 0), 400);
    b.spring("right", "ground", "weight", Place(0.6, 1.5), Place(0.05, 0), 400);
    const Equilibrium e = find_equilibrium(b.build());
    ASSERT_TRUE(e.converged) << e.reason;
    EXPECT_EQ(e.unstable, 0);
    const bool said = std::any_of(e.notes.begin(), e.notes.end(), [](const std::string& note) {
      return note.starts_with("'weight' came to rest 1") && note.find("degrees over from how it is drawn") < 40;
    });
    EXPECT_EQ(said, upside_down) << (e.notes.empty() ? "" : e.notes[0]);
  }
}

TEST(Equilibrium, DoesNotDependOnTheAxes) {
  const Quat turn(Eigen::AngleAxisd(1.1, Vec3(0.3, -0.5, 0.8).normalized()));
  double height[2];
  for (int i = 0; i < 2; ++i) {
    const Quat R = i == 0 ? Quat::Identity() : turn;
    MechanismBuilder b("hung");
    b.gravity(R * Vec3(0, 0, -kGravity));
    b.body("body", 4, Vec3(R * Vec3(0, 0, 0)),
           Mat3(R.toRotationMatrix() * Vec3(0.2, 0.3, 0.4).asDiagonal() * R.toRotationMatrix().transpose()));
    b.free("base", "ground", "body");
    int n = 0;
    for (const Vec3& at : {Vec3(0.5, 0.1, 0.2), Vec3(-0.4, 0.3, 0.1), Vec3(0.1, -0.6, 0)}) {
      ++n;
      b.spring("spring" + std::to_string(n), "ground", "body", Vec3(R * Vec3(1.5 * at + Vec3(0.1, 0, 1))), Vec3(R * at),
               60 + 20 * n);
    }
    const Equilibrium e = find_equilibrium(b.build());
    ASSERT_TRUE(e.converged) << e.reason;
    EXPECT_EQ(e.unstable, 0);
    height[i] = (R.inverse() * e.bodies[0].position).z();
  }
  EXPECT_NEAR(height[0], height[1], 1e-9);
  EXPECT_LT(height[0], -0.05);
}

/// A weight that hangs on a cylinder whose fluid leaks away comes to rest on the end of its stroke.
TEST(Equilibrium, OfACylinderOnItsStopSaysSo) {
  const Equilibrium e = find_equilibrium(read_mechanism_text(R"(
cardan: 1
planar: true
bodies: {weight: {mass: 300, center: [0, -1], inertia: 1}}
joints: {slide: {prismatic: [ground, weight], at: [0, -1], axis: y}}
inputs: {lever: {start: 0}}
loads:
  jack: {cylinder: [ground, weight], at: [[0, 0], [0, -1]], areas: 1e-3, retracted: 0.9, stroke: 0.3, leakage: 1e-12}
  valve: {valve: jack, supply: pump, command: lever, rated_flow: 1e-3, tank: 2e5}
  pump: {pump: 6e-4, volume: 1e-3, start: 50e5, relief: 180e5}
)",
                                                             "hanging.yaml"));
  ASSERT_TRUE(e.converged) << e.reason;
  ASSERT_EQ(e.loads.size(), 1u);
  EXPECT_EQ(e.loads[0].name, "jack");
  EXPECT_GT(e.loads[0].length, 1.2);
  EXPECT_NEAR(e.loads[0].force, 300 * kGravity, 1e-6);
  EXPECT_NEAR(e.value("jack.stop"), 300 * kGravity, 1e-6);
  EXPECT_TRUE(std::any_of(e.notes.begin(), e.notes.end(), [](const std::string& note) {
    return note.find("'jack' rests on an end stop, which pushes with 2943 N") != std::string::npos;
  }));
}

}  // namespace
}  // namespace cardan
