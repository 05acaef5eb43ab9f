// Gradients of a few numbers that a run comes to, with respect to many that the mechanism is made of: the run is gone
// through backwards, step by step, once for each result, whatever the number of parameters. Exact to the discrete
// scheme, as run_with_gradients() is. docs/theory/gradients.md has the equations, and what can be differentiated.
#pragma once

#include <cstdint>

#include "cardan/gradients.hpp"

namespace cardan {

/// Numbers that the samples of a run come to, and how they change with the samples.
class AdjointResults {
 public:
  virtual ~AdjointResults() = default;
  virtual int size() const = 0;
  /// Called with every sample in its order: `t` and the signals.
  virtual void sample(const VecX& row) = 0;
  /// After the last one: derivatives of the results by the row of sample `index`, results x columns. False where they
  /// are all zero.
  virtual bool weights(std::int64_t index, Eigen::MatrixXd& weights) const = 0;
};

/// Why a run cannot be gone through backwards, by name; empty where it can: then run_with_gradients() is left.
std::string adjoint_refusal(const Mechanism& mechanism, const RunOptions& options);

/// The same run as run() makes, and the gradients of the results, results x parameters. Throws std::invalid_argument
/// with the cause where adjoint_refusal() has one, ModelError where one of the mechanisms cannot be made.
RunSummary run_with_adjoint(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                            const RunOptions& options, const std::vector<std::string>& signals, AdjointResults& results,
                            Eigen::MatrixXd& gradient, const GradientOptions& how = {});

}  // namespace cardan
