// Events that a condition brings about: located, none lost, none twice, in every method.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

EventSpec when(const std::string& name, const std::string& guard, const std::map<std::string, double>& constants = {},
               Event::Action action = Event::Action::note) {
  EventSpec event;
  event.name = name;
  event.guard = follow(guard, constants);
  event.action = action;
  return event;
}

template <class Visit>
int every_method(const Visit& visit) {
  int count = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      visit(std::string(formulation.name), std::string(integrator.name));
      ++count;
    }
  }
  return count;
}

/// Thrown up along a line: s = v t - g t^2 / 2 is what all methods of order 2 or more find exactly.
Mechanism ball(const RandomPlace& p, double speed, std::vector<EventSpec> events) {
  MechanismBuilder b("ball");
  b.gravity(-9.81 * p.along(0, 0, 1));
  b.body("ball", 2, Place(p.at(0, 0, 0)), Mat3(0.1 * Mat3::Identity()));
  b.prismatic("line", "ground", "ball", p.at(0, 0, 0), p.along(0, 0, 1));
  b.joint_velocity("line", speed);
  for (EventSpec& event : events) b.add(event);
  return b.build();
}

TEST(Conditions, ABallReachesAHeightWhenTheorySays) {
  const double g = 9.81, v = 6, height = 1.3;
  const double root = std::sqrt(v * v - 2 * g * height), up = (v - root) / g, down = (v + root) / g;
  const RandomPlace p(5, false);
  const Mechanism mechanism = ball(
      p, v,
      {when("up", "line.q - h", {{"h", height}}), when("down", "h - line.q", {{"h", height}}), when("top", "-line.v")});
  const int ran = every_method([&](const std::string& formulation, const std::string& integrator) {
    RunOptions options = options_of(formulation, 0.013, 1.3, integrator);
    if (chooses_steps(formulation, integrator)) options.absolute_tolerance = options.relative_tolerance = 1e-10;
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    // `newmark` with its damping is of first order: as exact as its error.
    const double exact = integrator == "newmark" ? 0.02 : integrator == "bdf" ? 1e-6 : 1e-9;
    ASSERT_EQ(run.summary.events.size(), 3U);
    EXPECT_EQ(run.summary.allocations, 0);
    EXPECT_EQ(run.summary.events[0].name, "up");
    EXPECT_NEAR(run.summary.events[0].time, up, exact);
    EXPECT_EQ(run.summary.events[1].name, "top");
    EXPECT_NEAR(run.summary.events[1].time, v / g, exact);
    EXPECT_EQ(run.summary.events[2].name, "down");
    EXPECT_NEAR(run.summary.events[2].time, down, exact);
    EXPECT_EQ(run.summary.event_count, 3);
  });
  EXPECT_GE(ran, 39);
}

/// The whole flight above the height is within one step.
TEST(Conditions, TwoPassagesWithinAStepAreSeen) {
  const double g = 9.81, v = 6, top = v * v / (2 * g);
  const RandomPlace p(6, false);
  const Mechanism mechanism = ball(p, v, {when("over", "line.q - h", {{"h", top - 1e-4}})});
  const double root = std::sqrt(2 * g * 1e-4);
  int found = 0;
  const int ran = every_method([&](const std::string& formulation, const std::string& integrator) {
    if (integrator == "newmark") return;
    RunOptions options = options_of(formulation, 0.1, 1.1, integrator);
    if (chooses_steps(formulation, integrator)) options.absolute_tolerance = options.relative_tolerance = 1e-10;
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    ASSERT_EQ(run.summary.events.size(), 1U);
    EXPECT_NEAR(run.summary.events[0].time, (v - root) / g, integrator == "bdf" ? 1e-5 : 1e-9);
    ++found;
  });
  EXPECT_GE(ran, 39);
  EXPECT_GE(found, 34);
}

