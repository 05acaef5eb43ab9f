// What accelerations and multipliers are expected to be from how they went on.
#include "integration/newmark_history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

Structure of_two_and_one() {
  Structure structure;
  structure.coordinates = 2;
  structure.constraints = 1;
  structure.scale = VecX::Ones(2);
  structure.constraint_scale = VecX::Ones(1);
  return structure;
}

/// Of accelerations along cubics, beside a multiplier that jumps.
TEST(NewmarkHistory, ForetellsACubicInStepsOfAnyLength) {
  const Structure structure = of_two_and_one();
  const NewmarkHistory history(1, structure);
  VecX stepper = VecX::Zero(1 + history.size());
  const auto a = [](double t) -> VecX { return Eigen::Vector2d(1 + t - 2 * t * t + 3 * t * t * t, 4 * t * t); };
  double t = 0, sign = 1;
  for (const double h : {0.1, 0.07, 0.2, 0.15, 0.1}) {
    VecX foretold = VecX::Zero(2), lambda = VecX::Zero(1);
    history.foretell(stepper, h, {3, 3}, foretold, lambda);
    const VecX change = a(t + h) - a(t);
    if (t > 0.5) EXPECT_LT((foretold - change).norm(), 1e-13);
    sign = -sign;
    history.see(h, change, VecX::Constant(1, sign), stepper);
    t += h;
  }
  EXPECT_EQ(history.terms(stepper).of_a, 3);
  EXPECT_EQ(history.terms(stepper).of_lambda, 0);
  history.forget(stepper);
  EXPECT_FALSE(history.terms(stepper).any());
}

/// In smooth motion one iteration is enough in many steps, and what it leaves is little of the error of the step.
TEST(NewmarkHistory, SmoothMotionTakesFewerThanTwoIterationsAStep) {
  for (const Mechanism& mechanism : {closed_four_bar(), chain_in_space()}) {
    for (const char* formulation : {"global", "hybrid"}) {
      for (const char* rule : {"trapezoidal", "hht", "generalized-alpha"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", mechanism.name, formulation, rule));
        RunOptions options = options_of(formulation, 0.002, 0.4, rule);
        const FinishedRun run = finish(mechanism, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_LT(run.summary.iterations, 2 * run.summary.steps);
        options.tolerance = 1e-12;  // increments themselves, which begin from the accelerations as they were
        const FinishedRun exact = finish(mechanism, options);
        options.step /= 2;
        const FinishedRun finer = finish(mechanism, options);
        EXPECT_LT(LastSample::difference(run.last, exact.last, mechanism),
                  1e-2 * LastSample::difference(finer.last, exact.last, mechanism));
      }
    }
  }
}

}  // namespace
}  // namespace cardan
