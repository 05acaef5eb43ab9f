// Derivatives of runs through what happens on the way: starts, events at given times, inputs, states; and what is
// refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "compared_gradients.hpp"
#include "gradients/secant_pairs.hpp"

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
      // A gap: where the joint takes hold, projections of the step itself go by couplings that are kept from its first
      // iterate, and in global these differ from those at its end, of which the derivative is made.
      const bool keeps = formulation == std::string("global") && integrator != std::string("rk4");
      EXPECT_LT(compared.error, keeps ? 2e-6 : 1e-6) << formulation << " " << integrator << " " << compared.where;
      // One side at a time: errors of first order all but cancel.
      GradientOptions alternate;
      alternate.alternate = true;
      const Comparison by_turns = compare_gradients(model, values, options, alternate);
      EXPECT_LT(by_turns.error, 2e-5) << formulation << " " << integrator << " " << by_turns.where;
    }
  }
}

/// A block with a foot at each corner slides and turns on a floor that is tilted anyhow, until a foot leaves it.
TEST(Gradients, GoOnWhereBodiesTouchAndSlide) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double size = std::pow(10, any(random));
    const Mat3 turn = Quat(any(random), any(random), any(random), any(random)).normalized().toRotationMatrix();
    const Vec3 place(any(random), any(random), any(random));
    const auto vector = [](const Vec3& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); };
    const auto point = [&](double x, double y, double z) { return vector(turn * (size * (place + Vec3(x, y, z)))); };
    const auto direction = [&](double x, double y, double z) { return vector(turn * Vec3(x, y, z)); };
    // Lengths in units of `size`, times in those of its root: the same motion everywhere.
    const double root = std::sqrt(size);
    const std::string text = fmt::format(
        R"(
cardan: 1
name: sliding-block
gravity: {gravity}
parameters: {{m: 3, k: {k:.17g}, mu: 0.3, e: 0.3, v0: {v0:.17g}}}
roads: {{floor: {{plane: {floor}, normal: {up}}}}}
bodies:
  block: {{mass: m, center: {center}, inertia: [{i:.17g}, {i:.17g}, {i:.17g}]}}
joints:
  float: {{free: [ground, block]}}
loads:
  feet: {{contact: [block, floor], points: [{a}, {b}, {c}, {d}], stiffness: k, restitution: e, friction: mu,
         speed: {slow:.17g}}}
initial:
  block: {{velocity: [v0*({vx:.17g}), v0*({vy:.17g}), v0*({vz:.17g})], angular_velocity: {spin}}}
)",
        fmt::arg("gravity", direction(0, 0, -9.81)), fmt::arg("k", 2e5 / size), fmt::arg("v0", 1.2 * root),
        fmt::arg("floor", point(0, 0, 0)), fmt::arg("up", direction(0, 0, 1)), fmt::arg("center", point(0.1, 0.2, 0.1)),
        fmt::arg("i", 0.03 * size * size), fmt::arg("a", point(0.3, 0.35, 0)), fmt::arg("b", point(-0.1, 0.35, 0)),
        fmt::arg("c", point(0.3, 0.05, 0)), fmt::arg("d", point(-0.1, 0.05, 0)), fmt::arg("slow", 0.05 * root),
        fmt::arg("vx", (turn * Vec3(1, 0.3, -0.1)).x()), fmt::arg("vy", (turn * Vec3(1, 0.3, -0.1)).y()),
        fmt::arg("vz", (turn * Vec3(1, 0.3, -0.1)).z()), fmt::arg("spin", vector(turn * Vec3(0, 0, 0.6 / root))));
    std::vector<DesignVariable> variables;
    for (const char* name : {"m", "k", "mu", "e", "v0"}) variables.push_back({name});
    DesignModel model(written(text), variables,
                      {{"x", expression_node("block.x")}, {"y", expression_node("block.vy")}});
    for (const char* formulation : {"hybrid", "global"}) {
      SimulationDefaults given;
      given.formulation = formulation;
      given.integrator = "trapezoidal";
      given.step = 2e-4 * root;
      given.until = 0.008 * root;
      given.tolerance = 1e-13 * size;
      const std::vector<double> values{3, 2e5 / size, 0.3, 0.3, 1.2 * root};
      const Comparison compared = compare_gradients(model, values, asked_options(model.make(values), given));
      EXPECT_EQ(compared.failure, "") << text;
      EXPECT_LT(compared.error, 1e-6) << formulation << " " << compared.where << text;
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

/// The one of the repository that chooses its steps.
TEST(Gradients, OfAModelThatChoosesItsStepsAreRefused) {
  DesignModel model(std::string(CARDAN_SOURCE_DIR) + "/models/stiff_stop.yaml", {{"ratio"}},
                    {{"s", expression_node("crank.x")}});
  const auto maker = [&](const std::vector<double>& at) { return model.make(at); };
  Samples samples;
  try {
    run_with_gradients(maker, model.at({500}), asked_options(model.make({500}), {}), model.signals(), samples);
    FAIL() << "was not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("take step_control fixed"), std::string::npos) << error.what();
  }
}

/// Of a map that has been seen on as many vectors as there are, newest last, everything is known where they are
/// perpendicular; of any others at least what it does to the newest.
TEST(SecantPairs, KnowWhatAMapDoesToWhatItWasSeenOn) {
  constexpr int n = 7;
  srand(3);
  const Eigen::MatrixXd N = Eigen::MatrixXd::Random(n, n);
  const Eigen::MatrixXd Q = Eigen::MatrixXd::Random(n, n).householderQr().householderQ();
  SecantPairs known(n, n), few(n, 3);
  VecX y(n);
  for (int i = 0; i < n; ++i) {
    const VecX x = (1 + i) * Q.col(i);
    known.keep(x, N * x);
    few.keep(x, N * x);
    known.apply(2 * x, y);
    EXPECT_LT((y - 2 * N * x).norm(), 1e-12);
  }
  const VecX any = VecX::Random(n);
  known.apply(any, y);
  EXPECT_LT((y - N * any).norm(), 1e-12);
  few.apply(Q.col(0), y);  // forgotten
  EXPECT_LT(y.norm(), 1e-12);
  const VecX newest = VecX::Random(n);
  known.keep(newest, N * newest);
  known.apply(newest, y);
  EXPECT_LT((y - N * newest).norm(), 1e-12);
  known.keep(VecX::Zero(n), VecX::Ones(n));  // tells nothing
  known.apply(newest, y);
  EXPECT_LT((y - N * newest).norm(), 1e-12);
  known.forget();
  known.apply(newest, y);
  EXPECT_EQ(y.norm(), 0);
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
