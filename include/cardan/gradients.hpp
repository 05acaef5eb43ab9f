// Runs with derivatives: how every sample changes with numbers that the mechanism is made of, exact to the discrete
// scheme. docs/theory/gradients.md has the equations, and what can be differentiated.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/run_options.hpp"
#include "cardan/simulation.hpp"

namespace cardan {

/// A number that the mechanism depends on: a parameter of a model, a start, a constant input.
struct GradientParameter {
  std::string name;
  double value = 0;
  double scale = 0;  // a change by so much matters; 0: |value|, or 1 where that is 0
  double min = -std::numeric_limits<double>::infinity(),  // no mechanism is made beyond these
      max = std::numeric_limits<double>::infinity();
};

/// The mechanism with these values of the parameters, in their order. Called three times for each parameter.
using MechanismMaker = std::function<Mechanism(const std::vector<double>& values)>;

struct GradientOptions {
  double difference = 3e-5;  // mechanisms are made with parameters this part of their scale forth and back
  /// One side of each parameter is stepped in place of both, forth and back in turn, and both in one step of eight: a
  /// quarter cheaper, exact to about 1e-5. Mechanisms are then made twenty times nearer.
  bool alternate = false;
};

/// Receives the samples of a run with their derivatives.
class GradientSink {
 public:
  virtual ~GradientSink() = default;
  /// `columns`: `t` and the signals.
  virtual void start(const std::vector<std::string>& /*columns*/) {}
  /// `slopes`: parameters x columns, the derivative of the row with respect to each parameter.
  virtual void sample(const VecX& row, const Eigen::MatrixXd& slopes) = 0;
};

/// The same run as run() makes, sample by sample, and its derivatives. `signals` as those of a Simulation. Throws
/// std::invalid_argument with the cause where a method or a mechanism cannot be differentiated, ModelError where one of
/// the mechanisms cannot be made. Like run() it does not throw because of the motion.
RunSummary run_with_gradients(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                              const RunOptions& options, const std::vector<std::string>& signals, GradientSink& sink,
                              const GradientOptions& how = {});

}  // namespace cardan
