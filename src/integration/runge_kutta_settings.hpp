// Every number that Runge-Kutta methods can be told.
#pragma once

#include <optional>
#include <string>

#include "cardan/run_options.hpp"
#include "integration/error_tolerance.hpp"

namespace cardan {

struct RungeKuttaSettings {
  std::string solver = "automatic";
  ErrorTolerance error{.velocity_factor = 1};  // of one step, methods that choose their steps (lengths: times the size)
  double first_step = 1e-3;                    // s, likewise
  double step_min = 0, step_max = 1e300;       // s, likewise
  bool projections = true;
  double kappa = 1e6;               // strength of the penalties: w = kappa * effective mass
  double length = 1;                // size of the mechanism, m
  std::optional<double> tolerance;  // implicit methods: on the norm of the increment
  int iteration_budget = 0;         // implicit methods: fixed number of iterations (0: until convergence)

  static RungeKuttaSettings for_options(const RunOptions& options, double length);
};

}  // namespace cardan
