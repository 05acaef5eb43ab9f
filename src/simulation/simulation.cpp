#include "cardan/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <tuple>
#include <utility>

#include "simulation/energy_jumps.hpp"
#include "simulation/failure.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

const char* status_name(StepStatus status) {
  switch (status) {
    case StepStatus::Ok:
      return "ok";
    case StepStatus::NotConverged:
      return "not converged";
    case StepStatus::Singular:
      return "singular";
    case StepStatus::NonFinite:
      return "not finite";
    case StepStatus::Overrun:
      return "overrun";
  }
  return "";
}

namespace {

/// CPU time of this thread: what a step costs, whatever else the machine does.
double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const RunOptions& checked(const RunOptions& options) {
  options.check();
  return options;
}

/// Drawn, or the position of rest.
StartingPoint starting_point(const Mechanism& mechanism, const RunOptions& options,
                             std::vector<std::string>& warnings) {
  StartingPoint start;
  if (options.start != "equilibrium") return start;
  const Equilibrium equilibrium = find_equilibrium(mechanism);
  if (!equilibrium.converged) {
    throw ModelError(error_at(SourceLocation{mechanism.file}, "", equilibrium.reason,
                              "give the model a position of rest, or let it start as drawn"));
  }
  start.poses = equilibrium.bodies;
  if (equilibrium.unstable > 0) warnings.insert(warnings.end(), equilibrium.notes.begin(), equilibrium.notes.end());
  return start;
}

}  // namespace

struct Simulation::Impl {
  Mechanism mechanism;
  RunOptions options;
  std::vector<std::string> start_warnings;
  PhaseSet phases;
  RunSummary summary;
  std::vector<double> event_energy;  // of every event of the mechanism, as far as it has happened
  double work_done = 0;              // on the system since the start, events counted, J
  double last_power = 0;             // W
  double energy_error = 0;           // after the last step, J, signed
  double work_exchanged = 0;         // the same without signs
  double most_kinetic = 0;           // J
  EnergyJumps energy_jumps;
  double time_in_steps = 0;
  double largest_turn = 0;  // of a joint within one step, rad
  int turning_joint = -1;
  bool warned_of_turns = false, warned_of_energy = false, warned_of_jumps = false;
  std::array<double, 5> history{};  // lengths of the last steps, a ring
  std::int64_t history_count = 0;
  std::array<int, 3> worst_phase{};  // in which the worst violations of position, velocity, acceleration were

  Impl(const Mechanism& m, const RunOptions& o)
      : mechanism(m),
        options(checked(o)),
        phases(mechanism, options, starting_point(mechanism, options, start_warnings)),
        event_energy(mechanism.events.size(), 0.0) {
    describe();
    begin_energy();
  }

  Phase& now() { return phases.now(); }

  void describe() {
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
    summary.coordinates = s.coordinates;
    for (int k : phase.integrator->constraints().redundant) summary.redundant.push_back(s.constraint_names[k]);
    EventSummary counts;
    count(phase, counts);
    summary.constraints = counts.constraints;
    summary.redundant_constraints = counts.redundant_constraints;
    summary.degrees_of_freedom = counts.degrees_of_freedom;
    summary.tolerance_used = options.tolerance.value_or(0);
    std::tie(summary.penalty_smallest, summary.penalty_largest) =
        phase.integrator->penalty_range(phase.state, options.step);
    for (const Diagnostic& d : mechanism.warnings) summary.warnings.push_back(d.text());
    for (const std::string& w : compiled.warnings) summary.warnings.push_back(w);
    for (const std::string& w : start_warnings) summary.warnings.push_back(w);
    if (const auto open = compiled.observer->open_reactions(); !open.empty()) {
      summary.warnings.push_back(
          fmt::format("reactions are not unique: the joints constrain the same motion more than once ({}); those of "
                      "least norm are given",
                      fmt::join(open, ", ")));
    }
  }

