// Loads that follow signals, in every formulation and with every rule: against elements that say the same, against
// differences, against closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "every_method.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "options/integrators.hpp"
#include "random_place.hpp"
#include "signals/signal_tangents.hpp"

namespace cardan {
namespace {

/// Two links on hinges, the first held by a torsion spring or by a controller that says the same.
MechanismBuilder two_links(const RandomPlace& p, bool planar) {
  MechanismBuilder b("two links");
  b.planar(planar).gravity(9.81 * p.along(0.3, -0.9, planar ? 0 : 0.2));
  b.rod("one", p.at(0, 0), p.at(1, 0.3), 2, 0.05);
  b.rod("two", p.at(1, 0.3), p.at(1.8, -0.2), 1, 0.05);
  if (planar) {
    b.revolute("hinge", "ground", "one", p.at(0, 0)).revolute("elbow", "one", "two", p.at(1, 0.3));
  } else {
    b.revolute("hinge", "ground", "one", p.at(0, 0), p.along(0.1, 0.2, 1));
    b.revolute("elbow", "one", "two", p.at(1, 0.3), p.along(0.3, -0.2, 1));
  }
  b.joint_velocity("hinge", 1).joint_velocity("elbow", -2);
  return b;
}

TEST(Laws, AControllerOfOneJointIsATorsionSpring) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const RandomPlace p(seed, planar);
      const Mechanism spring = two_links(p, planar).torsion("hold", "hinge", 400, 7, 0.1).build();
      const Mechanism control =
          two_links(p, planar).actuator("hold", "hinge", follow("-400*(hinge.q - 0.1) - 7*hinge.v")).build();
      compared += with_every_method(0.005, 0.3, 1e-9, [&](const RunOptions& options) {
        const FinishedRun one = finish(spring, options), two = finish(control, options);
        ASSERT_EQ(one.summary.status, RunStatus::ok) << one.summary.reason;
        ASSERT_EQ(two.summary.status, RunStatus::ok) << two.summary.reason;
        // Stages of Runge-Kutta methods in all Cartesian coordinates lie off the constraints by what their order
        // leaves: there the two see different angles.
        const bool off = treatment_of(options) == "augmented" && options.formulation == "cartesian" &&
                         integrator_entry(options.integrator).family != Family::newmark;
        const double same = off || step_control_of(options) == "error" ? 2e-6 : 1e-10;
        EXPECT_LT(LastSample::difference(one.last, two.last, spring), same);
      });
    }
  }
  EXPECT_GE(compared, 4 * 36);
}

/// Relative coordinates have those of joints, over more than a turn, forwards and backwards, from a given position on;
/// others measure them.
TEST(Laws, CoordinatesAreWhatIsMeasured) {
  for (const bool planar : {true, false}) {
    for (const bool reversed : {true, false}) {
      const RandomPlace p(7, planar);
      MechanismBuilder b("whirl");
      b.planar(planar).gravity(9.81 * p.along(0.3, -0.9, planar ? 0 : 0.2));
      b.rod("one", p.at(0, 0), p.at(1, 0.3), 2, 0.05);
      b.rod("two", p.at(1, 0.3), p.at(1.8, -0.2), 1, 0.05);
      const std::string first = reversed ? "one" : "ground", second = reversed ? "ground" : "one";
      if (planar) {
        b.revolute("hinge", first, second, p.at(0, 0));
      } else {
        b.revolute("hinge", first, second, p.at(0, 0), p.along(0.1, 0.2, 1));
      }
      const Vec3 slide = p.along(0.8, -0.5, 0);
      b.prismatic("slider", reversed ? "two" : "one", reversed ? "one" : "two", p.at(1, 0.3), slide);
      b.joint_position("hinge", 8).joint_velocity("hinge", 9);
      b.actuator("hold", "hinge", follow("-2*(hinge.q - 10) + slider.q*hinge.v"));
      b.actuator("pull", "slider", follow("-300*slider.q - 20*slider.v + 0.1*hinge.q"));
      const Mechanism mechanism = b.build();
      FinishedRun runs[2];
      for (const int i : {0, 1})
        runs[i] = finish(mechanism, options_of(i == 0 ? "hybrid" : "recursive", 0.002, 1.5, "rk4"));
      for (const FinishedRun& run : runs) ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_LT(LastSample::difference(runs[0].last, runs[1].last, mechanism), 1e-9 * p.size()) << planar << reversed;
    }
  }
}

/// Gain 1e6 N m/rad at 0.01 s.
TEST(Laws, StiffControlConvergesAsASpringDoes) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(5, planar);
    const Mechanism spring = two_links(p, planar).torsion("hold", "hinge", 1e6, 100).build();
    const Mechanism control =
        two_links(p, planar).actuator("hold", "hinge", follow("-1e6*hinge.q - 100*hinge.v")).build();
    for (const std::string formulation : {"hybrid", "topological", "global", "cartesian"}) {
      const RunOptions options = options_of(formulation, 0.01, 0.5);
      const FinishedRun one = finish(spring, options), two = finish(control, options);
      ASSERT_EQ(two.summary.status, RunStatus::ok) << formulation << two.summary.reason;
      EXPECT_LE(two.summary.iterations, one.summary.iterations + one.summary.steps) << formulation;
      EXPECT_LT(LastSample::difference(one.last, two.last, spring), 1e-9 * p.size()) << formulation;
    }
  }
}

