// Runs that end well are right, or say that they may not be: a few of the random mechanisms, places and steps of the
// study `robustness`, with every method.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cardan/registry.hpp"
#include "studies/robustness/random_mechanism.hpp"
#include "studies/robustness/silent_failures.hpp"

namespace cardan {
namespace {

TEST(RandomMechanisms, AreTheSameForASeedAndOfEveryKind) {
  std::set<std::string> kinds;
  for (unsigned seed = 0; seed < 14; ++seed) {
    const RandomMechanism one = random_mechanism(seed), two = random_mechanism(seed);
    kinds.insert(one.kind);
    ASSERT_EQ(one.mechanism.bodies.size(), two.mechanism.bodies.size());
    for (std::size_t i = 0; i < one.mechanism.bodies.size(); ++i)
      EXPECT_EQ(one.mechanism.bodies[i].center, two.mechanism.bodies[i].center) << seed;
  }
  EXPECT_EQ(kinds.size(), std::size(kRandomKinds));
}

/// Bars that are drawn flat lie in one line; those that pass a singular position do not, and turn towards it.
TEST(RandomMechanisms, SingularStartsAreDrawnFlat) {
  int flat = 0, folded = 0;
  for (unsigned seed = 0; seed < 70; ++seed) {
    const RandomMechanism random = random_mechanism(seed);
    if (!random.kind.starts_with("singular")) continue;
    const auto& bodies = random.mechanism.bodies;
    const Vec3 along = bodies[1].center - bodies[0].center, across = bodies[2].center - bodies[0].center;
    const double sine = along.cross(across).norm() / (along.norm() * across.norm());
    (random.kind == "singular start" ? flat : folded) += random.kind == "singular start" ? sine < 1e-9 : sine > 1e-3;
  }
  EXPECT_EQ(flat, 10);
  EXPECT_EQ(folded, 10);
}

TEST(SilentFailures, ThereAreNoneInAFewMechanisms) {
  int judged = 0, ok = 0;
  for (unsigned seed = 0; seed < 14; ++seed) {
    const std::vector<JudgedRun> runs = judge_methods(seed);
    judged += !runs.empty();
    for (const JudgedRun& run : runs) {
      ok += run.ok();
      EXPECT_FALSE(run.silent()) << seed << ", " << run.kind << ", " << run.formulation << ", " << run.integrator
                                 << ": off by " << run.error << ", allowed " << run.allowed() << ", it says "
                                 << run.estimate;
    }
  }
  EXPECT_EQ(judged, 14);
  EXPECT_GE(ok, 300);
}

/// Two grams under a hundred kilograms, and bars through a singular position: errors of velocities become errors of
/// places, and are held like these.
TEST(SilentFailures, Dopri5HoldsItsToleranceWithLightBodies) {
  int chosen = 0;
  for (unsigned seed : {77u, 167u}) {
    for (const JudgedRun& run : judge_methods(seed)) {
      if (run.integrator != "dopri5" || !run.ok()) continue;
      EXPECT_LT(run.error, 30 * run.tolerance) << seed << ", " << run.formulation;
      ++chosen;
    }
  }
  EXPECT_GE(chosen, 7);
}

/// A judge who never finds anything proves nothing.
TEST(SilentFailures, WouldBeFound) {
  JudgedRun run;
  run.status = "ok";
  run.tolerance = 1e-6;
  run.error = 1e-3;
  EXPECT_TRUE(run.silent());
  run.error = std::nan("");
  EXPECT_TRUE(run.silent());
  run.error = 1e-3;
  run.estimate = 2e-5;
  EXPECT_FALSE(run.silent()) << "its summary says so";
  run.estimate = 1e-6;
  EXPECT_TRUE(run.silent());
  run.warned = true;
  EXPECT_FALSE(run.silent());
}

}  // namespace
}  // namespace cardan
