// Which algorithm an integrator's name stands for on a formulation: `trapezoidal`, `rk4` and `sdirk4` are several. The
// one place that says so; make_integrator() and the check of the options read it.
#pragma once

#include <string_view>

namespace cardan {

enum class Method {
  newmark,               // structural rules by the index-3 augmented Lagrangian
  fixed_point,           // the same rules on recursive
  state_space,           // implicit rules in independent coordinates, on cartesian
  explicit_state_space,  // explicit ones
  direct_runge_kutta,    // explicit Runge-Kutta on recursive, constant step
  runge_kutta,           // explicit Runge-Kutta, constant step
  adaptive_runge_kutta,  // the same, step by the error
  implicit_runge_kutta,
  bdf
};

/// Throws std::invalid_argument for a name or a combination that does not exist, with a sentence that says why.
Method method_of(std::string_view formulation, std::string_view integrator);

}  // namespace cardan
