// What the stiff double pendulum must show: end values, orders, limits of stability, step control, work.
#include <gtest/gtest.h>

#include <numbers>

#include "studies/stiff_double_pendulum/fast_mode.hpp"
#include "studies/stiff_double_pendulum/pendulum_run.hpp"

namespace cardan {
namespace {

/// Shared by all tests; computed once.
const ReferenceMotion& reference(InitialSet set) {
  static const ReferenceMotion tilted(InitialSet::tilted), thrown(InitialSet::thrown);
  return set == InitialSet::tilted ? tilted : thrown;
}
const InitialSet kBoth[] = {InitialSet::tilted, InitialSet::thrown};

TEST(StiffDoublePendulum, EndValuesAreThoseOfTheReference) {
  // Two-angle model, Radau at 3e-12, self-difference below 6e-13; its angles are counted from 2 pi.
  const double values[2][4] = {{5.899414164496887, 5.6396561205179205, -7.104669223659473, -7.0869287467699715},
                               {4.789195753694543, 4.794010914168558, -0.33921508698591685, -0.338741344288562}};
  for (InitialSet set : kBoth) {
    RunOptions options = controlled_step("sdirk4", 1e-11);
    Simulation simulation(stiff_double_pendulum(set), options);
    const double end = pendulum_duration(set);
    while (simulation.time() < end) ASSERT_EQ(simulation.step(end - simulation.time()), StepStatus::ok);
    const PendulumMotion m = PendulumMotion::of(simulation.state());
    const double* expected = values[set == InitialSet::tilted ? 0 : 1];
    const double turn = 2 * std::numbers::pi;
    EXPECT_NEAR(m.angle[0] + turn, expected[0], 1e-9);
    EXPECT_NEAR(m.angle[1] + turn, expected[1], 1e-9);
    EXPECT_NEAR(m.rate[0], expected[2], 1e-9);
    EXPECT_NEAR(m.rate[1], expected[3], 1e-9);
    EXPECT_LT(PendulumMotion::coordinate_difference(m, reference(set).end()), 1e-9);
  }
}

/// Runs with constant steps from the longest to the shortest, each `factor` times shorter than the one before.
struct Ladder {
  std::vector<double> steps, position, velocity;

