// Methods pass singular positions wherever their steps fall, however many loops are singular at
// once: the N-window linkage, which lies flat ten times in 10 s, and four-bars of unequal bars on one crank, whose
// branches are curved where they cross.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "integration/linkages.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

struct Lottery {
  int windows, runs;
};

/// Where a window folds apart its coupler turns; energy left in one place is a part of that of one body.
void expect_on_its_branch(const Mechanism& linkage, int windows, const RunOptions& options) {
  const FinishedRun run = finish(linkage, options);
  const std::string what = std::to_string(windows) + " windows, " + options.formulation + ", step " +
                           std::to_string(options.step) + ", tolerance " +
                           std::to_string(options.tolerance.value_or(0));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << what << ": " << run.summary.reason;
  EXPECT_TRUE(run.summary.warnings.empty()) << what << ": " << run.summary.warnings.front();
  for (int i = 1; i <= windows; ++i) {
    const double turned = run.last["coupler" + std::to_string(i) + ".angle"];
    ASSERT_LT(std::abs(std::remainder(turned, 2 * std::numbers::pi)), 1e-4) << what;
  }
  // Points that go round in circles cost natural coordinates more of the method's own error.
  const double late = options.formulation == "global" ? 0.35 : 0.1;
  EXPECT_LT(std::abs(n_window_angle_error(windows, options.until, run.last["rod0.angle"])), late) << what;
}

TEST(SingularPositions, Rk4LosesNoStepSizeWithAnyNumberOfWindows) {
  int measured = 0;
  for (const char* formulation : {"hybrid", "global"}) {
    for (const auto& [windows, runs] : {Lottery{2, 12}, Lottery{10, 60}, Lottery{20, 12}}) {
      const Mechanism linkage = n_window_linkage(windows);
      for (int i = 0; i < runs; ++i, ++measured) {
        const double step = 0.03 + 0.036 * i / (runs - 1);
        expect_on_its_branch(linkage, windows, options_of(formulation, step, 10, "rk4"));
      }
    }
  }
  EXPECT_EQ(measured, 2 * 84);
}

/// However large the mechanism is beside its links. Points that go round in circles cost the rules of second order much
/// of the energy at such steps, which is told; no window folds apart.
TEST(SingularPositions, StructuralRulesLoseNoStepSizeInALargeMechanism) {
  constexpr int windows = 40, runs = 20;
  const Mechanism linkage = n_window_linkage(windows);
  int measured = 0;
  for (const char* formulation : {"hybrid", "global"}) {
    for (const char* integrator : {"trapezoidal", "generalized-alpha"}) {
      for (int i = 0; i < runs; ++i, ++measured) {
        const double step = 0.03 + 0.036 * i / (runs - 1);
        const FinishedRun run = finish(linkage, options_of(formulation, step, 10, integrator));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << integrator << step << run.summary.reason;
        for (int k = 1; k <= windows; ++k) {
          const double turned = run.last["coupler" + std::to_string(k) + ".angle"];
          ASSERT_LT(std::abs(std::remainder(turned, 2 * std::numbers::pi)), 1e-3) << formulation << integrator << step;
        }
      }
    }
  }
  EXPECT_EQ(measured, 4 * runs);
}

TEST(SingularPositions, Dopri5LosesNoToleranceWithAnyNumberOfWindows) {
  int measured = 0;
  for (const char* formulation : {"hybrid", "global"}) {
    for (const auto& [windows, runs] : {Lottery{2, 6}, Lottery{10, 6}}) {
      const Mechanism linkage = n_window_linkage(windows);
      for (int i = 0; i < runs; ++i, ++measured) {
        RunOptions options = options_of(formulation, 0.01, 10, "dopri5");
        options.tolerance = std::pow(10, -5 - 4.0 * i / (runs - 1));
        expect_on_its_branch(linkage, windows, options);
      }
    }
  }
  EXPECT_EQ(measured, 24);
}

