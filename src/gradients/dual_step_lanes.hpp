// The functions of dual_step.hpp, compiled once for every set of instructions.
#pragma once

#include "gradients/dual_step.hpp"
#include "gradients/step_equations.hpp"

namespace cardan::CARDAN_LANES {

template <int D>
StepEquations<D> equations_of(const LaneModel<D>& model, LaneWork<D>& work, Dynamics<D>& dynamics, DualStep& step) {
  return {model, step.moments, work, dynamics, step.inertia, step.bodies};
}

template <int D>
void residual(const LaneModel<D>& model, LaneWork<D>& work, const LaneLaws& laws, DualStep& step) {
  Dynamics<D> dynamics(model, work, laws);
  StepEquations<D> equations = equations_of(model, work, dynamics, step);
  dynamics.tree().see_references(packs(step.references));
  dynamics.position(packs(step.q));
  dynamics.velocity(packs(step.v), packs(step.q));
  dynamics.apply_wrenches(1);
  equations.find_inertias();
  equations.write_residual(packs(step.A), packs(step.lambda), packs(step.residual));
}

template <int D>
void held(const LaneModel<D>& model, LaneWork<D>& work, const LaneLaws& laws, DualStep& step, bool elsewhere) {
  Dynamics<D> dynamics(model, work, laws);
  StepEquations<D> equations = equations_of(model, work, dynamics, step);
  if (elsewhere) {
    dynamics.position(packs(step.q));
    dynamics.velocity(packs(step.v), packs(step.q));
    if (model.loads_rows.size() > 0) dynamics.apply_wrenches(1);
    equations.find_inertias();
  }
  equations.write_held(step.damped, step.stiff, packs(step.correction_v), packs(step.held_v));
  equations.write_held(step.damped, step.stiff, packs(step.correction_A), packs(step.held_A));
}

template <int D>
void rates(const LaneModel<D>& model, LaneWork<D>& work, const LaneLaws& laws, DualStep& step) {
  Dynamics<D> dynamics(model, work, laws);
  const StepEquations<D> equations = equations_of(model, work, dynamics, step);
  equations.add_constraints(step.mu.data(), packs(step.held_v));
  equations.add_constraints(step.nu.data(), packs(step.held_A));
  for (int i = 0; i < model.coordinates; ++i) packs(step.v1)[i] = packs(step.v)[i] + packs(step.correction_v)[i];
  for (int k = 0; k < model.constraints; ++k)
    packs(step.rate)[k] = equations.constraint_times(k, packs(step.v1)) + packs(work.phi_t)[k];
}

template <int D>
void second(const LaneModel<D>& model, LaneWork<D>& work, const LaneLaws& laws, DualStep& step) {
  Dynamics<D> dynamics(model, work, laws);
  const StepEquations<D> equations = equations_of(model, work, dynamics, step);
  dynamics.velocity(packs(step.v1), packs(step.q));
  dynamics.find_gamma();
  for (int i = 0; i < model.coordinates; ++i) packs(step.A1)[i] = packs(step.A)[i] + packs(step.correction_A)[i];
  for (int k = 0; k < model.constraints; ++k)
    packs(step.second)[k] = equations.constraint_times(k, packs(step.A1)) - packs(work.gamma)[k];
}

template <int D>
void measure_anew(const LaneModel<D>& model, DualStep& step) {
  measure_anew<D>(model, packs(step.q), packs(step.v1), packs(step.a1), packs(step.A1), packs(step.references));
}

template <int D>
DualFunctions<D> functions() {
  return {&residual<D>, &held<D>, &rates<D>, &second<D>, &measure_anew<D>};
}

}  // namespace cardan::CARDAN_LANES
