#include "simulation/coordinate_counts.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "formulation/constraint_rank.hpp"
#include "formulation/direct_dynamics.hpp"
#include "options/applicable_options.hpp"
#include "simulation/run_warnings.hpp"

namespace cardan {
namespace {

/// Then M is positive definite in every formulation, and nothing moves without being resisted.
bool every_body_has_inertia(const Mechanism& mechanism) {
  return std::all_of(mechanism.bodies.begin(), mechanism.bodies.end(), [&](const Body& body) {
    const double size = body.inertia.cwiseAbs().maxCoeff();
    const bool turning = mechanism.planar
                             ? body.inertia(2, 2) > 0
                             : (body.inertia - 1e-9 * size * Mat3::Identity()).llt().info() == Eigen::Success;
    return body.mass > 0 && turning;
  });
}

/// No constraint depends on others where it starts, as far as can be told without an integrator: then nothing is
/// redundant and the position is not singular.
bool is_regular(const CompiledMechanism& compiled) {
  const Formulation& formulation = *compiled.formulation;
  if (formulation.full().structure().constraints == 0) return true;
  if (&formulation.full() != &formulation || dynamic_cast<const DirectDynamics*>(&formulation)) return false;
  const auto work = formulation.make_workspace();
  State state;
  state.attached = compiled.attached;
  formulation.start(state, *work);
  return formulation.position(state.t, state.q, state, *work) == StepStatus::ok &&
         dependent_constraints(formulation.structure(), work->equations.jacobian).empty();
}

}  // namespace

void count_freedom(const Structure& s, int drivers, const std::vector<int>& redundant, EventSummary& counts) {
  const bool constrained = s.position_constraints() > 0;
  const int of_positions = constrained ? s.position_constraints() - drivers : 0;
  const auto held =
      std::count_if(redundant.begin(), redundant.end(), [&](int row) { return row < s.position_constraints(); });
  counts.constraints = of_positions + s.velocity_constraints;
  counts.redundant_constraints = static_cast<int>(redundant.size());
  counts.degrees_of_freedom = s.coordinates - s.states - (of_positions - static_cast<int>(held));
  if (!constrained) counts.degrees_of_freedom += drivers;
  counts.velocity_degrees_of_freedom = counts.degrees_of_freedom - s.velocity_constraints +
                                       static_cast<int>(static_cast<std::ptrdiff_t>(redundant.size()) - held);
  counts.driven = drivers;
}

FormulationCounts count_coordinates(const Mechanism& mechanism, const std::string& formulation) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.integrator = "trapezoidal";  // counts do not depend on it, and every formulation has it
  options = without_foreign_options(options);
  options.start = "drawn";
  const CompiledMechanism compiled = compile(mechanism, formulation, options.cut);
  const Structure& s = compiled.formulation->structure();
  FormulationCounts result;
  result.formulation = formulation;
  result.coordinates = s.coordinates - s.states;
  result.cut = compiled.cut;
  result.overconstrained = !compiled.observer->open_reactions().empty();
  EventSummary counts;
  if (mechanism.events.empty() && every_body_has_inertia(mechanism) && is_regular(compiled)) {
    count_freedom(s, static_cast<int>(mechanism.drivers.size()), {}, counts);
    result.warnings = setup_warnings(mechanism, compiled);
  } else {
    const Simulation simulation(mechanism, options);
    const RunSummary& summary = simulation.summary();
    counts.constraints = summary.constraints;
    counts.degrees_of_freedom = summary.degrees_of_freedom;
    counts.velocity_degrees_of_freedom = summary.velocity_degrees_of_freedom;
    counts.driven = summary.driven;
    result.redundant = summary.redundant;
    result.events = simulation.planned_events();
    result.warnings = summary.warnings;
  }
  result.constraints = counts.constraints;
  result.degrees_of_freedom = counts.degrees_of_freedom;
  result.velocity_degrees_of_freedom = counts.velocity_degrees_of_freedom;
  result.driven = counts.driven;
  return result;
}

}  // namespace cardan
