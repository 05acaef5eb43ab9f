#include "cardan/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <tuple>
#include <utility>

#include "formulation/constraint_rank.hpp"
#include "formulation/direct_dynamics.hpp"
#include "simulation/applicable_options.hpp"
#include "simulation/energy_jumps.hpp"
#include "simulation/failure.hpp"
#include "simulation/phase_set.hpp"
#include "simulation/run_record.hpp"

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
    case StepStatus::TableEnd:
      return "end of a table";
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

/// Of the mechanism and of its position before time starts.
std::vector<std::string> setup_warnings(const Mechanism& mechanism, const CompiledMechanism& compiled) {
  std::vector<std::string> warnings;
  for (const Diagnostic& d : mechanism.warnings) warnings.push_back(d.unmarked_text());
  warnings.insert(warnings.end(), compiled.warnings.begin(), compiled.warnings.end());
  if (const auto open = compiled.observer->open_reactions(); !open.empty()) {
    warnings.push_back(
        fmt::format("reactions are not unique: the joints constrain the same motion more than once ({}); those of "
                    "least norm are given",
                    fmt::join(open, ", ")));
  }
  return warnings;
}

void count(const Structure& s, int drivers, int redundant, EventSummary& counts) {
  const bool constrained = s.constraints > 0;
  counts.constraints = constrained ? s.constraints - drivers : 0;
  counts.redundant_constraints = redundant;
  counts.degrees_of_freedom = s.coordinates - (counts.constraints - counts.redundant_constraints);
  if (!constrained) counts.degrees_of_freedom += drivers;
  counts.driven = drivers;
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
  double largest_turn = 0;  // of a joint within one step, beside what its rate foretold, rad
  int turning_joint = -1;
  bool warned_of_turns = false, warned_of_energy = false, warned_of_opening = false, warned_of_jumps = false;
  std::vector<std::string> warned_of_tables;
  bool at_table_end = false;        // of one that ends the run
  double largest_opening = 0;       // violation of a constraint relative to the mechanism's size
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
    summary.driven = counts.driven;
    summary.tolerance_used = options.tolerance.value_or(0);
    std::tie(summary.penalty_smallest, summary.penalty_largest) =
        phase.integrator->penalty_range(phase.state, options.step);
    summary.warnings = setup_warnings(mechanism, compiled);
    for (const std::string& w : start_warnings) summary.warnings.push_back(w);
  }

  static void count(const Phase& phase, EventSummary& counts) {
    cardan::count(phase.compiled.formulation->structure(), phase.drivers,
                  static_cast<int>(phase.integrator->constraints().redundant.size()), counts);
    counts.degrees_of_freedom -= phase.singular;
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
    at_table_end = !now().compiled.observer->look_at_tables(now().state, *now().work);
  }

  /// Elsewhere all at once, by an event or a restored state: what that changes is no error.
  double book_jump(double before) {
    summary.energy_final = find_energy();
    work_done += summary.energy_final - before;
    last_power = now().compiled.observer->power(now().state, *now().work);
    return summary.energy_final - before;
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
      event_energy[index] = book_jump(before);
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

  /// What lies between two steps is interpolated, which a polynomial cannot do over half a turn, however small the
  /// error at the ends: a mechanism whose motion is given has none.
  static double longest_step(Phase& phase) {
    constexpr double kMostTurn = 2;  // rad
    Formulation& formulation = *phase.compiled.formulation;
    formulation.position(phase.state.t, phase.state.q, phase.state, *phase.work);
    formulation.velocity(phase.state.v, *phase.work);
    int joint = -1;
    const double rate = phase.compiled.observer->fastest_turn(*phase.work, joint);
    return rate > 0 ? kMostTurn / rate : std::numeric_limits<double>::infinity();
  }

  /// All that a step costs is in the time: the integrator, the energy balance and what is watched.
  StepStatus step_in_phase(double h) {
    if (at_table_end) return StepStatus::TableEnd;
    const double begin = thread_cpu_seconds();
    const StepStatus status = advance(h);
    time_in_steps += thread_cpu_seconds() - begin;
    summary.cpu_seconds = time_in_steps;
    summary.real_time_factor = time_in_steps > 0 ? summary.duration / time_in_steps : 0;
    return status;
  }

  StepStatus advance(double h) {
    Phase& phase = now();
    const auto& [compiled, work, integrator] = std::tie(phase.compiled, phase.work, phase.integrator);
    State& state = phase.state;
    if (integrator->chooses_steps()) h = std::min(h, longest_step(phase));
    compiled.observer->note_rates(state);
    const StepStatus status = integrator->step(state, h);
    const StepReport& report = integrator->report();
    summary.iterations += report.iterations;
    summary.factorizations += report.factorizations;
    summary.evaluations += report.evaluations;
    summary.rejected_steps += report.rejected;
    if (status != StepStatus::Ok) return status;
    ++summary.steps;
    summary.stagnated_steps += report.stagnated;
    summary.repartitions += report.repartitioned;
    summary.duration = state.t;
    history[history_count++ % history.size()] = report.taken;
    summary.step_smallest = summary.steps == 1 ? report.taken : std::min(summary.step_smallest, report.taken);
    summary.step_largest = std::max(summary.step_largest, report.taken);
    keep_worst(summary.position, worst_phase[0], report.phi, report.worst_phi);
    keep_worst(summary.velocity, worst_phase[1], report.phi_rate, report.worst_rate);
    keep_worst(summary.acceleration, worst_phase[2], report.phi_second, report.worst_second);
    largest_opening = std::max(largest_opening, report.opening);
    balance_energy(report.taken);
    int joint = -1;
    const double turn = compiled.observer->unforeseen_turn(state, report.taken, joint);
    if (turn > largest_turn) largest_turn = turn, turning_joint = joint;
    at_table_end = !compiled.observer->look_at_tables(state, *work);
    return at_table_end ? StepStatus::TableEnd : status;
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
    const double kinetic_of_one_body = most_kinetic / std::max<double>(1, std::ssize(mechanism.bodies));
    if (!energy_jumps.matters(kinetic_of_one_body) || std::exchange(warned_of_jumps, true)) return;
    summary.warnings.push_back(
        fmt::format("the energy balance jumps by {:.3g} J in the step that ends at {:.4g} s, where the steps before "
                    "changed it by at most {:.2g} J: the mechanism may have left its branch in a singular position, or "
                    "met something too sudden for the step; compare with half the step",
                    energy_jumps.largest(), energy_jumps.time(), energy_jumps.before()));
  }

  /// Of what makes the result doubtful.
  void warn() {
    warn_of_energy_jumps();
    // Angles are continued over full turns by the one nearest to where their rate leads, which fails from half a turn
    // on.
    if (largest_turn > 2.5 && !std::exchange(warned_of_turns, true)) {
      summary.warnings.push_back(
          fmt::format("joint '{}' turns by {:.2g} rad more or less in one step than its rate foretold: beyond half a "
                      "turn its full turns are not counted right, nor is the torque of a spring on it; take a smaller "
                      "step",
                      mechanism.joints[turning_joint].name, largest_turn));
    }
    constexpr double kOpen = 1e-4;
    if (largest_opening > kOpen && !std::exchange(warned_of_opening, true)) {
      summary.warnings.push_back(
          fmt::format("constraint '{}' is off by {:.3g} at {:.4g} s, {:.2g} of the mechanism's size: the joints do not "
                      "hold; take a smaller step, or another formulation",
                      summary.position.constraint, summary.position.value, summary.position.time, largest_opening));
    }
    constexpr double kDoubtful = 0.05;
    const double scale = most_kinetic + work_exchanged, part = std::abs(summary.energy_max_error) / scale;
    // A mechanism that hardly moves has no energy to compare with but that of its weight, which is known to rounding.
    const double rounding = 1e-12 * std::max(std::abs(summary.energy_initial), std::abs(summary.energy_final));
    if (scale > 0 && part > kDoubtful && std::abs(summary.energy_max_error) > rounding &&
        !std::exchange(warned_of_energy, true)) {
      summary.warnings.push_back(fmt::format(
          "the energy balance is off by {:.3g} J at {:.4g} s, {} the largest kinetic energy and the "
          "work exchanged: the motion may be wrong; compare with half the step, or ask for a tighter tolerance",
          summary.energy_max_error, summary.energy_max_error_time,
          part < 1      ? fmt::format("{:.2g} % of", 100 * part)
          : part < 1000 ? fmt::format("{:.3g} times", part)
                        : std::string("more than a thousand times")));
    }
    for (const LeftTable& left : left_tables()) {
      if (left.ends_run ||
          std::find(warned_of_tables.begin(), warned_of_tables.end(), left.table) != warned_of_tables.end())
        continue;
      warned_of_tables.push_back(left.table);
      summary.warnings.push_back(left.sentence);
    }
  }

  /// Each once, by the phase that left it first.
  std::vector<LeftTable> left_tables() const {
    std::vector<LeftTable> all;
    for (int i = 0; i < phases.size(); ++i) {
      for (LeftTable& left : phases.phase(i).compiled.observer->left_tables()) {
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const LeftTable& l) { return l.table == left.table; });
        if (same == all.end()) {
          all.push_back(std::move(left));
        } else if (left.time < same->time) {
          *same = std::move(left);
        }
      }
    }
    return all;
  }

  void name_violations() {
    ConstraintViolation* const worst[] = {&summary.position, &summary.velocity, &summary.acceleration};
    for (int i = 0; i < 3; ++i) {
      const Structure& s = phases.phase(worst_phase[i]).compiled.formulation->structure();
      if (worst[i]->index >= 0) worst[i]->constraint = s.constraint_names[worst[i]->index];
    }
  }

  /// What goes on in a restored simulation beside the state, in the order of a record.
  template <class Record>
  void visit(Record& record) {
    for (std::int64_t* count :
         {&summary.steps, &summary.rejected_steps, &summary.iterations, &summary.factorizations, &summary.evaluations,
          &summary.stagnated_steps, &summary.repartitions, &summary.allocations, &history_count}) {
      record.integer(*count);
    }
    for (double* number :
         {&summary.duration, &summary.step_smallest, &summary.step_largest, &summary.cpu_seconds,
          &summary.real_time_factor, &summary.energy_initial, &summary.energy_final, &summary.energy_max_error,
          &summary.energy_max_error_time, &work_done, &last_power, &energy_error, &work_exchanged, &most_kinetic,
          &time_in_steps, &largest_turn, &largest_opening}) {
      record.number(*number);
    }
    energy_jumps.visit(record);
    record.integer(turning_joint);
    for (double& length : history) record.number(length);
    for (double& energy : event_energy) record.number(energy);
    for (double& number : now().compiled.observer->continued()) record.number(number);
    ConstraintViolation* const violations[] = {&summary.position, &summary.velocity, &summary.acceleration};
    for (int i = 0; i < 3; ++i) {
      record.number(violations[i]->value);
      record.number(violations[i]->time);
      record.integer(violations[i]->index);
      record.integer(worst_phase[i]);
    }
  }

  std::size_t record_size(const Phase& phase) {
    RecordSize size;
    visit_state(size, phase.state);
    visit(size);
    return size.count();
  }

  std::size_t save(double* numbers) {
    RecordWriter record(numbers);
    visit_state(record, now().state);
    visit(record);
    return record.count();
  }

  bool restore(std::span<const double> numbers) {
    RecordReader record(numbers);
    State state;
    visit_state(record, state);
    if (!record.good() || state.events < 0 || state.events > std::ssize(mechanism.events)) return false;
    const Phase& phase = phases.after(state.events);
    if (!same_sizes(state, phase.state) || numbers.size() != record_size(phase)) return false;
    phases.restore(state);
    visit(record);
    return true;
  }

  void explain_failure(StepStatus status, double h) {
    summary.status = "failed";
    std::vector<double> before;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(history_count, std::ssize(history)); ++i) {
      before.push_back(history[(history_count - 1 - i) % history.size()]);
    }
    if (status == StepStatus::TableEnd) {
      for (const LeftTable& left : left_tables())
        if (left.ends_run) summary.reason += (summary.reason.empty() ? "" : "; ") + left.sentence;
      return;
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
void Simulation::restore(const State& state) {
  impl_->phases.restore(state);
  impl_->book_jump(impl_->summary.energy_final);
}
std::size_t Simulation::record_size() const {
  std::size_t largest = 0;
  for (int i = 0; i < impl_->phases.size(); ++i)
    largest = std::max(largest, impl_->record_size(impl_->phases.phase(i)));
  return largest;
}
std::size_t Simulation::save(double* numbers) const { return impl_->save(numbers); }
bool Simulation::restore(std::span<const double> record) { return impl_->restore(record); }
BodyMotion Simulation::body(int index) const {
  Phase& phase = impl_->now();
  return phase.compiled.observer->body(index, phase.state, *phase.work);
}
void Simulation::poses(double* numbers) const {
  Phase& phase = impl_->now();
  phase.compiled.observer->poses(*phase.work, numbers);
}
double Simulation::length() const { return impl_->phases.now().compiled.length; }
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
void Simulation::interrupt() {
  impl_->summary.status = "interrupted";
  impl_->summary.reason = fmt::format("interrupted at t = {:.6g} s of {:.6g} s", time(), impl_->options.until);
}
void Simulation::count_allocations(std::int64_t count) {
  std::int64_t& all = impl_->summary.allocations;
  all = std::max<std::int64_t>(all, 0) + count;
}

std::vector<EventSummary> Simulation::planned_events() const {
  return impl_->event_summaries(impl_->mechanism.events.size());
}

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
  return formulation.position(state.t, state.q, state, *work) == StepStatus::Ok &&
         dependent_constraints(formulation.structure(), work->equations.jacobian).empty();
}

}  // namespace

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
  result.coordinates = s.coordinates;
  result.cut = compiled.cut;
  result.overconstrained = !compiled.observer->open_reactions().empty();
  EventSummary counts;
  if (mechanism.events.empty() && every_body_has_inertia(mechanism) && is_regular(compiled)) {
    count(s, static_cast<int>(mechanism.drivers.size()), 0, counts);
    result.warnings = setup_warnings(mechanism, compiled);
  } else {
    const Simulation simulation(mechanism, options);
    const RunSummary& summary = simulation.summary();
    counts.constraints = summary.constraints;
    counts.degrees_of_freedom = summary.degrees_of_freedom;
    counts.driven = summary.driven;
    result.redundant = summary.redundant;
    result.events = simulation.planned_events();
    result.warnings = summary.warnings;
  }
  result.constraints = counts.constraints;
  result.degrees_of_freedom = counts.degrees_of_freedom;
  result.driven = counts.driven;
  return result;
}

}  // namespace cardan
