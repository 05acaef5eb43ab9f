// What a run says of its own error, against the error.
#include "simulation/error_estimate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numbers>

#include "cardan/builder.hpp"
#include "follow.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

FinishedRun estimated(const Mechanism& mechanism, RunOptions options) {
  RunControl control;
  control.estimate_error = true;
  options.every = 1 << 30;
  FinishedRun result;
  result.summary = run(mechanism, options, &result.last, {}, nullptr, control);
  return result;
}

bool warns_of_resolution(const RunSummary& summary) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(),
                     [](const std::string& w) { return w.find("not resolved") != std::string::npos; });
}

struct Rule {
  const char* integrator;
  const char* formulation;
  double step;  // as a multiple of that of the trapezoidal rule
};

const Rule kRules[] = {
    {"trapezoidal", "hybrid", 1},
    {"trapezoidal", "global", 1},
    {"trapezoidal", "topological", 1},
    {"trapezoidal", "cartesian", 1},
    {"trapezoidal", "recursive", 1},
    {"newmark", "hybrid", 0.1},
    {"hht", "hybrid", 1},
    {"generalized-alpha", "global", 1},
    {"abm2", "cartesian", 0.5},
    {"sdirk3", "hybrid", 2},
    {"sdirk4", "hybrid", 4},
    {"rk4", "hybrid", 4},
    {"rk4", "topological", 4},
};

/// A mass on an oblique line and a spring, 10 rad/s.
Mechanism oscillator() {
  MechanismBuilder b("oscillator");
  b.planar().gravity({0, 0, 0});
  b.body("mass", 2, Place(0.4, 0.3), 0.1);
  b.prismatic("slide", "ground", "mass", Place(0.4, 0.3), Direction(0.6, 0.8));
  b.add(JointSpringSpec{.name = "spring", .joint = "slide", .torsion = false, .stiffness = Number(200.0)});
  b.joint_position("slide", 0.25);
  return b.build();
}

