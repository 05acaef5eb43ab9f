#include "cardan/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cardan/analysis.hpp"
#include "formulation/input_values.hpp"
#include "options/unknown_name.hpp"
#include "simulation/automatic_method.hpp"
#include "simulation/contact_limits.hpp"
#include "simulation/simulation_impl.hpp"
#include "simulation/thread_clock.hpp"
#include "system/fingerprint.hpp"

namespace cardan {

namespace {

constexpr std::size_t kMostOccurrences = 200;  // of events with conditions, that the summary tells of
constexpr std::int64_t kMostInARow = 100;      // occurrences with no time between them, beside one of each event

RunOptions checked(const Mechanism& mechanism, RunOptions options, MethodReasons& because) {
  because = choose_method(options, mechanism).because;
  options.check();
  refuse_contacts_without_tangents(mechanism, options);
  return options;
}

/// Drawn, or the position of rest; states then start as they are there.
StartingPoint starting_point(Mechanism& mechanism, const RunOptions& options, const CompiledMechanism* same, bool bare,
                             std::vector<std::string>& warnings) {
  StartingPoint start;
  start.same = same;
  start.bare = bare;
  if (same != nullptr || options.start != "equilibrium") return start;
  const Equilibrium equilibrium = find_equilibrium(mechanism);
  if (!equilibrium.converged) {
    throw ModelError(error_at(SourceLocation{mechanism.file}, "", equilibrium.reason,
                              "give the model a position of rest, or let it start as drawn"));
  }
  start.poses = equilibrium.bodies;
  for (std::size_t i = 0; i < mechanism.states.size(); ++i) mechanism.states[i].start = equilibrium.states[i];
  if (equilibrium.unstable > 0) warnings.insert(warnings.end(), equilibrium.notes.begin(), equilibrium.notes.end());
  return start;
}

}  // namespace

Simulation::Impl::Impl(const Mechanism& m, const RunOptions& o, const std::vector<std::string>* signals,
                       const CompiledMechanism* same, bool bare)
    : mechanism(m),
      options(checked(mechanism, o, because)),
      phases(mechanism, options, starting_point(mechanism, options, same, bare, start_warnings), signals),
      rows_taken(mechanism.inputs.size(), 0),
      sampled(VecX::Zero(std::ssize(mechanism.inputs))),
      companions(mechanism),
      conditions(mechanism) {
  occurrences.resize(mechanism.events.size() + (conditions.empty() ? 0 : kMostOccurrences));
  for (const Input& input : mechanism.inputs) {
    if (input.source < 0) continue;
    const Signal& source = mechanism.signals[static_cast<std::size_t>(input.source)];
    samples_late = samples_late || source.level == SignalLevel::sampled;
  }
  for (const Companion& companion : mechanism.companions)
    for (const int input : companion.inputs)
      samples_late = samples_late || mechanism.signals[static_cast<std::size_t>(input)].level == SignalLevel::sampled;
  for (std::string& warning : companions.warnings()) start_warnings.push_back(std::move(warning));
  follow_tracks();
  describe();
  begin_energy();
}

double Simulation::Impl::find_energy() {
  Phase& phase = now();
  phase.compiled.formulation->position(phase.state.t, phase.state.q, phase.state, *phase.work);
  phase.compiled.formulation->velocity(phase.state.v, *phase.work);
  return phase.compiled.observer->energy(phase.state, *phase.work).total();
}

void Simulation::Impl::begin_energy() {
  const double energy = find_energy();
  ledger.begin(energy, now().compiled.observer->power(now().state, *now().work));
  at_table_end = !now().compiled.observer->look_at_tables(now().state, *now().work);
}

double Simulation::Impl::book_jump() {
  const double energy = find_energy();
  return ledger.book_jump(energy, now().compiled.observer->power(now().state, *now().work));
}

int Simulation::Impl::due_event() const {
  const State& state = phases.now().state;
  const Event* timed = phases.next_timed();
  if (timed && timed->time <= state.t + event_slack()) return state.events;
  for (Eigen::Index i = 0; i + 1 < state.conditions.size(); ++i) {
    if (state.conditions[i] == Conditions::due)
      return static_cast<int>(std::ssize(mechanism.events) - state.conditions.size() + 1 + i);
  }
  return -1;
}

double Simulation::Impl::next_event() const {
  const State& state = phases.now().state;
  if ((state.conditions.array() == Conditions::due).any()) return state.t;
  const Event* timed = phases.next_timed();
  return timed ? timed->time : std::numeric_limits<double>::infinity();
}

/// Events that make each other happen, as a relay without hysteresis does where it slides, would never let time go on.
bool Simulation::Impl::chatters(int event) {
  const double t = now().state.t;
  if (t - in_a_row.time > event_slack()) in_a_row = {};
  in_a_row.time = t;
  ++in_a_row.count;
  if (event != in_a_row.last) in_a_row.before = std::exchange(in_a_row.last, event);
  return in_a_row.count > kMostInARow + std::ssize(mechanism.events);
}

StepStatus Simulation::Impl::pass_events() {
  const Cost cost(*this);
  for (int index = due_event(); index >= 0; index = due_event()) {
    if (chatters(index)) return StepStatus::below_rounding;
    const Event& event = mechanism.events[static_cast<std::size_t>(index)];
    is_evaluated = false;
    if (event.action == Event::Action::set) assign(event);
    const StepStatus status = phases.pass(index);
    if (status != StepStatus::ok) return status;
    const double energy = event.action == Event::Action::note ? 0 : book_jump();
    if (occurred < std::ssize(occurrences)) {
      occurrences[static_cast<std::size_t>(occurred)] = {static_cast<double>(index),
                                                         static_cast<double>(phases.index()), now().state.t, energy};
    }
    ++occurred;
  }
  return StepStatus::ok;
}

/// All from the values before. What has happened at this instant may be judged again: guards may have jumped.
void Simulation::Impl::assign(const Event& event) {
  Phase& phase = now();
  State& state = phase.state;
  const VecX& values = phase.compiled.observer->signals(state, *phase.work, false);
  const Eigen::Index first = state.v.size() - std::ssize(mechanism.states);
  for (const Event::Assignment& a : event.assignments) {
    const double value = values[a.signal];
    if (a.is_state) {
      state.v[first + a.index] = value / mechanism.states[static_cast<std::size_t>(a.index)].scale;
    } else {
      const Input& input = mechanism.inputs[static_cast<std::size_t>(a.index)];
      input_values::set(input, state.inputs, static_cast<std::size_t>(a.index), state.t,
                        std::clamp(value, input.min, input.max));
    }
  }
  inputs_changed = true;
  for (int& code : state.conditions)
    if (code == Conditions::happened) code = Conditions::waiting;
}

void Simulation::Impl::check_length(double h) const {
  if (h > 0 && (std::isfinite(h) || phases.now().integrator->chooses_steps())) return;
  throw std::invalid_argument(fmt::format("a step of {} s: time goes forward, so give it a length above 0", h));
}

StepStatus Simulation::Impl::settle() {
  const Cost cost(*this);
  for (bool settled = false; !settled;) {
    if (const StepStatus status = pass_events(); status != StepStatus::ok) return status;
    follow_tracks();
    if (const StepStatus status = take_samples(); status != StepStatus::ok) return status;
    if (const StepStatus status = take_inputs(); status != StepStatus::ok) return status;
    settled = conditions.empty() || !conditions.see_start(now());
  }
  return StepStatus::ok;
}

double Simulation::Impl::next_length(double h_most) const {
  const double gap = std::min(next_event(), next_row()) - phases.now().state.t;
  const double slack = phases.now().integrator->chooses_steps() ? 0 : event_slack();
  return gap < h_most - slack ? gap : h_most;
}

StepStatus Simulation::Impl::step_to_event(double h_most) {
  const Cost cost(*this);
  if (const StepStatus status = settle(); status != StepStatus::ok) return status;
  return step_in_phase(next_length(h_most));
}

double Simulation::Impl::longest_step(const Phase& phase) {
  constexpr double kMostTurn = 2;  // rad
  const double rate = phase.compiled.observer->fastest_turn(phase.state);
  return rate > 0 ? kMostTurn / rate : std::numeric_limits<double>::infinity();
}

StepStatus Simulation::Impl::step_in_phase(double h) {
  if (at_table_end) return StepStatus::table_end;
  const Cost cost(*this);
  return advance(h);
}

Simulation::Impl::Cost::Cost(Impl& run) : run_(run), begin_(run.counting ? 0 : thread_cpu_seconds()) {
  outermost_ = !std::exchange(run.counting, true);
}

Simulation::Impl::Cost::~Cost() {
  if (!outermost_) return;
  run_.counting = false;
  RunSummary& summary = run_.summary;
  summary.cpu_seconds += thread_cpu_seconds() - begin_;
  summary.real_time_factor = summary.cpu_seconds > 0 ? summary.duration / summary.cpu_seconds : 0;
}

StepStatus Simulation::Impl::advance(double h) {
  Phase& phase = now();
  is_evaluated = false;
  const auto& [compiled, work, integrator] = std::tie(phase.compiled, phase.work, phase.integrator);
  State& state = phase.state;
  if (integrator->chooses_steps()) h = std::min(h, longest_step(phase));
  compiled.observer->note_rates(state);
  // As long as time goes on by, which is rounded: what steps of one length are longer than that would add up.
  const double rounded = (state.t + h) - state.t;
  StepReport report;
  StepStatus status = StepStatus::ok;
  if (conditions.empty()) {
    status = integrator->step(state, rounded);
    report = integrator->report();
  } else {
    status = conditions.step(phase, rounded, report);
  }
  summary.iterations += report.iterations;
  summary.factorizations += report.factorizations;
  summary.evaluations += report.evaluations;
  summary.rejected_steps += report.rejected;
  if (status != StepStatus::ok) return status;
  ++summary.steps;
  summary.stagnated_steps += report.stagnated;
  summary.repartitions += report.repartitioned;
  summary.duration = state.t;
  const double taken = report.taken == rounded ? h : report.taken;  // as it was asked for
  history[history_count++ % history.size()] = taken;
  summary.step_smallest = summary.steps == 1 ? taken : std::min(summary.step_smallest, taken);
  summary.step_largest = std::max(summary.step_largest, taken);
  keep_worst(summary.position, worst[0], report.phi, report.worst_phi);
  keep_worst(summary.velocity, worst[1], report.phi_rate, report.worst_rate);
  keep_worst(summary.acceleration, worst[2], report.phi_second, report.worst_second);
  balance_energy(report.taken);
  int joint = -1;
  const double turn = compiled.observer->unforeseen_turn(state, report.taken, joint);
  warnings.see(turn, joint, report.opening);
  at_table_end = !compiled.observer->look_at_tables(state, *work);
  is_evaluated = conditions.empty();  // which look at other states
  return at_table_end ? StepStatus::table_end : status;
}

void Simulation::Impl::keep_worst(ConstraintViolation& violation, WorstRow& row, double value, int constraint) const {
  if (value <= violation.value) return;
  violation.value = value;
  violation.time = phases.now().state.t;
  row = {constraint, phases.index()};
}

void Simulation::Impl::balance_energy(double h) {
  Phase& phase = now();
  Observer& observer = *phase.compiled.observer;
  const Energy energy = observer.energy(phase.state, *phase.work);
  ledger.book_step(h, phase.state.t, energy, observer.power(phase.state, *phase.work), std::ssize(mechanism.bodies));
}

Simulation::Simulation(const Mechanism& mechanism, const RunOptions& options)
    : impl_(std::make_unique<Impl>(mechanism, options)) {}
Simulation::Simulation(const Mechanism& mechanism, const RunOptions& options, const std::vector<std::string>& signals)
    : impl_(std::make_unique<Impl>(mechanism, options, &signals)) {}
Simulation::Simulation(const Mechanism& mechanism, const RunOptions& options, const RunControl& control)
    : impl_(std::make_unique<Impl>(mechanism, options, control.signals, nullptr, control.bare)) {}
Simulation::Simulation(const Simulation& under_way, const Mechanism& mechanism) {
  Impl& other = *under_way.impl_;
  Mechanism changed = mechanism;
  // Where it started from rest, states began as they are there, whatever the model says.
  if (other.options.start == "equilibrium" && changed.states.size() == other.mechanism.states.size())
    for (std::size_t i = 0; i < changed.states.size(); ++i) changed.states[i].start = other.mechanism.states[i].start;
  if (const char* part = other_standing_part(other.mechanism, changed))
    throw std::invalid_argument(
        fmt::format("'{}' is under way, and its {} cannot change on the way: masses, loads and expressions can",
                    other.mechanism.name, part));
  const auto signals = other.phases.only_signals();
  impl_ =
      std::make_unique<Impl>(changed, other.options, signals ? &*signals : nullptr, &other.phases.phase(0).compiled);
  impl_->because = other.because;
  impl_->describe_method();
  impl_->take_over(other);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

double Simulation::time() const { return impl_->now().state.t; }
StepStatus Simulation::step() { return step(impl_->options.step); }
StepStatus Simulation::step(double h) {
  impl_->check_length(h);
  const StepStatus status = impl_->step_in_parts(
      h, [&](double part) { return impl_->step_to_event(part); }, [] { return false; });
  return impl_->told(status, h);
}
StepStatus Simulation::step_to_event(double h) {
  impl_->check_length(h);
  return impl_->told(impl_->step_to_event(h), h);
}
int Simulation::input(const std::string& name) const { return index_by_name("input", name, impl_->mechanism.inputs); }
void Simulation::set_input(int input, double value) { impl_->set_input(input, value); }
void Simulation::derivatives(int input, double* row) { impl_->derivatives(input, row); }
double Simulation::input_value(int input) const { return impl_->now().state.inputs[input_values::kNumbers * input]; }
StepStatus Simulation::pass_events() { return impl_->told(impl_->pass_events(), impl_->options.step); }
bool Simulation::ended() const { return impl_->ended(); }
double Simulation::next_event() const { return impl_->next_event(); }
const Context& Simulation::state() const { return impl_->state(); }
void Simulation::restore(const Context& context) { impl_->restore(context); }
std::size_t Simulation::record_size() const {
  impl_->save_companions();
  std::size_t largest = 0;
  for (int i = 0; i < impl_->phases.size(); ++i)
    largest = std::max(largest, impl_->record_size(impl_->phases.phase(i), impl_->now().state));
  return largest;
}
std::size_t Simulation::save(double* numbers) const { return impl_->save(numbers); }
void Simulation::restore(std::span<const double> record) {
  if (!impl_->restore(record))
    throw std::invalid_argument(
        fmt::format("these {} numbers are no record of '{}' with these options, or a program that runs beside it "
                    "cannot be set back",
                    record.size(), impl_->mechanism.name));
}
BodyMotion Simulation::body(int index) const {
  Phase& phase = impl_->now();
  return phase.compiled.observer->body(index, phase.state, *phase.work);
}
BodyMotion Simulation::body(const std::string& name) const {
  return body(index_by_name("body", name, impl_->mechanism.bodies));
}
void Simulation::poses(double* numbers) const {
  Phase& phase = impl_->now();
  const State& state = phase.state;
  // Samples within a chosen step leave the poses of their own times behind.
  if (phase.integrator->chooses_steps()) phase.compiled.formulation->position(state.t, state.q, state, *phase.work);
  phase.compiled.observer->poses(*phase.work, numbers);
}
double Simulation::length() const { return impl_->phases.now().compiled.length; }
double Simulation::energy() const { return impl_->ledger.final(); }
const RunSummary& Simulation::summary() const { return impl_->tell(); }
const std::vector<std::string>& Simulation::columns() const { return impl_->phases.columns(); }
int Simulation::column(const std::string& name) const { return index_of_name("column", name, columns()); }
void Simulation::sample(double* row) { impl_->sample(impl_->now().state, row); }
bool Simulation::chooses_steps() const { return impl_->now().integrator->chooses_steps(); }
void Simulation::sample_at(double t, double* row) {
  Phase& phase = impl_->now();
  phase.between = phase.state;
  phase.integrator->interpolate(t, phase.between);
  impl_->is_evaluated = false;
  impl_->sample(phase.between, row);
}
const std::vector<std::string>& Simulation::step_columns() {
  static const std::vector<std::string> columns{
      "t", "h", "error", "iterations", "rejected", "energy_error", "position_violation", "velocity_violation"};
  return columns;
}
void Simulation::step_row(double* row) const {
  const StepReport& report = impl_->now().integrator->report();
  const double values[] = {impl_->now().state.t,
                           impl_->last_step(),
                           report.error,
                           static_cast<double>(report.iterations),
                           static_cast<double>(report.rejected),
                           impl_->ledger.error(),
                           report.phi,
                           report.phi_rate};
  std::copy(std::begin(values), std::end(values), row);
}

std::vector<EventSummary> Simulation::planned_events() const { return impl_->planned_events(); }

}  // namespace cardan
