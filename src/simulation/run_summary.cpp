// What a simulation tells of itself.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "options/method.hpp"
#include "simulation/coordinate_counts.hpp"
#include "simulation/failure.hpp"
#include "simulation/simulation_impl.hpp"

namespace cardan {

void Simulation::Impl::describe() {
  const Phase& phase = phases.now();
  const CompiledMechanism& compiled = phase.compiled;
  const Structure& s = compiled.formulation->structure();
  summary.model = mechanism.name;
  describe_method();
  summary.solver_asked = options.solver;
  summary.solver_used = phase.integrator->solver_name();
  summary.start = options.start;
  summary.step = options.step;
  summary.treatment_used = treatment_of(options);
  summary.step_control_used = phase.integrator->chooses_steps() ? options.step_control.value_or("error") : "fixed";
  summary.coordinates = s.coordinates - s.states;
  for (int k : phase.integrator->constraints().redundant) summary.redundant.push_back(s.constraint_names[k]);
  EventSummary counts;
  count(phase, counts);
  summary.constraints = counts.constraints;
  summary.redundant_constraints = counts.redundant_constraints;
  summary.degrees_of_freedom = counts.degrees_of_freedom;
  summary.velocity_degrees_of_freedom = counts.velocity_degrees_of_freedom;
  summary.driven = counts.driven;
  summary.tolerance_used = options.tolerance.value_or(0);
  std::tie(summary.penalty_smallest, summary.penalty_largest) =
      phase.integrator->penalty_range(phase.state, options.step);
  summary.warnings = setup_warnings(mechanism, compiled);
  for (const std::string& w : start_warnings) summary.warnings.push_back(w);
}

void Simulation::Impl::describe_method() {
  summary.formulation_asked = because.formulation.empty() ? options.formulation : kAutomatic;
  summary.formulation_used = options.formulation;
  summary.formulation_because = because.formulation;
  summary.integrator_asked = because.integrator.empty() ? options.integrator : kAutomatic;
  summary.integrator_used = options.integrator;
  summary.integrator_because = because.integrator;
}

void Simulation::Impl::count(const Phase& phase, EventSummary& counts) {
  count_freedom(phase.compiled.formulation->structure(), phase.drivers, phase.integrator->constraints().redundant,
                counts);
  counts.degrees_of_freedom -= phase.singular;
  counts.velocity_degrees_of_freedom -= phase.singular;
}

EventSummary Simulation::Impl::event_summary(int event, const Phase* after) const {
  EventSummary result;
  result.name = mechanism.events[static_cast<std::size_t>(event)].name;
  result.time = mechanism.events[static_cast<std::size_t>(event)].time;
  result.condition = mechanism.events[static_cast<std::size_t>(event)].condition;
  if (after) count(*after, result);
  return result;
}

std::vector<EventSummary> Simulation::Impl::event_summaries() const {
  std::vector<EventSummary> result;
  const auto told = std::min<std::size_t>(static_cast<std::size_t>(occurred), occurrences.size());
  for (std::size_t i = 0; i < told; ++i) {
    const Occurrence& one = occurrences[i];
    result.push_back(event_summary(static_cast<int>(one.event), &phases.phase(static_cast<int>(one.phase))));
    result.back().time = one.time;
    result.back().energy = one.energy;
  }
  return result;
}

/// Those at given times one after the other; each with a condition from the start.
std::vector<EventSummary> Simulation::Impl::planned_events() const {
  std::vector<EventSummary> result;
  int phase = 0;
  for (int i = 0; i < static_cast<int>(mechanism.events.size()); ++i) {
    const bool conditional = mechanism.events[static_cast<std::size_t>(i)].is_conditional();
    const Phase* after = phases.after(conditional ? 0 : phase, i);
    result.push_back(event_summary(i, after));
    if (after && !conditional) phase = after->state.phase;
  }
  for (std::size_t i = 0; i < occurrences.size() && i < static_cast<std::size_t>(occurred); ++i)
    result[static_cast<std::size_t>(occurrences[i].event)].energy = occurrences[i].energy;
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
  warnings.write(mechanism, phases.now().compiled.length, ledger, left_tables(), summary);
  summary.events = event_summaries();
  summary.event_count = occurred;
  if (ended() && summary.status == RunStatus::ok && !summary.events.empty()) {
    const auto last = std::find_if(summary.events.rbegin(), summary.events.rend(), [&](const EventSummary& one) {
      return std::any_of(mechanism.events.begin(), mechanism.events.end(), [&](const Event& event) {
        return event.name == one.name && event.action == Event::Action::end;
      });
    });
    if (last != summary.events.rend())
      summary.reason = fmt::format("event '{}' ended the run at t = {:.6g} s", last->name, last->time);
  }
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

std::string Simulation::Impl::chatter_reason() const {
  const auto name = [this](int event) { return "'" + mechanism.events[static_cast<std::size_t>(event)].name + "'"; };
  const bool two = in_a_row.before >= 0;
  const std::string which =
      two ? fmt::format("the events {} and {} bring each other about", name(in_a_row.before), name(in_a_row.last))
          : fmt::format("the event {} brings itself about", name(in_a_row.last));
  return fmt::format(
      "at t = {:.9g} s: {} again and again, with no time in between: let them happen at values that are apart, as "
      "x > 0.01 and x < -0.01, or write what they switch as a law that goes over smoothly, as tanh(x/0.01)",
      phases.now().state.t, which);
}

void Simulation::Impl::explain_failure(StepStatus status, double h) {
  summary.status = RunStatus::failed;
  summary.reason.clear();
  std::vector<double> before;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(history_count, std::ssize(history)); ++i) {
    const double length = history[(history_count - 1 - i) % history.size()];
    if (length > 0) before.push_back(length);  // a step below the rounding of time says nothing
  }
  if (status == StepStatus::table_end) {
    for (const LeftTable& left : left_tables())
      if (left.ends_run) summary.reason += (summary.reason.empty() ? "" : "; ") + left.sentence;
    return;
  }
  if (status == StepStatus::companion) {
    summary.reason = companions.complaint();
    return;
  }
  if (status == StepStatus::below_rounding && due_event() >= 0) {
    summary.reason = chatter_reason();
    return;
  }
  summary.reason =
      phases.complaint().empty() ? failure_reason(now(), mechanism, options, status, h, before) : phases.complaint();
}

}  // namespace cardan
