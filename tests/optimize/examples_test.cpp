// The plans of models/plans.
#include <gtest/gtest.h>

#include "optimize/fit.hpp"
#include "optimize/optimization.hpp"

namespace cardan {
namespace {

const std::string kPlans = CARDAN_SOURCE_DIR "/models/plans/";

TEST(Examples, AFourBarIsFoundFromItsPath) {
  const OptimizationResult result = optimize(read_optimize_plan(kPlans + "four_bar_path.yaml"));
  const Minimum& best = result.designs.at(0).minimum;
  EXPECT_TRUE(best.converged) << best.reason;
  EXPECT_LT(best.value.f, 1e-12);
  EXPECT_GT(result.start, 1);
  const double drawn[] = {4, 1.5, 3.5, 3, 2, 1};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(best.x[i], drawn[i], 1e-3) << i;
}

TEST(Examples, BumpSteerAllButVanishes) {
  const OptimizationResult result = optimize(read_optimize_plan(kPlans + "bump_steer.yaml"));
  const OptimizedDesign& best = result.designs.at(0);
  EXPECT_TRUE(best.minimum.converged) << best.minimum.reason;
  EXPECT_GT(result.start, 20);  // mrad
  EXPECT_LT(best.objectives[0], 0.05);
  EXPECT_GT(best.measures[2], 0.37);  // the wheel travels all the same
}

TEST(Examples, FrictionIsIdentified) {
  const FitPlan plan = read_fit_plan(kPlans + "puma_friction.yaml");
  const FitResult result = fit(plan);
  EXPECT_TRUE(result.numbers.converged) << result.numbers.reason;
  // What is left is the noise that was added.
  for (const double deviation : result.deviations) EXPECT_NEAR(deviation, 1e-3, 1.5e-4);
  // Four deviations are seldom exceeded: +- is about two.
  const double published[] = {0.00148, 0.000817, 0.00138, 0.395, 0.435, 0.126, 0.071, 0.132, 0.105};
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(result.numbers.x[i], published[i], 2 * result.numbers.interval[i]) << plan.variables[i].name;
    EXPECT_LT(result.numbers.interval[i], 0.15 * published[i]) << plan.variables[i].name;
  }
}

TEST(Examples, ComfortIsTradedForRoadHolding) {
  OptimizePlan plan = read_optimize_plan(kPlans + "iltis_front.yaml");
  plan.front = 3;
  plan.options.until = 2;
  plan.iterations = 8;
  const OptimizationResult result = optimize(plan);
  ASSERT_FALSE(result.designs.empty());
  EXPECT_LT(result.designs.front().objectives[0], result.start);
  for (std::size_t i = 1; i < result.designs.size(); ++i)
    EXPECT_FALSE((result.designs[i].objectives.array() > result.designs[i - 1].objectives.array()).all()) << i;
}

}  // namespace
}  // namespace cardan
