// A run with derivatives and without output, to be counted by callgrind.
//     cardan_gradient_cost MODEL FORMULATION INTEGRATOR STEP STEPS SIGNAL [alternate|adjoint] [PARAMETER=VALUE...]
// With R(n, p) instructions for n steps and p parameters, a parameter costs
//     (R(150, p) - R(50, p) - R(150, 0) + R(50, 0)) / (p (R(150, 0) - R(50, 0)))
// runs: reading, compiling and starting drop out. Prints the derivatives at the end, in all digits. With `adjoint` the
// run is gone through backwards, and all parameters together cost (R(150, p) - R(50, p)) / (R(150, 0) - R(50, 0)) runs,
// where R(n, 0) is without that word; with `adjoint-sum` it is the sum of squares of all samples.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cardan/adjoint.hpp"
#include "optimize/design_model.hpp"

namespace {

struct Last final : cardan::GradientSink {
  cardan::VecX row;
  Eigen::MatrixXd slopes;
  void sample(const cardan::VecX& values, const Eigen::MatrixXd& now) override { row = values, slopes = now; }
};

struct Ended final : cardan::AdjointResults {
  bool all = false;  // the sum of squares of all samples, else the end
  std::vector<double> seen;
  int size() const override { return 1; }
  void sample(const cardan::VecX& row) override { seen.push_back(row[1]); }
  bool weights(std::int64_t index, Eigen::MatrixXd& weights) const override {
    weights.setZero(1, 2);
    weights(0, 1) = all ? 2 * seen[static_cast<std::size_t>(index)] : 1;
    return all || index + 1 == std::ssize(seen);
  }
};

}  // namespace

int main(int count, char** arguments) {
  using namespace cardan;
  if (count < 7) {
    fmt::print(stderr,
               "usage: cardan_gradient_cost MODEL FORMULATION INTEGRATOR STEP STEPS SIGNAL [alternate|adjoint] "
               "[PARAMETER=VALUE...]\n");
    return 2;
  }
  std::vector<DesignVariable> variables;
  std::vector<double> values;
  GradientOptions how;
  bool backwards = false;
  Ended ended;
  for (int i = 7; i < count; ++i) {
    const std::string text = arguments[i];
    const std::size_t sign = text.find('=');
    how.alternate |= text == "alternate";
    backwards |= text.starts_with("adjoint");
    ended.all |= text == "adjoint-sum";
    if (sign == std::string::npos) continue;
    DesignVariable& variable = variables.emplace_back();
    variable.name = text.substr(0, sign);
    values.push_back(std::strtod(text.c_str() + sign + 1, nullptr));
  }
  auto expression = std::make_shared<YamlNode>();
  expression->kind = YamlNode::Kind::scalar;
  expression->text = arguments[6];
  DesignModel model(arguments[1], variables, {{"signal", expression}});
  const auto maker = [&](const std::vector<double>& at) { return model.make(at); };
  RunOptions options = RunOptions::for_mechanism(maker(values));
  options.formulation = arguments[2];
  options.integrator = arguments[3];
  options.step = std::strtod(arguments[4], nullptr);
  options.until = options.step * std::atoi(arguments[5]);
  if (backwards) {
    Eigen::MatrixXd gradient;
    const RunSummary summary =
        run_with_adjoint(maker, model.at(values), options, model.signals(), ended, gradient, how);
    fmt::print("{} {} steps {} iterations\n", summary.reason, summary.steps, summary.iterations);
    for (const double slope : gradient.reshaped()) fmt::print("{:.17g}\n", slope);
    return 0;
  }
  Last last;
  const RunSummary summary = run_with_gradients(maker, model.at(values), options, model.signals(), last, how);
  fmt::print("{} {} steps {} iterations\n", summary.reason, summary.steps, summary.iterations);
  for (const double slope : last.slopes.rightCols(1).reshaped()) fmt::print("{:.17g}\n", slope);
  return 0;
}
