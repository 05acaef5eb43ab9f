// What a simulation tells of itself.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "simulation/coordinate_counts.hpp"
#include "simulation/failure.hpp"
#include "simulation/simulation_impl.hpp"

namespace cardan {

void Simulation::Impl::describe() {
  const Phase& phase = phases.now();
  const CompiledMechanism& compiled = phase.compiled;
  const Structure& s = compiled.formulation->structure();
  summary.model = mechanism.name;
  summary.formulation_asked = summary.formulation_used = options.formulation;
  summary.integrator_asked = summary.integrator_used = options.integrator;
  summary.solver_asked = options.solver;
  summary.solver_used = phase.integrator->solver_name();
  summary.start = options.start;
  summary.step = options.step;
  summary.step_control_used = phase.integrator->chooses_steps() ? options.step_control.value_or("error") : "fixed";
  summary.coordinates = s.coordinates - s.states;
  for (int k : phase.integrator->constraints().redundant) summary.redundant.push_back(s.constraint_names[k]);
  EventSummary counts;
  count(phase, counts);
  summary.constraints = counts.constraints;
  summary.redundant_constraints = counts.redundant_constraints;
  summary.degrees_of_freedom = counts.degrees_of_freedom;
  summary.driven = counts.driven;
  summary.tolerance_used = options.tolerance.value_or(0);
  std::tie(summary.penalty_smallest, summary.penalty_largest) =
      phase.integrator->penalty_range(phase.state, options.step);
  summary.warnings = setup_warnings(mechanism, compiled);
  for (const std::string& w : start_warnings) summary.warnings.push_back(w);
}

void Simulation::Impl::count(const Phase& phase, EventSummary& counts) {
  count_freedom(phase.compiled.formulation->structure(), phase.drivers,
                static_cast<int>(phase.integrator->constraints().redundant.size()), counts);
  counts.degrees_of_freedom -= phase.singular;
}

std::vector<EventSummary> Simulation::Impl::event_summaries(std::size_t number) const {
  std::vector<EventSummary> result(number);
  for (std::size_t i = 0; i < number; ++i) {
    result[i].name = mechanism.events[i].name;
    result[i].time = mechanism.events[i].time;
    result[i].energy = event_energy[i];
    count(phases.after(static_cast<int>(i) + 1), result[i]);
  }
  return result;
}

std::vector<LeftTable> Simulation::Impl::left_tables() const {
  std::vector<LeftTable> all;
  for (int i = 0; i < phases.size(); ++i) {
    for (LeftTable& left : phases.phase(i).compiled.observer->left_tables()) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const LeftTable& l) { return l.table == left.table; });
      if (same == all.end()) {
        all.push_back(std::move(left));
      } else if (left.time < same->time) {
        *same = std::move(left);
      }
    }
  }
  return all;
}

void Simulation::Impl::name_violations() {
  ConstraintViolation* const violations[] = {&summary.position, &summary.velocity, &summary.acceleration};
  for (int i = 0; i < 3; ++i) {
    const Structure& s = phases.phase(worst[i].phase).compiled.formulation->structure();
    if (worst[i].constraint >= 0) violations[i]->constraint = s.constraint_names[worst[i].constraint];
  }
}

const RunSummary& Simulation::Impl::tell() {
  name_violations();
  summary.energy_initial = ledger.initial();
  summary.energy_final = ledger.final();
  summary.energy_max_error = ledger.largest_error();
  summary.energy_max_error_time = ledger.largest_error_time();
  warnings.write(mechanism, ledger, left_tables(), summary);
  summary.events = event_summaries(static_cast<std::size_t>(now().state.events));
  return summary;
}

StepStatus Simulation::Impl::told(StepStatus status, double h) {
  if (status != StepStatus::ok) {
    explain_failure(status, h);
  } else if (summary.status == RunStatus::failed) {
    summary.status = RunStatus::ok;
    summary.reason.clear();
  }
  return status;
}

void Simulation::Impl::explain_failure(StepStatus status, double h) {
  summary.status = RunStatus::failed;
  summary.reason.clear();
  std::vector<double> before;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(history_count, std::ssize(history)); ++i) {
    before.push_back(history[(history_count - 1 - i) % history.size()]);
  }
  if (status == StepStatus::table_end) {
    for (const LeftTable& left : left_tables())
      if (left.ends_run) summary.reason += (summary.reason.empty() ? "" : "; ") + left.sentence;
    return;
  }
  summary.reason = phases.complaint().empty() ? failure_reason(now(), options, status, h, before) : phases.complaint();
}

}  // namespace cardan
