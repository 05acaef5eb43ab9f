// A run that is gone through backwards. Its steps are kept as they are made, and differentiated by taped_step.hpp and
// adjoint_step.hpp; beside it two mechanisms stand for each parameter, compiled and started, not stepped: what differs
// between them is how numbers, laws, starts and samples change with the parameter.
#pragma once

#include <vector>

#include "cardan/adjoint.hpp"
#include "gradients/adjoint_step.hpp"
#include "gradients/gradient_run.hpp"

namespace cardan {

class AdjointRun {
 public:
  AdjointRun(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters, const RunOptions& options,
             const std::vector<std::string>& signals, const GradientOptions& how);

  RunSummary go(AdjointResults& results, Eigen::MatrixXd& gradient);

 private:
  using Impl = GradientRun::Impl;
  struct Side {
    std::string name;
    double change;  // between plus and minus
    Simulation plus, minus;
  };

  Impl& nominal() { return GradientRun::inside(simulation_); }
  bool at_end() const;
  StepStatus step();
  StepStatus run_forth(AdjointResults& results);
  StepStatus run_back(const AdjointResults& results, TapedStep& taped);
  void add_sample(const State& state, const Eigen::MatrixXd& weights);
  void add_start();
  void sample(Impl& side, const State& state, VecX& row);

  const RunOptions options_;
  Simulation simulation_;
  std::vector<Side> sides_;
  std::vector<StepRecord> steps_;
  std::vector<std::int64_t> sampled_;  // after so many steps, of every sample
  State last_, trial_;
  std::vector<StateSlopes> slopes_;  // of every result
  Eigen::MatrixXd by_samples_;       // results x parameters: of samples and of the start
  VecX row_, up_, down_;
  int first_reference_ = 0, references_ = 0;
  std::string failure_;
};

}  // namespace cardan
