// Forces of contacts as signals: events wait for them, sampled controllers follow them, and so do laws and states at
// every instant, with exact derivatives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "follow.hpp"
#include "formulation/contact_scenes.hpp"
#include "last_sample.hpp"
#include "signals/signal_tangents.hpp"

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

/// The same at every instant.
TEST(ContactSignals, LawsFollowForces) {
  const Mechanism mechanism = ball("", "  lift: {force: ball, at: [0, 0, 0.3], components: [0, 0, 0.5*touch.load]}\n");
  FinishedRun first;
  for (const RegistryEntry& formulation : formulations()) {
    const FinishedRun run = finish(mechanism, method(formulation.name, 2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR(run.last["touch.load"], 9.81 / 1.5, 1e-3) << formulation.name;
    EXPECT_NEAR(run.last["lift.fz"], 0.5 * run.last["touch.load"], 1e-9) << formulation.name;
    if (formulation.name == "recursive") continue;  // by another rule
    if (first.last.columns().empty()) first = run;
    EXPECT_LT(LastSample::difference(first.last, run.last, mechanism), 1e-8) << formulation.name;
  }
}

/// A push by as much as the floor's makes the floor twice as stiff, and costs Newton's method no more than that.
TEST(ContactSignals, AForceThatDoublesAnotherIsAStifferContact) {
  const auto slope = [](bool planar, double stiffness, bool doubled) {
    Slope s("ball", 3, 0.3, planar);
    s.ball("ball", 2, 0.1, s.at(0, 0, 0.12));
    s.builder.add(s.contact({"ball", "floor"}, stiffness, 0, 1));
    const Vec3 up = s.along(0, 0, 1);
    ForceSpec push{.name = "push", .body = "ball", .at = Place(s.at(0, 0, 0.12))};
    for (int i = 0; i < (planar ? 2 : 3); ++i)
      push.components[static_cast<std::size_t>(i)] = follow(fmt::format("{:.17g}*touch.load", up[i]));
    if (doubled) s.builder.add(push);
    return s.builder.build();
  };
  for (const bool planar : {true, false}) {
    const Mechanism one = slope(planar, 1e5, true), two = slope(planar, 2e5, false);
    for (const std::string formulation : {"hybrid", "topological", "global", "cartesian"}) {
      const RunOptions options = options_of(formulation, 1e-3, 0.5);
      const FinishedRun a = finish(one, options), b = finish(two, options);
      ASSERT_EQ(a.summary.status, RunStatus::ok) << formulation << a.summary.reason;
      EXPECT_LT(LastSample::difference(a.last, b.last, one), 1e-7) << formulation << planar;
      EXPECT_LE(a.summary.iterations, b.summary.iterations + b.summary.steps) << formulation << planar;
    }
  }
}

/// What a state has added up is the change of momentum, by the same rule.
TEST(ContactSignals, StatesAddForcesUp) {
  const Mechanism mechanism = ball("states: {impulse: {start: 0, rate: touch.load}}\n");
  for (const std::string formulation : {"hybrid", "topological", "global", "cartesian"}) {
    const FinishedRun run = finish(mechanism, method(formulation, 0.4));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GT(run.last["impulse"], 1) << formulation;
    EXPECT_NEAR(run.last["impulse"], run.last["ball.vz"] + 9.81 * 0.4, 1e-7) << formulation;
  }
}

/// While balls slide on the floor and touch each other, without damping and with it. Its law has a kink at the speed at
/// which a contact began, which at the start is the speed it has: so they have met faster.
TEST(ContactSignals, DerivativesAreThoseOfDifferences) {
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= (planar ? 4u : 3u); ++seed) {
      const bool damped = seed == 4;
      Slope s("balls", seed, 0.2, planar);
      s.ball("one", 2, 0.1, s.at(0, 0, 0.0992));
      s.ball("two", 1, 0.08, s.at(0.17, 0, 0.12));
      s.builder.add(s.contact({"one", "two", "floor"}, 2e4, 0.4, damped ? 0.3 : 1));
      s.builder.velocity("one", s.along(0.7, planar ? 0 : 0.3, -0.1));
      s.builder.velocity("two", s.along(-0.4, planar ? 0 : 0.2, 0.05));
      s.builder.state("load", 0, follow("1e-2*touch.load"));
      s.builder.state("force", 0, follow("1e-2*touch.fx - 2e-2*touch.fy + 1e-6*touch.load^2"));
      s.builder.state("depth", 0, follow("touch.depth*(1 + 0.1*one.vx)"));
      const Mechanism m = s.builder.build();
      expect_tangents_of_differences(m, "hybrid", 2e-3, 3, damped ? 1.5 : 0);
      if (!planar || damped) continue;
      for (const char* formulation : {"topological", "global", "cartesian"})
        expect_tangents_of_differences(m, formulation, 2e-3, 3);
    }
  }
}

}  // namespace
}  // namespace cardan::contact_signals_test