/// A pendulum of large swings passes the vertical twice in a period, each way once: K(sin(a/2)) by the
/// arithmetic-geometric mean.
TEST(Conditions, APendulumPassesZeroAsOftenAsItSwings) {
  const double amplitude = 1.2, length = 0.8, g = 9.81;
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 6; ++i) std::tie(a, b) = std::pair((a + b) / 2, std::sqrt(a * b));
  const double period = 2 * M_PI * std::sqrt(length / g) / a;
  const RandomPlace p(8, false);
  MechanismBuilder m("pendulum");
  m.gravity(9.81 * p.along(0, -1, 0));
  m.body("bob", 1.5, Place(p.at(0, 0) + length * p.along(std::sin(amplitude), -std::cos(amplitude))),
         Mat3(Mat3::Zero()));
  m.revolute("pin", "ground", "bob", p.at(0, 0), p.along(0, 0, 1));
  m.add(when("right", "pin.q + a", {{"a", amplitude}}));
  m.add(when("left", "-pin.q - a", {{"a", amplitude}}));
  const Mechanism mechanism = m.build();
  const int ran = every_method([&](const std::string& formulation, const std::string& integrator) {
    const bool chooses = chooses_steps(formulation, integrator);
    const int order = integrator == "newmark" ? 1 : 2;
    RunOptions options = options_of(formulation, 2e-3, 1.6 * period, integrator);
    if (chooses) options.absolute_tolerance = options.relative_tolerance = 1e-9;
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    ASSERT_EQ(run.summary.events.size(), 3U);
    const double exact = integrator == "bdf" ? 1e-4 : chooses ? 1e-6 : order == 1 ? 0.1 : 1e-4;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(run.summary.events[i].name, i % 2 == 0 ? "left" : "right") << i;
      EXPECT_NEAR(run.summary.events[i].time, (i + 0.5) * period / 2, exact) << i;
    }
  });
  EXPECT_GE(ran, 39);
}

TEST(Conditions, OnceAndHysteresis) {
  const RandomPlace p(2, false);
  MechanismBuilder b("swing");
  b.gravity(Vec3::Zero());
  b.body("mass", 1, Place(p.at(0, 0)), Mat3(Mat3::Identity()));
  b.prismatic("line", "ground", "mass", p.at(0, 0), p.along(1, 0));
  b.actuator("pull", "line", follow("-100*line.q"));  // 10 rad/s
  b.joint_velocity("line", 1);                        // amplitude 0.1
  EventSpec once = when("once", "line.q - 0.05"), band = when("band", "line.q - 0.05"),
            far = when("far", "line.q - 0.05");
  once.once = true;
  band.hysteresis = 0.1;
  far.hysteresis = 0.16;  // it never goes so far back
  const Mechanism mechanism = b.add(once).add(band).add(far).add(when("each", "line.q - 0.05")).build();
  const FinishedRun run = finish(mechanism, options_of("hybrid", 1e-3, 3));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  std::map<std::string, int> count;
  for (const EventSummary& event : run.summary.events) ++count[event.name];
  EXPECT_EQ(count["once"], 1);
  EXPECT_EQ(count["each"], 5);  // 10 rad/s over 3 s: 4.77 periods
  EXPECT_EQ(count["band"], 4);  // not the first time: it has not been below -0.05 before
  EXPECT_EQ(count["far"], 0);
}

