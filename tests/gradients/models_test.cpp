// Derivatives of the models of the repository against differences.
#include <gtest/gtest.h>

#include "compared_gradients.hpp"

namespace cardan {
namespace {

struct Case {
  std::string model;
  std::vector<std::string> parameters, signals;
  double until;
  std::string formulation = "hybrid", integrator = "trapezoidal";
  double bar = 1e-6;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.model << " " << c.formulation << " " << c.integrator; }

class Models : public testing::TestWithParam<Case> {};

TEST_P(Models, HaveTheDerivativesOfDifferences) {
  const Case& c = GetParam();
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/" + c.model + ".yaml";
  std::vector<DesignVariable> variables;
  std::vector<DesignSignal> signals;
  for (const std::string& name : c.parameters) variables.push_back({name});
  for (const std::string& text : c.signals) signals.push_back({"s" + std::to_string(signals.size()), expression_node(text)});
  ModelSources sources;
  const Mechanism mechanism = read_mechanism(path, {}, sources);
  std::vector<double> values;
  for (DesignVariable& variable : variables) {
    const auto found = std::find_if(sources.parameters.begin(), sources.parameters.end(),
                                    [&](const ModelParameter& p) { return p.name == variable.name; });
    if (found != sources.parameters.end()) values.push_back(found->value);
    for (const Input& input : mechanism.inputs)
      if (input.name == variable.name) variable.is_input = true, values.push_back(input.start);
  }
  ASSERT_EQ(values.size(), variables.size());
  DesignModel model(path, variables, signals);
  SimulationDefaults given;
  given.until = c.until;
  given.formulation = c.formulation;
  given.integrator = c.integrator;
  if (c.integrator != "rk4") given.tolerance = 1e-12;
  const Comparison compared = compare_gradients(model, values, asked_options(mechanism, given));
  EXPECT_EQ(compared.failure, "");
  EXPECT_EQ(compared.rows, 0);
  EXPECT_LT(compared.error, c.bar) << compared.where;
  std::cout << c.model << " " << c.formulation << " " << c.integrator << ": " << compared.error << " "
            << compared.where << "\n";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* formulation : {"hybrid", "global", "cartesian"}) {
    all.push_back({"four_bar", {"L", "m"}, {"crank.x", "coupler.vy", "rocker.w", "pinB1.fx"}, 2, formulation});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Models, testing::ValuesIn(cases()));

}  // namespace
}  // namespace cardan
