// gauss4: order on open and closed mechanisms anywhere in space, energy over long runs, frequencies beyond the step.
#include <gtest/gtest.h>

#include <cmath>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Gauss4, HasOrderFourInEveryFormulation) {
  int measured = 0;
  for (const Mechanism& mechanism : {open_chain(31), spatial_loop(32), chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("topological", 2.5e-4, 0.48, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const char* formulation : {"global", "hybrid", "topological", "cartesian"}) {
      double error[2];
      for (int i = 0; i < 2; ++i) {
        const FinishedRun run = finish(mechanism, options_of(formulation, 0.012 / (1 + i), 0.48, "gauss4"));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_EQ(run.summary.stagnated_steps, 0) << mechanism.name << " " << formulation;
        error[i] = LastSample::difference(run.last, reference.last, mechanism);
      }
      EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.3)
          << mechanism.name << " " << formulation << " " << error[0] << " " << error[1];
      ++measured;
    }
  }
  EXPECT_EQ(measured, 16);
}

/// An arm that swings on a shaft that turns, anywhere: a regular motion, with a mass matrix that goes with it.
Mechanism swing_on_a_shaft(unsigned seed) {
  const RandomPlace place(seed, false);
  MechanismBuilder b("swing on a shaft");
  b.gravity(9.81 * place.along(0, -1));
  b.rod("shaft", place.at(0, -0.2), place.at(0, 0.2), 0.5, 0.05 * place.size());
  b.rod("arm", place.at(0, 0), place.at(0.8, -0.6), 2, 0.05 * place.size());
  b.revolute("bearing", "ground", "shaft", place.at(0, 0), place.along(0, 1));
  b.revolute("hinge", "shaft", "arm", place.at(0, 0), place.along(0, 0, 1));
  b.joint_velocity("bearing", 3);
  return b.build();
}

/// Symmetric, and symplectic where M is constant: the energy goes up and down and stays, where that of rk4 goes one
/// way.
TEST(Gauss4, KeepsTheEnergyOverLongRuns) {
  for (const unsigned seed : {33u, 35u}) {
    const Mechanism mechanism = swing_on_a_shaft(seed);
    const auto lost = [&](const std::string& formulation, const std::string& integrator, double until) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 0.03, until, integrator));
      EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      return std::abs(run.summary.energy_max_error);
    };
    for (const char* formulation : {"hybrid", "topological"}) {
      const double early = lost(formulation, "gauss4", 6), late = lost(formulation, "gauss4", 60);
      const double other_early = lost(formulation, "rk4", 6), other_late = lost(formulation, "rk4", 60);
      EXPECT_LT(late, 1.5 * early) << seed << formulation;
      EXPECT_GT(other_late, 2.5 * other_early) << seed << formulation;
    }
  }
}

/// R(i y) = 1 in size for every y: a vibration of which a step sees nothing keeps its amplitude, and the step stays
/// stable.
TEST(Gauss4, KeepsVibrationsThatItCannotResolve) {
  MechanismBuilder b("oscillator");
  b.planar().gravity({0, 0, 0});
  b.body("mass", 1, Place(0.6, 0.8), 1.0);
  b.prismatic("slide", "ground", "mass", Place(0.6, 0.8), Direction(0.6, 0.8));
  b.add(JointSpringSpec{.name = "spring", .joint = "slide", .torsion = false, .stiffness = Number(4e6)});
  b.joint_position("slide", 0.1);
  for (const char* formulation : {"global", "hybrid", "topological", "cartesian"}) {
    const RunSummary summary = finish(b.build(), options_of(formulation, 0.01, 1, "gauss4")).summary;
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_NEAR(summary.energy_final / summary.energy_initial, 1, 1e-8) << formulation;
  }
}

/// The error of twice the step, over 2^4 - 1.
TEST(Gauss4, ItsErrorIsEstimatedByItsOrder) {
  const Mechanism mechanism = open_chain(34);
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 5e-4, 1, "rk4"));
  RunControl control;
  control.estimate_error = true;
  FinishedRun run;
  const RunOptions options = options_of("hybrid", 0.02, 1, "gauss4");
  run.summary = cardan::run(mechanism, options, &run.last, {}, nullptr, control);
  double truth = 0;
  for (const Body& body : mechanism.bodies) {
    const auto place = [&](const LastSample& s) {
      return s.vector(body.name + ".x", body.name + ".y", body.name + ".z");
    };
    truth = std::max(truth, (place(run.last) - place(reference.last)).norm());
  }
  truth /= Simulation(mechanism, options).length();
  EXPECT_GT(run.summary.error_estimate, truth / 3);
  EXPECT_LT(run.summary.error_estimate, 10 * truth);  // it is the largest on the way, and of rotations too
}

}  // namespace
}  // namespace cardan
