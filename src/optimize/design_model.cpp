#include "optimize/design_model.hpp"

#include <algorithm>
#include <cmath>

#include "sweep/words_of_plan.hpp"

namespace cardan {
namespace {

// Signals that a plan adds to a model; what the model says of them is turned into the words of the plan.
const std::string kAdded = "plan:";

std::string in_words_of_plan(std::string text) {
  return replaced(std::move(text), "signal '" + kAdded, "expression '");
}

/// Of what is near 0 a small part of its range.
double scale_of(const DesignVariable& variable, double value) {
  const double range = variable.max - variable.min;
  if (variable.scale > 0) return variable.scale;
  return std::isfinite(range) ? std::max(std::abs(value), 0.01 * range) : std::abs(value);
}

}  // namespace

DesignModel::DesignModel(const std::string& path, std::vector<DesignVariable> variables,
                         std::vector<DesignSignal> signals, std::map<std::string, double> fixed)
    : model_(path), variables_(std::move(variables)), expressions_(std::move(signals)), fixed_(std::move(fixed)) {
  for (const DesignSignal& signal : expressions_) names_.push_back(kAdded + signal.name);
}

Mechanism DesignModel::make(const std::vector<double>& values) {
  std::map<std::string, double> parameters = fixed_;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!variables_[i].is_input) parameters[variables_[i].name] = values[i];
  const auto add = [&](Reading& reading, MechanismSpec& spec) {
    spec.outputs.clear();
    spec.plots.clear();
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
      const YamlNode& expression = *expressions_[i].expression;
      SignalSpec signal;
      signal.name = Name(names_[i], expression.where);
      const std::size_t before = reading.failure_count();
      if (const auto value = read_varying(reading, expression, element_label("signal", names_[i]), ""))
        signal.value = Located<Varying>(*value, expression.where);
      if (reading.failure_count() > before) noted(signal).incomplete = true;
      spec.signals.push_back(std::move(signal));
      spec.outputs.emplace_back(names_[i], expression.where);
    }
  };
  try {
    sources_ = {};
    Mechanism made = model_.make(parameters, sources_, add);
    for (std::size_t i = 0; i < variables_.size(); ++i)
      for (Input& input : made.inputs)
        if (variables_[i].is_input && input.name == variables_[i].name) input.start = values[i];
    return made;
  } catch (const ModelError& error) {
    throw reworded(error, in_words_of_plan);
  }
}

std::vector<GradientParameter> DesignModel::at(const std::vector<double>& values) const {
  std::vector<GradientParameter> parameters;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    parameters.push_back(
        {variables_[i].name, values[i], scale_of(variables_[i], values[i]), variables_[i].min, variables_[i].max});
  return parameters;
}

}  // namespace cardan
