// The driven Iltis: it drives over hills and stairs faster than real time, stops, parks, and corners as the bicycle
// model says.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/io.hpp"
#include "last_sample.hpp"
#include "studies/iltis_cornering/cornering_run.hpp"

namespace cardan {
namespace {

TEST(DrivenIltis, IsAVehicleOfFourteenFreedomsAndARack) {
  const Mechanism iltis = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
  EXPECT_TRUE(iltis.warnings.empty());
  for (const char* formulation : {"hybrid", "global", "topological", "recursive", "cartesian"}) {
    const FormulationCounts counts = count_coordinates(iltis, formulation);
    EXPECT_EQ(counts.degrees_of_freedom, 15) << formulation;  // the rack is driven
    EXPECT_TRUE(counts.redundant.empty()) << formulation;
  }
}

TEST(DrivenIltis, DrivesOverHillsAndDownTheStairs) {
  const Mechanism iltis = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
  for (const char* formulation : {"hybrid", "global"}) {
    const FinishedRun run = finish(iltis, options_of(formulation, 0.001, 18));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GT(run.last["chassis.x"], 90);
    EXPECT_NEAR(run.last["chassis.y"], 0, 1e-3);
    EXPECT_NEAR(run.last["chassis.z"], 0.5 + 0.56, 0.1);
    EXPECT_EQ(run.summary.allocations, 0) << formulation;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 20);  // of 23 kJ
  }
}

TEST(DrivenIltis, CornersAsTheBicycleModelSays) {
  const BicycleModel bicycle(cornering_iltis(10));
  const RollTest roll(800);
  int compared = 0;
  for (const double speed : {5.0, 10.0, 20.0}) {
    for (const double side : {1.0, -1.0}) {
      SCOPED_TRACE(speed * side);
      const SteadyCornering c = corner(speed, side * linear_steer(speed));
      EXPECT_NEAR(c.speed, speed, 1e-3);
      EXPECT_GT(c.acceleration() * side, 0.2);
      const auto m =
          bicycle.steady(c.speed, {c.mean(c.steer, 0), c.mean(c.steer, 1)}, {c.mean(c.camber, 0), c.mean(c.camber, 1)});
      EXPECT_NEAR(c.yaw_rate / m.yaw_rate, 1, 0.03);
      for (int axle = 0; axle < 2; ++axle)
        EXPECT_NEAR(c.axle_force(axle) / m.force[static_cast<std::size_t>(axle)], 1, 0.03) << axle;
      EXPECT_NEAR((c.axle_force(0) + c.axle_force(1)) / (bicycle.mass * c.acceleration()), 1, 0.005);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(c.side_force[i] / published_side_force(c.load[i], c.slip[i], c.camber[i]), 1, 0.005) << i;
      EXPECT_NEAR(c.roll / roll.roll(c), 1, 0.03);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace cardan
