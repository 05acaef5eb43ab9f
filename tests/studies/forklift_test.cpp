// The forklift of models/forklift.yaml tips over, in two formulations, with constant and chosen steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cardan/cardan.hpp"
#include "studies/forklift/rollover.hpp"

namespace cardan {
namespace {

RunOptions constant(const std::string& formulation, double step) {
  RunOptions options;
  options.formulation = formulation;
  options.step = step;
  return options;
}

TEST(Forklift, HasThePublishedBodiesAndDegreesOfFreedom) {
  const Mechanism machine = rollover_machine();
  EXPECT_EQ(machine.bodies.size(), 10u);
  for (const char* formulation : {"global", "hybrid", "topological", "recursive", "cartesian"}) {
    RunOptions options = constant(formulation, 1e-3);
    options.until = 2e-3;
    const RunSummary summary = run(machine, options);
    ASSERT_EQ(summary.status, RunStatus::ok) << formulation << ": " << summary.reason;
    EXPECT_EQ(summary.driven, 5) << formulation;
    EXPECT_EQ(summary.degrees_of_freedom - summary.driven, 11) << formulation;
  }
}

TEST(Forklift, RedundantJointsAreCountedNamedAndChangeNothing) {
  const Mechanism plain = rollover_machine(), twice = rollover_machine_with_second_joints();
  // Natural coordinates share what two hinges on one axis have in common.
  for (const auto& [formulation, redundant] : {std::pair("global", 3), std::pair("hybrid", 15)}) {
    RunOptions options = constant(formulation, 1e-3);
    options.until = 0.5;
    Simulation one(plain, options), two(twice, options);
    while (one.time() < 0.5 - 1e-9) {
      ASSERT_EQ(one.step(), StepStatus::ok) << formulation;
      ASSERT_EQ(two.step(), StepStatus::ok) << formulation << ": " << two.summary().reason;
    }
    EXPECT_EQ(one.summary().redundant_constraints, 0) << formulation;
    EXPECT_EQ(two.summary().redundant_constraints, redundant) << formulation;
    EXPECT_EQ(two.summary().degrees_of_freedom, 16) << formulation;
    const auto& names = two.summary().redundant;
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.starts_with("mast_lift") || name.starts_with("second_rail");
    })) << formulation;
    for (int b = 0; b < 10; ++b)
      EXPECT_LT((one.body(b).position - two.body(b).position).norm(), 1e-6) << formulation << " " << b;
  }
}

TEST(Forklift, TipsOverAndComesToRestInBothFormulations) {
  const Mechanism machine = rollover_machine();
  RolloverRun runs[2];
  int i = 0;
  for (const char* formulation : {"global", "hybrid"}) {
    SCOPED_TRACE(formulation);
    RolloverRun& run = runs[i++];
    run = roll_over(machine, constant(formulation, 1e-3));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GT(run.lift_off, 1);  // after the steering began
    EXPECT_LT(run.lift_off, 2.5);
    EXPECT_GT(run.impact, run.lift_off);
    EXPECT_GT(run.largest_roll, kTippedOver);
    EXPECT_LT(run.last_speed, 1e-3);
    EXPECT_LT(run.created, 0.005 * run.energy);
    EXPECT_LE(run.summary.allocations, 0);
  }
  EXPECT_NEAR(runs[0].lift_off, runs[1].lift_off, 0.05);
  EXPECT_NEAR(runs[0].impact, runs[1].impact, 0.05);
}

/// Steps by the error within the limits of the paper, against a constant step of 0.001 s and the same with tight ones.
TEST(Forklift, ChosenStepsAreFiveTimesCheaperAtTheSameAccuracy) {
  const Mechanism machine = rollover_machine();
  const auto chosen = [&](double tolerance, double step_min) {
    RunOptions options = constant("global", 1e-3);
    options.step_control = "error";
    options.tolerance = tolerance;
    options.step_min = step_min, options.step_max = 0.02;
    return roll_over(machine, options);
  };
  const RolloverRun exact = chosen(1e-7, 1e-6), fixed = roll_over(machine, constant("global", 1e-3)),
                    variable = chosen(2e-6, 1e-4);
  for (const RolloverRun* run : {&exact, &fixed, &variable})
    ASSERT_EQ(run->summary.status, RunStatus::ok) << run->summary.reason;
  EXPECT_LT(5 * variable.summary.iterations, fixed.summary.iterations);
  EXPECT_LT(5 * (variable.summary.steps + variable.summary.rejected_steps), fixed.summary.steps);
  EXPECT_LT((variable.rest - exact.rest).norm(), (fixed.rest - exact.rest).norm());
  EXPECT_NEAR(variable.impact, exact.impact, 1e-4);
  EXPECT_LE(variable.summary.allocations, 0);
}

TEST(Forklift, StaysOnItsWheelsAtHalfTheSpeed) {
  const RolloverRun run = roll_over(rollover_machine(0.5), constant("hybrid", 1e-3));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(run.largest_roll, 0.3);
  EXPECT_EQ(run.impact, -1);
}

}  // namespace
}  // namespace cardan