  Ladder(const std::string& integrator, double longest, double shortest, double factor) {
    for (double h = longest; h > shortest * (1 - 1e-9); h /= factor) {
      const PendulumRun run = run_pendulum(reference(InitialSet::tilted), constant_step(integrator, h));
      steps.push_back(h);
      position.push_back(run.position_error);
      velocity.push_back(run.velocity_error);
    }
  }
  double position_order() const { return fitted_order(steps, position); }
  double velocity_order() const { return fitted_order(steps, velocity); }
  void expect_orders_between_neighbours(double order, double tolerance) const {
    for (std::size_t i = 1; i < steps.size(); ++i) {
      EXPECT_NEAR(observed_order(position[i - 1], steps[i - 1], position[i], steps[i]), order, tolerance) << steps[i];
      EXPECT_NEAR(observed_order(velocity[i - 1], steps[i - 1], velocity[i], steps[i]), order, tolerance) << steps[i];
    }
  }
};

FastMode fast_mode() { return FastMode::of(reference(InitialSet::tilted)); }

TEST(StiffDoublePendulum, ErrorsOfTheTrapezoidalRuleFallWithTheSquareOfTheStep) {
  EXPECT_NEAR(Ladder("trapezoidal", 0.025, 4e-4, 2).position_order(), 2, 0.1);  // slow motion
  const Ladder below("trapezoidal", 2e-4, 3e-6, 1.5);
  EXPECT_NEAR(below.position_order(), 2, 0.1);
  EXPECT_NEAR(below.velocity_order(), 2, 0.1);
  Ladder("trapezoidal", fast_mode().resolved_step("trapezoidal"), 4e-6, 2).expect_orders_between_neighbours(2, 0.1);
  // Above, the velocity is that of a transient which the step does not resolve.
  EXPECT_LT(Ladder("trapezoidal", 8e-3, 4e-4, 2).velocity_order(), 0.3);
}

TEST(StiffDoublePendulum, ErrorsOfTheExplicitRuleFallWithTheSquareOfTheStep) {
  Ladder("abm2", fast_mode().resolved_step("abm2"), 2.5e-6, 1.5).expect_orders_between_neighbours(2, 0.1);
  EXPECT_NEAR(Ladder("abm2", 1e-5, 2.5e-6, 2).position_order(), 2, 0.1);
}

TEST(StiffDoublePendulum, ErrorsOfTheRuleOfOrderFourFallWithItsOrder) {
  EXPECT_NEAR(Ladder("sdirk4", 5e-5, 1e-5, 1.5).velocity_order(), 4, 0.3);
  EXPECT_LT(Ladder("sdirk4", 1e-3, 2e-4, 2).velocity_order(), 2);  // order reduction
}

/// From steps that do not resolve the transient at all down to those of the slope 2: slopes between are no defect of
/// the rules' implementation.
TEST(StiffDoublePendulum, ErrorsOfVelocityAreThoseOfTheScalarTestEquation) {
  const FastMode fast = fast_mode();
  const std::pair<const char*, std::vector<double>> cases[] = {
      {"trapezoidal", {4e-3, 1e-3, 4e-4, 2e-4, 1.2e-4, 7e-5, 4e-5, 2e-5, 5e-6}},
      {"abm2", {9e-5, 5e-5, 3e-5, 1e-5, 5e-6}},
      {"sdirk4", {1e-3, 2e-4, 1e-4, 5e-5, 2e-5}},
      {"rk4", {1e-4, 5e-5, 2e-5}}};
  for (const auto& [integrator, steps] : cases) {
    for (double h : steps) {
      const double error = run_pendulum(reference(InitialSet::tilted), constant_step(integrator, h)).velocity_error;
      EXPECT_NEAR(error / fast.velocity_error(integrator, h), 1, 0.01) << integrator << " " << h;
    }
  }
}

TEST(StiffDoublePendulum, TheExplicitRuleIsStableToTwoOverTheFastestEigenvalue) {
  const double limit = -2 / fast_mode().rate;
  EXPECT_NEAR(limit, 1.0e-4, 1e-6);
  EXPECT_NEAR(largest_step(reference(InitialSet::tilted), "abm2", 5e-5, 2e-4, 0.05, 0.005), limit, 0.05 * limit);
}

TEST(StiffDoublePendulum, TheImplicitRuleTakesTwoHundredTimesThatStep) {
  const PendulumRun run = run_pendulum(reference(InitialSet::tilted), constant_step("trapezoidal", 0.025));
  EXPECT_FALSE(run.failed()) << run.summary.reason;
  EXPECT_LT(run.position_error, 0.1);
  EXPECT_GE(0.025 / (-2 / fast_mode().rate), 200);
}

TEST(StiffDoublePendulum, StepControlMeetsTheTolerance) {
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const PendulumRun one = run_pendulum(reference(InitialSet::tilted), controlled_step("trapezoidal", tolerance));
    EXPECT_LE(one.position_error, tolerance);
    EXPECT_LE(one.velocity_error, 10 * tolerance);
    const PendulumRun two = run_pendulum(reference(InitialSet::thrown), controlled_step("trapezoidal", tolerance));
    EXPECT_LE(two.end_position_error, 5 * tolerance);
    EXPECT_LE(two.end_velocity_error, 50 * tolerance);
    EXPECT_EQ(two.summary.status, RunStatus::ok);
  }
}

WorkCurve work(InitialSet set, const std::string& integrator, bool controlled, const std::vector<double>& settings,
               double PendulumRun::*error) {
  WorkCurve curve;
  for (double s : settings) {
    const PendulumRun run =
        run_pendulum(reference(set), controlled ? controlled_step(integrator, s) : constant_step(integrator, s));
    curve.add(run.*error, run.evaluations());
  }
  return curve;
}

TEST(StiffDoublePendulum, VariableStepsSaveWorkOnSet1) {
  const auto constant =
      work(InitialSet::tilted, "trapezoidal", false, {8e-5, 3e-5, 1e-5, 3e-6, 1e-6}, &PendulumRun::velocity_error);
  const auto variable =
      work(InitialSet::tilted, "trapezoidal", true, {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, &PendulumRun::velocity_error);
  for (double error : {1e-3, 1e-4, 1e-5}) EXPECT_GT(constant.at(error) / variable.at(error), 25) << error;
}

TEST(StiffDoublePendulum, VariableStepsSaveWorkOnSet2) {
  const auto error = &PendulumRun::largest_position_error;
  const auto constant = work(InitialSet::thrown, "trapezoidal", false, {3e-4, 1e-4, 3e-5, 1.2e-5}, error);
  const auto variable = work(InitialSet::thrown, "trapezoidal", true, {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}, error);
  for (double e : {1e-3, 1e-4}) EXPECT_GT(constant.at(e) / variable.at(e), 3) << e;
}

TEST(StiffDoublePendulum, TheRuleOfOrderFourSavesMore) {
  const double least[2] = {20, 60};
  for (InitialSet set : kBoth) {
    const auto error = set == InitialSet::tilted ? &PendulumRun::position_error : &PendulumRun::end_position_error;
    const auto two = work(set, "trapezoidal", true,
                          set == InitialSet::tilted ? std::vector{1e-6, 1e-7, 1e-8} : std::vector{1e-8, 1e-9}, error);
    const auto four = work(set, "sdirk4", true, {1e-5, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9}, error);
    EXPECT_GT(two.at(1e-8) / four.at(1e-8), least[set == InitialSet::tilted ? 0 : 1]);
  }
}

}  // namespace
}  // namespace cardan
