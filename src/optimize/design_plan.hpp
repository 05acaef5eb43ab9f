// Plans of `cardan optimize` and `cardan fit`: which model, which of its numbers are chosen and within which bounds,
// and what for. docs/optimize.md is the reference of the files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cardan/run_options.hpp"
#include "optimize/design_model.hpp"
#include "sweep/plan.hpp"

namespace cardan {

/// What both have.
struct DesignPlan : PlanSource {
  std::vector<DesignVariable> variables;
  std::map<std::string, double> fixed;  // parameters that are other than in the model
  SimulationDefaults options;
  bool direct = true;      // derivatives of the steps; else differences of runs
  bool alternate = false;  // see GradientOptions
  int iterations = 100;    // most
  double tolerance = 1e-8;

  VecX start() const;
  VecX lower() const;
  VecX upper() const;
  /// A change of each that counts: its range, or its start.
  VecX scale() const;
};

/// How gradients of measures are found: parameter by parameter, backwards, or by what costs less.
enum class GradientMode { automatic, direct, adjoint };

struct OptimizePlan : DesignPlan {
  GradientMode gradient = GradientMode::automatic;
  std::vector<SweepMeasure> measures;
  std::vector<SweepConstraint> constraints;   // of the form A > B or A < B: their guards
  std::vector<std::string> constraint_texts;  // as written
  std::vector<std::string> minimize;          // one expression of measures and variables, or two of a front
  int front = 0;                              // so many points of it, both ends among them
};

/// A column of the measured file and the expression that should be equal to it.
struct FitColumn {
  std::string column;
  SourceLocation where;
  YamlPointer expression;
  double deviation = 1;  // what the measurement is unsure by, in its unit: residuals are divided by it
};

struct FitPlan : DesignPlan {
  std::string data;
  std::vector<FitColumn> columns;
  std::vector<double> times;                  // s, rising
  std::vector<std::vector<double>> measured;  // column by column; NaN where nothing was measured
};

/// Both throw ModelError with all that is wrong.
OptimizePlan read_optimize_plan(const std::string& path);
FitPlan read_fit_plan(const std::string& path);

}  // namespace cardan
