// What options mean for integration in independent coordinates.
#include <algorithm>

#include "integration/butcher_tableau.hpp"
#include "integration/state_space/state_space_integrator.hpp"
#include "options/integrators.hpp"
#include "options/method.hpp"

namespace cardan {

/// Error unit of Newton's iteration where the step is constant, of each coordinate's scale: for steps of 0.01 s, see
/// StateSpaceSettings::adds_up.
static constexpr double kFixedStepTolerance = 2e-13;
/// Of Newton's increments, in scales.
static constexpr double kRoundingOfIncrements = 1e-16;

/// An error d of v'' in an implicit stage is gamma h d in that stage's own velocity, on which Newton's iteration is
/// judged, but b_j h d in the velocity at the end, with b_j up to 125/16 for sdirk4.
static double share_of_a_stage(const ButcherTableau& tableau) {
  return tableau.A.diagonal().mean() / tableau.b.cwiseAbs().maxCoeff();
}

StateSpaceSettings StateSpaceSettings::for_options(const RunOptions& options, double length) {
  StateSpaceSettings s;
  s.rule = options.integrator;
  s.solver = options.solver;
  s.length = length;
  s.structural = NewmarkRule::for_options(options);
  s.controlled = step_control_of(options) == "error";
  s.error.absolute = s.controlled ? options.absolute_tolerance : kFixedStepTolerance;
  s.error.relative = s.controlled ? options.relative_tolerance : kFixedStepTolerance;
  if (integrator_entry(s.rule).family == Family::implicit_runge_kutta) {
    const ButcherTableau& tableau = ButcherTableau::of(s.rule);
    const double rounding = kRoundingOfIncrements / (s.newton.accuracy * s.error.absolute);
    const double part = share_of_a_stage(tableau);
    s.newton.accuracy *= std::min(1.0, std::max(part, rounding));
  }
  s.newton.keep_jacobian = options.jacobian == "kept";
  s.step_min = options.step_min;
  s.step_max = options.step_max.value_or(s.step_max);
  s.adds_up = !s.controlled && !options.tolerance;
  if (options.tolerance) {  // on the increment of positions itself
    s.newton.accuracy = s.controlled ? *options.tolerance / options.absolute_tolerance : 1;
    if (!s.controlled) s.error.absolute = *options.tolerance, s.error.relative = 0;
  }
  s.by_size = !s.controlled && !options.tolerance;
  if (s.by_size) s.error.velocity_factor = 1;
  return s;
}

}  // namespace cardan
