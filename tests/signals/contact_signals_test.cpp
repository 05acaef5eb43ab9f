// Forces of contacts as signals: events wait for them, sampled controllers follow them, laws at every instant may not.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"

namespace cardan::contact_signals_test {
namespace {

/// A ball of 1 kg, 0.2 m above the floor.
Mechanism ball(const std::string& sections, const std::string& loads = "") {
  return read_mechanism_text(
      "cardan: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "roads: {floor: {plane: [0, 0, 0]}}\n"
      "bodies: {ball: {sphere: 0.1, at: [0, 0, 0.3], mass: 1}}\n"
      "joints: {ride: {free: [ground, ball]}}\n"
      "loads:\n"
      "  touch: {contact: [ball, floor], stiffness: 1e4, restitution: 0.1}\n" +
          loads + sections,
      "ball.yaml");
}
RunOptions method(std::string_view formulation, double until) {
  return options_of(std::string(formulation), 1e-3, until, formulation == "recursive" ? "rk4" : "trapezoidal");
}

TEST(ContactSignals, EventsWaitForForces) {
  const Mechanism mechanism = ball("events: {landed: {when: touch.load > 5, end: true}}\n");
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    const FinishedRun run = finish(mechanism, method(formulation.name, 1));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double meets = std::sqrt(2 * 0.2 / 9.81);
    EXPECT_GT(run.last["t"], meets) << formulation.name;
    EXPECT_LT(run.last["t"], meets + 5 / 1e4 / 1.98 + 1e-6) << formulation.name;  // damping makes it sooner
    EXPECT_NEAR(run.last["touch.load"], 5, 0.5) << formulation.name;
    ++runs;
  }
  EXPECT_EQ(runs, 5);
}

/// Lifted by half of what the floor was seen to carry: N + N/2 = m g.
TEST(ContactSignals, SampledControllersFollowForces) {
  const Mechanism mechanism = ball("signals: {felt: {value: touch.load, every: 0.01}}\n",
                                   "  lift: {force: ball, at: [0, 0, 0.3], components: [0, 0, 0.5*felt]}\n");
  for (const RegistryEntry& formulation : formulations()) {
    const FinishedRun run = finish(mechanism, method(formulation.name, 2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR(run.last["touch.load"], 9.81 / 1.5, 1e-3) << formulation.name;
    EXPECT_NEAR(run.last["felt"], 9.81 / 1.5, 1e-3) << formulation.name;
  }
}

TEST(ContactSignals, LawsAtEveryInstantAreRefusedByName) {
  try {
    ball("states: {impulse: {start: 0, rate: touch.load}}\n");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("state 'impulse': 'touch.load' is known only with"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cardan::contact_signals_test
