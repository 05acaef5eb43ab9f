// The digging cycle: it digs, formulations agree, the rule keeps its order with hydraulic states, energy is accounted
// for.
#include <gtest/gtest.h>

#include <cmath>

#include "last_sample.hpp"
#include "studies/excavator/digging_cycle.hpp"

namespace cardan {
namespace {

TEST(Excavator, DigsLiftsSwingsAndDumps) {
  const Mechanism machine = digging_machine();
  const FormulationCounts counts = count_coordinates(machine, "hybrid");
  EXPECT_EQ(counts.degrees_of_freedom, 4);
  EXPECT_TRUE(counts.redundant.empty());
  EXPECT_TRUE(machine.warnings.empty());
  EXPECT_EQ(machine.states.size(), 13u);
  const DiggingRun run = dig(machine, "hybrid", 0.005);
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LE(run.summary.iterations, 3 * run.summary.steps);
  EXPECT_GT(run.deepest, 0.4);
  EXPECT_LT(run.tip[300].x(), 3);                                      // drawn in after 6 s
  EXPECT_GT(run.tip[360].z(), 3);                                      // lifted
  EXPECT_GT(std::atan2(run.tip.back().y(), run.tip.back().x()), 1.4);  // swung to the side
  EXPECT_LT(run.largest_pressure, 3.7e7);
  EXPECT_GT(run.smallest_pressure, -1e5);  // fluid is nowhere torn apart
  EXPECT_LT(run.largest_power, 1.1e5);
  // Energy, to 0.1 % of what was given.
  EXPECT_GT(run.energy.digging, 2e4);
  EXPECT_GT(run.energy.valves, 5e4);
  EXPECT_LT(std::abs(run.energy.error()), 1e-3 * run.energy.given());
}

TEST(Excavator, RunsWithoutAllocating) {
  for (const char* formulation : {"hybrid", "global", "topological"}) {
    const FinishedRun run = finish(digging_machine(), options_of(formulation, 0.005, 4));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
    EXPECT_EQ(run.summary.allocations, 0) << formulation;
  }
}

TEST(Excavator, MovesAlikeInEveryFormulation) {
  const Mechanism machine = digging_machine();
  const DiggingRun hybrid = dig(machine, "hybrid", 0.005);
  for (const char* formulation : {"global", "topological", "cartesian"}) {
    const DiggingRun run = dig(machine, formulation, 0.005);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
    EXPECT_LT(path_difference(run, hybrid), 5e-3) << formulation;
    EXPECT_LT(std::abs(run.energy.error()), 1e-3 * run.energy.given()) << formulation;
  }
}

TEST(Excavator, TheTrapezoidalRuleKeepsItsOrder) {
  const Mechanism machine = digging_machine();
  const DiggingRun exact = dig(machine, "hybrid", 3.125e-4);
  double error[2];
  for (int i = 0; i < 2; ++i) error[i] = path_difference(dig(machine, "hybrid", 0.005 / (1 << i)), exact);
  EXPECT_LT(error[0], 0.02);
  EXPECT_GT(std::log2(error[0] / error[1]), 1.8);
}

/// Left alone it stays where it is, held by its valves.
TEST(Excavator, HoldsItsPose) {
  Mechanism machine = digging_machine();
  for (Input& input : machine.inputs) input.track = {};
  const DiggingRun run = dig(machine, "hybrid", 0.01);
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT((run.tip.back() - run.tip.front()).norm(), 0.02);
}

}  // namespace
}  // namespace cardan
