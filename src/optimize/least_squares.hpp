// Least squares with bounds, by Levenberg's and Marquardt's method:
//     min 1/2 |r(x)|^2   with   lower <= x <= upper
// Every iteration solves min |r + J d|^2 + mu |D d|^2 within the bounds, D the lengths of J's columns so far (Moré
// 1978), and mu follows how well the first order foretold the fall. What is found is as sure as the residuals say:
// with s^2 = |r|^2/(N - n) the covariance of the numbers that no bound holds is s^2 (J^T J)^-1.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

struct Residuals {
  VecX r;             // N
  Eigen::MatrixXd J;  // N x n
};

struct FitIteration {
  int number = 0;
  double sum = 0;   // |r|^2
  double step = 0;  // in units of the scales
  VecX x;
};

struct LeastSquaresResult {
  VecX x;
  Residuals at;
  bool converged = false;
  std::string reason;
  std::vector<FitIteration> iterations;
  std::vector<bool> at_bound;     // of each number
  double deviation = 0;           // s: of a residual
  Eigen::MatrixXd covariance;     // n x n; zero rows for numbers at bounds, infinite for those that nothing tells apart
  VecX interval;                  // n: half of what holds the true number with 95 % probability
  std::vector<int> undetermined;  // numbers that the residuals do not depend on, or not apart from others
};

struct LeastSquaresOptions {
  int iterations = 100;
  double tolerance = 1e-9;  // of steps in units of the scales, and of the sum relative
};

/// Nothing where there is no value. Throws std::invalid_argument when the start has none.
LeastSquaresResult least_squares(const std::function<std::optional<Residuals>(const VecX&)>& function,
                                 const VecX& start, const VecX& lower, const VecX& upper, const VecX& scale,
                                 const LeastSquaresOptions& options = {},
                                 const std::function<bool(const FitIteration&)>& told = {});

/// t with a probability of 0.95 between -t and t, of Student's distribution.
double student_interval(double degrees_of_freedom);

}  // namespace cardan
