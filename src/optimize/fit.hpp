// What a plan of `cardan fit` comes to: the numbers of a model with which it moves as was measured, and how sure they
// are.
#pragma once

#include <functional>

#include "optimize/design_plan.hpp"
#include "optimize/least_squares.hpp"

namespace cardan {

struct FitResult {
  LeastSquaresResult numbers;
  std::vector<double> deviations;             // of every column: root mean square of what is left, in its unit
  std::vector<std::vector<double>> computed;  // column by column, at the times that were measured
  int runs = 0;                               // with derivatives
};

FitResult fit(const FitPlan& plan, const std::function<bool(const FitIteration&)>& told = {});

}  // namespace cardan