TEST(ErrorEstimate, IsTheErrorOfAnOscillator) {
  const Mechanism mechanism = oscillator();
  constexpr double kFactor = 2;
  int ran = 0;
  for (const Rule& rule : kRules) {
    for (double h : {0.01, 0.005}) {
      const RunOptions options = options_of(rule.formulation, h * rule.step, 4, rule.integrator);
      const FinishedRun run = estimated(mechanism, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      // Whatever the phase at the end, where the error is largest.
      const double truth =
          std::hypot(run.last["slide.q"] - 0.25 * std::cos(40.0), (run.last["slide.v"] + 2.5 * std::sin(40.0)) / 10) /
          Simulation(mechanism, options).length();
      EXPECT_LT(run.summary.error_estimate, kFactor * truth) << rule.integrator << rule.formulation << h;
      EXPECT_GT(run.summary.error_estimate, truth / kFactor) << rule.integrator << rule.formulation << h;
      EXPECT_EQ(run.summary.error_body, "mass");
      EXPECT_EQ(run.summary.error_step > h * rule.step, run.summary.error_estimate < 1e-3);
      ++ran;
    }
  }
  EXPECT_EQ(ran, 2 * static_cast<int>(std::size(kRules)));
}

/// A mass that whirls on a link, 58 rad/s: after a second at the default step it is 16 mm from where it should be, and
/// everything else, energy and constraints, is as it should be.
TEST(ErrorEstimate, WarnsOfAWhirlAtTheDefaultStep) {
  for (double turn : {0.0, 0.7}) {
    MechanismBuilder b("whirl");
    b.planar().gravity({0, 0, 0});
    const Vec3 out(std::cos(turn), std::sin(turn), 0), across(-out.y(), out.x(), 0);
    b.body("mass", 1, Place(out), 0.1);
    b.free("float", "ground", "mass");
    b.distance("link", "ground", "mass", Place(0, 0), Place(out));
    b.velocity("mass", 58 * across);
    RunOptions options;
    options.until = 1;
    FinishedRun run = estimated(b.build(), options);
    ASSERT_EQ(run.summary.status, RunStatus::ok);
    EXPECT_TRUE(warns_of_resolution(run.summary)) << run.summary.error_estimate;
    const Vec3 expected = std::cos(58.0) * out + std::sin(58.0) * across;
    const auto error = [&] { return std::hypot(run.last["mass.x"] - expected.x(), run.last["mass.y"] - expected.y()); };
    EXPECT_NEAR(run.summary.error_estimate, error(), 0.2 * error());
    options.step = run.summary.error_step;
    run = estimated(b.build(), options);
    EXPECT_FALSE(warns_of_resolution(run.summary)) << run.summary.error_estimate;
    EXPECT_NEAR(error(), 1e-3, 2e-4) << "the step it asks for holds what it says";
  }
}

/// A damped mechanism forgets its errors.
TEST(ErrorEstimate, ForgetsWhatTheMechanismForgets) {
  MechanismBuilder b("damped");
  b.planar().gravity({0, 0, 0});
  b.body("mass", 2, Place(0.4, 0.3), 0.1);
  b.prismatic("slide", "ground", "mass", Place(0.4, 0.3), Direction(0.6, 0.8));
  b.add(JointSpringSpec{
      .name = "spring", .joint = "slide", .torsion = false, .stiffness = Number(200.0), .damping = Number(20.0)});
  b.joint_position("slide", 0.25);
  const Mechanism mechanism = b.build();
  const FinishedRun brief = estimated(mechanism, options_of("hybrid", 0.01, 1)),
                    longer = estimated(mechanism, options_of("hybrid", 0.01, 8));
  EXPECT_NEAR(longer.summary.error_estimate, brief.summary.error_estimate, 1e-12);
  EXPECT_LT(longer.summary.error_time, 1);
}

/// Of steps that are chosen by their error: what they leave over four seconds, or six turns.
TEST(ErrorEstimate, IsTheErrorWhereStepsAreChosen) {
  const Mechanism mechanism = oscillator();
  constexpr double kFactor = 5;  // variable orders and steps are not those of one power of the tolerance
  const Rule rules[] = {{"dopri5", "hybrid", 1},    {"dopri5", "global", 1}, {"dopri5", "topological", 1},
                        {"dopri5", "cartesian", 1}, {"bdf", "cartesian", 1}, {"sdirk4", "cartesian", 1}};
  for (const Rule& rule : rules) {
    for (double tolerance : {1e-5, 1e-7}) {
      RunOptions options = options_of(rule.formulation, 0.013, 4, rule.integrator);
      options.absolute_tolerance = options.relative_tolerance = tolerance;
      const FinishedRun run = estimated(mechanism, options);
      SCOPED_TRACE(rule.integrator + (" " + std::string(rule.formulation)) + " " + std::to_string(tolerance));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double length = Simulation(mechanism, options).length();
      const double truth =
          std::hypot(run.last["slide.q"] - 0.25 * std::cos(40.0), (run.last["slide.v"] + 2.5 * std::sin(40.0)) / 10) /
          length;
      EXPECT_LT(run.summary.error_estimate, kFactor * truth);
      EXPECT_GT(run.summary.error_estimate, truth / kFactor);
      EXPECT_NEAR(run.summary.error_tolerances * tolerance * (1 + 1 / std::min(1.0, length)),
                  run.summary.error_estimate, 1e-9 * run.summary.error_estimate);
      EXPECT_EQ(run.summary.error_step, 0);
      const FinishedRun without = finish(mechanism, options);
      EXPECT_EQ(run.last["slide.q"], without.last["slide.q"]) << "the run is the same without";
      EXPECT_EQ(run.summary.steps, without.summary.steps);
    }
  }
}

/// A pendulum that is thrown to just below its upper position stays there for long, and what steps leave grows like
/// exp(sqrt(g / l) t): the tolerance holds no longer, and the run says so.
TEST(ErrorEstimate, SaysThatTheToleranceIsNotHeld) {
  for (double turn : {0.0, 0.9}) {
    const Vec3 down(std::sin(turn), -std::cos(turn), 0);
    MechanismBuilder b("pendulum");
    b.planar().gravity(9.81 * down);
    b.body("mass", 1, Place(down), 1e-9);
    b.revolute("pin", "ground", "mass", Place(0, 0));
    const double upright = 2 * std::sqrt(9.81);  // rad/s: comes to rest there
    const auto warned = [&](double rate) {
      b.joint_velocity("pin", rate);
      const FinishedRun run = estimated(b.build(), options_of("hybrid", 0.01, 5, "dopri5"));
      EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      return std::any_of(run.summary.warnings.begin(), run.summary.warnings.end(),
                         [](const std::string& w) { return w.find("resolved") != std::string::npos; });
    };
    EXPECT_TRUE(warned(upright * (1 - 1e-7)));
    EXPECT_FALSE(warned(0.5 * upright));
  }
}

TEST(ErrorEstimate, IsNoneWhereStepsFollowTheIterationOrAreTooFewOrNotAsked) {
  RunOptions by_increment = options_of("hybrid", 0.01, 1);
  by_increment.step_control = "increment";
  by_increment.tolerance = 1e-6;
  EXPECT_LT(estimated(oscillator(), by_increment).summary.error_estimate, 0);
  EXPECT_LT(estimated(oscillator(), options_of("hybrid", 0.01, 0.03)).summary.error_estimate, 0);
  EXPECT_GT(estimated(oscillator(), options_of("hybrid", 0.01, 0.1)).summary.error_estimate, 0);
  EXPECT_LT(finish(oscillator(), options_of("hybrid", 0.01, 0.1)).summary.error_estimate, 0);
}

/// The run is the same with it as without, and it allocates nothing between the steps.
TEST(ErrorEstimate, LeavesTheRunAlone) {
  const Mechanism mechanism = closed_four_bar();
  const RunOptions options = options_of("hybrid", 0.01, 1);
  const FinishedRun with = estimated(mechanism, options), without = finish(mechanism, options);
  EXPECT_EQ(with.last.row(), without.last.row());
  EXPECT_EQ(with.summary.iterations, without.summary.iterations);
  EXPECT_EQ(with.summary.allocations, without.summary.allocations);
}

/// Events between the steps of both, and a number of steps that is odd.
TEST(ErrorEstimate, GoesThroughEvents) {
  MechanismBuilder b("caught rod");
  b.planar().gravity({0, 0, 0});
  b.rod("rod", Place(0, 0), Place(1.2, 0), 2);
  b.free("air", "ground", "rod");
  b.revolute("peg", "ground", "rod", Place(1.1, 0));
  b.velocity("rod", {0.3, 0.7, 0}).angular_velocity("rod", {0, 0, 2});
  b.attach("catch", 0.3703, "peg").release("let_go", 0.61, "peg");
  const Mechanism mechanism = b.build();
  for (const char* formulation : {"hybrid", "topological", "global", "cartesian"}) {
    const FinishedRun run = estimated(mechanism, options_of(formulation, 0.001, 1.001));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GE(run.summary.error_estimate, 0);
    EXPECT_LT(run.summary.error_estimate, 1e-4) << formulation;
  }
}

bool says_how_far_it_was_compared(const RunSummary& summary) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const std::string& warning) {
    return warning.find("could be compared only up to t = ") != std::string::npos;
  });
}