/// A hook lets go when the pull on it is too strong: a condition on a reaction.
TEST(Conditions, AJointBreaksByItsReaction) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(11, planar);
    MechanismBuilder b("crane");
    b.planar(planar).gravity(9.81 * p.along(0, -1));
    if (planar) {
      b.body("load", 10, Place(p.at(0, -1)), 0.5);
    } else {
      b.body("load", 10, Place(p.at(0, -1)), Mat3(0.5 * Mat3::Identity()));
    }
    b.prismatic("guide", "ground", "load", p.at(0, 0), p.along(0, 1));
    b.distance("hook", "ground", "load", p.at(0, 0.5), p.at(0, -1));
    b.actuator("pull", "guide", Varying(Function::expression("-50*t", "t")));
    // The hook carries 98.1 + 50 t.
    EventSpec breaks =
        when("breaks", planar ? "sqrt(hook.fx^2 + hook.fy^2) - 150" : "sqrt(hook.fx^2 + hook.fy^2 + hook.fz^2) - 150",
             {}, Event::Action::release);
    breaks.targets = {"hook"};
    b.add(breaks).add(when("snaps", "abs(guide.q) - 0.2", {}, Event::Action::end));
    const Mechanism mechanism = b.build();
    for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 0.01, 5));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
      ASSERT_EQ(run.summary.events.size(), 2U) << formulation << run.summary.json();
      EXPECT_NEAR(run.summary.events[0].time, (150 - 98.1) / 50, 1e-6) << formulation;
      EXPECT_EQ(run.summary.events[0].degrees_of_freedom, 1) << formulation;
      EXPECT_NE(run.summary.reason.find("'snaps' ended the run"), std::string::npos) << run.summary.reason;
      EXPECT_LT(run.summary.duration, 2) << formulation;
      EXPECT_EQ(run.summary.allocations, 0) << formulation;
    }
  }
}

/// States that events set: a relaxation oscillator has the period that its rates say.
TEST(Conditions, SetStatesAndInputs) {
  const Mechanism mechanism = read_mechanism_text(R"(
cardan: 1
name: saw
planar: true
bodies: {disc: {mass: 1, center: [0, 0], inertia: 1}}
joints: {pin: {revolute: [ground, disc], at: [0, 0]}}
inputs: {gain: 1}
states:
  ramp: {start: 0, rate: 2*gain}
  count: {start: 0, rate: 0}
events:
  full: {when: ramp > 1, set: {ramp: ramp - 1, count: count + 1}}
  late: {at: 2.2, set: {gain: 2}}
simulation: {until: 3, step: 0.01}
)",
                                                  "saw.yaml");
  for (const std::string integrator : {"trapezoidal", "rk4", "sdirk3", "dopri5"}) {
    const FinishedRun run = finish(mechanism, options_of("hybrid", 0.01, 3, integrator));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << integrator << run.summary.reason;
    EXPECT_NEAR(run.last["count"], 7, 1e-12) << integrator;  // 4.4 up to 2.2 s, then 3.2 more
    EXPECT_NEAR(run.last["ramp"], 0.6, 1e-8) << integrator;
    EXPECT_NEAR(run.summary.events[0].time, 0.5, 1e-9) << integrator;
    EXPECT_NEAR(run.summary.events[5].time, 2.35, 1e-9) << integrator;
  }
}

/// Nothing is allocated, and a state between events goes on bit for bit.
TEST(Conditions, AreSavedAndRestored) {
  const RandomPlace p(4, false);
  const Mechanism mechanism = ball(p, 6, {when("up", "line.q - 1"), when("down", "1 - line.q")});
  every_method([&](const std::string& formulation, const std::string& integrator) {
    RunOptions options = options_of(formulation, 0.02, 1.2, integrator);
    Simulation simulation(mechanism, options);
    for (int i = 0; i < 14; ++i) ASSERT_EQ(simulation.step(0.02), StepStatus::ok);
    const Context saved = simulation.state();
    const auto go_on = [&] {
      while (simulation.time() < 1.1) EXPECT_EQ(simulation.step(0.02), StepStatus::ok);
      return simulation.state();
    };
    const Context first = go_on();
    simulation.restore(saved);
    const Context second = go_on();
    EXPECT_EQ(first.q, second.q);
    EXPECT_EQ(first.v, second.v);
    EXPECT_EQ(first.conditions, second.conditions);
  });
}

