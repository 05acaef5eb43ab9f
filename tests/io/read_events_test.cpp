// Events from a model file, and what follows from them for the joints, loads and drivers that they name.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "mechanism/mechanism_comparison.hpp"
#include "mechanism/phases.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {
namespace {

constexpr const char* kModel = R"(cardan: 1
planar: true
parameters: {T: 2}
points: {O: [0, 0], A: [1, 0]}
bodies: {arm: {rod: [O, A], mass: 2}}
joints:
  pin: {revolute: [ground, arm], at: O}
  hold: {revolute: [ground, arm], at: A}
  rope: {distance: [ground, arm], at: [[0, 1], A]}
loads:
  motor: {actuator: pin, effort: 3}
  spring: {torsion: pin, stiffness: 3}
drivers:
  crank: {joint: pin, position: t}
events:
  wake: {at: 3*T, on: [crank]}
  grip: {at: T, attach: hold}
  off: {at: T, off: motor}
  cut: {at: 1, release: rope}
  let_go: {at: 3*T, release: hold}
  again: {at: 7, on: [motor]}
)";

TEST(ReadEvents, InTheOrderOfTimeThenOfTheFile) {
  const Mechanism m = read_mechanism_text(kModel, "");
  std::vector<std::string> order;
  for (const Event& event : m.events) order.push_back(event.name);
  EXPECT_EQ(order, (std::vector<std::string>{"cut", "grip", "off", "wake", "let_go", "again"}));
  EXPECT_EQ(m.events[1].time, 2);
  EXPECT_EQ(m.events[1].action, Event::Action::attach);
  EXPECT_EQ(m.events[1].targets, std::vector<std::string>{"hold"});
  EXPECT_EQ(m.events[2].action, Event::Action::off);
  EXPECT_EQ(m.events[5].targets, std::vector<std::string>{"motor"});

  EXPECT_FALSE(m.joints[0].switched);
  EXPECT_TRUE(m.joints[1].switched);
  EXPECT_FALSE(m.joints[1].present);
  EXPECT_TRUE(m.joints[2].switched);
  EXPECT_TRUE(m.joints[2].present);
}

TEST(ReadEvents, MakeTheSameAsTheBuilder) {
  MechanismBuilder b;
  b.planar().point("O", {0, 0}).point("A", {1, 0}).rod("arm", "O", "A", 2);
  b.revolute("pin", "ground", "arm", "O").revolute("hold", "ground", "arm", "A");
  b.distance("rope", "ground", "arm", {0, 1}, "A");
  b.actuator("motor", "pin", Function::constant(3)).torsion("spring", "pin", 3);
  b.driver("crank", "pin", Function::polynomial({0, 1}));
  b.switch_on("wake", 6, {"crank"}).attach("grip", 2, "hold").switch_off("off", 2, {"motor"});
  b.release("cut", 1, "rope").release("let_go", 6, "hold").switch_on("again", 7, {"motor"});
  expect_same(read_mechanism_text(kModel, ""), b.build());
}

TEST(ReadEvents, OfASubsystemConcernItsOwnElements) {
  MechanismSpec part;
  part.planar = true;
  EventSpec off;
  off.name = "off";
  off.action = Event::Action::off;
  off.targets = {"motor"};
  EventSpec grip;
  grip.name = "grip";
  grip.targets = {"hold"};
  part.events = {off, grip};
  ActuatorSpec motor;
  motor.name = "motor";
  motor.joint = "hold";
  part.elements.push_back(motor);
  JointSpec hold;
  hold.name = "hold";
  hold.body1 = hold.body2 = "ground";
  part.joints.push_back(hold);
  SubsystemUse use;
  use.name = "left";
  MechanismSpec whole;
  whole.planar = true;
  Problems problems;
  include_subsystem(part, use, whole, problems);
  EXPECT_EQ(problems.error_count(), 0u);
  ASSERT_EQ(whole.events.size(), 2u);
  EXPECT_EQ(whole.events[0].name.value, "left/off");
  EXPECT_EQ(whole.events[0].targets[0].value, "left/motor");
  EXPECT_EQ(whole.events[1].targets[0].value, "left/hold");
}

/// Which phase holds after so many events at given times.
std::vector<int> phases_in_order(const Phases& phases, std::size_t events) {
  std::vector<int> after{0};
  for (std::size_t e = 0; e < events; ++e) after.push_back(phases.next[static_cast<std::size_t>(after.back())][e]);
  return after;
}

TEST(Phases, SayWhatIsThereAndComeOnceEach) {
  const Mechanism m = read_mechanism_text(kModel, "");
  const Phases phases = phases_of(m);
  EXPECT_EQ(phases_in_order(phases, m.events.size()), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  const Mechanism& start = phases.mechanisms[0];
  EXPECT_TRUE(start.events.empty());
  EXPECT_TRUE(start.drivers.empty());
  EXPECT_EQ(start.actuators.size(), 1u);
  EXPECT_FALSE(start.joints[1].present);
  EXPECT_TRUE(start.joints[2].present);
  EXPECT_TRUE(phases.mechanisms[3].actuators.empty());
  EXPECT_TRUE(phases.mechanisms[3].joints[1].present);
  EXPECT_EQ(phases.mechanisms[6].drivers.size(), 1u);
  EXPECT_EQ(phases.mechanisms[6].joints.size(), 3u);

  Mechanism there_and_back = m;
  there_and_back.events = {m.events[1], m.events[4], m.events[1], m.events[4]};
  EXPECT_EQ(phases_in_order(phases_of(there_and_back), 4), (std::vector<int>{0, 1, 0, 1, 0}));
}

/// Two events with conditions come in either order.
TEST(Phases, OfConditionsAreAllThatTheyMayLeaveBehind) {
  Mechanism m = read_mechanism_text(kModel, "");
  m.events = {m.events[1], m.events[4]};
  for (Event& event : m.events) event.guard = 0, event.time = 1e300;
  const Phases phases = phases_of(m);
  EXPECT_FALSE(phases.too_many);
  for (std::size_t from = 0; from < phases.next.size(); ++from)
    for (const int to : phases.next[from]) EXPECT_TRUE(to >= 0 && to < static_cast<int>(phases.mechanisms.size()));
  EXPECT_EQ(phases.mechanisms.size(), 2U);  // they undo each other
}

TEST(Phases, TwoDriversOfOneCoordinateMayTakeTurns) {
  const std::string text = R"(cardan: 1
planar: true
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
drivers: {one: {joint: pin, position: t}, two: {joint: pin, position: 1}}
events: {swap: {at: 1, off: one}, in: {at: TIME, on: two}}
)";
  const auto at = [&](const char* time) {
    std::string copy = text;
    return copy.replace(copy.find("TIME"), 4, time);
  };
  EXPECT_NO_THROW(read_mechanism_text(at("1"), ""));
  EXPECT_THROW(read_mechanism_text(at("0.9"), ""), ModelError);
}

}  // namespace
}  // namespace cardan
