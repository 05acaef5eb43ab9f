// Minimization with bounds and inequalities by sequential quadratic programming:
//     min f(x)   with   c(x) >= 0,   lower <= x <= upper
// Every iteration solves quadratic_program.hpp with B, the Hessian of the Lagrangian as its gradients show it (BFGS,
// damped as by Powell 1978), with the constraints as they are to first order, and goes along the result until the
// merit f + sum of rho max(0, -c) falls enough (Han 1977). Points of the bounds are never left: where a trial has no
// value, as where a mechanism does not close, the way is shortened. (Nocedal and Wright, Numerical Optimization,
// chapter 18.)
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

struct DesignValue {
  double f = 0;
  VecX c;              // constraints, each 0 or more where it holds
  VecX df;             // n
  Eigen::MatrixXd dc;  // constraints x n
};

struct MinimizerOptions {
  int iterations = 100;
  double tolerance = 1e-8;  // of steps, in units of the scales, and of f relative
};

struct MinimizerIteration {
  int number = 0;
  double f = 0, violation = 0, step = 0;  // the last in units of the scales
  VecX x;
};

struct Minimum {
  VecX x;
  DesignValue value;
  VecX multipliers;  // of the constraints
  bool converged = false;
  std::string reason;  // in words, whether or not it has converged
  std::vector<MinimizerIteration> iterations;
};

/// Nothing where there is no value.
using DesignFunction = std::function<std::optional<DesignValue>(const VecX&)>;

/// `scale`: of each variable, 1 of which is a change that counts. Calls `told` after every iteration; it may end the
/// work by answering false. Throws std::invalid_argument when the start has no value.
Minimum minimize(const DesignFunction& function, const VecX& start, const VecX& lower, const VecX& upper,
                 const VecX& scale, const MinimizerOptions& options = {},
                 const std::function<bool(const MinimizerIteration&)>& told = {});

}  // namespace cardan
