// Runs of a design with derivatives, by those of the steps or by differences of runs.
#pragma once

#include <string>

#include "cardan/adjoint.hpp"
#include "optimize/design_model.hpp"
#include "optimize/design_plan.hpp"

namespace cardan {

class DesignRuns {
 public:
  /// Throws ModelError where an expression has no meaning in the model, std::invalid_argument where its runs cannot be
  /// differentiated as the plan asks.
  DesignRuns(const DesignPlan& plan, std::vector<DesignSignal> signals);

  /// False where the mechanism cannot be made or its run fails: failure() says why. `until`: at least so long, s.
  bool run(const VecX& values, GradientSink& sink, double until = 0);
  /// The same backwards: gradients of the results, results x variables.
  bool run_back(const VecX& values, AdjointResults& results, Eigen::MatrixXd& gradient);
  /// Why that cannot be done at these values, by name; empty where it can.
  std::string refusal(const VecX& values);
  const std::string& failure() const { return failure_; }
  int runs() const { return runs_; }
  int variables() const { return static_cast<int>(plan_.variables.size()); }

 private:
  template <class Run>
  bool guarded(const VecX& values, double until, const Run& run);
  RunSummary by_differences(const std::vector<double>& values, const RunOptions& options, GradientSink& sink);

  const DesignPlan& plan_;
  DesignModel model_;
  std::string failure_;
  int runs_ = 0;
};

}  // namespace cardan
