// Errors of every method from steps of 10 ms down to a microsecond: they fall, or stay where rounding is.
#pragma once

#include <string>
#include <vector>

#include "studies/orders/order_run.hpp"

namespace cardan {

/// s, each shorter than the one before.
std::vector<double> small_steps();

struct SmallStepResult {
  std::string mechanism, formulation, integrator;
  std::vector<double> steps, errors;  // of the runs that did not fail
  std::string refused, failure;       // failure: of the last that did
  double untold = 0;                  // errors below are rounding, at the shortest step
  double growth = 1;                  // the largest error over the smallest of longer steps; 1 where none grows
  double grows_at = 0;                // s
  /// Growth beyond rounding.
  bool grows() const { return growth > 1; }
  bool fails() const { return refused.empty() && !failure.empty(); }
};

SmallStepResult measure_small_steps(const OrderCase& mechanism, const OrderReference& reference,
                                    const std::string& formulation, const std::string& integrator,
                                    const std::vector<double>& steps);

/// Whether its steps are the caller's.
bool takes_small_steps(const std::string& integrator);

}  // namespace cardan
