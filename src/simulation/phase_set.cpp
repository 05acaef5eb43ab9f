#include "simulation/phase_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "mechanism/phases.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "simulation/conditions.hpp"
#include "simulation/energy_ledger.hpp"
#include "simulation/run_record.hpp"

namespace cardan {
namespace {

constexpr double kJump = 1e-3;  // rad, or in sizes of the mechanism: how far a driver that is switched on may be off

int joint_named(const Mechanism& mechanism, const std::string& name) {
  const auto found = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                  [&](const Joint& joint) { return joint.name == name; });
  return static_cast<int>(found - mechanism.joints.begin());
}

}  // namespace

PhaseSet::PhaseSet(const Mechanism& mechanism, const RunOptions& options, const StartingPoint& start,
                   const std::vector<std::string>* signals)
    : mechanism_(mechanism), options_(options) {
  if (signals) {
    sample_only(*signals);
  } else {
    columns_ = result_columns(mechanism);
  }
  const bool one = mechanism_.events.empty();
  const Phases phases = one ? Phases() : phases_of(mechanism_);
  next_ = phases.next;
  timed_ = static_cast<int>(std::count_if(mechanism_.events.begin(), mechanism_.events.end(),
                                          [](const Event& event) { return !event.is_conditional(); }));
  StartingPoint from = start;
  from.reactions = needs_reactions();
  phases_.push_back(make_phase(one ? mechanism_ : phases.mechanisms[0],
                               compile(mechanism_, options_.formulation, options_.cut, from)));
  now_ = phases_[0].get();
  if (!start.bare) look_for_singular_start(*now_);
  start_phase(*now_, "");
  drivers_follow_inputs_ = std::any_of(mechanism_.drivers.begin(), mechanism_.drivers.end(),
                                       [](const Driver& driver) { return driver.signal >= 0; });
  if (phases.mechanisms.size() > 1 || drivers_follow_inputs_) make_first_impulse();
  if (phases.mechanisms.size() > 1) make_later_phases(phases);
  for (auto& phase : phases_) prepare_passing(*phase);
}

void PhaseSet::sample_only(const std::vector<std::string>& signals) {
  only_signals_ = true;
  columns_ = {"t"};
  for (const std::string& name : signals) {
    const auto found = std::find_if(mechanism_.signals.begin(), mechanism_.signals.end(),
                                    [&](const Signal& signal) { return signal.name == name; });
    if (found == mechanism_.signals.end()) throw std::invalid_argument(fmt::format("no signal is called '{}'", name));
    columns_.push_back(name);
    sampled_.push_back(static_cast<int>(found - mechanism_.signals.begin()));
    sampled_late_ = sampled_late_ || found->level == SignalLevel::sampled;
  }
}

/// All that is sampled may be made of them.
bool PhaseSet::needs_reactions() const {
  return !only_signals_ || std::any_of(mechanism_.signals.begin(), mechanism_.signals.end(),
                                       [](const Signal& signal) { return signal.level == SignalLevel::sampled; });
}

void restart_turns(State& full, const Formulation& formulation, Workspace& work) {
  formulation.position(full.t, full.q, full, work);
  formulation.velocity(full.v, work);
  formulation.restart_turns(full, work);
}

Eigen::Index books_size(Observer& observer) {
  RecordSize size;
  EnergyLedger().visit(size);
  return static_cast<Eigen::Index>(size.count() + 1 + observer.continued().size());
}

/// So that nothing is allocated in steps, nor when conditions come to hold.
void PhaseSet::prepare_passing(Phase& phase) {
  phase.compiled.formulation->reserve(phase.state, *phase.work);
  phase.between = phase.state;
  phase.step_before = options_.step;
  if (passage_.q.size() > 0) {
    State passage = passage_;
    phase.compiled.formulation->leave(phase.state, passage, *phase.work);
  }
  if (timed_ == std::ssize(mechanism_.events)) return;
  phase.passing = std::make_unique<Passing>();
  phase.passing->before = phase.passing->found = phase.passing->trial = phase.passing->seen = phase.state;
}

