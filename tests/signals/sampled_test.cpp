// Controllers that are sampled: their values between samples are held, and each sample sees the ones before.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// A mass on a line, pushed by what a sampled law of its place and speed says.
Mechanism cart(const std::string& signals) {
  return read_mechanism_text(R"(
cardan: 1
name: cart
gravity: [0, 0, 0]
points: {A: [0.3, -0.2, 0.7], B: [1.1, 0.6, 0.2]}
bodies: {cart: {mass: 2, center: A, inertia: [1, 1, 1]}}
joints: {rail: {prismatic: [ground, cart], at: A, axis: [A, B]}}
initial: {rail: {position: 0.4}}
loads: {motor: {actuator: rail, effort: u}}
signals:
)" + signals,
                             "cart.yaml");
}

/// x+ = F x with F from exp of the double integrator over a period: exact.
TEST(Sampled, ALinearLoopMovesAsItsRecursion) {
  const Mechanism mechanism = cart("  u: {value: -40*rail.q - 9*rail.v, every: 0.05}\n");
  const double T = 0.05, m = 2;
  double q = 0.4, v = 0, u = 0;
  for (int k = 0; k < 31; ++k) {
    u = -40 * q - 9 * v;
    const double a = u / m, h = k < 30 ? T : 0.02;
    q += v * h + a * h * h / 2;
    v += a * h;
  }
  int ran = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty() || integrator.name == "newmark") continue;
      RunOptions options = options_of(std::string(formulation.name), 0.013, 1.52, std::string(integrator.name));
      if (chooses_steps(formulation.name, integrator.name))
        options.absolute_tolerance = options.relative_tolerance = 1e-10;
      const FinishedRun run = finish(mechanism, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double exact = integrator.name == "bdf" ? 1e-5 : 1e-9;
      EXPECT_NEAR(run.last["rail.q"], q, exact) << formulation.name << " " << integrator.name;
      EXPECT_NEAR(run.last["rail.v"], v, 10 * exact) << formulation.name << " " << integrator.name;
      EXPECT_NEAR(run.last["u"], u, 100 * exact) << formulation.name << " " << integrator.name;
      ++ran;
    }
  }
  EXPECT_GE(ran, 34);
}

/// After 334,586 steps the sum of their lengths is off by a millionth of one: samples stay at the ends of steps.
TEST(Sampled, ALongRunTakesNoStepsMore) {
  const Mechanism mechanism = cart("  u: {value: -40*(rail.q - sin(t)) - 9*rail.v, every: 0.001}\n");
  Simulation simulation(mechanism, options_of("hybrid", 0.001, 1000, "trapezoidal"));
  constexpr int kSteps = 400'000;
  for (int i = 0; i < kSteps; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_GT(std::abs(simulation.time() - 1e-3 * kSteps), 1e-9);
  EXPECT_EQ(simulation.summary().steps, kSteps);
}

/// A sum over samples names itself; two that are due at once see each other's values before; accelerations may be seen.
TEST(Sampled, RememberAndSeeWhatIsKnownLate) {
  const Mechanism mechanism = cart(
      "  u: {value: 3, every: 1}\n"
      "  sum: {value: sum + 0.5, every: 0.1, start: 1}\n"
      "  late: {value: sum, every: 0.1}\n"
      "  felt: {value: acceleration.x, every: 0.2}\n"
      "  acceleration: {acceleration: cart}\n");
  const FinishedRun run = finish(mechanism, options_of("hybrid", 0.03, 0.95));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_NEAR(run.last["sum"], 1 + 0.5 * 10, 1e-12);
  EXPECT_NEAR(run.last["late"], 1 + 0.5 * 9, 1e-12);
  EXPECT_NEAR(run.last["felt"], run.last["acceleration.x"], 1e-9);
  EXPECT_GT(std::abs(run.last["felt"]), 0.1);
}

TEST(Sampled, GoOnFromASavedStateBitForBit) {
  const Mechanism mechanism =
      cart("  u: {value: -40*rail.q - 9*rail.v - sum, every: 0.05}\n  sum: {value: sum + rail.q, every: 0.02}\n");
  for (const std::string integrator : {"trapezoidal", "rk4", "dopri5", "sdirk4", "bdf"}) {
    RunOptions options = options_of(integrator == "bdf" ? "cartesian" : "hybrid", 0.013, 2, integrator);
    Simulation one(mechanism, options), two(mechanism, options);
    for (int i = 0; i < 40; ++i) ASSERT_EQ(one.step(0.013), StepStatus::ok);
    two.restore(one.state());
    for (int i = 0; i < 40; ++i) {
      ASSERT_EQ(one.step(0.013), StepStatus::ok);
      ASSERT_EQ(two.step(0.013), StepStatus::ok);
    }
    EXPECT_EQ(one.state().q, two.state().q) << integrator;
    EXPECT_EQ(one.state().inputs, two.state().inputs) << integrator;
  }
}

TEST(Sampled, TakeNoValuesFromOutside) {
  Simulation simulation(cart("  u: {value: 1, every: 0.1}\n"), options_of("hybrid", 0.01, 1));
  EXPECT_THROW(simulation.set_input(simulation.input("u"), 1), std::invalid_argument);
}

TEST(Sampled, ANumberThatIsNoneIsNamedWithItsTime) {
  const Mechanism mechanism = cart("  u: {value: sqrt(rail.q - 0.1*t - 0.35), every: 0.1}\n");
  const FinishedRun run = finish(mechanism, options_of("hybrid", 0.01, 2));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.reason.find("sqrt(rail.q - 0.1*t - 0.35)"), std::string::npos) << run.summary.reason;
  const Mechanism always = cart("  u: log(0.2 - t)\n");
  const FinishedRun ends = finish(always, options_of("hybrid", 0.01, 2));
  EXPECT_EQ(ends.summary.status, RunStatus::failed);
  EXPECT_NE(ends.summary.reason.find("signal 'u' is not a number"), std::string::npos) << ends.summary.reason;
  EXPECT_NE(ends.summary.reason.find("t = 0.1"), std::string::npos) << ends.summary.reason;
}

TEST(Sampled, BadPeriodsAreRefused) {
  for (const std::string bad : {"{value: 1, every: 0}", "{value: 1, every: -1}", "{value: 1, start: 2}"})
    EXPECT_THROW(cart("  u: " + bad + "\n"), ModelError) << bad;
}

}  // namespace
}  // namespace cardan
