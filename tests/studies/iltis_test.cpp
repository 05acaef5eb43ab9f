// The Iltis against what was published of it.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"
#include "studies/iltis/vehicle_run.hpp"

namespace cardan {
namespace {

Mechanism model(const std::string& name) { return read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/" + name); }

RunOptions vehicle(const Mechanism& mechanism, const std::string& formulation, double step, double until) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.step = step;
  options.until = until;
  return options;
}

TEST(Iltis, HasThePublishedCounts) {
  const FormulationCounts relative = count_coordinates(model("iltis.yaml"), "hybrid");
  EXPECT_EQ(relative.coordinates, 26);
  EXPECT_EQ(relative.constraints, 16);
  EXPECT_EQ(relative.degrees_of_freedom, 10);
  EXPECT_LE(count_coordinates(model("iltis.yaml"), "global").coordinates, 168);
  const FormulationCounts suspension = count_coordinates(model("iltis_suspension.yaml"), "hybrid");
  EXPECT_EQ(suspension.coordinates, 8);
  EXPECT_EQ(suspension.degrees_of_freedom, 2);
  EXPECT_LE(count_coordinates(model("iltis_suspension.yaml"), "global").coordinates, 27);  // published: 25
}

// Column "Benchmark" of the nominal report of the Robotran model.
TEST(Iltis, HasThePublishedForcesAsDrawn) {
  Mechanism mechanism = model("iltis.yaml");
  Simulation simulation(mechanism, RunOptions::for_mechanism(mechanism));
  std::vector<double> row(simulation.columns().size());
  simulation.sample(row.data());
  const auto value = [&](const std::string& column) {
    const auto found = std::find(simulation.columns().begin(), simulation.columns().end(), column);
    return row.at(static_cast<std::size_t>(found - simulation.columns().begin()));
  };
  for (const char* corner : {"front_left", "front_right", "rear_left", "rear_right"}) {
    EXPECT_NEAR(value(std::string(corner) + "/leaf_spring.force"), -2728.9, 0.2);
    EXPECT_NEAR(value(std::string(corner) + "/shock.force"), -128.0, 0.2);
    EXPECT_NEAR(value(std::string(corner) + "/tyre.load"), corner[0] == 'f' ? 3829.6 : 3593.6, 0.2);
  }
}

// The equilibrium report of the Robotran model: -7.083 mm, 0.1465 degrees, 3831.31 N, 3591.91 N. Its leaf links have no
// mass.
TEST(Iltis, RestsWhereAnIndependentModelDoes) {
  const Mechanism mechanism =
      read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/iltis.yaml", {{"leaf_mass", 0.0}});
  const Equilibrium rest = find_equilibrium(mechanism);
  ASSERT_TRUE(rest.converged) << rest.reason;
  EXPECT_LT(rest.force, 1e-6);
  EXPECT_NEAR(rest.bodies[0].position.z() - 0.57, -0.007083, 1e-6);
  EXPECT_NEAR(std::asin(-rest.bodies[0].rotation(2, 0)) * 57.29577951308232, 0.1465, 1e-4);
  for (const LoadValue& load : rest.loads) {
    if (load.name.ends_with("tyre"))
      EXPECT_NEAR(load.force, load.name[0] == 'f' ? 3831.31 : 3591.91, 0.02) << load.name;
  }
}

TEST(Iltis, MovesAlikeInEveryFormulationBeforeTheStairs) {
  const Mechanism mechanism = model("iltis.yaml");
  const VehicleRun first = run_vehicle(mechanism, vehicle(mechanism, "hybrid", 1e-3, 3), 0);
  ASSERT_FALSE(first.failed()) << first.summary.reason;
  for (const char* formulation : {"global", "topological", "recursive"}) {
    const VehicleRun other = run_vehicle(mechanism, vehicle(mechanism, formulation, 1e-3, 3), 0);
    ASSERT_FALSE(other.failed()) << formulation << ": " << other.summary.reason;
    EXPECT_LT(deviation(other, first.motion, 3).height, 1e-6) << formulation;
  }
}

TEST(Iltis, TakesTheStairsWithAllStepsUpToTwentyMilliseconds) {
  const Mechanism mechanism = model("iltis.yaml");
  const VehicleRun reference = run_vehicle(mechanism, vehicle(mechanism, "hybrid", 5e-4, 8), 0);
  ASSERT_FALSE(reference.failed()) << reference.summary.reason;
  EXPECT_GT(reference.peak_acceleration, 4.5 * 9.81);
  EXPECT_LT(reference.peak_acceleration, 6.5 * 9.81);
  for (const char* formulation : {"hybrid", "global", "topological"})
    for (const double step : {0.0075, 0.01, 0.0125, 0.015, 0.0175, 0.02})
      EXPECT_TRUE(is_good(run_vehicle(mechanism, vehicle(mechanism, formulation, step, 8), 0), reference.motion))
          << formulation << " " << step;
}

/// Between two stages a wheel leaves the ground, and one matrix serves neither: secants carry the iteration on.
TEST(Iltis, TakesTheStairsWithImplicitStages) {
  const Mechanism mechanism = model("iltis.yaml");
  const VehicleRun reference = run_vehicle(mechanism, vehicle(mechanism, "hybrid", 5e-4, 8), 0);
  ASSERT_FALSE(reference.failed()) << reference.summary.reason;
  for (const auto& [formulation, step] : {std::pair{"global", 0.01}, {"hybrid", 0.01}, {"topological", 0.01}}) {
    RunOptions options = vehicle(mechanism, formulation, step, 8);
    options.integrator = "sdirk3";
    const VehicleRun run = run_vehicle(mechanism, options, 0);
    EXPECT_TRUE(is_good(run, reference.motion)) << formulation << ": " << run.summary.reason;
  }
}

/// Where a good step follows a bad one it is luck, and does not count.
TEST(Iltis, GoodStepsAfterBadOnesDoNotCount) {
  StepScan scan;
  const auto add = [&](double step, double part, bool failed = false) {
    scan.steps.push_back({step, {part * kGoodHeight, 0.1 * part * kGoodPitch}, failed, 0});
  };
  add(0.01, 0.2), add(0.02, 0.6), add(0.03, 1.3), add(0.04, 0.9), add(0.05, 0.1, true);
  EXPECT_EQ(scan.all_within(), 0.02);
  EXPECT_EQ(scan.all_within(0.5), 0.01);
  EXPECT_EQ(scan.all_within(0.1), 0);
  EXPECT_EQ(scan.largest_good(), 0.04);
  EXPECT_EQ(scan.first_failed(), 0.05);
}

TEST(IltisSuspension, ClosesItsEnergyBalanceOverTheKerb) {
  const Mechanism mechanism = model("iltis_suspension.yaml");
  for (const char* formulation : {"hybrid", "global", "topological"}) {
    const RunSummary summary = run(mechanism, vehicle(mechanism, formulation, 1e-3, 7));
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_LT(std::abs(summary.energy_max_error), 0.5);
    ASSERT_EQ(summary.events.size(), 1u);
    EXPECT_LT(summary.events[0].energy, -10);  // half the square of the load over the tyre's stiffness
  }
}

}  // namespace
}  // namespace cardan
