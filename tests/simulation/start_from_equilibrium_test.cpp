// Runs that start from the static equilibrium, and what the linearization there
// says of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/sprung_vehicle.hpp"
#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr double kGravity = 9.81;

std::complex<double> entry(const Linearization& l, const Mode& mode, const std::string& column) {
  const auto found = std::find(l.columns.begin(), l.columns.end(), column);
  if (found == l.columns.end()) throw std::out_of_range(column);
  return mode.shape[found - l.columns.begin()];
}

TEST(StartFromEquilibrium, StaysAtRest) {
  const Mechanism m = sprung_vehicle(0.02);
  const Equilibrium e = find_equilibrium(m);
  for (const char* formulation : {"global", "hybrid", "topological", "recursive", "cartesian"}) {
    RunOptions options = options_of(formulation, 0.005, 0.2);
    options.start = "equilibrium";
    const FinishedRun run = finish(m, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
    EXPECT_EQ(run.summary.start, "equilibrium");
    EXPECT_NEAR(run.last["chassis.z"], e.value("chassis.z"), 1e-8) << formulation;
    EXPECT_NEAR(run.last["chassis.vz"], 0, 1e-6) << formulation;
    EXPECT_NEAR(run.last["fl_slide.q"], e.value("fl_slide.q"), 1e-8) << formulation;
  }
}

TEST(StartFromEquilibrium, KeepsTheInitialVelocities) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -kGravity, 0});
  b.rod("arm", Place(0, 0), Place(1, 0), 2).revolute("pin", "ground", "arm", Place(0, 0));
  b.joint_velocity("pin", 0.3);
  RunOptions options = options_of("hybrid", 0.001, 0.01);
  options.start = "equilibrium";
  Simulation simulation(b.build(), options);
  const BodyMotion arm = simulation.body(0);
  EXPECT_NEAR(arm.position.y(), -0.5, 1e-9);
  EXPECT_NEAR(arm.velocity.x(), 0.15, 1e-9);
}

TEST(StartFromEquilibrium, IsRefusedWhereThereIsNone) {
  MechanismBuilder b("falling");
  b.planar().gravity({0, -kGravity, 0});
  b.box("stone", {1, 1, 1}, Place(0, 0), 5).free("nothing", "ground", "stone");
  RunOptions options;
  options.start = "equilibrium";
  EXPECT_THROW(Simulation(b.build(), options), ModelError);
  options.start = "equilibrum";
  EXPECT_THROW(options.check(), std::invalid_argument);
}

Mechanism sprung_four_bar(double damping) {
  MechanismBuilder b("four-bar");
  b.planar().gravity({0, -kGravity, 0});
  b.rod("crank", Place(0, 0), Place(0.2, 0.9), 1.2).rod("coupler", Place(0.2, 0.9), Place(1.5, 1.2), 0.8);
  b.rod("rocker", Place(1.4, 0), Place(1.5, 1.2), 1.5);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0.2, 0.9));
  b.revolute("c", "coupler", "rocker", Place(1.5, 1.2)).revolute("d", "ground", "rocker", Place(1.4, 0));
  b.torsion("torsion", "a", 40, damping).spring("spring", "ground", "coupler", Place(0.2, 2), Place(0.8, 1), 150);
  return b.build();
}

TEST(StartFromEquilibrium, SwingsAsTheModesSay) {
  const Mechanism m = sprung_four_bar(0);
  const Equilibrium e = find_equilibrium(m);
  ASSERT_TRUE(e.converged) << e.reason;
  const Linearization l = linearize(m, e);
  ASSERT_EQ(l.modes.size(), 1U);

  Mechanism struck = m;
  struck.joints[0].initial_velocity = 1e-3;
  RunOptions options = options_of("hybrid", 2e-4, 1);
  options.start = "equilibrium";
  Simulation simulation(struck, options);
  // The crank's speed is a cosine: the times at which it changes sign are half
  // a period apart.
  std::vector<double> crossings;
  double before = simulation.body(0).angular_velocity.z();
  while (crossings.size() < 9) {
    ASSERT_EQ(simulation.step(), StepStatus::ok);
    const double now = simulation.body(0).angular_velocity.z();
    if (now * before < 0) crossings.push_back(simulation.time() - options.step * now / (now - before));
    before = now;
    ASSERT_LT(simulation.time(), 20);
  }
  const double period = 2 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(l.modes[0].frequency * period, 1, 2e-6);
  // And the coupler moves with the crank as the shape says.
  const double ratio = simulation.body(1).angular_velocity.z() / simulation.body(0).angular_velocity.z();
  EXPECT_NEAR((entry(l, l.modes[0], "coupler.angle") / entry(l, l.modes[0], "crank.angle")).real(), ratio, 1e-3);
}

TEST(StartFromEquilibrium, DecaysAsTheModesSay) {
  const Mechanism m = sprung_four_bar(0.8);
  const Equilibrium e = find_equilibrium(m);
  const Linearization l = linearize(m, e);
  ASSERT_EQ(l.modes.size(), 1U);
  const std::complex<double> s = l.modes[0].eigenvalue;
  ASSERT_LT(s.real(), -0.01);
  Mechanism struck = m;
  struck.joints[0].initial_velocity = 1e-4;
  RunOptions options = options_of("hybrid", 2e-4, 1);
  options.start = "equilibrium";
  Simulation simulation(struck, options);
  while (simulation.time() < 0.7) ASSERT_EQ(simulation.step(), StepStatus::ok);
  // x(0) = 0, x'(0) = v: x' = v e^(Re t) (cos wt + Re / w sin wt)
  const double t = simulation.time(), w = s.imag();
  const double expected = 1e-4 * std::exp(s.real() * t) * (std::cos(w * t) + s.real() / w * std::sin(w * t));
  EXPECT_NEAR(simulation.body(0).angular_velocity.z(), expected, 1e-8);
}

/// An arm that a hydraulic cylinder holds against gravity, at the angle that a controller asks for.
const char* const kArm = R"(cardan: 1
name: lifted-arm
points: {pivot: [0, 0, 0.5], foot: [0.4, 0, 0], eye: [0.8, 0, 0.45]}
bodies: {arm: {box: [2, 0.1, 0.15], at: [1, 0, 0.5], mass: 120}}
joints: {hinge: {revolute: [ground, arm], at: pivot, axis: -y}}
inputs: {goal: {start: 0.3, unit: rad}}
loads:
  control: {pid: goal - hinge.q, kp: 8, kd: 0.5, min: -1, max: 1}
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

TEST(StartFromEquilibrium, PressuresAndControllersAreAtRestToo) {
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    EXPECT_LT(largest_move(formulation, "equilibrium"), 1e-6) << formulation;
    EXPECT_GT(largest_move(formulation, "drawn"), 1e-3) << formulation << ": without pressure it sinks";
  }
}

}  // namespace
}  // namespace cardan
