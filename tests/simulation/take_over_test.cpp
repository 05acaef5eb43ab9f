// A simulation that goes on with other masses and loads: as if it had been started where it stands, with the energy of
// the change on its books, and refused where the change would move what it stands on.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "every_method.hpp"

namespace cardan {
namespace {

constexpr const char* kFourBar = R"(cardan: 1
name: tuned
planar: PLANAR
gravity: GRAVITY
parameters: {k: 900, m: 2, gain: 3, L: 1, at: 5, u: 0.5, v0: 0}
bodies:
  crank: {rod: [[0, 0Z], [L/2, 0Z]], mass: 1, radius: 0.05}
  coupler: {rod: [[L/2, 0Z], [1.5, 0.8Z]], mass: m, radius: 0.05}
  rocker: {rod: [[1.5, 0.8Z], [1.2, 0Z]], mass: 1, radius: 0.05}
joints:
  a: {revolute: [ground, crank], at: [0, 0Z]AXIS}
  b: {revolute: [crank, coupler], at: [L/2, 0Z]AXIS}
  c: {revolute: [coupler, rocker], at: [1.5, 0.8Z]AXIS}
  d: {revolute: [rocker, ground], at: [1.2, 0Z]AXIS}
initial: {a: {velocity: 2 + v0}}
inputs: {push: {start: u}}
states: {lagged: {start: 0, rate: gain*(a.q - lagged)}}
loads:
  strut: {spring: [ground, coupler], at: [[0, 1Z], [1, 0.4Z]], stiffness: k, damping: 2}
  motor: {actuator: a, effort: push - lagged}
signals: {scaled: k*a.q}
events: {later: {at: at, off: strut}}
simulation: {until: 1, step: 0.002}
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t i = 0; (i = text.find(word, i)) != std::string::npos; i += by.size())
    text.replace(i, word.size(), by);
  return text;
}

Mechanism four_bar(bool planar, const std::map<std::string, double>& parameters) {
  std::string text = replaced(kFourBar, "PLANAR", planar ? "true" : "false");
  text = replaced(text, "GRAVITY", planar ? "[0, -9.81]" : "[0, -9.81, 0]");
  text = replaced(text, "0Z]", planar ? "0]" : "0, 0]");
  text = replaced(replaced(text, "1Z]", planar ? "1]" : "1, 0]"), "8Z]", planar ? "8]" : "8, 0]");
  text = replaced(text, "4Z]", planar ? "4]" : "4, 0]");
  return read_mechanism_text(replaced(text, "AXIS", planar ? "" : ", axis: z"), "four_bar.yaml", parameters);
}

VecX coordinates(Simulation& simulation) {
  std::vector<double> row(simulation.columns().size());
  simulation.sample(row.data());
  std::vector<double> found;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& name = simulation.columns()[i];
    if (name.ends_with(".q") || name.ends_with(".v") || name == "lagged") found.push_back(row[i]);
  }
  return Eigen::Map<VecX>(found.data(), static_cast<Eigen::Index>(found.size()));
}

class TakeOver : public testing::TestWithParam<bool> {};

TEST_P(TakeOver, GoesOnAsIfStartedThere) {
  const int methods = with_every_method(0.002, 1, 1e-9, [](const RunOptions& options) {
    Simulation before(four_bar(GetParam(), {}), options);
    before.set_input(0, 1.25);
    while (before.time() < 0.1 - 1e-9) ASSERT_EQ(before.step(), StepStatus::ok);
    const Mechanism changed = four_bar(GetParam(), {{"k", 300}, {"m", 3.5}, {"gain", 8}});
    Simulation after(before, changed);
    EXPECT_EQ(after.time(), before.time());
    EXPECT_EQ(after.input_value(0), 1.25);
    EXPECT_LT((coordinates(after) - coordinates(before)).cwiseAbs().maxCoeff(), 1e-14);

    Simulation fresh(changed, options);
    Context there = before.state();
    there.system = fresh.state().system;
    there.books.resize(0);
    fresh.restore(there);
    const double end = before.time() + 0.1;
    for (Simulation* one : {&after, &fresh, &before})
      while (one->time() < end - 1e-9) ASSERT_EQ(one->step(std::min(0.002, end - one->time())), StepStatus::ok);
    const double same = after.chooses_steps() ? 1e-6 : 1e-12;
    EXPECT_LT((coordinates(after) - coordinates(fresh)).cwiseAbs().maxCoeff(), same);
    EXPECT_GT((coordinates(after) - coordinates(before)).cwiseAbs().maxCoeff(), 1e-2);
    // What the change of spring and mass adds is booked.
    EXPECT_LT(std::abs(after.summary().energy_max_error), 2e-3 * std::abs(before.energy()));
    EXPECT_NEAR(after.energy(), fresh.energy(), 1e-6 * std::abs(fresh.energy()));

    // Saved and restored as ever, and changed once more.
    std::vector<double> record(after.record_size());
    record.resize(after.save(record.data()));
    Simulation again(before, changed);
    ASSERT_NO_THROW(again.restore(record));
    ASSERT_EQ(after.step(), StepStatus::ok);
    ASSERT_EQ(again.step(), StepStatus::ok);
    EXPECT_EQ(coordinates(after), coordinates(again));
    Simulation back(after, four_bar(GetParam(), {}));
    EXPECT_EQ(back.step(), StepStatus::ok);
  });
  EXPECT_GT(methods, 20);
}

TEST_P(TakeOver, SamplesTheSameSignalsAlone) {
  Simulation before(four_bar(GetParam(), {}), options_of("hybrid", 0.002, 1), {"scaled"});
  while (before.time() < 0.1 - 1e-9) ASSERT_EQ(before.step(), StepStatus::ok);
  Simulation after(before, four_bar(GetParam(), {{"k", 300}}));
  ASSERT_EQ(after.columns(), (std::vector<std::string>{"t", "scaled"}));
  double old[2], now[2];
  before.sample(old);
  after.sample(now);
  EXPECT_EQ(now[0], old[0]);
  EXPECT_NE(old[1], 0);
  EXPECT_NEAR(now[1], old[1] * 300 / 900, 1e-14 * std::abs(old[1]));
}

TEST_P(TakeOver, RefusesWhatAMotionStandsOn) {
  Simulation before(four_bar(GetParam(), {}), options_of("hybrid", 0.002, 1));
  const auto refusal = [&](const std::string& parameter, double value) -> std::string {
    try {
      Simulation(before, four_bar(GetParam(), {{parameter, value}}));
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal("k", 10), "");
  EXPECT_EQ(refusal("m", 10), "");
  EXPECT_EQ(refusal("L", 1.01),
            "'tuned' is under way, and its bodies cannot change on the way: masses, loads and expressions can");
  EXPECT_NE(refusal("v0", 1).find("its joints cannot"), std::string::npos);
  EXPECT_NE(refusal("u", 1).find("its inputs and states cannot"), std::string::npos);
  EXPECT_NE(refusal("at", 4).find("its events cannot"), std::string::npos);
  // A saved state is of one set of numbers, those within expressions among them.
  std::vector<double> record(before.record_size());
  record.resize(before.save(record.data()));
  for (const char* parameter : {"k", "m", "gain"}) {
    Simulation other(four_bar(GetParam(), {{parameter, 7}}), options_of("hybrid", 0.002, 1));
    EXPECT_THROW(other.restore(record), std::invalid_argument) << parameter;
  }
}

INSTANTIATE_TEST_SUITE_P(Simulation, TakeOver, testing::Bool(),
                         [](const auto& info) { return info.param ? "plane" : "space"; });

}  // namespace
}  // namespace cardan