  static void count(const Phase& phase, EventSummary& counts) {
    const Structure& s = phase.compiled.formulation->structure();
    const bool constrained = s.constraints > 0;
    counts.constraints = constrained ? s.constraints - phase.drivers : 0;
    counts.redundant_constraints = static_cast<int>(phase.integrator->constraints().redundant.size());
    counts.degrees_of_freedom = s.coordinates - (counts.constraints - counts.redundant_constraints);
    if (!constrained) counts.degrees_of_freedom += phase.drivers;
  }

  /// All events, or those that have happened.
  std::vector<EventSummary> event_summaries(std::size_t number) const {
    std::vector<EventSummary> result(number);
    for (std::size_t i = 0; i < number; ++i) {
      result[i].name = mechanism.events[i].name;
      result[i].time = mechanism.events[i].time;
      result[i].energy = event_energy[i];
      count(phases.after(static_cast<int>(i) + 1), result[i]);
    }
    return result;
  }

  /// Energy of the state; leaves position and velocity in the workspace.
  double find_energy() {
    Phase& phase = now();
    phase.compiled.formulation->position(phase.state.t, phase.state.q, phase.state, *phase.work);
    phase.compiled.formulation->velocity(phase.state.v, *phase.work);
    return phase.compiled.observer->energy(phase.state, *phase.work).total();
  }

  void begin_energy() {
    summary.energy_initial = summary.energy_final = find_energy();
    last_power = now().compiled.observer->power(now().state, *now().work);
  }

  double next_event() const {
    const Event* event = phases.next_event();
    return event ? event->time : std::numeric_limits<double>::infinity();
  }

  double event_slack() const { return 1e-6 * options.step; }

  StepStatus pass_events() {
    while (next_event() <= phases.now().state.t + event_slack()) {
      const double before = find_energy(), begin = thread_cpu_seconds();
      const std::size_t index = static_cast<std::size_t>(now().state.events);
      const StepStatus status = phases.pass();
      time_in_steps += thread_cpu_seconds() - begin;
      if (status != StepStatus::Ok) return status;
      summary.energy_final = find_energy();
      event_energy[index] = summary.energy_final - before;
      work_done += event_energy[index];
      last_power = now().compiled.observer->power(now().state, *now().work);
    }
    return StepStatus::Ok;
  }

  /// Steps of fixed length keep their ends, whatever falls between.
  StepStatus step(double h) {
    if (phases.now().integrator->chooses_steps()) return step_to_event(h);
    const double end = phases.now().state.t + h;
    StepStatus status = step_to_event(h);
    while (status == StepStatus::Ok && end - phases.now().state.t > event_slack()) {
      status = step_to_event(end - phases.now().state.t);
    }
    return status;
  }

  StepStatus step_to_event(double h_most) {
    if (const StepStatus status = pass_events(); status != StepStatus::Ok) return status;
    const double gap = next_event() - phases.now().state.t;
    const double slack = phases.now().integrator->chooses_steps() ? 0 : event_slack();
    return step_in_phase(gap < h_most - slack ? gap : h_most);
  }

  /// Full turns are counted from step to step, so no joint may turn by more than half of one, however small the error:
  /// a mechanism whose motion is given has none.
  static double longest_step(Phase& phase) {
    constexpr double kMostTurn = 2;  // rad
    Formulation& formulation = *phase.compiled.formulation;
    formulation.position(phase.state.t, phase.state.q, phase.state, *phase.work);
    formulation.velocity(phase.state.v, *phase.work);
    int joint = -1;
    const double rate = phase.compiled.observer->fastest_turn(*phase.work, joint);
    return rate > 0 ? kMostTurn / rate : std::numeric_limits<double>::infinity();
  }