std::unique_ptr<Phase> PhaseSet::make_phase(const Mechanism& mechanism, CompiledMechanism compiled) {
  auto phase = std::make_unique<Phase>();
  phase->compiled = std::move(compiled);
  const Formulation& formulation = *phase->compiled.formulation;
  phase->work = formulation.make_workspace();
  phase->integrator = make_integrator(options_, formulation, *phase->work, phase->compiled.length);
  phase->integrator->watch_energy(
      [observer = phase->compiled.observer.get(), work = phase->work.get()](const State& s) {
        const Energy energy = observer->energy(s, *work);
        return EnergyReading{energy.kinetic, energy.total(), observer->power(s, *work)};
      });
  phase->drivers = static_cast<int>(mechanism.drivers.size());
  std::unordered_map<std::string_view, int> place;
  for (std::size_t i = 0; i < columns_.size(); ++i) place.emplace(columns_[i], static_cast<int>(i));
  for (const std::string& name : phase->compiled.observer->columns()) {
    const auto found = place.find(name);
    phase->column.push_back(found == place.end() ? -1 : found->second);
  }
  phase->row.resize(phase->column.size());
  phase->state.attached = phase->compiled.attached;
  phase->state.system = phase->compiled.system;
  phase->state.conditions = conditions_at_start(mechanism_);
  formulation.start(phase->state, *phase->work);
  phase->state.books.setZero(books_size(*phase->compiled.observer));
  return phase;
}

void PhaseSet::start_phase(Phase& phase, const std::string& when) {
  const StepStatus status = phase.integrator->start(phase.state);
  // A later phase begins elsewhere: all that counts is whether something resists every motion.
  if (status == StepStatus::ok || (!when.empty() && status != StepStatus::singular)) return;
  const int coordinate = phase.integrator->report().singular_coordinate;
  const std::string name =
      coordinate >= 0 ? phase.compiled.formulation->structure().coordinate_names[coordinate] : std::string("the model");
  if (status != StepStatus::singular) {
    const auto [broken, is_written] = phase.compiled.observer->broken_signal(*phase.work);
    throw ModelError(error_at(SourceLocation{mechanism_.file}, "",
                              when + "the initial accelerations are not finite" + (broken.empty() ? "" : ": " + broken),
                              !is_written ? "look for infinite loads or lengths of zero"
                                          : "let the expression have a value where the motion starts"));
  }
  // Its tree is solved before the loops are closed, so that a link without mass counts as free, whatever holds it.
  const bool loops_come_later =
      options_.formulation == "recursive" && phase.compiled.formulation->structure().constraints > 0;
  throw ModelError(error_at(
      SourceLocation{mechanism_.file}, "",
      fmt::format("{}nothing resists a motion of '{}': it moves no mass{}", when, name,
                  loops_come_later ? ", and the formulation recursive closes loops only after it has solved the tree"
                                   : " and no constraint holds it"),
      loops_come_later ? "take the formulation hybrid or global, or give the bodies that it moves a mass or an inertia"
                       : "give the bodies that it moves a mass or an inertia, or hold them by a joint"));
}

const Event* PhaseSet::next_timed() const {
  const int happened = now_->state.events;
  return happened < timed_ ? &mechanism_.events[static_cast<std::size_t>(happened)] : nullptr;
}

StepStatus PhaseSet::pass(int index) {
  const Event& event = mechanism_.events[static_cast<std::size_t>(index)];
  Phase& from = *now_;
  const int next = next_[static_cast<std::size_t>(from.state.phase)][static_cast<std::size_t>(index)];
  Phase& to = *phases_[static_cast<std::size_t>(next)];
  complaint_.clear();
  // What is there already is not attached elsewhere.
  if (&to != &from) {
    if (const StepStatus status = go_over(event, from, to); status != StepStatus::ok) return status;
  }
  State& state = now_->state;
  if (event.is_conditional()) {
    state.conditions[index - timed_] = event.once ? Conditions::spent : Conditions::happened;
  } else {
    ++state.events;
  }
  if (event.action == Event::Action::end) state.conditions[state.conditions.size() - 1] = 1;
  return StepStatus::ok;
}

