// radau5: order on open and closed mechanisms anywhere in space, and what becomes of vibrations beyond the step.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Radau5, HasOrderFiveInEveryFormulation) {
  int measured = 0;
  for (const Mechanism& mechanism : {open_chain(41), spatial_loop(42), chain_in_space(), closed_four_bar()}) {
    const FinishedRun reference = finish(mechanism, options_of("topological", 2e-4, 0.48, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const char* formulation : {"global", "hybrid", "topological", "cartesian"}) {
      double error[2];
      for (int i = 0; i < 2; ++i) {
        const FinishedRun run = finish(mechanism, options_of(formulation, 0.024 / (1 + i), 0.48, "radau5"));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_EQ(run.summary.stagnated_steps, 0) << mechanism.name << " " << formulation;
        error[i] = LastSample::difference(run.last, reference.last, mechanism);
      }
      EXPECT_NEAR(std::log2(error[0] / error[1]), 5, 0.4)
          << mechanism.name << " " << formulation << " " << error[0] << " " << error[1];
      ++measured;
    }
  }
  EXPECT_EQ(measured, 16);
}

/// R(z) = (1 + 2/5 z + z^2/20) / (1 - 3/5 z + 3/20 z^2 - z^3/60): of an oscillator a step leaves |R(i w h)|^2 of the
/// energy, at any w h, and nothing in the end.
TEST(Radau5, TakesFromVibrationsWhatItsStabilityFunctionSays) {
  const double h = 0.01;
  for (const double wh : {0.5, 3.0, 20.0, 300.0}) {
    const std::complex<double> z(0, wh);
    const std::complex<double> R = (1.0 + 0.4 * z + 0.05 * z * z) / (1.0 - 0.6 * z + 0.15 * z * z - z * z * z / 60.0);
    EXPECT_LT(std::abs(R), 1);
    MechanismBuilder b("oscillator");
    b.planar().gravity({0, 0, 0});
    b.body("mass", 1, Place(0.6, 0.8), 1.0);
    b.prismatic("slide", "ground", "mass", Place(0.6, 0.8), Direction(0.6, 0.8));
    b.add(JointSpringSpec{
        .name = "spring", .joint = "slide", .torsion = false, .stiffness = Number(std::pow(wh / h, 2))});
    b.joint_position("slide", 0.1);
    const int steps = wh < 1 ? 100 : 2;
    for (const char* formulation : {"global", "hybrid", "topological", "cartesian"}) {
      const RunSummary summary = finish(b.build(), options_of(formulation, h, steps * h, "radau5")).summary;
      ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
      const double left = std::pow(std::norm(R), steps);
      EXPECT_NEAR(summary.energy_final / summary.energy_initial, left, 1e-6 * left + 1e-12) << formulation << wh;
    }
  }
}

}  // namespace
}  // namespace cardan
