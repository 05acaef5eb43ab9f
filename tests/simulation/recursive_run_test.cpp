// Runs of the recursive formulation: open chains against hybrid, long chains, closed loops.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// A free body with a spherical, a universal and a cylindrical joint behind it, sprung to ground.
Mechanism free_chain() {
  MechanismBuilder b("free chain");
  b.gravity({0.2, -0.5, -9});
  const Mat3 inertia = Vec3(0.05, 0.08, 0.06).asDiagonal();
  const char* names[] = {"base", "first", "second", "third"};
  for (int i = 0; i < 4; ++i) b.body(names[i], 1 + 0.2 * i, Vec3(0.6 * i, 0.1 * i, -0.2 * i), inertia);
  b.free("afloat", "ground", "base");
  b.spherical("ball", "base", "first", Vec3(0.3, 0.05, -0.1));
  b.universal("cross", "second", "first", Vec3(0.9, 0.15, -0.3), Vec3(1, 0, 0), Vec3(0, 1, 0));
  b.cylindrical("sleeve", "second", "third", Vec3(1.5, 0.25, -0.5), Vec3(0.3, -0.5, 0.8));
  b.spring("spring", "ground", "base", Vec3(0, 0, 1), Vec3(0, 0, 0.1), 40, 0.5);
  b.spring("other", "first", "third", Vec3(0.6, 0.3, -0.2), Vec3(1.8, 0.3, -0.6), 30, 0.3);
  b.angular_velocity("base", {1, -0.5, 0.7});
  return b.build();
}

TEST(RecursiveRun, IsTheMotionOfHybridOnOpenChains) {
  const Mechanism mechanism = free_chain();
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 2.5e-4, 1));
  ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const FinishedRun run = finish(mechanism, options_of("recursive", i == 0 ? 0.008 : 0.004, 1));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.allocations, 0);
    error[i] = LastSample::difference(run.last, reference.last, mechanism);
  }
  EXPECT_LT(error[0], 0.05);
  EXPECT_NEAR(error[0] / error[1], 4, 0.6);
}

TEST(RecursiveRun, Rk4IsOfOrderFourOnOpenChains) {
  const Mechanism mechanism = free_chain();
  const FinishedRun reference = finish(mechanism, options_of("recursive", 5e-4, 1, "rk4"));
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const FinishedRun run = finish(mechanism, options_of("recursive", i == 0 ? 0.02 : 0.01, 1, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.allocations, 0);
    error[i] = LastSample::difference(run.last, reference.last, mechanism);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.4) << error[0] << " " << error[1];
}

/// Of the same rule: the same motion as by Newton's iteration, and of the same order.
TEST(RecursiveRun, HasEveryStructuralRuleOfHybrid) {
  const Mechanism mechanism = free_chain();
  const FinishedRun reference = finish(mechanism, options_of("recursive", 1e-3, 1, "rk4"));
  struct {
    const char* integrator;
    double order, step;
  } const rules[] = {{"newmark", 1, 2e-3}, {"hht", 2, 8e-3}, {"generalized-alpha", 2, 8e-3}};
  for (const auto& [integrator, order, step] : rules) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish(mechanism, options_of("recursive", step / (1 + i), 1, integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_EQ(run.summary.allocations, 0) << integrator;
      error[i] = LastSample::difference(run.last, reference.last, mechanism);
      const FinishedRun hybrid = finish(mechanism, options_of("hybrid", step / (1 + i), 1, integrator));
      EXPECT_LT(LastSample::difference(run.last, hybrid.last, mechanism), 1e-2 * error[i]) << integrator;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.2) << integrator << " " << error[0] << " " << error[1];
  }
}

/// 10000 links set up and move: nothing on the way may be quadratic in their number.
TEST(RecursiveRun, CopesWithVeryLongChains) {
  constexpr int kLinks = 10000;
  MechanismBuilder b("long chain");
  for (int i = 0; i < kLinks; ++i) {
    const std::string name = "link" + std::to_string(i), parent = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    b.rod(name, Vec3(i, 0, 0), Vec3(i + 1, 0, 0), 1, 0.1);
    b.revolute("pin" + std::to_string(i), parent, name, Vec3(i, 0, 0), Vec3(std::cos(i), 0.3, std::sin(i)));
  }
  const Mechanism mechanism = b.build();
  Simulation simulation(mechanism, options_of("recursive", 1e-3, 1));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_EQ(simulation.summary().degrees_of_freedom, kLinks);
  EXPECT_LT(std::abs(simulation.summary().energy_max_error), 1e-6 * kLinks);
  // The free end falls freely until the news of the support reaches it.
  EXPECT_NEAR(simulation.body(kLinks - 1).acceleration.z(), -9.81, 1e-6);
}

