// Which algorithm an integrator's name stands for on a formulation: `trapezoidal`, `rk4` and `sdirk4` are several. The
// one place that says so; make_integrator() and the check of the options read it.
#pragma once

#include <string>

#include "cardan/run_options.hpp"

namespace cardan {

/// In the place of a name: chosen for the mechanism.
inline constexpr const char* kAutomatic = "auto";

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

/// The integrator's name, or what auto stands for where steps are constant.
std::string integrator_of(const RunOptions& options);

/// Throws std::invalid_argument for a name or a combination that does not exist, with a sentence that says why.
Method method_of(const RunOptions& options);

/// How the constraints are held: one of treatments(), or "index 2" and "index 3", which are bdf's.
std::string treatment_of(const RunOptions& options);

/// The one that is asked for, or the method's own: "fixed", "error", …
std::string step_control_of(const RunOptions& options);

}  // namespace cardan
