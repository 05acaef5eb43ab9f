// A model with numbers to choose: parameters, their parts' and constant inputs, and expressions of signals that are
// looked at. What plans of `cardan optimize` and `cardan fit` have in common.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "cardan/gradients.hpp"
#include "io/model_template.hpp"

namespace cardan {

/// A number of the model that is chosen.
struct DesignVariable {
  std::string name;
  SourceLocation where;
  bool is_input = false;  // held all along
  double start = 0, min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  double scale = 0;  // of differences; 0: as GradientParameter has it
};

/// An expression of signals, and the name that messages give it.
struct DesignSignal {
  std::string name;
  YamlPointer expression;
};

class DesignModel {
 public:
  /// `fixed`: parameters of the model that are other than in it.
  DesignModel(const std::string& path, std::vector<DesignVariable> variables, std::vector<DesignSignal> signals,
              std::map<std::string, double> fixed = {});

  /// Throws ModelError with all that is wrong, expressions among it.
  Mechanism make(const std::vector<double>& values);
  /// Of the mechanisms that it makes, in the order of the expressions.
  const std::vector<std::string>& signals() const { return names_; }
  const std::vector<DesignVariable>& variables() const { return variables_; }
  const ModelSources& sources() const { return sources_; }
  /// At these values, for run_with_gradients().
  std::vector<GradientParameter> at(const std::vector<double>& values) const;

 private:
  ModelTemplate model_;
  std::vector<DesignVariable> variables_;
  std::vector<DesignSignal> expressions_;
  std::vector<std::string> names_;
  std::map<std::string, double> fixed_;
  ModelSources sources_;
};

}  // namespace cardan