TEST(RecursiveRun, ClosesLoopsAndSaysHowWell) {
  const Mechanism mechanism = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/double_four_bar.yaml", {});
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 0.001, 10));
  const FinishedRun fine = finish(mechanism, options_of("recursive", 0.002, 10));
  ASSERT_EQ(fine.summary.status, RunStatus::ok) << fine.summary.reason;
  EXPECT_LT(LastSample::difference(fine.last, reference.last, mechanism), 0.02);
  EXPECT_GT(fine.summary.position.value, 0);
  EXPECT_LT(fine.summary.position.value, 1e-5);
  EXPECT_LT(std::abs(fine.summary.energy_max_error), 0.01);
  EXPECT_EQ(fine.summary.allocations, 0);
}

/// As published: the fixed-point iteration needs smaller steps than hybrid does.
TEST(RecursiveRun, NeedsSmallerStepsThanHybridOnClosedLoops) {
  const Mechanism mechanism = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/double_four_bar.yaml", {});
  const double step = 0.04;
  const FinishedRun hybrid = finish(mechanism, options_of("hybrid", step, 10));
  EXPECT_EQ(hybrid.summary.status, RunStatus::ok);
  EXPECT_LT(std::abs(hybrid.summary.energy_max_error), 0.5);
  const FinishedRun recursive = finish(mechanism, options_of("recursive", step, 10));
  EXPECT_TRUE(recursive.summary.status == RunStatus::failed || std::abs(recursive.summary.energy_max_error) > 0.5);
}

/// Stiff tyres, ten degrees of freedom and four loops at a step where the plain iteration does not converge.
TEST(RecursiveRun, FollowsAVehicleOverStairs) {
  const Mechanism mechanism = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/iltis.yaml", {});
  const FinishedRun hybrid = finish(mechanism, options_of("hybrid", 0.01, 5));
  const FinishedRun recursive = finish(mechanism, options_of("recursive", 0.01, 5));
  ASSERT_EQ(recursive.summary.status, RunStatus::ok) << recursive.summary.reason;
  EXPECT_LT(std::abs(recursive.last["chassis.z"] - hybrid.last["chassis.z"]), 1e-4);  // of 4e-3 at this step
  EXPECT_LT(recursive.summary.iterations, 3 * hybrid.summary.iterations);
  EXPECT_LT(recursive.summary.position.value, 1e-5);
  EXPECT_EQ(recursive.summary.allocations, 0);
}

TEST(RecursiveRun, TellsRedundantConstraints) {
  // A planar four-bar in space: three of the closing revolute joint's five equations are redundant.
  MechanismBuilder b("four-bar in space");
  const Vec3 A0(0, 0, 0), B0(0, 0, 1), B1(1, 0, 1), A1(1, 0, 0), y(0, 1, 0);
  b.rod("crank", A0, B0, 1, 0.05).rod("coupler", B0, B1, 1, 0.05).rod("rocker", A1, B1, 1, 0.05);
  b.revolute("pinA0", "ground", "crank", A0, y).revolute("pinB0", "crank", "coupler", B0, y);
  b.revolute("pinB1", "coupler", "rocker", B1, y).revolute("pinA1", "ground", "rocker", A1, y);
  b.joint_velocity("pinA0", 1);
  const FinishedRun run = finish(b.build(), options_of("recursive", 0.002, 0.5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_EQ(run.summary.redundant_constraints, 3);
  EXPECT_EQ(run.summary.degrees_of_freedom, 1);
  EXPECT_LT(run.summary.position.value, 1e-6);
}

TEST(RecursiveRun, RefusesIntegratorsThatNeedAMassMatrix) {
  EXPECT_THROW(Simulation(free_chain(), options_of("recursive", 0.01, 1, "sdirk3")), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
