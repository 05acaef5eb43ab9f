// Instances in lanes do what they do by themselves.
#include "cardan/ensemble.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "formulation/random_tree.hpp"

namespace cardan {
namespace {

std::string model(const std::string& name) { return std::string(CARDAN_SOURCE_DIR) + "/models/" + name; }

RunOptions options_of(const Mechanism& mechanism, const std::string& integrator = "trapezoidal") {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = "hybrid";
  options.integrator = integrator;
  return options;
}

double difference(const VecX& a, const VecX& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

/// Of positions, velocities, and accelerations in units of their own.
struct Difference {
  double q = 0, v = 0, a = 0, memory = 0;
  long iterations = 0;  // more or fewer
};

Difference against_singles(const std::vector<Mechanism>& instances, const RunOptions& options, int steps) {
  Ensemble ensemble(instances, options);
  EXPECT_EQ(ensemble.size(), static_cast<int>(instances.size()));
  for (int i = 0; i < steps; ++i) EXPECT_EQ(ensemble.step(), StepStatus::ok);
  Difference result;
  for (int i = 0; i < ensemble.size(); ++i) {
    Simulation single(instances[static_cast<std::size_t>(i)], options);
    for (int k = 0; k < steps; ++k) EXPECT_EQ(single.step(), StepStatus::ok) << single.summary().reason;
    const Context &one = ensemble.state(i), &other = single.state();
    EXPECT_EQ(one.t, other.t);
    result.q = std::max(result.q, difference(one.q, other.q));
    result.v = std::max(result.v, difference(one.v, other.v));
    result.a = std::max(result.a, difference(one.acceleration, other.acceleration));
    result.memory = std::max(result.memory, difference(one.memory, other.memory));
    result.iterations = std::max(result.iterations, std::abs(ensemble.iterations(i) - single.summary().iterations));
  }
  return result;
}

void expect_rounding(const Difference& difference, double factor = 1) {
  EXPECT_LT(difference.q, 1e-11 * factor);
  EXPECT_LT(difference.v, 1e-10 * factor);
  EXPECT_LT(difference.a, 1e-8 * factor);
  EXPECT_LT(difference.memory, 1e-10 * factor);
}

TEST(Ensemble, FourBarsOfAllRulesEqualSingles) {
  std::vector<Mechanism> instances;
  for (const double L : {0.8, 0.9, 1.0, 1.1, 1.25, 1.3})
    instances.push_back(read_mechanism(model("four_bar.yaml"), {{"L", L}}));
  for (const char* rule : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
    SCOPED_TRACE(rule);
    expect_rounding(against_singles(instances, options_of(instances[0], rule), 200));
  }
}

TEST(Ensemble, IltisEqualsSingles) {
  std::vector<Mechanism> instances;
  for (const double speed : {4.0, 4.5, 5.0, 5.5})
    instances.push_back(read_mechanism(model("iltis.yaml"), {{"speed", speed}}));
  expect_rounding(against_singles(instances, options_of(instances[0]), 150), 10);
}

TEST(Ensemble, EveryLoadDriverAndLoopEqualsSingles) {
  for (const Mechanism& mechanism :
       {loaded_in_plane(), loaded_in_space(), loaded_in_plane(false), loaded_in_space(false)}) {
    SCOPED_TRACE(mechanism.name);
    const RunOptions options = options_of(mechanism);
    ASSERT_EQ(Ensemble::refusal(mechanism, options), "");
    std::vector<Mechanism> instances(4, mechanism);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      instances[i].gravity *= 1 + 0.1 * static_cast<double>(i);
      for (Body& body : instances[i].bodies) body.mass *= 1 + 0.05 * static_cast<double>(i);
    }
    expect_rounding(against_singles(instances, options, 100), 10);
  }
}

TEST(Ensemble, RandomTreesEqualSingles) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const bool planar = seed % 2 == 0;
    const Mechanism mechanism = planar ? RandomTree(seed).planar(6) : RandomTree(seed).spatial(6);
    RunOptions options = options_of(mechanism);
    options.step = 0.005;
    std::vector<Mechanism> instances(3, mechanism);
    for (std::size_t i = 0; i < instances.size(); ++i)
      for (Body& body : instances[i].bodies) body.mass *= 1 + 0.2 * static_cast<double>(i);
    expect_rounding(against_singles(instances, options, 60), 100);
  }
}

TEST(Ensemble, WhatALaneDoesDependsOnItselfAlone) {
  const auto instance = [](double speed) { return read_mechanism(model("iltis.yaml"), {{"speed", speed}}); };
  const RunOptions options = options_of(instance(5));
  const auto end_of = [&](const std::vector<double>& speeds, int which) {
    std::vector<Mechanism> instances;
    for (const double speed : speeds) instances.push_back(instance(speed));
    Ensemble ensemble(instances, options);
    for (int i = 0; i < 40; ++i) ensemble.step();
    return ensemble.state(which);
  };
  const Context one = end_of({5, 4, 6, 3}, 0), other = end_of({2, 7, 5}, 2);
  EXPECT_EQ(one.q, other.q);
  EXPECT_EQ(one.v, other.v);
  EXPECT_EQ(one.acceleration, other.acceleration);
  EXPECT_EQ(one.lambda, other.lambda);
  EXPECT_EQ(one.memory, other.memory);
  // And on no set of instructions.
  setenv("CARDAN_LANES", "plain", 1);
  EXPECT_EQ(Ensemble::instructions(), "plain");
  const Context plain = end_of({5, 4, 6, 3}, 0);
  unsetenv("CARDAN_LANES");
  EXPECT_EQ(one.q, plain.q);
  EXPECT_EQ(one.v, plain.v);
  EXPECT_EQ(one.lambda, plain.lambda);
}