/// From one phase to another.
StepStatus PhaseSet::go_over(const Event& event, Phase& from, Phase& to) {
  const Formulation &before = from.compiled.formulation->full(), &after = *to.compiled.formulation;
  from.compiled.formulation->leave(from.state, passage_, *from.work);
  if (!event.is_conditional()) passage_.t = event.time;
  if (event.action == Event::Action::attach) {
    Workspace& work = from.compiled.formulation->full_workspace(*from.work);
    before.position(passage_.t, passage_.q, passage_, work);
    before.velocity(passage_.v, work);
    for (const std::string& joint : event.targets) before.attach(joint_named(mechanism_, joint), passage_, work);
  }
  if (event.action == Event::Action::on && !drivers_meet(event, to)) return StepStatus::not_converged;
  // What the error of the integration leaves between a driver and where the mechanism stands is closed.
  StepStatus status = StepStatus::ok;
  if (event.action == Event::Action::on) status = to.impulse->project_position(passage_);
  if (status == StepStatus::ok) status = to.impulse->project_velocity(passage_);
  if (status == StepStatus::ok) {
    restart_turns(passage_, after.full(), after.full_workspace(*to.work));
    after.enter(passage_, to.state, *to.work);
    status = to.integrator->start(to.state);
  }
  if (status != StepStatus::ok) {
    complaint_ =
        fmt::format("event '{}' at t = {:.6g} s has no consistent motion after it ({}); {}", event.name, passage_.t,
                    status_name(status), "look for constraints that contradict each other or are singular there");
    return status;
  }
  to.compiled.observer->follow(*from.compiled.observer);
  to.state.conditions = from.state.conditions;
  to.step_before = from.step_before;
  now_ = &to;
  return StepStatus::ok;
}

StepStatus PhaseSet::take_inputs() {
  Phase& phase = *now_;
  if (drivers_follow_inputs_) {
    const Formulation& formulation = *phase.compiled.formulation;
    formulation.leave(phase.state, passage_, *phase.work);
    const StepStatus status = phase.impulse->project_velocity(passage_);
    if (status != StepStatus::ok) return status;
    restart_turns(passage_, formulation.full(), formulation.full_workspace(*phase.work));
    formulation.enter(passage_, phase.state, *phase.work);
  }
  return phase.integrator->start(phase.state);
}

/// Drivers take their function's value as it is: a mechanism that stands elsewhere does not jump there.
bool PhaseSet::drivers_meet(const Event& event, Phase& to) {
  const Formulation& full = to.compiled.formulation->full();
  Workspace& work = to.compiled.formulation->full_workspace(*to.work);
  full.position(passage_.t, passage_.q, passage_, work);
  for (const Driver& driver : mechanism_.drivers) {
    if (std::find(event.targets.begin(), event.targets.end(), driver.name) == event.targets.end()) continue;
    const auto& names = full.structure().constraint_names;
    const auto row = std::find(names.begin(), names.end(), driver.name) - names.begin();
    const double off = work.equations.phi[row], asked = driver.position(passage_.t);
    const bool angle =
        driver.joint >= 0 && is_angle(mechanism_.joints[driver.joint].type, mechanism_.planar, driver.coordinate);
    if (std::abs(off) <= kJump * (angle ? 1 : to.compiled.length)) continue;
    complaint_ = fmt::format(
        "event '{}' at t = {:.6g} s switches on driver '{}', which asks for {:.8g} where the mechanism stands at "
        "{:.8g}; let its function begin there, since the mechanism does not jump",
        event.name, passage_.t, driver.name, asked, asked + off);
    return false;
  }
  return true;
}

void PhaseSet::restore(const State& state) {
  now_ = phases_[static_cast<std::size_t>(state.phase)].get();
  now_->state = state;
}

void PhaseSet::sample(const State& state, bool evaluated, double* row) {
  Phase& phase = *now_;
  if (only_signals_) {
    Observer& observer = *phase.compiled.observer;
    const VecX& signals = evaluated && !sampled_late_ ? observer.signals_here(state, *phase.work)
                                                      : observer.signals(state, *phase.work, sampled_late_);
    *row++ = state.t;
    for (const int signal : sampled_) *row++ = signals[signal];
    return;
  }
  if (phase.column.size() == columns_.size() && mechanism_.outputs.empty()) {
    phase.compiled.observer->sample(state, *phase.work, row);
    return;
  }
  phase.compiled.observer->sample(state, *phase.work, phase.row.data());
  std::fill(row, row + columns_.size(), 0.0);
  for (std::size_t i = 0; i < phase.column.size(); ++i)
    if (phase.column[i] >= 0) row[phase.column[i]] = phase.row[i];
}

}  // namespace cardan