/// A companion that fails says nothing of what came after: that is to be said, and not to count as no error.
TEST(ErrorEstimate, IsNoneWhereTheCompanionFailed) {
  constexpr double step = 0.0264;
  for (const char* formulation : {"hybrid", "topological"}) {
    ASSERT_EQ(finish(closed_four_bar(), options_of(formulation, 2 * step, 2, "sdirk3")).summary.status,
              RunStatus::failed);
    const FinishedRun run = estimated(closed_four_bar(), options_of(formulation, step, 2, "sdirk3"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_TRUE(says_how_far_it_was_compared(run.summary)) << formulation;
    EXPECT_LT(run.summary.error_estimate, 0) << formulation;
    EXPECT_EQ(run.summary.error_step, 0) << formulation;
    const FinishedRun finer = estimated(closed_four_bar(), options_of(formulation, step / 4, 2, "sdirk3"));
    EXPECT_FALSE(says_how_far_it_was_compared(finer.summary));
    EXPECT_GT(finer.summary.error_estimate, 0);
  }
}

TEST(ErrorEstimate, IsNoneOfARunThatFailed) {
  MechanismBuilder b("torque that ends");
  b.planar().gravity({0, 0, 0});
  b.rod("arm", Place(0, 0), Place(0.7, 0.2), 2);
  b.revolute("pin", "ground", "arm", Place(0, 0));
  b.add(ActuatorSpec{.name = "motor", .joint = "pin", .effort = follow("sqrt(0.0505 - t)")});
  const RunSummary summary = estimated(b.build(), options_of("hybrid", 0.001, 0.1)).summary;
  ASSERT_EQ(summary.status, RunStatus::failed);
  EXPECT_GT(summary.steps, 40);
  EXPECT_LT(summary.error_estimate, 0);
  EXPECT_NE(summary.json().find("\"estimate\": null"), std::string::npos);
}

/// An interrupted run is compared as far as it came.
TEST(ErrorEstimate, IsMadeOfARunThatIsInterrupted) {
  RunControl control;
  control.estimate_error = true;
  std::atomic<bool> stop = false;
  control.stop = &stop;
  const RunSummary summary = run(
      oscillator(), options_of("hybrid", 0.01, 100), nullptr, [&](double) { stop = true; }, nullptr, control);
  ASSERT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_GT(summary.error_estimate, 0);
}

}  // namespace
}  // namespace cardan