TEST(Ensemble, OneThatFailsLeavesTheOthersAlone) {
  // The road ends at 45 m.
  std::vector<Mechanism> instances;
  for (const double speed : {5.0, 400.0, 4.0})
    instances.push_back(read_mechanism(model("iltis.yaml"), {{"speed", speed}}));
  const RunOptions options = options_of(instances[0]);
  Ensemble ensemble(instances, options);
  for (int i = 0; i < 30; ++i) ensemble.step();
  EXPECT_EQ(ensemble.status(0), StepStatus::ok);
  EXPECT_NE(ensemble.status(1), StepStatus::ok);
  EXPECT_EQ(ensemble.status(2), StepStatus::ok);
  EXPECT_LT(ensemble.time(1), 0.2);
  EXPECT_NEAR(ensemble.time(2), 30 * options.step, 1e-12);
  EXPECT_TRUE(ensemble.state(1).q.allFinite());
}

TEST(Ensemble, InputsAndStatesAreTheirOwn) {
  const std::string text = R"(cardan: 1
name: arm
gravity: [0, 0, -9.81]
inputs: {torque: {start: 0}, lever: {start: 0, lag: 0.1}}
bodies:
  arm: {mass: 2, center: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}
  tool: {mass: 1, center: [1.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  shoulder: {revolute: [ground, arm], at: [0, 0, 0], axis: y}
  wrist: {revolute: [arm, tool], at: [1, 0, 0], axis: [0.2, 1, 0.1]}
loads: {motor: {actuator: shoulder, effort: 3*torque}}
drivers: {turn: {joint: wrist, position: 0.5*lever}}
signals: {place: {position: tool}}
)";
  const Mechanism mechanism = read_mechanism_text(text, "arm.yaml");
  RunOptions options = options_of(mechanism);
  options.step = 0.01;
  Ensemble ensemble({mechanism, mechanism, mechanism}, options);
  std::vector<Simulation> singles;
  for (int i = 0; i < 3; ++i) singles.emplace_back(mechanism, options);
  const auto set = [&](int i, const std::string& name, double value) {
    ensemble.set_input(i, name, value);
    singles[static_cast<std::size_t>(i)].set_input(singles[static_cast<std::size_t>(i)].input(name), value);
  };
  for (int k = 0; k < 80; ++k) {
    if (k == 10) set(0, "torque", 2);
    if (k == 20) set(1, "torque", -3), set(1, "lever", 1);
    if (k == 50) set(0, "torque", 0), set(2, "lever", -0.5);
    ensemble.step();
    for (Simulation& single : singles) single.step();
  }
  std::vector<double> row(ensemble.columns().size()), other(row.size());
  for (int i = 0; i < 3; ++i) {
    Simulation& single = singles[static_cast<std::size_t>(i)];
    EXPECT_LT(difference(ensemble.state(i).q, single.state().q), 1e-11);
    EXPECT_LT(difference(ensemble.state(i).v, single.state().v), 1e-10);
    ensemble.sample(i, row.data());
    single.sample(other.data());
    ASSERT_EQ(ensemble.columns(), single.columns());
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (ensemble.columns()[c].starts_with("energy")) continue;
      EXPECT_NEAR(row[c], other[c], 1e-8 * std::max(1.0, std::abs(other[c]))) << ensemble.columns()[c];
    }
  }
  EXPECT_GT(difference(ensemble.state(0).q, ensemble.state(1).q), 1e-2);
  // A state goes from one to another, and on from there as it went on here.
  const Context kept = ensemble.state(1);
  ensemble.restore(2, kept);
  for (int k = 0; k < 20; ++k) ensemble.step();
  EXPECT_EQ(ensemble.state(1).q, ensemble.state(2).q);
  EXPECT_EQ(ensemble.state(1).v, ensemble.state(2).v);
}

TEST(Ensemble, WhatDoesNotGoInLanesIsRefusedByName) {
  const Mechanism four_bar = read_mechanism(model("four_bar.yaml"));
  RunOptions options = options_of(four_bar);
  EXPECT_EQ(Ensemble::refusal(four_bar, options), "");
  options.formulation = "global";
  EXPECT_NE(Ensemble::refusal(four_bar, options).find("global"), std::string::npos);
  options = options_of(four_bar, "rk4");
  EXPECT_NE(Ensemble::refusal(four_bar, options).find("rk4"), std::string::npos);
  const Mechanism driven = read_mechanism(model("iltis_driven.yaml"));
  const std::string refusal = Ensemble::refusal(driven, options_of(driven));
  EXPECT_NE(refusal.find('\''), std::string::npos) << refusal;
  EXPECT_THROW(Ensemble({driven}, options_of(driven)), std::invalid_argument);
  // By more than numbers they may not differ.
  const Mechanism double_bar = read_mechanism(model("double_four_bar.yaml"));
  EXPECT_THROW(Ensemble({four_bar, double_bar}, options_of(four_bar)), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
