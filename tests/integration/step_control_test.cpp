// Variable step and variable penalty of the Newmark family, and what happens at the bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/system.hpp"
#include "integration/linkages.hpp"
#include "integration/step_controller.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

RunOptions controlled(const std::string& formulation, const std::string& control, double tolerance) {
  RunOptions options = options_of(formulation, 0.01, 1);
  options.step_control = control;
  options.tolerance = tolerance;
  return options;
}

class AllRows final : public Sink {
 public:
  void start(const std::vector<std::string>& names) override { columns = names; }
  void sample(const double* row, std::size_t size) override { rows.emplace_back(row, row + size); }
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

TEST(StepControl, TheErrorFollowsTheToleranceForEveryRule) {
  for (const Mechanism& mechanism : {chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 2e-4, 1, "rk4"));
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      for (const char* rule : {"trapezoidal", "hht", "generalized-alpha"}) {
        double last = 1e300;
        for (double tolerance : {1e-4, 1e-6, 1e-8}) {
          RunOptions options = controlled(formulation, "error", tolerance);
          options.integrator = rule;
          const FinishedRun run = finish(mechanism, options);
          ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
          const double error = LastSample::difference(run.last, reference.last, mechanism);
          EXPECT_LT(error, 0.3 * last) << mechanism.name << " " << formulation << " " << rule << " " << tolerance;
          last = error;
        }
        EXPECT_LT(last, 1e-3) << mechanism.name << " " << formulation << " " << rule;
      }
    }
  }
}

TEST(StepControl, TheMeasuresOfThePaperRunOnDependentCoordinates) {
  for (const char* control : {"increment", "residual"}) {
    for (const char* formulation : {"global", "hybrid"}) {
      RunOptions options = controlled(formulation, control, 1e-6);
      options.step_max = 0.02;
      const FinishedRun run = finish(closed_four_bar(), options);
      EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_EQ(run.summary.step_control_used, control);
      EXPECT_LE(run.summary.step_largest, 0.02);
      EXPECT_LT(run.summary.position.value, 1e-4);
    }
  }
}

TEST(StepControl, APenaltyThatFollowsTheStepNeedsFewerIterations) {
  std::int64_t iterations[2];
  for (bool stays : {false, true}) {
    RunOptions options = controlled("hybrid", "error", 1e-7);
    options.penalty = 1e6;
    options.fixed_penalty = stays;
    const FinishedRun run = finish(closed_four_bar(), options);
    iterations[stays] = run.summary.status == RunStatus::ok ? run.summary.iterations : 1 << 30;
  }
  EXPECT_GT(iterations[1], 1.5 * static_cast<double>(iterations[0]));
}

TEST(StepControl, ABoundThatIsReachedEndsTheRunWithItsResults) {
  for (const char* integrator : {"trapezoidal", "dopri5"}) {
    RunOptions options = options_of("hybrid", 0.01, 1, integrator);
    options.step_control = "error";
    options.tolerance = 1e-10;
    options.step_min = 0.005;
    AllRows rows;
    const RunSummary summary = run(closed_four_bar(), options, &rows);
    EXPECT_EQ(summary.status, RunStatus::failed);
    EXPECT_NE(summary.reason.find("the shortest step allowed was reached"), std::string::npos) << summary.reason;
    EXPECT_NE(summary.reason.find("loosen the tolerance"), std::string::npos) << summary.reason;
    EXPECT_GE(rows.rows.size(), 1u);
  }
}

TEST(StepControl, StepsStayBelowTheUpperBound) {
  for (const char* integrator : {"trapezoidal", "dopri5"}) {
    RunOptions options = options_of("hybrid", 0.1, 1, integrator);
    options.step_control = "error";
    options.absolute_tolerance = options.relative_tolerance = 1e-2;
    options.step_max = 0.003;
    const RunSummary summary = run(closed_four_bar(), options);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_LE(summary.step_largest, 0.003 * (1 + 1e-12)) << integrator;
    EXPECT_GE(summary.steps, 333) << integrator;
  }
}

/// Two good steps, then tries that are always a little too coarse, however short.
TEST(StepControl, FiftyRejectionsInARowAreAFailure) {
  const StepController controller;
  Context state;
  state.t = 0.5;
  state.stepper = VecX::Constant(2, 0.01);
  Context before = state;
  StepReport report;
  int tries = 0, retreats = 0;
  const auto advance = [&](double error) {
    before = state;
    report = StepReport{};
    return controller.advance(
        state, before, 1, report,
        [&](double h) {
          ++tries;
          state.t = before.t + h;
          report.error = error;
          return StepStatus::ok;
        },
        [&](StepStatus) {
          ++retreats;
          state = before;
        });
  };
  EXPECT_EQ(advance(0.5), StepStatus::ok);
  EXPECT_EQ(advance(0.5), StepStatus::ok);
  const double reached = state.t;
  tries = 0;
  EXPECT_EQ(advance(1.1), StepStatus::not_converged);
  EXPECT_EQ(tries, 50);
  EXPECT_EQ(retreats, 50);
  EXPECT_EQ(report.rejected, 50);
  EXPECT_STREQ(report.refusal, "too many tries in a row were rejected");
  EXPECT_EQ(state.t, reached);
}

