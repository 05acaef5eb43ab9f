// The mechanisms on which the orders of all methods are measured: each stresses what a method may lose its order on.
// All are turned and moved at random (fixed seed), so that no axis is parallel to an inertial one, and keep away from
// singular positions, where no order is promised.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct OrderCase {
  std::string name;
  std::string about;
  Mechanism mechanism;
  double duration = 1;      // s
  double longest_step = 0;  // s; ladders of steps begin here
  int times = 8;            // at which errors are taken, evenly over the run
};

/// A planar loop, a spatial one, a redundant one (Bricard), one with a massless body, one with stiff loads, one that
/// turns many times.
std::vector<OrderCase> order_cases();

/// The same for a short while, and a pendulum on a ball joint: for steps down to a microsecond.
std::vector<OrderCase> small_step_cases();

}  // namespace cardan
