// Angles over full turns, however many a step makes of them.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

const Vec3 kTurnAxis = Vec3(0.4, -0.5, 0.7).normalized();

/// A wheel about an axis through its centre; in space the axis is oblique.
MechanismBuilder wheel(bool planar, double rate) {
  MechanismBuilder b("wheel");
  if (planar) b.planar();
  b.gravity({0, 0, 0});
  if (planar) {
    b.body("wheel", 1, Place(0.3, 0.1), 0.5);
    b.revolute("axle", "ground", "wheel", Place(0.3, 0.1));
  } else {
    b.body("wheel", 1, Vec3(0.3, 0.1, -0.2), Mat3(Vec3(0.5, 0.5, 0.5).asDiagonal()));
    b.revolute("axle", "ground", "wheel", Vec3(0.3, 0.1, -0.2), kTurnAxis);
  }
  b.joint_velocity("axle", rate);
  return b;
}

TEST(Turns, AreCountedHoweverManyAStepMakes) {
  int ran = 0;
  for (bool planar : {true, false}) {
    for (double per_step : {3.0, 5.0, -7.5, 40.0}) {
      const double h = 0.01;
      const Mechanism mechanism = wheel(planar, per_step / h).build();
      for (const char* formulation : {"global", "hybrid", "topological", "recursive", "cartesian"}) {
        const bool points =
            std::string(formulation) == "global" || (!planar && std::string(formulation) == "cartesian");
        if (points) continue;  // directions as coordinates are not resolved by such steps, whatever the count
        const FinishedRun run = finish(mechanism, options_of(formulation, h, 0.1));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
        EXPECT_NEAR(run.last["axle.q"], 10 * per_step, 1e-9 * 10 * std::abs(per_step)) << formulation << per_step;
        if (planar) EXPECT_NEAR(run.last["wheel.angle"], 10 * per_step, 1e-8) << formulation << per_step;
        for (const std::string& warning : run.summary.warnings) {
          EXPECT_EQ(warning.find("full turns"), std::string::npos) << warning;
        }
        ++ran;
      }
    }
  }
  EXPECT_EQ(ran, 4 * (4 + 3));
}

/// A torsion spring feels every turn: the wheel swings through many of them within a few steps, as in closed form.
TEST(Turns, AreFeltBySprings) {
  const double h = 0.02, k = 2, inertia = 0.5, omega = std::sqrt(k / inertia), rate = 300;  // 6 rad a step
  for (bool planar : {true, false}) {
    MechanismBuilder b = wheel(planar, rate);
    b.torsion("spring", "axle", k);
    const Mechanism mechanism = b.build();
    for (const char* formulation : {"hybrid", "topological"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, h, 0.5, "trapezoidal"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      // The rule's own frequency: tan(w_h h / 2) = w h / 2
      const double seen = 2 / h * std::atan(omega * h / 2), expected = rate / omega * std::sin(seen * 0.5);
      EXPECT_NEAR(run.last["axle.q"], expected, 1e-6 * expected) << formulation << planar;
    }
  }
}

/// Samples between the steps of methods that choose them count as the steps do.
TEST(Turns, AreCountedInSamplesBetweenSteps) {
  const Mechanism mechanism = wheel(true, 1000).build();
  RunOptions options = options_of("hybrid", 0.013, 0.13, "dopri5");
  const FinishedRun run = finish(mechanism, options);
  ASSERT_EQ(run.summary.status, RunStatus::ok);
  EXPECT_NEAR(run.last["axle.q"], 130, 1e-9);
}

/// Two wheels in mesh, the faster of which makes many turns a step, with a spring on each.
TEST(Turns, AreCountedByGears) {
  int ran = 0;
  for (const char* formulation : {"hybrid", "topological"}) {
    MechanismBuilder b("gear");
    b.planar().gravity({0, 0, 0});
    b.body("wheel", 1, Place(0.3, 0.1), 0.5).body("pinion", 0.1, Place(0.9, 0.1), 0.01);
    b.revolute("axle", "ground", "wheel", Place(0.3, 0.1)).revolute("shaft", "ground", "pinion", Place(0.9, 0.1));
    b.gear("mesh", "axle", "shaft", -5);
    b.torsion("spring", "shaft", 0.08);
    b.joint_velocity("axle", 200);
    const double h = 0.02, inertia = 0.5 + 25 * 0.01, omega = std::sqrt(25 * 0.08 / inertia);
    const FinishedRun run = finish(b.build(), options_of(formulation, h, 0.4, "trapezoidal"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double seen = 2 / h * std::atan(omega * h / 2), expected = 200 / omega * std::sin(seen * 0.4);
    EXPECT_NEAR(run.last["axle.q"], expected, 1e-6 * expected) << formulation;
    EXPECT_NEAR(run.last["shaft.q"], -5 * expected, 5e-6 * expected) << formulation;
    ++ran;
  }
  EXPECT_EQ(ran, 2);
}

/// A nut on a spindle, many pitches away from where it was drawn: rods, spindle and guide make a loop, so that the
/// thread is a constraint in every formulation but where it is a joint of the tree.
TEST(Turns, OfAThreadInALoopAreTheNutsWay) {
  const Vec3 axis = Vec3(-0.3, 0.8, 0.4).normalized(), place(0.7, -1.2, 0.5);
  const double pitch = 0.01;
  MechanismBuilder b("spindle");
  b.gravity({0, 0, 0});
  b.body("spindle", 3, place, Mat3(Vec3(0.02, 0.02, 0.02).asDiagonal()));
  b.body("nut", 2, Vec3(place + 0.5 * axis), Mat3(Vec3(0.01, 0.01, 0.01).asDiagonal()));
  b.revolute("bearing", "ground", "spindle", place, axis);
  b.prismatic("guide", "ground", "nut", Vec3(place + 0.2 * axis.unitOrthogonal()), axis);
  b.screw("thread", "spindle", "nut", Vec3(place + 0.5 * axis), axis, pitch);
  b.joint_velocity("bearing", 150);
  const Mechanism mechanism = b.build();
  int ran = 0;
  const auto expect_no_slip = [&](const std::string& formulation, const std::string& integrator) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 0.002, 1.2, integrator));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << " " << integrator << run.summary.reason;
    EXPECT_NEAR(run.last["guide.q"], pitch / (2 * M_PI) * run.last["thread.q"], 1e-7)
        << formulation << " " << integrator;
    EXPECT_NEAR(std::abs(run.last["bearing.q"]), 150 * 1.2, 20) << formulation << " " << integrator;
    ++ran;
  };
  for (const char* formulation : {"global", "hybrid", "topological"}) expect_no_slip(formulation, "trapezoidal");
  for (const char* integrator : {"trapezoidal", "rk4", "gauss4", "radau5", "sdirk3", "hht", "sdirk4"})
    expect_no_slip("cartesian", integrator);
  EXPECT_EQ(ran, 10);
}