  StepStatus step_in_phase(double h) {
    Phase& phase = now();
    const auto& [compiled, work, integrator] = std::tie(phase.compiled, phase.work, phase.integrator);
    State& state = phase.state;
    if (integrator->chooses_steps()) h = std::min(h, longest_step(phase));
    const double begin = thread_cpu_seconds();
    const StepStatus status = integrator->step(state, h);
    time_in_steps += thread_cpu_seconds() - begin;
    const StepReport& report = integrator->report();
    summary.iterations += report.iterations;
    summary.factorizations += report.factorizations;
    summary.evaluations += report.evaluations;
    summary.rejected_steps += report.rejected;
    summary.cpu_seconds = time_in_steps;
    if (status != StepStatus::Ok) return status;
    ++summary.steps;
    summary.stagnated_steps += report.stagnated;
    summary.repartitions += report.repartitioned;
    summary.duration = state.t;
    history[history_count++ % history.size()] = report.taken;
    summary.step_smallest = summary.steps == 1 ? report.taken : std::min(summary.step_smallest, report.taken);
    summary.step_largest = std::max(summary.step_largest, report.taken);
    summary.real_time_factor = time_in_steps > 0 ? summary.duration / time_in_steps : 0;
    keep_worst(summary.position, worst_phase[0], report.phi, report.worst_phi);
    keep_worst(summary.velocity, worst_phase[1], report.phi_rate, report.worst_rate);
    keep_worst(summary.acceleration, worst_phase[2], report.phi_second, report.worst_second);
    balance_energy(report.taken);
    int joint = -1;
    const double turn = report.taken * compiled.observer->fastest_turn(*work, joint);
    if (turn > largest_turn) largest_turn = turn, turning_joint = joint;
    return status;
  }

  void keep_worst(ConstraintViolation& worst, int& phase, double value, int constraint) const {
    if (value <= worst.value) return;
    worst.value = value;
    worst.time = phases.now().state.t;
    worst.index = constraint;
    phase = phases.index();
  }

  void balance_energy(double h) {
    Phase& phase = now();
    const State& state = phase.state;
    const auto& [compiled, work] = std::tie(phase.compiled, phase.work);
    const Energy energy = compiled.observer->energy(state, *work);
    summary.energy_final = energy.total();
    most_kinetic = std::max(most_kinetic, energy.kinetic);
    const double power = compiled.observer->power(state, *work);
    work_done += 0.5 * h * (last_power + power);
    work_exchanged += 0.5 * h * (std::abs(last_power) + std::abs(power));
    last_power = power;
    energy_error = summary.energy_final - summary.energy_initial - work_done;
    if (std::abs(energy_error) > std::abs(summary.energy_max_error)) {
      summary.energy_max_error = energy_error;
      summary.energy_max_error_time = state.t;
    }
    energy_jumps.see(energy_error, (most_kinetic + work_exchanged) / std::max<double>(1, std::ssize(mechanism.bodies)),
                     state.t);
  }

  void warn_of_energy_jumps() {
    if (energy_jumps.largest() == 0 || std::exchange(warned_of_jumps, true)) return;
    summary.warnings.push_back(
        fmt::format("the energy balance jumps by {:.3g} J in the step that ends at {:.4g} s, where the steps before "
                    "changed it by at most {:.2g} J: the mechanism may have left its branch in a singular position, or "
                    "met something too sudden for the step; compare with half the step",
                    energy_jumps.largest(), energy_jumps.time(), energy_jumps.before()));
  }

  /// Of what makes the result doubtful.
  void warn() {
    warn_of_energy_jumps();
    // Angles are continued over full turns by the nearest one, which fails from half a turn a step on.
    if (largest_turn > 2.5 && !std::exchange(warned_of_turns, true)) {
      summary.warnings.push_back(
          fmt::format("joint '{}' turns by {:.2g} rad in one step: beyond half a turn its full turns are not counted "
                      "right, nor is the torque of a spring on it; take a smaller step",
                      mechanism.joints[turning_joint].name, largest_turn));
    }
    constexpr double kDoubtful = 0.05;
    const double scale = most_kinetic + work_exchanged, part = std::abs(summary.energy_max_error) / scale;
    if (scale > 0 && part > kDoubtful && !std::exchange(warned_of_energy, true)) {
      summary.warnings.push_back(fmt::format(
          "the energy balance is off by {:.3g} J at {:.4g} s, {:.2g} % of the largest kinetic energy and the "
          "work exchanged: the motion may be wrong; compare with half the step, or ask for a tighter tolerance",
          summary.energy_max_error, summary.energy_max_error_time, 100 * part));
    }
  }

