// Drivers whose velocity jumps with the input that they follow: what hangs on them takes the impulse.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "every_method.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr double kJumpAt = 0.02;  // s
constexpr double kSpeed = 0.8;    // m/s that the cart has from then on, or at first

/// A cart that a driver moves, a uniform rod of 1 m that hangs from it at rest, and one more, on a loop of three links
/// beside it, that the same jump moves.
Mechanism cart(double lag) {
  const std::string text = R"(
cardan: 1
name: cart
planar: true
gravity: [0, 0]
inputs: {place: {start: 0, lag: )" +
                           std::to_string(lag) + R"(}}
points: {A: [2, 0], B: [2, 1], C: [3, 1], D: [3, 0]}
bodies:
  cart: {mass: 5, inertia: 1, center: [0, 0]}
  rod: {rod: [[0, 0], [0, -1]], mass: 2}
  crank: {rod: [A, B], mass: 1}
  coupler: {rod: [B, C], mass: 1}
  rocker: {rod: [D, C], mass: 1}
  tail: {rod: [B, [2, 2]], mass: 1}
joints:
  rail: {prismatic: [ground, cart], at: [0, 0], axis: x}
  pin: {revolute: [cart, rod], at: [0, 0]}
  a: {revolute: [ground, crank], at: A}
  b: {revolute: [crank, coupler], at: B}
  c: {revolute: [coupler, rocker], at: C}
  d: {revolute: [ground, rocker], at: D}
  swivel: {revolute: [coupler, tail], at: B}
drivers:
  push: {joint: rail, position: place}
  turn: {joint: a, position: -place}
)";
  return read_mechanism_text(text, "cart.yaml");
}

/// The pivot of a rod at rest takes the speed u across it: m u/4 at the pivot, 3/2 u/l about it. The coupler of a
/// parallelogram does not turn, so that the tail's pivot moves with speed u, too.
void expect_jump(const Mechanism& m, const RunOptions& options) {
  LastSample last;
  const RunSummary summary = run(m, options, &last);
  ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
  EXPECT_NEAR(last["rail.v"], kSpeed, 2e-4);
  EXPECT_NEAR(last["rod.w"], -1.5 * kSpeed, 1e-3);
  EXPECT_NEAR(last["coupler.w"], 0, 1e-6);
  EXPECT_NEAR(last["tail.w"], 1.5 * kSpeed, 1e-3);
  // All that the bodies have now was booked where the velocities jumped.
  EXPECT_LT(std::abs(summary.energy_max_error), 1e-3 * summary.energy_final);
}

TEST(DrivenInputs, WhatHangsOnADriverTakesTheImpulseOfItsInput) {
  const double lag = 0.5;
  Mechanism m = cart(lag);
  m.inputs[0].track = {.t = {0, kJumpAt}, .value = {0, kSpeed * lag}};
  const int runs = with_every_method(1e-3, kJumpAt + 1e-4, 1e-9, [&](RunOptions options) { expect_jump(m, options); });
  EXPECT_GE(runs, 36);
}

TEST(DrivenInputs, ACornerOfAStraightInputIsAnImpulseToo) {
  Mechanism m = cart(0);
  m.inputs[0].track = {.t = {0, kJumpAt, kJumpAt + 1}, .value = {0, 0, kSpeed}, .held = false};
  with_every_method(1e-3, kJumpAt + 1e-4, 1e-9, [&](RunOptions options) { expect_jump(m, options); });
}

/// Inputs of a program go the same way: they jump back before anything has moved.
TEST(DrivenInputs, AJumpThereAndBackLeavesNothing) {
  const double lag = 0.5;
  with_every_method(1e-3, 1, 1e-9, [&](const RunOptions& options) {
    Simulation simulation(cart(lag), options);
    ASSERT_EQ(simulation.step(), StepStatus::ok);
    simulation.set_input(0, kSpeed * lag);
    ASSERT_EQ(simulation.step_to_event(1e-7), StepStatus::ok);
    EXPECT_NEAR(simulation.body("rod").angular_velocity.z(), -1.5 * kSpeed, 1e-5);
    simulation.set_input(0, 0);
    ASSERT_EQ(simulation.step_to_event(1e-7), StepStatus::ok);
    EXPECT_NEAR(simulation.body("rod").angular_velocity.z(), 0, 1e-5);
    EXPECT_NEAR(simulation.body("tail").angular_velocity.z(), 0, 1e-5);
  });
}

}  // namespace
}  // namespace cardan
