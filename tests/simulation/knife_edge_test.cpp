// Knife edges against closed forms: Chaplygin's sleigh and a skate on a slope, in the plane and in space, in every
// formulation.
#include <gtest/gtest.h>

#include "simulation/rolling_mechanisms.hpp"

namespace cardan {
namespace {

constexpr double kSleighUntil = 1.5;

/// Of place, velocity and turning of the sleigh at the end.
double sleigh_error(const Sleigh& sleigh, const LastSample& last) {
  const double size = sleigh.place.size();
  return std::max(
      {(place_of(last, "sleigh", sleigh.planar) - sleigh.center(kSleighUntil)).norm() / size,
       (velocity_of(last, "sleigh", sleigh.planar) - sleigh.velocity(kSleighUntil)).norm() / size,
       (turning_of(last, "sleigh", sleigh.planar) - sleigh.turning(kSleighUntil) * sleigh.place.along(0, 0, 1))
           .norm()});
}

TEST(KnifeEdge, SleighMovesAsChaplyginSays) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (const unsigned seed : {1u, 2u}) {
      const Sleigh sleigh(seed, planar);
      const Mechanism mechanism = sleigh.build();
      for (const char* formulation : kAllFormulations) {
        for (const auto& [integrator, step] : {std::pair("trapezoidal", 5e-4), std::pair("rk4", 5e-3)}) {
          const FinishedRun run = finish(mechanism, options_of(formulation, step, kSleighUntil, integrator));
          const std::string what = std::string(formulation) + " " + integrator + (planar ? " planar" : " space");
          ASSERT_EQ(run.summary.status, RunStatus::ok) << what << " " << run.summary.reason;
          EXPECT_LT(sleigh_error(sleigh, run.last), 1e-6) << what;
          EXPECT_NEAR(run.last["blade.force"], sleigh.force(kSleighUntil), 1e-5 * sleigh.mass) << what;
          if (planar) EXPECT_NEAR(run.summary.energy_initial, sleigh.energy(), 1e-12 * sleigh.energy()) << what;
          expect_sound(run.summary, sleigh.energy(), 3, 2, what);
          EXPECT_LT(run.summary.velocity.value, 1e-8) << what;
          ++runs;
        }
      }
    }
  }
  EXPECT_EQ(runs, 40);
}

/// Errors of two steps, one half of the other, in every pair of formulation and integrator of constant step.
TEST(KnifeEdge, IntegratorsKeepTheirOrders) {
  const Sleigh sleigh(3, false);
  const Mechanism mechanism = sleigh.build();
  int runs = 0;
  for (const char* formulation : kAllFormulations) {
    for (const auto& [integrator, order, step] :
         {std::tuple("trapezoidal", 2, 0.01), std::tuple("hht", 2, 0.01), std::tuple("generalized-alpha", 2, 0.01),
          std::tuple("newmark", 1, 0.01), std::tuple("rk4", 4, 0.025), std::tuple("sdirk3", 3, 0.025),
          std::tuple("sdirk4", 4, 0.05), std::tuple("gauss4", 4, 0.05), std::tuple("abm2", 2, 0.01)}) {
      if (!why_not(formulation, integrator).empty()) continue;
      RunOptions options = options_of(formulation, step, kSleighUntil, integrator);
      if (chooses_steps(formulation, integrator)) options.step_control = "fixed";
      const double coarse = sleigh_error(sleigh, finish(mechanism, options).last);
      options.step = step / 2;
      const double fine = sleigh_error(sleigh, finish(mechanism, options).last);
      const double seen = std::log2(coarse / fine);
      EXPECT_GT(seen, order - 0.25) << formulation << " " << integrator << " " << coarse << " " << fine;
      EXPECT_LT(seen, order + 1.25) << formulation << " " << integrator << " " << coarse << " " << fine;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 3 * 8 + 5 + 9);
}

TEST(KnifeEdge, IntegratorsThatChooseTheirStepsKeepTheirTolerances) {
  const Sleigh sleigh(4, false);
  const Mechanism mechanism = sleigh.build();
  int runs = 0;
  for (const char* formulation : kAllFormulations) {
    for (const char* integrator : {"dopri5", "bdf", "sdirk4"}) {
      if (!why_not(formulation, integrator).empty() || !chooses_steps(formulation, integrator)) continue;
      RunOptions options = options_of(formulation, 1e-3, kSleighUntil, integrator);
      options.relative_tolerance = options.absolute_tolerance = 1e-9;
      const FinishedRun run = finish(mechanism, options);
      EXPECT_EQ(run.summary.status, RunStatus::ok) << formulation << " " << integrator;
      EXPECT_LT(sleigh_error(sleigh, run.last), 1e-6) << formulation << " " << integrator;
      EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-6 * sleigh.energy()) << formulation << " " << integrator;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 6);
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    RunOptions options = options_of(formulation, 1e-3, kSleighUntil);
    options.step_control = "error";
    options.relative_tolerance = options.absolute_tolerance = 1e-8;
    EXPECT_LT(sleigh_error(sleigh, finish(mechanism, options).last), 1e-4) << formulation;
  }
}