/// A wheel that takes a second one along: the rates jump at the event.
TEST(Turns, AreCountedOnAfterAnEvent) {
  for (const char* formulation : {"hybrid", "topological", "recursive"}) {
    MechanismBuilder b("coupled");
    b.planar().gravity({0, 0, 0});
    b.body("wheel", 1, Place(0, 0), 0.5).body("flywheel", 1, Place(0, 0), 0.5);
    b.revolute("axle", "ground", "wheel", Place(0, 0)).revolute("shaft", "ground", "flywheel", Place(0, 0));
    JointSpec clutch{.name = "clutch", .type = JointType::fixed, .body1 = "wheel", .body2 = "flywheel"};
    clutch.at1 = clutch.at2 = Place(0, 0);
    b.add(clutch);
    b.attach("engage", 0.1, "clutch");
    b.joint_velocity("axle", 800);
    const FinishedRun run = finish(b.build(), options_of(formulation, 0.01, 0.2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
    EXPECT_NEAR(run.last["axle.q"], 80 + 40, 1e-6) << formulation;
    EXPECT_NEAR(run.last["shaft.q"], 40, 1e-6) << formulation;
  }
}

/// A rate that changes by more than the count can bear is said.
TEST(Turns, ThatNobodyCouldForetellAreWarnedOf) {
  MechanismBuilder b = wheel(true, 0);
  b.actuator("motor", "axle", Function::constant(2e4));
  const FinishedRun run = finish(b.build(), options_of("hybrid", 0.02, 0.1));
  ASSERT_EQ(run.summary.status, RunStatus::ok);
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_NE(run.summary.warnings[0].find("than its rate foretold"), std::string::npos) << run.summary.warnings[0];
}

/// `drawn` names the coordinates of the drawing, those of a ball too.
TEST(Turns, OfABallCountFromTheDrawing) {
  for (const bool floats : {false, true}) {
    MechanismBuilder b("ball");
    b.gravity({0, 0, 0});
    b.body("body", 1, Vec3(0.2, 0.4, 0), Mat3(Vec3(0.1, 0.2, 0.3).asDiagonal()));
    JointSpec ball{.name = "ball", .type = JointType::spherical, .body1 = "ground", .body2 = "body"};
    ball.drawn = Located<std::vector<double>>(std::vector<double>{0.2, -0.3, 0.5});
    if (floats) {
      ball.type = JointType::free;
      ball.drawn = Located<std::vector<double>>(std::vector<double>{1, 2, 3, 0.2, -0.3, 0.5});
    } else {
      ball.at1 = ball.at2 = Place(0.1, 0, 0);
    }
    b.add(ball);
    const Mechanism mechanism = b.build();
    for (const char* formulation : {"global", "hybrid", "topological", "recursive", "cartesian"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 0.01, 0.01));
      const int first = floats ? 4 : 1;
      EXPECT_NEAR(run.last["ball.q" + std::to_string(first)], 0.2, 1e-12) << formulation << floats;
      EXPECT_NEAR(run.last["ball.q" + std::to_string(first + 1)], -0.3, 1e-12) << formulation << floats;
      EXPECT_NEAR(run.last["ball.q" + std::to_string(first + 2)], 0.5, 1e-12) << formulation << floats;
    }
  }
}

}  // namespace
}  // namespace cardan