/// A relay that brings a mass to the line s = q + v/2 = 0: both of its sides drive towards the line, so that with one
/// value for both directions there is no time between two passages.
std::string relay(const std::string& apart) {
  return "cardan: 1\nname: relay\nplanar: true\ngravity: [0, 0]\n"
         "bodies: {m: {mass: 1, center: [0.5, 0], inertia: 1}}\n"
         "joints: {g: {prismatic: [ground, m], at: [0, 0], axis: [1, 0]}}\n"
         "states: {u: {start: -1, rate: 0}}\nsignals: {s: g.q + 0.5*g.v}\n"
         "loads: {f: {actuator: g, effort: 5*u}}\ninitial: {g: {position: 0.3}}\n"
         "events:\n  up: {when: s < -" +
         apart + ", set: {u: 1}}\n  down: {when: s > " + apart + ", set: {u: -1}}\n";
}

TEST(Conditions, EventsThatBringEachOtherAboutWithoutEndAreNamed) {
  const Mechanism mechanism = read_mechanism_text(relay("0"), "relay.yaml");
  every_method([&](const std::string& formulation, const std::string& integrator) {
    Simulation simulation(mechanism, options_of(formulation, 0.01, 2, integrator));
    const Context start = simulation.state();
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok && simulation.time() < 2) status = simulation.step();
    EXPECT_EQ(status, StepStatus::below_rounding);
    const std::string& reason = simulation.summary().reason;
    EXPECT_NE(reason.find("'up'"), std::string::npos) << reason;
    EXPECT_NE(reason.find("'down'"), std::string::npos) << reason;
    simulation.restore(start);
    EXPECT_EQ(simulation.step(), StepStatus::ok) << simulation.summary().reason;
  });
}

TEST(Conditions, ARelayWithValuesApartStaysBetweenThem) {
  const Mechanism mechanism = read_mechanism_text(relay("0.01"), "relay.yaml");
  Simulation simulation(mechanism, options_of("hybrid", 0.01, 3, "trapezoidal"));
  const auto& columns = simulation.columns();
  const auto s = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), "s") - columns.begin());
  std::vector<double> row(columns.size());
  while (simulation.time() < 3) {
    ASSERT_EQ(simulation.step(), StepStatus::ok) << simulation.summary().reason;
    simulation.sample(row.data());
    // s' = v + 2.5 u changes its sign there, |v| < 2.5: so s turns back at once.
    if (simulation.time() > 0.5) EXPECT_LE(std::abs(row[s]), 0.01 + 1e-9);
  }
  EXPECT_GT(simulation.summary().event_count, 50);
}

TEST(Conditions, BadOnesAreRefused) {
  const auto message = [](const std::string& event) -> std::string {
    try {
      read_mechanism_text(
          "cardan: 1\nname: bad\nplanar: true\nbodies: {disc: {mass: 1, center: [0, 0], inertia: 1}}\n"
          "joints: {pin: {revolute: [ground, disc], at: [0, 0]}}\nstates: {z: {start: 0, rate: 1}}\n"
          "events:\n  e: " +
              event + "\n",
          "bad.yaml");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto says = [&](const std::string& event, const std::string& part) {
    EXPECT_NE(message(event).find(part), std::string::npos) << message(event);
  };
  says("{when: pin.q}", "one comparison");
  says("{when: 0 < pin.q < 1}", "one comparison");
  says("{when: pin.p > 1}", "did you mean 'pin.q'");
  says("{when: pin.q > 1, at: 2}", "contradict");
  says("{when: pin.q > 1, hysteresis: -1}", "negative");
  says("{when: pin.q > 1, set: {y: 1}}", "no state or input is called 'y'");
  says("{when: pin.q > 1, set: {z: pin.fx}}", "known only with accelerations or reactions");
  says("{when: pin.q > 1, release: pinn}", "did you mean 'pin'");
  says("{at: 1, once: true, end: true}", "once");
  EXPECT_EQ(message("{when: pin.q > 1, end: true}"), "accepted");
  EXPECT_EQ(message("{when: pin.q <= -1}"), "accepted");
}

}  // namespace
}  // namespace cardan