/// Four-bars of unequal bars on one crank, each as long stretched as its base and crank together: all of them lie flat
/// when the crank points away from their bearings. Their branches are curved where they cross, and stages off them.
Mechanism change_points(unsigned seed, int loops) {
  const RandomPlace place(seed, true);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(0, 1);
  MechanismBuilder b("change points");
  b.planar().gravity(9.81 * place.along(0, -1));
  b.rod("crank", place.at(0, 0), place.at(0, 1), 2).revolute("pin", "ground", "crank", place.at(0, 0));
  for (int i = 0; i < loops; ++i) {
    const std::string n = std::to_string(i);
    const double arm = 0.6 + 0.4 * number(random), base = arm * (1.3 + number(random));
    const double coupler = (base + arm) * (0.3 + 0.4 * number(random)), rocker = base + arm - coupler;
    const double distance = std::hypot(base, arm);
    const double along = (coupler * coupler - rocker * rocker + distance * distance) / (2 * distance);
    const double across = (i % 2 ? 1 : -1) * std::sqrt(coupler * coupler - along * along);
    const Vec3 to = Vec3(base, -arm, 0) / distance, aside(-to.y(), to.x(), 0);
    const Vec3 knee = Vec3(0, arm, 0) + along * to + across * aside;
    const Vec3 A = place.at(0, arm), G = place.at(base, 0), K = place.at(knee.x(), knee.y());
    b.rod("coupler" + n, A, K, 1).rod("rocker" + n, G, K, 1.2);
    b.revolute("A" + n, "crank", "coupler" + n, A).revolute("G" + n, "ground", "rocker" + n, G);
    b.revolute("K" + n, "coupler" + n, "rocker" + n, K);
  }
  b.joint_velocity("pin", 6);
  return b.build();
}

TEST(SingularPositions, OfCurvedBranchesArePassed) {
  const Mechanism linkage = change_points(7, 1);
  const FinishedRun reference = finish(linkage, options_of("hybrid", 1.37e-3, 2, "rk4"));
  ASSERT_LT(std::abs(reference.summary.energy_max_error), 1e-5);
  for (const char* formulation : {"hybrid", "global"}) {
    for (int i = 0; i < 20; ++i) {
      const double step = 0.002 + 0.006 * i / 19;
      const FinishedRun run = finish(linkage, options_of(formulation, step, 2, "rk4"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << step << run.summary.reason;
      EXPECT_LT(LastSample::difference(run.last, reference.last, linkage), 0.03) << formulation << " " << step;
    }
  }
}

/// Without projections errors grow at singular positions until the windows fold apart, which is to be said of every
/// run.
TEST(SingularPositions, LostRunsAreToldOfAtAnySize) {
  int lost = 0;
  for (const int windows : {2, 10, 40}) {
    const Mechanism linkage = n_window_linkage(windows);
    for (const double step : {0.03, 0.041, 0.055}) {
      RunOptions options = options_of("hybrid", step, 4, "rk4");
      options.projections = false;
      const FinishedRun run = finish(linkage, options);
      if (run.summary.status == RunStatus::ok && std::abs(run.summary.energy_max_error) < 0.1) continue;
      EXPECT_TRUE(run.summary.status != RunStatus::ok || !run.summary.warnings.empty())
          << windows << " " << step << " " << run.summary.energy_max_error;
      ++lost;
    }
  }
  EXPECT_GE(lost, 6);
}

TEST(SingularPositions, CostNoAllocation) {
  for (const char* integrator : {"rk4", "dopri5"}) {
    EXPECT_EQ(run(n_window_linkage(10), options_of("hybrid", 0.05, 3, integrator)).allocations, 0) << integrator;
    EXPECT_EQ(run(change_points(7, 1), options_of("global", 0.005, 1, integrator)).allocations, 0) << integrator;
  }
}

}  // namespace
}  // namespace cardan
