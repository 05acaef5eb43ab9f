// rk4 and dopri5 on every formulation: order, agreement with the implicit methods, singular positions, dense output.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// Order of convergence between steps h and h/2 against a reference.
double measured_order(const Mechanism& mechanism, RunOptions options, const LastSample& reference) {
  const FinishedRun coarse = finish(mechanism, options);
  options.step /= 2;
  const FinishedRun fine = finish(mechanism, options);
  EXPECT_EQ(coarse.summary.status, RunStatus::ok) << coarse.summary.reason;
  EXPECT_EQ(fine.summary.status, RunStatus::ok) << fine.summary.reason;
  return std::log2(LastSample::difference(coarse.last, reference, mechanism) /
                   LastSample::difference(fine.last, reference, mechanism));
}

TEST(ExplicitRungeKutta, Rk4HasOrderFourInEveryFormulation) {
  for (const Mechanism& mechanism : {chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-4, 0.5, "rk4"));
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      EXPECT_NEAR(measured_order(mechanism, options_of(formulation, 1.25e-3, 0.5, "rk4"), reference.last), 4, 0.3)
          << mechanism.name << " " << formulation;
    }
  }
}

TEST(ExplicitRungeKutta, DrivenAndConstrainedMotionsKeepTheirConstraints) {
  for (const char* integrator : {"rk4", "dopri5"}) {
    for (const char* formulation : {"global", "hybrid"}) {
      const FinishedRun run = finish(closed_four_bar(), options_of(formulation, 0.01, 2, integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_LT(run.summary.position.value, 1e-11) << formulation;
      EXPECT_LT(run.summary.velocity.value, 1e-11) << formulation;
      EXPECT_LT(run.summary.acceleration.value, 1e-9) << formulation;
    }
  }
}

TEST(ExplicitRungeKutta, Rk4PassesTenSingularPositionsWithLargeSteps) {
  struct Case {
    int windows;
    double step;
  };
  for (const Case& c : {Case{2, 0.1}, Case{10, 0.0625}}) {
    const FinishedRun run = finish(n_window_linkage(c.windows), options_of("hybrid", c.step, 10, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 0.1) << c.windows;
    EXPECT_LT(std::abs(n_window_angle_error(c.windows, 10, run.last["rod0.angle"])), 0.1) << c.windows;
    EXPECT_LT(std::abs(std::remainder(run.last["coupler1.angle"], 2 * std::numbers::pi)), 1e-6);
    EXPECT_EQ(run.summary.steps, std::lround(10 / c.step));
  }
}

/// Wherever the steps fall on the singular positions.
TEST(ExplicitRungeKutta, Rk4LosesNoneOfManyStepSizes) {
  const Mechanism linkage = n_window_linkage(2);
  for (int i = 0; i < 60; ++i) {
    const double step = 0.03 + 0.07 * i / 59;
    const FinishedRun run = finish(linkage, options_of("hybrid", step, 10, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << step << run.summary.reason;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 0.1) << step;
    EXPECT_LT(std::abs(n_window_angle_error(2, 10, run.last["rod0.angle"])), 0.1) << step;
  }
  for (int i = 0; i < 40; ++i) {
    const double step = 0.01 + 0.03 * i / 39;
    const FinishedRun run = finish(linkage, options_of("global", step, 10, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << step << run.summary.reason;
    EXPECT_LT(std::abs(n_window_angle_error(2, 10, run.last["rod0.angle"])), 0.1) << step;
  }
}

TEST(ExplicitRungeKutta, Dopri5MeetsItsTolerance) {
  for (const Mechanism& mechanism : {chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 2.5e-4, 1, "rk4"));
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      double last = 1;
      for (double tolerance : {1e-5, 1e-7, 1e-9}) {
        RunOptions options = options_of(formulation, 0.01, 1, "dopri5");
        options.tolerance = tolerance;
        const FinishedRun run = finish(mechanism, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        const double error = LastSample::difference(run.last, reference.last, mechanism);
        EXPECT_LT(error, 5e3 * tolerance) << mechanism.name << " " << formulation;
        EXPECT_LT(error, last) << mechanism.name << " " << formulation;
        last = error;
      }
    }
  }
}

/// Keeps every sample.
class AllSamples final : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override { columns_ = columns; }
  void sample(const double* row, std::size_t size) override { rows.emplace_back(row, row + size); }
  std::vector<std::vector<double>> rows;
  std::vector<std::string> columns_;
};

/// A pendulum that swings beside others that hang still: in a mean over all of them its error would be lost.
TEST(ExplicitRungeKutta, WhatRestsBesideDoesNotMakeTheToleranceLooser) {
  std::int64_t alone = 0;
  int measured = 0;
  for (const int others : {0, 3, 30}) {
    MechanismBuilder b("pendulums");
    b.planar().gravity({0, -9.81, 0});
    b.rod("swings", Place(0, 0), Place(1, 0), 1).revolute("pin", "ground", "swings", Place(0, 0));
    for (int i = 0; i < others; ++i) {
      const std::string name = "rests" + std::to_string(i);
      b.rod(name, Place(0, 0), Place(0, -1), 1).revolute(name + "_pin", "ground", name, Place(0, 0));
    }
    const RunSummary summary = run(b.build(), options_of("hybrid", 0.1, 5, "dopri5"));
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    if (others == 0) alone = summary.steps;
    EXPECT_EQ(summary.steps, alone) << others;
    ++measured;
  }
  EXPECT_EQ(measured, 3);
}

TEST(ExplicitRungeKutta, DenseOutputIsAsGoodAsTheSteps) {
  const Mechanism mechanism = chain_in_space();
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    RunOptions fine = options_of(formulation, 5e-4, 1, "rk4");
    fine.every = 20;
    RunOptions dense = options_of(formulation, 0.01, 1, "dopri5");
    dense.tolerance = 1e-8;
    AllSamples expected, actual;
    run(mechanism, fine, &expected);
    const RunSummary summary = run(mechanism, dense, &actual);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_LT(summary.steps, 100);  // so that samples fall within steps
    ASSERT_EQ(actual.rows.size(), expected.rows.size());
    double worst = 0;
    for (std::size_t i = 0; i < actual.rows.size(); ++i) {
      for (std::size_t c = 0; c < 20; ++c) worst = std::max(worst, std::abs(actual.rows[i][c] - expected.rows[i][c]));
    }
    EXPECT_LT(worst, 2e-5) << formulation;
  }
}

/// Dependent coordinates are looked for at the time of the sample, not at the start of a step that may be long.
TEST(ExplicitRungeKutta, SamplesWithinAStepAreOnTheBranchOfItsEnds) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const Mechanism mechanism = peaucellier(seed);
    const double until = 0.4 * std::sqrt(RandomPlace(seed, true).size());  // s: the same part of its fall
    const auto samples = [&](const char* formulation, double tolerance) {
      RunOptions options = options_of(formulation, until / 200, until, "dopri5");
      options.absolute_tolerance = options.relative_tolerance = tolerance;
      AllSamples all;
      const RunSummary summary = run(mechanism, options, &all);
      EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
      EXPECT_LT(summary.steps, 100) << "so that samples fall within steps";
      return all.rows;
    };
    const auto expected = samples("hybrid", 1e-7);
    for (const char* formulation : {"topological", "cartesian"}) {
      for (double tolerance : {1e-6, 1e-4}) {
        const auto actual = samples(formulation, tolerance);
        ASSERT_EQ(actual.size(), expected.size());
        double worst = 0;
        for (std::size_t i = 0; i < actual.size(); ++i) {
          for (std::size_t body = 0; body < mechanism.bodies.size(); ++body) {
            for (std::size_t c = 1 + 6 * body; c < 4 + 6 * body; ++c)  // x, y, angle of six columns
              worst = std::max(worst, std::abs(actual[i][c] - expected[i][c]));
          }
        }
        EXPECT_LT(worst, 100 * tolerance) << formulation << " " << seed;
      }
    }
  }
}

TEST(ExplicitRungeKutta, AllocatesNothingWithinTheRun) {
  for (const char* integrator : {"rk4", "dopri5"}) {
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      EXPECT_EQ(run(chain_in_space(), options_of(formulation, 0.01, 1, integrator)).allocations, 0)
          << integrator << formulation;
      EXPECT_EQ(run(closed_four_bar(), options_of(formulation, 0.01, 1, integrator)).allocations, 0)
          << integrator << formulation;
    }
    EXPECT_EQ(run(n_window_linkage(2), options_of("hybrid", 0.05, 10, integrator)).allocations, 0) << integrator;
  }
}

TEST(ExplicitRungeKutta, RestoringAStateRepeatsTheStepsBitForBit) {
  for (const char* integrator : {"rk4", "dopri5"}) {
    Simulation simulation(chain_in_space(), options_of("hybrid", 0.01, 1, integrator));
    for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context saved = simulation.state();
    for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context once = simulation.state();
    simulation.restore(saved);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_EQ(simulation.state().t, once.t);
    EXPECT_EQ(simulation.state().q, once.q) << integrator;
    EXPECT_EQ(simulation.state().v, once.v) << integrator;
  }
}

}  // namespace
}  // namespace cardan