/// What follows another joint makes the tangent unsymmetric; leaving it out would not converge.
TEST(Laws, StiffControlOfOneJointByAnotherConverges) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(9, planar);
    // Few leaves are rows of their own, many are summed.
    for (const std::string law : {"-2e5*(elbow.q - 0.5*hinge.q) - 300*elbow.v",
                                  "-2e5*(elbow.q - 0.5*hinge.q) - 300*elbow.v + 1e-3*(one.x + one.y + two.x*two.y)"}) {
      const Mechanism control = two_links(p, planar).actuator("follow", "elbow", follow(law)).build();
      FinishedRun reference = finish(control, options_of("hybrid", 1e-4, 0.3, "rk4"));
      ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
      for (const std::string formulation : {"hybrid", "topological", "global", "cartesian"}) {
        for (const std::string integrator : {"trapezoidal", "generalized-alpha", "sdirk3", "gauss4"}) {
          const FinishedRun run = finish(control, options_of(formulation, 0.002, 0.3, integrator));
          ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << integrator << run.summary.reason;
          // With matrices of the start of a step, down to a rest that leaves order 4 to short steps.
          EXPECT_LT(run.summary.iterations, 15 * run.summary.steps) << formulation << integrator;
          EXPECT_NEAR(run.last["elbow.q"], 0.5 * run.last["hinge.q"], 0.02) << formulation << integrator;
        }
      }
    }
  }
}

/// Q of the formulation by differences against k, c and the couplings: all that forces follow. How the directions of
/// forces and of rates turn is left out of the tangents, so velocities and forces are zero here.
TEST(Laws, TangentsAreThoseOfDifferences) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(3, planar);
    MechanismBuilder b = two_links(p, planar);
    b.gravity(Vec3::Zero()).joint_velocity("hinge", 0).joint_velocity("elbow", 0);
    b.state("pressure", 2, follow("3*elbow.q - 4*hinge.v + 5*pressure + 6*two.x - 7*rate(reach)"));
    b.add(SignalSpec{.name = "reach",
                     .kind = SignalSpec::Kind::distance,
                     .body1 = "ground",
                     .body2 = "two",
                     .at1 = Place(p.at(2, 2)),
                     .at2 = Place(p.at(1.8, -0.2))});
    const std::map<std::string, double> drawn{{"x", (p.at(1, 0.3) + p.at(1.8, -0.2)).x() / 2},
                                              {"y", (p.at(1, 0.3) + p.at(1.8, -0.2)).y() / 2},
                                              {"L", (p.at(1.8, -0.2) - p.at(-1, 2)).norm()}};
    b.actuator("hold", "hinge",
               follow("11*elbow.q + 12*elbow.v + 13*(pressure - 2) + 14*hinge.q + 15*(two.y - y)", drawn));
    b.pull("rope", "ground", "two", p.at(-1, 2), p.at(1.8, -0.2),
           follow("16*(rope.length - L) + 17*rope.rate - 18*hinge.v", drawn));
    // More leaves than have rows of their own, that of the force itself and a spring's pull among them.
    b.spring("band", "ground", "two", p.at(2, -1), p.at(1.8, -0.2), 50, 3);
    b.state("many", 0, follow("many + 2*hinge.q - 3*elbow.q + 4*two.x*two.y - 5*hinge.v + 6*elbow.v + 7*band.force"));
    b.actuator("all", "elbow",
               follow("-20*elbow.q - 21*elbow.v + 22*hinge.q + 23*sin(hinge.v) + 24*(two.x - x)^2 + 25*(two.y - y) + "
                      "26*many - 27*rate(reach) + 28*band.force",
                      drawn));
    const Mechanism mechanism = b.build();
    for (const std::string name : {"hybrid", "topological", "cartesian"}) {
      if (name == "cartesian" && !planar) continue;  // single attitude parameters leave their unit sphere
      expect_tangents_of_differences(mechanism, name, 1e-4);
    }
  }
}

/// Whether the law is a signal's or a function of time alone.
TEST(Laws, WhatHasNoValueIsNamedWithItsTime) {
  const auto text = [](const std::string& effort) {
    return "cardan: 1\nname: undefined\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}\n"
           "joints: {pin: {revolute: [ground, arm], at: [0, 0]}}\n"
           "loads: {motor: {actuator: pin, effort: \"" +
           effort + "\"}}\n";
  };
  const auto reason = [&](const std::string& effort, const RunOptions& options) {
    return finish(read_mechanism_text(text(effort), "undefined.yaml"), options).summary.reason;
  };
  with_every_method(0.01, 1, 1e-6, [&](const RunOptions& options) {
    if (chooses_steps(options.formulation, options.integrator)) return;  // these end where the law bends too much
    const std::string of_time = reason("1e-6*sqrt(0.505 - t)", options);
    EXPECT_NE(of_time.find("'motor' is not a finite number at t = 0.51 s"), std::string::npos) << of_time;
    const std::string of_signal = reason("1e-6*sqrt(0.5 + pin.q)", options);
    EXPECT_NE(of_signal.find("1e-6*sqrt(0.5 + pin.q) is not a number with pin.q = -0.5"), std::string::npos)
        << of_signal;
  });
}

}  // namespace
}  // namespace cardan
