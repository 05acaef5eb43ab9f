// sdirk3 and sdirk4: order, stiff problems, singular positions, projections on and off.
#include <gtest/gtest.h>

#include <cmath>

#include "integration/linkages.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

double order_of_sdirk(const Mechanism& mechanism, RunOptions options, const LastSample& reference) {
  const FinishedRun coarse = finish(mechanism, options);
  options.step /= 2;
  const FinishedRun fine = finish(mechanism, options);
  EXPECT_EQ(coarse.summary.status, RunStatus::ok) << coarse.summary.reason;
  EXPECT_EQ(fine.summary.status, RunStatus::ok) << fine.summary.reason;
  return std::log2(LastSample::difference(coarse.last, reference, mechanism) /
                   LastSample::difference(fine.last, reference, mechanism));
}

TEST(Sdirk, HasItsOrderInEveryFormulation) {
  for (const Mechanism& mechanism : {chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-4, 0.5, "rk4"));
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      EXPECT_NEAR(order_of_sdirk(mechanism, options_of(formulation, 1.25e-3, 0.5, "sdirk3"), reference.last), 3, 0.15)
          << mechanism.name << " " << formulation;
      EXPECT_NEAR(order_of_sdirk(mechanism, options_of(formulation, 5e-3, 0.5, "sdirk4"), reference.last), 4, 0.15)
          << mechanism.name << " " << formulation;
    }
  }
}

/// A light arm held by a spring and damper far stiffer than the step can follow. In relative coordinates, whose frozen
/// Jacobian has all of the spring; natural coordinates leave its geometric stiffness out and need smaller steps.
TEST(Sdirk, TakesLargeStepsOnAStiffProblemInRelativeCoordinates) {
  MechanismBuilder b("stiff");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm", Place(0, 0), Place(1, 0), 3).rod("tip", Place(1, 0), Place(2, 0), 0.3);
  b.revolute("shoulder", "ground", "arm", Place(0, 0)).revolute("elbow", "arm", "tip", Place(1, 0));
  b.torsion("held", "elbow", 1e5, 1e4);
  const Mechanism mechanism = b.build();
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-3, 1, "generalized-alpha"));
  for (const char* integrator : {"sdirk3", "sdirk4"}) {
    for (const char* formulation : {"hybrid", "topological"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 0.02, 1, integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_LT(std::abs(run.last["arm.angle"] - reference.last["arm.angle"]), 2e-4) << integrator << formulation;
    }
  }
  const FinishedRun explicit_run = finish(mechanism, options_of("hybrid", 0.02, 1, "rk4"));
  EXPECT_TRUE(explicit_run.summary.status != RunStatus::ok || std::abs(explicit_run.summary.energy_max_error) > 100);
}

