// Derivatives of runs through what happens on the way: starts, events at given times, inputs, states; and what is
// refused.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "compared_gradients.hpp"

namespace cardan {
namespace {

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "gradients.yaml";
  std::ofstream(path) << text;
  return path;
}

// A pendulum of two arms with a spring, a filtered input and a state, drawn anywhere; a joint is attached on the way.
const std::string kModel = R"(
cardan: 1
name: two-arms
parameters: {l: 0.7, m: 1.3, k: 40, w: 1.1, a: 0.4, gain: 2, ox: 0.3, oy: -0.2, oz: 0.1}
points:
  O: [ox, oy, oz]
  P: [ox + l*cos(a), oy + l*sin(a), oz]
  Q: [ox + l*cos(a) + 0.6, oy + l*sin(a), oz + 0.3]
inputs: {push: {start: 1.5, lag: 0.05}}
states: {heat: {start: 0.2*w, rate: gain*elbow.v^2 - heat}}
bodies:
  upper: {rod: [O, P], mass: m, radius: 0.02}
  lower: {rod: [P, Q], mass: 0.8*m, radius: 0.03}
joints:
  shoulder: {universal: [ground, upper], at: O, axes: [[0, 0, 1], [0, 1, 0]]}
  elbow: {revolute: [upper, lower], at: P, axis: [0, 1, 0]}
  hold: {spherical: [ground, lower], at: Q}
loads:
  pull: {spring: [ground, lower], at: [[1, 1, 1], Q], stiffness: k, damping: 2, free_length: 0.5}
  motor: {actuator: elbow, effort: push - 0.3*heat}
events:
  grip: {at: 0.123, attach: hold}
  let_go: {at: 0.25, release: hold}
initial:
  elbow: {velocity: w}
simulation: {until: 0.35, step: 0.01}
)";

TEST(Gradients, GoThroughEventsInputsAndStates) {
  const std::string path = written(kModel);
  std::vector<DesignVariable> variables;
  for (const char* name : {"l", "m", "k", "w", "a", "gain"}) variables.push_back({name});
  variables.push_back({.name = "push", .where = {}, .is_input = true});
  std::vector<DesignSignal> signals;
  for (const char* text : {"lower.x", "lower.vz", "elbow.q", "heat", "upper.wx", "elbow.fx"})
    signals.push_back({"s" + std::to_string(signals.size()), expression_node(text)});
  DesignModel model(path, variables, signals);
  for (const char* formulation : {"hybrid", "global"}) {
    for (const char* integrator : {"trapezoidal", "hht", "rk4"}) {
      SimulationDefaults given;
      given.formulation = formulation;
      given.integrator = integrator;
      if (integrator != std::string("rk4")) given.tolerance = 1e-12;
      const std::vector<double> values{0.7, 1.3, 40, 1.1, 0.4, 2, 1.5};
      const RunOptions options = asked_options(model.make(values), given);
      const Comparison compared = compare_gradients(model, values, options);
      EXPECT_EQ(compared.failure, "") << formulation << " " << integrator;
      // A gap: with states of its own a mechanism shows 6e-6 here by Newmark's rules, 1e-8 without them.
      EXPECT_LT(compared.error, integrator == std::string("rk4") ? 1e-6 : 2e-5) << formulation << " " << integrator << " " << compared.where;
      // One side at a time costs half and errors of first order all but cancel.
      GradientOptions alternate;
      alternate.alternate = true;
      alternate.difference = 1e-6;
      const Comparison by_turns = compare_gradients(model, values, options, alternate);
      EXPECT_LT(by_turns.error, 1e-4) << formulation << " " << integrator << " " << by_turns.where;
    }
  }
}

TEST(Gradients, OfAParameterAtItsEndAreThoseOfOneSide) {
  const std::string path = written(kModel);
  std::vector<DesignVariable> variables{{"k"}};
  variables[0].min = 40;
  variables[0].max = 100;
  DesignModel model(path, variables, {{"s", expression_node("lower.x")}});
  const RunOptions options = asked_options(model.make({40}), {});
  const auto maker = [&](const std::vector<double>& at) {
    EXPECT_GE(at[0], 40);
    return model.make(at);
  };
  Samples one, both;
  run_with_gradients(maker, model.at({40}), options, model.signals(), one);
  run_with_gradients([&](const std::vector<double>& at) { return model.make(at); }, {{"k", 40.0}}, options,
                     model.signals(), both);
  ASSERT_EQ(one.slopes.size(), both.slopes.size());
  double largest = 0;
  for (const Eigen::MatrixXd& slope : both.slopes) largest = std::max(largest, std::abs(slope(0, 1)));
  for (std::size_t i = 0; i < one.slopes.size(); ++i)
    EXPECT_NEAR(one.slopes[i](0, 1), both.slopes[i](0, 1), 1e-5 * largest) << i;
}

TEST(Gradients, RefuseByNameWhatCannotBeDifferentiated) {
  const std::string path = written(kModel);
  DesignModel model(path, {{"k"}}, {{"s", expression_node("lower.x")}});
  const auto refusal = [&](const char* formulation, const char* integrator, int iterations) -> std::string {
    SimulationDefaults given;
    given.formulation = formulation;
    given.integrator = integrator;
    RunOptions options = asked_options(model.make({40}), given);
    options.iterations = iterations;
    Samples samples;
    try {
      run_with_gradients([&](const std::vector<double>& at) { return model.make(at); }, model.at({40}), options,
                         model.signals(), samples);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("hybrid", "dopri5", 0).find("chooses its steps"), std::string::npos);
  EXPECT_NE(refusal("cartesian", "sdirk3", 0).find("cannot be differentiated"), std::string::npos);
  EXPECT_NE(refusal("hybrid", "trapezoidal", 2).find("iterations"), std::string::npos);
  EXPECT_EQ(refusal("hybrid", "trapezoidal", 0), "");
}

TEST(Gradients, EndWhereAConditionBringsAboutAnEvent) {
  std::string text = kModel;
  text.replace(text.find("let_go: {at: 0.25"), 17, "let_go: {when: t > 0.2");
  DesignModel model(written(text), {{"k"}}, {{"s", expression_node("lower.x")}});
  Samples samples;
  const RunSummary summary =
      run_with_gradients([&](const std::vector<double>& at) { return model.make(at); }, model.at({40}),
                         asked_options(model.make({40}), {}), model.signals(), samples);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.reason.find("event 'let_go'"), std::string::npos) << summary.reason;
  EXPECT_GT(samples.rows.size(), 5u);
}

}  // namespace
}  // namespace cardan