/// With its edge below the mass centre a skate that turns at w goes up and down a slope along a cycloid and never
/// leaves it sideways: with a = g sin(slope)
///     x = a / (4 w^2) (1 - cos 2 w t),   y = a / (2 w) (t - sin(2 w t) / (2 w)),   force 2 m a sin(w t)
TEST(KnifeEdge, SkateOnASlopeDrawsACycloid) {
  constexpr double a = 3.1, w = 2.2, t = 2, m = 0.8;
  int runs = 0;
  for (const bool planar : {true, false}) {
    const RandomPlace place(planar ? 5 : 6, planar);
    MechanismBuilder b("skate");
    if (planar) b.planar();
    const Vec3 normal = place.along(0, 0, 1);
    b.gravity(a * place.along(1, 0) - (planar ? 0 : 5.0) * normal);
    if (planar) {
      b.body("skate", m, place.at(0, 0), 0.1).free("ice", "ground", "skate");
    } else {
      b.body("skate", m, place.at(0, 0), Mat3(Vec3(0.1, 0.1, 0.1).asDiagonal()));
      b.planar_joint("ice", "ground", "skate", place.at(0, 0), normal);
    }
    b.add(KnifeEdgeSpec{.name = "edge", .body2 = "skate", .axis = place.along(0, 1)});
    b.velocity("skate", Vec3::Zero()).angular_velocity("skate", w * normal);
    const Mechanism mechanism = b.build();
    const Vec3 expected = place.at(0, 0) + place.along(a / (4 * w * w) * (1 - std::cos(2 * w * t)),
                                                       a / (2 * w) * (t - std::sin(2 * w * t) / (2 * w)));
    for (const char* formulation : kAllFormulations) {
      for (const auto& [integrator, step] : {std::pair("trapezoidal", 2.5e-4), std::pair("rk4", 5e-3)}) {
        const FinishedRun run = finish(mechanism, options_of(formulation, step, t, integrator));
        EXPECT_LT((place_of(run.last, "skate", planar) - expected).norm(), 1e-6) << formulation << " " << integrator;
        EXPECT_NEAR(run.last["edge.force"], 2 * m * a * std::sin(w * t), 1e-4) << formulation << " " << integrator;
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 20);
}

/// The same edge twice, and one beside it along its own axis, say nothing new.
TEST(KnifeEdge, RedundantOnesChangeNothing) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    const Sleigh sleigh(7, planar);
    MechanismBuilder b = sleigh.builder();
    const Vec3 axis = sleigh.place.along(0, 1);
    b.add(KnifeEdgeSpec{.name = "again", .body2 = "sleigh", .at = sleigh.place.at(0, 0), .axis = axis});
    b.add(KnifeEdgeSpec{.name = "beside", .body2 = "sleigh", .at = sleigh.place.at(0, 0.3), .axis = Direction(-axis)});
    const Mechanism mechanism = b.build();
    for (const char* formulation : kAllFormulations) {
      for (const auto& [integrator, step] :
           {std::pair("trapezoidal", 5e-4), std::pair("rk4", 5e-3), std::pair("dopri5", 5e-3),
            std::pair("sdirk4", 5e-3), std::pair("bdf", 5e-3)}) {
        if (!why_not(formulation, integrator).empty()) continue;
        RunOptions options = options_of(formulation, step, kSleighUntil, integrator);
        if (chooses_steps(formulation, integrator)) options.relative_tolerance = options.absolute_tolerance = 1e-9;
        const FinishedRun run = finish(mechanism, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << " " << integrator << " " << run.summary.reason;
        EXPECT_LT(sleigh_error(sleigh, run.last), 2e-6) << formulation << " " << integrator;
        EXPECT_EQ(run.summary.redundant_constraints, 2) << formulation << " " << integrator;
        EXPECT_EQ(run.summary.velocity_degrees_of_freedom, 2) << formulation << " " << integrator;
        EXPECT_NEAR(run.last["blade.force"] + run.last["again.force"] - run.last["beside.force"],
                    sleigh.force(kSleighUntil), 1e-4)
            << formulation << " " << integrator;
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 2 * (3 * 4 + 2 + 5));
}

TEST(KnifeEdge, RestoredARunGoesOnBitForBit) {
  int combinations = 0;
  for (const bool planar : {true, false}) {
    const Mechanism mechanism = Sleigh(8, planar).build();
    for (const char* formulation : kAllFormulations) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation, integrator.name).empty()) continue;
        const std::string what = std::string(formulation) + " " + std::string(integrator.name);
        const RunOptions options = options_of(formulation, 5e-3, 1, std::string(integrator.name));
        Simulation one(mechanism, options), two(mechanism, options);
        for (int i = 0; i < 15; ++i) ASSERT_EQ(one.step(), StepStatus::ok) << what;
        const Context saved = one.state();
        for (int i = 0; i < 15; ++i) ASSERT_EQ(one.step(), StepStatus::ok) << what;
        two.restore(saved);
        for (int i = 0; i < 15; ++i) ASSERT_EQ(two.step(), StepStatus::ok) << what;
        EXPECT_TRUE(one.state().q == two.state().q) << what;
        EXPECT_TRUE(one.state().v == two.state().v) << what;
        EXPECT_TRUE(one.state().lambda == two.state().lambda) << what;
        ++combinations;
      }
    }
  }
  EXPECT_GE(combinations, 80);
}

/// Velocities across the edge contradict it; those that are left open follow from it.
TEST(KnifeEdge, InitialVelocitiesRespectIt) {
  const Sleigh sleigh(9, true);
  MechanismBuilder b = sleigh.turning_builder();
  b.velocity("sleigh", sleigh.velocity(0) + 0.1 * sleigh.left(0));
  const Mechanism across = b.build();
  try {
    Simulation(across, options_of("hybrid", 1e-3, 1));
    ADD_FAILURE() << "a velocity across the edge was taken";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("initial values of body 'sleigh'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("contradict each other, the joints or the constraints"), std::string::npos);
  }
  MechanismBuilder turned = sleigh.turning_builder();
  for (const char* formulation : kAllFormulations) {
    const FinishedRun run = finish(turned.build(), options_of(formulation, 1e-3, 1e-3));
    const Vec3 blade = velocity_of(run.last, "sleigh", true) - sleigh.ahead * run.last["sleigh.w"] * sleigh.left(1e-3);
    EXPECT_NEAR(blade.dot(sleigh.left(0)), 0, 1e-2) << formulation;
    EXPECT_GT(std::abs(run.last["sleigh.w"]), 0.1) << formulation;
  }
}

}  // namespace
}  // namespace cardan
