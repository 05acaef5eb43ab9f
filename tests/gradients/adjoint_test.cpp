// Runs that are gone through backwards against derivatives parameter by parameter, and what is refused.
#include "cardan/adjoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "compared_gradients.hpp"

namespace cardan {
namespace {

/// Numbers of all columns at the end, and sums of squares of all samples of the first of them.
struct EndAndSum final : AdjointResults, GradientSink {
  int columns;
  std::vector<VecX> rows;
  Eigen::MatrixXd direct;  // results x parameters
  explicit EndAndSum(int signals) : columns(signals) {}
  int size() const override { return columns + 1; }
  void sample(const VecX& row) override { rows.push_back(row); }
  bool weights(std::int64_t index, Eigen::MatrixXd& weights) const override {
    weights.setZero(size(), columns + 1);
    if (index + 1 == std::ssize(rows)) weights.block(0, 1, columns, columns).setIdentity();
    weights(columns, 1) = 2 * rows[static_cast<std::size_t>(index)][1];
    return true;
  }
  void sample(const VecX& row, const Eigen::MatrixXd& slopes) override {
    if (direct.size() == 0) direct.setZero(size(), slopes.rows());
    direct.topRows(columns) = slopes.rightCols(columns).transpose();
    direct.row(columns) += 2 * row[1] * slopes.col(1).transpose();
  }
};

struct AdjointCase {
  std::string model;
  std::vector<std::string> parameters, signals;
  double until;
  std::string integrator = "trapezoidal";
  double bar = 1e-7;  // how exact the direct ones are
};

void PrintTo(const AdjointCase& c, std::ostream* out) { *out << c.model << " " << c.integrator; }

double difference(DesignModel& model, const std::vector<double>& values, const RunOptions& options) {
  const auto maker = [&](const std::vector<double>& at) { return model.make(at); };
  const int columns = static_cast<int>(model.signals().size());
  EndAndSum back(columns), forth(columns);
  Eigen::MatrixXd gradient;
  const RunSummary summary = run_with_adjoint(maker, model.at(values), options, model.signals(), back, gradient);
  EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
  run_with_gradients(maker, model.at(values), options, model.signals(), forth);
  if (gradient.size() == 0) return 1;
  // In equal parts of the parameters, of the largest that a result changes by.
  VecX parts(gradient.cols());
  for (Eigen::Index p = 0; p < parts.size(); ++p)
    parts[p] = values[static_cast<std::size_t>(p)] != 0 ? std::abs(values[static_cast<std::size_t>(p)]) : 1;
  double worst = 0;
  for (Eigen::Index r = 0; r < gradient.rows(); ++r) {
    const VecX off = (gradient - forth.direct).row(r).transpose().cwiseProduct(parts),
               all = forth.direct.row(r).transpose().cwiseProduct(parts);
    if (off.norm() > 0) worst = std::max(worst, off.lpNorm<Eigen::Infinity>() / all.lpNorm<Eigen::Infinity>());
  }
  return worst;
}

class Adjoint : public testing::TestWithParam<AdjointCase> {};

TEST_P(Adjoint, IsTheGradientThatDirectDerivativesGive) {
  const AdjointCase& c = GetParam();
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/" + c.model + ".yaml";
  std::vector<DesignVariable> variables;
  std::vector<DesignSignal> signals;
  for (const std::string& name : c.parameters) variables.push_back({name});
  for (const std::string& text : c.signals)
    signals.push_back({"s" + std::to_string(signals.size()), expression_node(text)});
  ModelSources sources;
  const Mechanism mechanism = read_mechanism(path, {}, sources);
  std::vector<double> values;
  for (DesignVariable& variable : variables) {
    for (const ModelParameter& p : sources.parameters)
      if (p.name == variable.name) values.push_back(p.value);
    for (const Input& input : mechanism.inputs)
      if (input.name == variable.name) variable.is_input = true, values.push_back(input.start);
  }
  ASSERT_EQ(values.size(), variables.size());
  DesignModel model(path, variables, signals);
  SimulationDefaults given;
  given.until = c.until;
  given.formulation = "hybrid";
  given.integrator = c.integrator;
  given.tolerance = 1e-12;
  EXPECT_LT(difference(model, values, asked_options(mechanism, given)), c.bar);
}

INSTANTIATE_TEST_SUITE_P(
    All, Adjoint,
    testing::Values(
        AdjointCase{"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "rocker.w", "pinB1.fx"}, 0.6},
        AdjointCase{"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "pinB1.fx"}, 0.6, "hht"},
        AdjointCase{"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "pinB1.fx"}, 0.6, "generalized-alpha"},
        AdjointCase{"double_four_bar", {"L", "speed"}, {"crank.x", "coupler1.vy", "rocker2.w"}, 0.6},
        AdjointCase{"bricard", {"L"}, {"rod1.x", "rod3.vy"}, 0.6},
        AdjointCase{"slider_crank", {"r", "l"}, {"crank.x", "piston.vx", "big_end.fx"}, 0.01},
        AdjointCase{"spherical_pendulum", {"L"}, {"arm.x", "arm.vy", "ball.fz"}, 1},
        AdjointCase{"stewart_platform", {"base", "top", "height", "stroke", "rate"}, {"platform.vz"}, 0.2},
        AdjointCase{
            "andrews_squeezer", {"xa", "ya", "xb", "d", "da"}, {"k1.x", "k3.vy", "k7.w"}, 0.001, "trapezoidal", 1e-6},
        AdjointCase{
            "iltis", {"speed", "leaf_stiffness", "damping"}, {"chassis.z", "chassis.x"}, 0.3, "trapezoidal", 5e-7},
        AdjointCase{"bump_steer", {"in_y", "in_z", "out_z"}, {"toe"}, 0.4},
        AdjointCase{"four_bar_path", {"r1", "r2", "r3", "r4", "px", "py", "begin"}, {"tip.x", "tip.y"}, 1}));

/// Pendulums in a row, turned and moved anywhere, with springs between them: of every one its length, mass, stiffness
/// and damping is a parameter.
TEST(AdjointOfManyParameters, IsTheGradientThatDirectDerivativesGive) {
  constexpr int links = 6;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  const Mat3 turn = Quat(any(random), any(random), any(random), any(random)).normalized().toRotationMatrix();
  const Vec3 place(any(random), any(random), any(random));
  std::string parameters = "{", points, bodies, joints, loads;
  std::vector<DesignVariable> variables;
  std::vector<double> values;
  const auto parameter = [&](const std::string& name, double value) {
    parameters += fmt::format("{}{}: {:.17g}", values.empty() ? "" : ", ", name, value);
    variables.push_back({name});
    values.push_back(value);
  };
  const Vec3 along = turn * Vec3(1, 0, 0), axis = turn * Vec3(0, 1, 0), down = turn * Vec3(0, 0, -9.81);
  std::string from[3];
  for (int i = 0; i < 3; ++i) from[i] = fmt::format("{:.17g}", place[i]);
  for (int k = 0; k < links; ++k) {
    parameter(fmt::format("l{}", k), 0.4 + 0.1 * any(random));
    parameter(fmt::format("m{}", k), 1 + 0.3 * any(random));
    parameter(fmt::format("k{}", k), 20 + 5 * any(random));
    parameter(fmt::format("c{}", k), 0.3 + 0.1 * any(random));
    std::string to[3], centre[3];
    for (int i = 0; i < 3; ++i) {
      to[i] = fmt::format("{}+({:.17g})*l{}", from[i], along[i], k);
      centre[i] = fmt::format("{}+({:.17g})*l{}/2", from[i], along[i], k);
    }
    const std::string before = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    bodies += fmt::format(
        "  b{0}: {{mass: m{0}, center: [{1}, {2}, {3}], inertia: [m{0}*l{0}^2/12, m{0}*l{0}^2/10, m{0}*l{0}^2/11]}}\n",
        k, centre[0], centre[1], centre[2]);
    joints += fmt::format("  j{}: {{revolute: [{}, b{}], at: [{}, {}, {}], axis: [{:.17g}, {:.17g}, {:.17g}]}}\n", k,
                          before, k, from[0], from[1], from[2], axis[0], axis[1], axis[2]);
    loads += fmt::format("  s{0}: {{torsion: j{0}, stiffness: k{0}, damping: c{0}}}\n", k);
    for (int i = 0; i < 3; ++i) from[i] = to[i];
  }
  parameters += "}";
  const std::string text = fmt::format(
      "cardan: 1\nname: row\ngravity: [{:.17g}, {:.17g}, {:.17g}]\nparameters: {}\nbodies:\n{}joints:\n{}loads:\n{}"
      "simulation: {{until: 0.4, step: 0.01, tolerance: 1e-12}}\n",
      down[0], down[1], down[2], parameters, bodies, joints, loads);
  const std::string path = testing::TempDir() + "adjoint.yaml";
  std::ofstream(path) << text;
  DesignModel model(path, variables,
                    {{"x", expression_node(fmt::format("b{}.x", links - 1))}, {"y", expression_node("b2.vz")}});
  SimulationDefaults given;
  given.formulation = "hybrid";
  given.integrator = "trapezoidal";
  EXPECT_LT(difference(model, values, asked_options(model.make(values), given)), 1e-7) << text;
}

TEST(AdjointRefusal, NamesWhatHasNone) {
  const std::string models = std::string(CARDAN_SOURCE_DIR) + "/models/";
  const auto refused = [&](const std::string& name, const std::string& formulation) {
    DesignModel model(models + name + ".yaml", {}, {});
    SimulationDefaults given;
    given.formulation = formulation;
    given.integrator = "trapezoidal";
    return adjoint_refusal(model.make({}), asked_options(model.make({}), given));
  };
  EXPECT_EQ(refused("four_bar", "hybrid"), "");
  EXPECT_NE(refused("four_bar", "global").find("on 'global' have no adjoint"), std::string::npos);
  EXPECT_NE(refused("puma560", "hybrid").find("has no adjoint"), std::string::npos);
  EXPECT_NE(refused("excavator", "hybrid").find("has no adjoint"), std::string::npos);
}

}  // namespace
}  // namespace cardan