/// A torque that is no number once time has begun: no step is short enough.
TEST(StepControl, ARunOfRejectionsEndsWithAClearErrorAndItsResults) {
  MechanismBuilder b("no number");
  b.planar();
  b.rod("arm", Place(0, 0), Place(1, 0), 1).revolute("pin", "ground", "arm", Place(0, 0));
  b.actuator("motor", "pin", Function::expression("sqrt(-t)", "t"));
  AllRows rows;
  const RunSummary summary = run(b.build(), options_of("hybrid", 0.01, 1, "dopri5"), &rows);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.reason.find("too many tries in a row were rejected after 50"), std::string::npos) << summary.reason;
  EXPECT_EQ(rows.rows.size(), 1u);
}

TEST(StepControl, TheHistoryHasEveryStep) {
  for (const char* integrator : {"trapezoidal", "dopri5", "rk4"}) {
    RunOptions options = options_of("hybrid", 0.01, 1, integrator);
    if (std::string(integrator) == "trapezoidal") options.step_control = "error";
    AllRows samples, steps;
    const RunSummary summary = run(closed_four_bar(), options, &samples, {}, &steps);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_EQ(steps.columns, (std::vector<std::string>{"t", "h", "error", "iterations", "rejected", "energy_error",
                                                       "position_violation", "velocity_violation"}));
    ASSERT_EQ(static_cast<std::int64_t>(steps.rows.size()), summary.steps);
    double t = 0, rejected = 0;
    for (const auto& row : steps.rows) {
      t += row[1];
      rejected += row[4];
      EXPECT_NEAR(row[0], t, 1e-9);
      EXPECT_LE(row[2], 1);
    }
    EXPECT_NEAR(t, 1, 1e-9);
    EXPECT_EQ(rejected, static_cast<double>(summary.rejected_steps));
    EXPECT_EQ(samples.rows.size(), 101u);
    for (std::size_t i = 0; i < samples.rows.size(); ++i)
      EXPECT_NEAR(samples.rows[i][0], 0.01 * static_cast<double>(i), 1e-9);
  }
}

/// What tries that were rejected left open is not told of the step that was taken: its violation is that of its end.
TEST(StepControl, ViolationsAreThoseOfStepsTaken) {
  const Mechanism mechanism = closed_four_bar();
  for (const char* formulation : {"global", "hybrid"}) {
    const System system(mechanism, formulation);
    RunOptions options = controlled(formulation, "error", 1e-5);
    options.step = 0.3;  // the first tries are far too long
    options.penalty = 1e3;
    Simulation simulation(mechanism, options);
    std::vector<double> row(Simulation::step_columns().size());
    int rejected = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(simulation.step(0.3), StepStatus::ok) << formulation << " " << simulation.summary().reason;
      simulation.step_row(row.data());
      const double open = constraint_values(system, simulation.state()).cwiseAbs().maxCoeff();
      EXPECT_NEAR(row[6], open, 1e-3 * open + 1e-14) << formulation << " " << simulation.time();
      rejected += row[4] > 0;
    }
    EXPECT_GT(rejected, 0) << formulation;
  }
}

TEST(StepControl, AllocatesNothingWithinTheRun) {
  for (const char* control : {"error", "increment", "residual"}) {
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      EXPECT_EQ(run(chain_in_space(), controlled(formulation, control, 1e-6)).allocations, 0) << control << formulation;
      EXPECT_EQ(run(closed_four_bar(), controlled(formulation, control, 1e-6)).allocations, 0)
          << control << formulation;
    }
  }
}

TEST(StepControl, RestoringAStateRepeatsTheStepsBitForBit) {
  Simulation simulation(chain_in_space(), controlled("hybrid", "error", 1e-6));
  for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  const Context saved = simulation.state();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  const Context once = simulation.state();
  simulation.restore(saved);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_EQ(simulation.state().t, once.t);
  EXPECT_EQ(simulation.state().q, once.q);
}

std::string refusal(RunOptions options) {
  try {
    run(closed_four_bar(), options);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(StepControl, CombinationsThatDoNotExistAreRefusedByName) {
  RunOptions options = options_of("hybrid", 0.01, 0.1, "sdirk3");
  options.step_control = "error";
  EXPECT_NE(refusal(options).find("no step_control 'error' with integrator 'sdirk3'"), std::string::npos);
  options = options_of("hybrid", 0.01, 0.1, "dopri5");
  options.step_control = "fixed";
  EXPECT_NE(refusal(options).find("take rk4"), std::string::npos);
  options = options_of("hybrid", 0.01, 0.1, "rk4");
  options.penalty = 1e9;
  EXPECT_NE(refusal(options).find("no penalty with integrator 'rk4'"), std::string::npos) << refusal(options);
  options = options_of("hybrid", 0.01, 0.1);
  options.fixed_penalty = true;
  EXPECT_NE(refusal(options).find("give a step_control"), std::string::npos);
  options.step_control = "eror";
  EXPECT_NE(refusal(options).find("did you mean 'error'?"), std::string::npos) << refusal(options);
}

}  // namespace
}  // namespace cardan
