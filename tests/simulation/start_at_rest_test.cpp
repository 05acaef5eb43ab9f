// A run that starts from the equilibrium stays there: positions, and states with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

/// An arm that a hydraulic cylinder holds against gravity, at the angle that a controller asks for.
const char* const kArm = R"(cardan: 1
name: lifted-arm
points: {pivot: [0, 0, 0.5], foot: [0.4, 0, 0], eye: [0.8, 0, 0.45]}
bodies: {arm: {box: [2, 0.1, 0.15], at: [1, 0, 0.5], mass: 120}}
joints: {hinge: {revolute: [ground, arm], at: pivot, axis: -y}}
inputs: {goal: {start: 0.3, unit: rad}}
loads:
  control: {pid: goal - hinge.q, kp: 8, ki: 2, kd: 0.5, min: -1, max: 1}
  jack: {cylinder: [ground, arm], at: [foot, eye], bore: 0.06, rod: 0.035, retracted: 0.45, stroke: 0.4, viscous: 2e3}
  valve: {valve: jack, supply: pump, command: control, rated_flow: 3e-4}
  pump: {pump: 3e-4, volume: 1e-3, start: 5e6, relief: 1.2e7}
simulation: {until: 0.5, step: 0.002}
)";

double largest_move(const std::string& formulation, const std::string& start) {
  const Mechanism mechanism = read_mechanism_text(kArm, "arm.yaml");
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.start = start;
  Simulation simulation(mechanism, options);
  const Vec3 before = simulation.body(0).position;
  double largest = 0;
  int steps = 0;
  for (; steps < 250 && simulation.step() == StepStatus::ok; ++steps)
    largest = std::max(largest, (simulation.body(0).position - before).norm());
  EXPECT_EQ(steps, 250) << formulation;
  return largest;
}

TEST(StartAtRest, PressuresAndControllersAreAtRestToo) {
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    EXPECT_LT(largest_move(formulation, "equilibrium"), 1e-6) << formulation;
    EXPECT_GT(largest_move(formulation, "drawn"), 1e-3) << formulation << ": without pressure it sinks";
  }
}

}  // namespace
}  // namespace cardan