TEST(Sdirk, PassesSingularPositionsAtSmallSteps) {
  for (const auto& [formulation, step] : {std::pair{"hybrid", 0.01}, std::pair{"global", 0.005}}) {
    const FinishedRun run = finish(n_window_linkage(2), options_of(formulation, step, 10, "sdirk3"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_LT(std::abs(n_window_angle_error(2, 10, run.last["rod0.angle"])), 0.1) << formulation;
  }
}

/// A flyball governor: arms on a turning shaft, held by stiff springs and dampers whose direction turns along.
Mechanism governor(unsigned seed) {
  const RandomPlace place(seed, false);
  MechanismBuilder b("governor");
  b.gravity(9.81 * place.along(0, -1));
  b.rod("shaft", place.at(0, 0), place.at(0, 1.2), 0.3, 0.03 * place.size());
  b.rod("collar", place.at(-0.05, 0.5), place.at(0.05, 0.5), 0.3, 0.05 * place.size());
  b.revolute("bearing", "ground", "shaft", place.at(0, 0), place.along(0, 1));
  b.prismatic("slide", "shaft", "collar", place.at(0, 0.5), place.along(0, 1));
  for (int side : {-1, 1}) {
    const std::string n = side < 0 ? "1" : "2";
    b.rod("arm" + n, place.at(0, 1), place.at(0.5 * side, 0.134), 5, 0.05 * place.size());
    b.revolute("hinge" + n, "shaft", "arm" + n, place.at(0, 1), place.along(0, 0, 1));
    b.spring("link" + n, "arm" + n, "collar", place.at(0.25 * side, 0.567), place.at(0, 0.5), 8e5, 4e4);
  }
  b.joint_velocity("bearing", 6.28);
  return b.build();
}

/// Matrices of the start of the step are of little use in the rest of it; they are renewed, and no step is accepted
/// before its increments have converged.
TEST(Sdirk, ConvergesWhereStiffLoadsTurnWithinAStep) {
  for (const auto& [formulation, step] : {std::pair{"hybrid", 0.004}, std::pair{"global", 0.002}}) {
    const FinishedRun run = finish(governor(11), options_of(formulation, step, 0.4, "sdirk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.stagnated_steps, 0) << formulation;
  }
}

/// On global the direction of the stiff loads turns, and while the step does not resolve them the stages, of order 1,
/// spoil the order; below it is 4. On hybrid the coordinates that they hold stay.
TEST(Sdirk, HasItsOrderOnceStepsResolveStiffLoadsThatTurn) {
  const Mechanism mechanism = governor(11);
  constexpr double kUntil = 0.02;
  const LastSample exact = finish(mechanism, options_of("hybrid", 1e-5, kUntil, "sdirk4")).last;
  const auto error = [&](double step) {
    const FinishedRun run = finish(mechanism, options_of("global", step, kUntil, "sdirk4"));
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    return LastSample::difference(run.last, exact, mechanism);
  };
  EXPECT_LT(std::log2(error(2e-3) / error(1e-3)), 2);
  EXPECT_NEAR(std::log2(error(3.2e-5) / error(1.6e-5)), 4, 0.2);
}

/// A heavy bob on a light slider on a light arm, all small: as drawn some constraints feel little, later they carry the
/// bob. What they feel is found anew, and reactions are not taken for those of a singular position.
TEST(Sdirk, FollowsWhatConstraintsFeel) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const RandomPlace place(seed, false);
    MechanismBuilder b("heavy bob");
    b.gravity(9.81 * place.along(-0.8, -0.55, 0.2));
    const auto at = [&](double x, double y, double z) { return place.at(0.1 * x, 0.1 * y, 0.1 * z); };
    const Vec3 A = at(0, 0, 0), B = at(0.24, 0.67, 0.45), C = at(0.58, 0.89, 1.01), D = at(1.28, 0.66, 0.61);
    const double r = 0.006 * place.size();
    b.rod("arm", A, B, 0.03, r).rod("slider", B, C, 0.016, r).rod("bob", C, D, 800, r);
    b.revolute("hinge", "ground", "arm", A, place.along(0.64, -0.41, -0.65));
    const Vec3 along = place.along(0.8, -0.11, 0.59);
    b.prismatic("slide", "arm", "slider", B, along);
    b.revolute("pin", "slider", "bob", C, place.along(0.49, 0.78, -0.39));
    const Vec3 back = B - 0.1 * place.size() * along, front = B + 0.1 * place.size() * along;
    b.spring("spring", "arm", "slider", back, front, 440, 1.5);
    const Mechanism mechanism = b.build();
    const LastSample exact = finish(mechanism, options_of("hybrid", 1e-4, 0.5, "rk4")).last;
    const FinishedRun run = finish(mechanism, options_of("global", 1e-3, 0.5, "sdirk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_LT(LastSample::difference(run.last, exact, mechanism), 5e-3 * place.size()) << seed;
    ++compared;
  }
  EXPECT_EQ(compared, 3);
}

TEST(Sdirk, ProjectionsHoldTheConstraints) {
  RunOptions options = options_of("hybrid", 0.005, 2, "sdirk3");
  const FinishedRun with = finish(closed_four_bar(), options);
  EXPECT_LT(with.summary.position.value, 1e-11);
  EXPECT_LT(with.summary.velocity.value, 1e-11);
  options.projections = false;
  const FinishedRun without = finish(closed_four_bar(), options);
  EXPECT_EQ(without.summary.status, RunStatus::ok) << without.summary.reason;
  EXPECT_GT(without.summary.position.value, 1e-9);
}

TEST(Sdirk, AllocatesNothingWithinTheRun) {
  for (const char* integrator : {"sdirk3", "sdirk4"}) {
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      EXPECT_EQ(run(chain_in_space(), options_of(formulation, 0.01, 1, integrator)).allocations, 0)
          << integrator << formulation;
      EXPECT_EQ(run(closed_four_bar(), options_of(formulation, 0.01, 1, integrator)).allocations, 0)
          << integrator << formulation;
    }
  }
}

}  // namespace
}  // namespace cardan