  void name_violations() {
    ConstraintViolation* const worst[] = {&summary.position, &summary.velocity, &summary.acceleration};
    for (int i = 0; i < 3; ++i) {
      const Structure& s = phases.phase(worst_phase[i]).compiled.formulation->structure();
      if (worst[i]->index >= 0) worst[i]->constraint = s.constraint_names[worst[i]->index];
    }
  }

  void explain_failure(StepStatus status, double h) {
    summary.status = "failed";
    std::vector<double> before;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(history_count, std::ssize(history)); ++i) {
      before.push_back(history[(history_count - 1 - i) % history.size()]);
    }
    summary.reason =
        phases.complaint().empty() ? failure_reason(now(), options, status, h, before) : phases.complaint();
  }
};

Simulation::Simulation(const Mechanism& mechanism, const RunOptions& options)
    : impl_(std::make_unique<Impl>(mechanism, options)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

double Simulation::time() const { return impl_->now().state.t; }
StepStatus Simulation::step() { return impl_->step(impl_->options.step); }
StepStatus Simulation::step(double h) { return impl_->step(h); }
StepStatus Simulation::step_to_event(double h) { return impl_->step_to_event(h); }
StepStatus Simulation::pass_events() { return impl_->pass_events(); }
double Simulation::next_event() const { return impl_->next_event(); }
const State& Simulation::state() const { return impl_->now().state; }
void Simulation::restore(const State& state) { impl_->phases.restore(state); }
BodyMotion Simulation::body(int index) const {
  Phase& phase = impl_->now();
  return phase.compiled.observer->body(index, phase.state, *phase.work);
}
double Simulation::energy() const { return impl_->summary.energy_final; }
const RunSummary& Simulation::summary() const {
  impl_->name_violations();
  impl_->warn();
  impl_->summary.events = impl_->event_summaries(static_cast<std::size_t>(impl_->now().state.events));
  return impl_->summary;
}
const std::vector<std::string>& Simulation::columns() const { return impl_->phases.columns(); }
void Simulation::sample(double* row) { impl_->phases.sample(impl_->now().state, row); }
bool Simulation::chooses_steps() const { return impl_->now().integrator->chooses_steps(); }
void Simulation::sample_at(double t, double* row) {
  Phase& phase = impl_->now();
  phase.between = phase.state;
  phase.integrator->interpolate(t, phase.between);
  impl_->phases.sample(phase.between, row);
}
const std::vector<std::string>& Simulation::step_columns() {
  static const std::vector<std::string> columns{
      "t", "h", "error", "iterations", "rejected", "energy_error", "position_violation", "velocity_violation"};
  return columns;
}
void Simulation::step_row(double* row) const {
  const StepReport& report = impl_->now().integrator->report();
  const double values[] = {impl_->now().state.t,
                           report.taken,
                           report.error,
                           static_cast<double>(report.iterations),
                           static_cast<double>(report.rejected),
                           impl_->energy_error,
                           report.phi,
                           report.phi_rate};
  std::copy(std::begin(values), std::end(values), row);
}
void Simulation::fail(StepStatus status, double h) { impl_->explain_failure(status, h); }
void Simulation::set_allocations(std::int64_t count) { impl_->summary.allocations = count; }

std::vector<EventSummary> Simulation::planned_events() const {
  return impl_->event_summaries(impl_->mechanism.events.size());
}

RunSummary run(const Mechanism& mechanism, const RunOptions& options, Sink* sink, const Progress& progress,
               Sink* steps) {
  Simulation simulation(mechanism, options);
  std::vector<double> row(simulation.columns().size());
  const auto put = [&] { sink->sample(row.data(), row.size()); };
  StepStatus status = simulation.pass_events();
  if (sink) {
    sink->start(simulation.columns());
    simulation.sample(row.data());
    put();
  }

  std::vector<double> step_row(Simulation::step_columns().size());
  if (steps) steps->start(Simulation::step_columns());

  const std::uint64_t allocations = allocation_counter ? allocation_counter() : 0;
  const bool chooses_steps = simulation.chooses_steps();
  double sampled = simulation.time();  // time of the last sample
  std::int64_t samples = 0;            // after the first one
  double h = options.step;
  const auto step_to_event = [&](double h_most) {
    status = simulation.step_to_event(h_most);
    if (status != StepStatus::Ok || !steps) return;
    simulation.step_row(step_row.data());
    steps->sample(step_row.data(), step_row.size());
  };
  for (std::int64_t count = 1; status == StepStatus::Ok; ++count) {
    const double rest = options.until - simulation.time();
    if (rest <= 1e-9 * std::min(options.step, options.until)) break;
    // The last step ends exactly at `until`; a rest that is a step but for rounding is one.
    h = chooses_steps || rest < options.step * (1 + 1e-6) ? rest : options.step;
    const double end = simulation.time() + h, slack = 1e-6 * options.step;
    step_to_event(h);
    // A step of fixed length that an event falls into is taken in parts.
    while (!chooses_steps && status == StepStatus::Ok && end - simulation.time() > slack) {
      step_to_event(end - simulation.time());
    }
    if (status != StepStatus::Ok) break;
    if (progress && count % 64 == 0) progress(simulation.time());
    // Where events are due, the row of their time shows what they leave behind.
    const bool due = simulation.next_event() <= simulation.time() + slack;
    // Samples come at the times asked for, wherever the steps end.
    const auto next_sample = [&] { return static_cast<double>(samples + 1) * options.every * options.step; };
    const double up_to = due ? simulation.next_event() - slack : simulation.time();
    for (; sink && chooses_steps && next_sample() <= up_to; ++samples) {
      simulation.sample_at(sampled = next_sample(), row.data());
      put();
    }
    if (due) status = simulation.pass_events();
    if (!sink || status != StepStatus::Ok) continue;
    const bool at_sample =
        chooses_steps ? due && next_sample() <= simulation.time() + slack : count % options.every == 0;
    if (!at_sample) continue;
    simulation.sample(row.data());
    put();
    sampled = simulation.time();
    ++samples;
  }
  if (allocation_counter) simulation.set_allocations(static_cast<std::int64_t>(allocation_counter() - allocations));
  if (status != StepStatus::Ok) simulation.fail(status, h);
  if (sink) {
    if (sampled < simulation.time() - 1e-9 * options.step) {
      simulation.sample(row.data());
      put();
    }
    sink->finish();
  }
  if (steps) steps->finish();
  RunSummary summary = simulation.summary();
  for (const Event& event : mechanism.events) {
    if (event.time > options.until)
      summary.warnings.push_back(fmt::format("event '{}' at {:.6g} s comes after the end of the run at {:.6g} s",
                                             event.name, event.time, options.until));
  }
  return summary;
}

FormulationCounts count_coordinates(const Mechanism& mechanism, const std::string& formulation) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.integrator = "trapezoidal";  // counts do not depend on it, and every formulation has it
  options.step_control.reset();
  options.start = "drawn";
  const CompiledMechanism compiled = compile(mechanism, formulation, options.cut);
  const Simulation simulation(mechanism, options);
  const RunSummary& s = simulation.summary();
  return {formulation,
          s.coordinates,
          s.constraints,
          s.degrees_of_freedom,
          s.redundant,
          compiled.cut,
          simulation.planned_events()};
}

}  // namespace cardan
