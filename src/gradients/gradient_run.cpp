#include "gradients/gradient_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gradients/neighbours.hpp"
#include "options/method.hpp"
#include "simulation/step_length.hpp"

namespace cardan {
namespace {

/// Both sides are looked at in one of so many steps, one of them in turn in the others; so much nearer, since what they
/// have in common changes on the way.
constexpr int kInTurn = 8;
constexpr double kOfTurns = 0.05;

/// All that changes with a parameter.
template <class Visit>
void each_vector(State& a, State& b, const State& nominal, const Visit& visit) {
  visit(a.q, b.q, nominal.q);
  visit(a.v, b.v, nominal.v);
  visit(a.acceleration, b.acceleration, nominal.acceleration);
  visit(a.algorithmic, b.algorithmic, nominal.algorithmic);
  visit(a.lambda, b.lambda, nominal.lambda);
  visit(a.memory, b.memory, nominal.memory);
  visit(a.stepper, b.stepper, nominal.stepper);
  visit(a.attached, b.attached, nominal.attached);
  visit(a.inputs, b.inputs, nominal.inputs);
}

}  // namespace

GradientRun::GradientRun(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                         const RunOptions& options, const std::vector<std::string>& signals, const GradientOptions& how)
    : options_(resolved_options(options, maker(values_of(parameters)))),
      how_(how),
      by_tangent_(method_of(options_) == Method::newmark),
      simulation_(maker(values_of(parameters)), options_, signals) {
  refuse(nominal().mechanism, options_);
  const auto size = static_cast<Eigen::Index>(simulation_.columns().size());
  row_ = upper_row_ = lower_row_ = VecX::Zero(size);
  slopes_.setZero(std::ssize(parameters), size);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const GradientParameter& p = parameters[i];
    const Neighbourhood near = neighbourhood(p, (how.alternate ? kOfTurns : 1) * how.difference);
    const TangentSides sides = near.down == p.value ? TangentSides::plus
                               : near.up == p.value ? TangentSides::minus
                                                    : TangentSides::both;
    const double change = sides == TangentSides::minus ? p.value - near.down : near.up - p.value;
    std::vector<double> values = values_of(parameters);
    // Of one side alone the other has the mechanism of the run: its state is the mirror image all along.
    const auto made = [&](double by, TangentSides without) {
      values[i] = p.value + (sides == without ? 0 : by);
      return Simulation(maker(values), options_, signals);
    };
    directions_.push_back(
        {p.name, change, sides, made(change, TangentSides::minus), made(-change, TangentSides::plus), {}, {}, {}});
    for (const Impl* side : {&directions_.back().upper(), &directions_.back().lower()})
      check_alike(nominal().phases, side->phases, p.name);
    put_beside(directions_.back(), sides);
    directions_.back().memory.in_turn = how.alternate && sides == TangentSides::both;
    one_sided_ = one_sided_ || how.alternate || sides != TangentSides::both;
  }
}

void GradientRun::refuse(const Mechanism& mechanism, const RunOptions& options) const {
  const Method method = method_of(options);
  const bool is_explicit =
      method == Method::runge_kutta || method == Method::direct_runge_kutta || method == Method::explicit_state_space;
  if (simulation_.chooses_steps())
    throw std::invalid_argument(fmt::format(
        "'{}' chooses its steps here, and where they end depends on the parameters: derivatives need steps of constant "
        "length; take step_control fixed, or another integrator",
        options.integrator));
  if (!by_tangent_ && !is_explicit)
    throw std::invalid_argument(
        fmt::format("steps of '{}' on '{}' cannot be differentiated: take trapezoidal, newmark, hht or "
                    "generalized-alpha on hybrid, "
                    "global or cartesian with the treatment augmented, or rk4",
                    options.integrator, options.formulation));
  if (options.iterations > 0)
    throw std::invalid_argument(
        "'iterations' ends Newton's iteration before it has converged, and the derivative is that of a step that has: "
        "leave it out");
  if (!mechanism.companions.empty())
    throw std::invalid_argument(fmt::format("'{}' is computed by another program, of which no derivatives are known",
                                            mechanism.companions.front().name));
}

/// The sides that have been stepped keep their distance from the run; of one alone the other is the mirror image, but
/// for what both had in common when both were stepped.
void GradientRun::put_beside(Direction& direction, TangentSides sides) {
  const State& here = nominal().now().state;
  State &plus = direction.upper().now().state, &minus = direction.lower().now().state;
  const bool in_turn = direction.sides == TangentSides::both;
  std::size_t index = 0;
  each_vector(plus, minus, here, [&](VecX& up, VecX& down, const VecX& middle) {
    if (direction.even.size() <= index) direction.even.emplace_back();
    VecX& even = direction.even[index++];
    if (even.size() != middle.size()) even.setZero(middle.size());
    if (sides == TangentSides::both) {
      even = 0.5 * (up + down) - middle;
      up -= even;
    } else if (sides == TangentSides::plus) {
      if (in_turn) up -= even;
    } else {
      up = 2 * middle - down;
      if (in_turn) up += even;
    }
    down = 2 * middle - up;
  });
  direction.age = sides == TangentSides::both ? 0 : direction.age + 1;
  plus.t = minus.t = here.t;
  plus.conditions = minus.conditions = here.conditions;
}

TangentSides GradientRun::next_sides(const Direction& direction, int age) const {
  if (direction.sides != TangentSides::both || !how_.alternate || age + 1 >= kInTurn) return direction.sides;
  return age % 2 == 0 ? TangentSides::plus : TangentSides::minus;
}

NewmarkTangent& GradientRun::tangent() {
  Phase& phase = nominal().now();
  auto& found = tangents_[phase.state.phase];
  if (!found)
    found = std::make_unique<NewmarkTangent>(*phase.compiled.formulation,
                                             dynamic_cast<const NewmarkIntegrator&>(*phase.integrator));
  return *found;
}

/// What goes in lanes.
LaneTangent* GradientRun::in_lanes() {
  Impl& run = nominal();
  const auto [found, is_new] = lanes_.try_emplace(run.now().state.phase);
  if (!is_new || !by_tangent_ || directions_.empty()) return found->second.get();
  std::vector<LaneTangent::Sides> sides;
  for (Direction& d : directions_)
    sides.push_back({&d.upper().now(), &d.lower().now(), &d.upper().mechanism, &d.lower().mechanism, d.sides});
  found->second = LaneTangent::make(run.now(), run.mechanism, sides);
  return found->second.get();
}

bool GradientRun::at_end() const {
  return simulation_.ended() || options_.until - simulation_.time() <= 1e-9 * std::min(options_.step, options_.until);
}

/// An event that a condition brings about happens at a time that depends on the parameters: only one that changes
/// nothing can be passed.
bool GradientRun::passed_condition() {
  Impl& run = nominal();
  for (; seen_ < run.occurred; ++seen_) {
    if (seen_ >= std::ssize(run.occurrences)) continue;
    const Event& event = run.mechanism.events[static_cast<std::size_t>(run.occurrences[seen_].event)];
    if (!event.is_conditional() || event.action == Event::Action::note) continue;
    failure_ = fmt::format(
        "event '{}' happened at t = {:.6g} s by its condition, at a time that depends on the parameters: derivatives "
        "go "
        "through events at given times alone",
        event.name, run.now().state.t);
    return true;
  }
  return false;
}

/// Events at given times, inputs and samples, on all sides where there are some.
StepStatus GradientRun::settle() {
  const State& state = nominal().now().state;
  const int events = state.events, phase = state.phase;
  inputs_ = state.inputs;
  if (const StepStatus status = nominal().settle(); status != StepStatus::ok) return status;
  if (passed_condition()) return StepStatus::not_converged;
  const State& after = nominal().now().state;
  const bool events_passed = after.events != events || after.phase != phase;
  if (!events_passed && after.inputs == inputs_) return StepStatus::ok;
  for (Direction& direction : directions_) {
    for (Impl* side : {&direction.upper(), &direction.lower()}) {
      StepStatus status = side->settle();
      if (status == StepStatus::ok && side->now().state.phase != after.phase) status = StepStatus::not_converged;
      if (status != StepStatus::ok) return could_not_follow(direction, status);
    }
    put_beside(direction, direction.sides);
    direction.age = kUnknown;
    if (events_passed) direction.memory = {.in_turn = direction.memory.in_turn};
  }
  return StepStatus::ok;
}

StepStatus GradientRun::could_not_follow(const Direction& direction, StepStatus status) {
  failure_ = fmt::format("at t = {:.6g} s the derivative with respect to '{}' could not be followed: {}",
                         simulation_.time(), direction.name, status_name(status));
  return status;
}

StepStatus GradientRun::follow(Direction& direction, double h) {
  Phase &up = direction.upper().now(), &down = direction.lower().now();
  TangentSides sides = next_sides(direction, direction.age);
  StepStatus status = StepStatus::ok;
  if (by_tangent_) {
    status = tangent().step({*up.compiled.formulation, *up.work, up.state},
                            {*down.compiled.formulation, *down.work, down.state}, sides, direction.memory);
  } else {
    if (sides != TangentSides::minus) status = up.integrator->step(up.state, h);
    if (sides != TangentSides::plus && status == StepStatus::ok) status = down.integrator->step(down.state, h);
  }
  if (status == StepStatus::ok) put_beside(direction, sides);
  return status;
}

StepStatus GradientRun::step_part(double h) {
  if (const StepStatus status = settle(); status != StepStatus::ok) return status;
  Impl& run = nominal();
  const double before = run.now().state.t;
  LaneTangent* const lanes = in_lanes();  // before the step, which makes its tangents for them
  if (const StepStatus status = run.step_in_phase(run.next_length(h)); status != StepStatus::ok) return status;
  const double taken = run.now().state.t - before;
  if (lanes) {
    std::size_t first = 0;
    const StepStatus status = lanes->step(first);
    return status == StepStatus::ok ? status : could_not_follow(directions_[first], status);
  }
  if (by_tangent_ && !directions_.empty())
    if (const StepStatus status = tangent().begin(one_sided_); status != StepStatus::ok) return status;
  for (Direction& direction : directions_)
    if (const StepStatus status = follow(direction, taken); status != StepStatus::ok)
      return could_not_follow(direction, status);
  return StepStatus::ok;
}

/// As Run::take_step() of run.cpp.
StepStatus GradientRun::take_step() {
  const double h = next_step_length(simulation_.time(), options_.step, options_.until);
  StepStatus status = nominal().step_in_parts(
      h, [&](double part) { return step_part(part); }, [&] { return simulation_.ended(); });
  ++count_;
  const double slack = 1e-6 * options_.step;
  if (status == StepStatus::ok && simulation_.next_event() <= simulation_.time() + slack) status = settle();
  return status;
}

void GradientRun::sample(Direction& direction, Eigen::Index index) {
  const TangentSides sides = next_sides(direction, direction.row_age);
  if (sides != TangentSides::minus) direction.upper().sample(direction.upper().now().state, upper_row_.data());
  if (sides != TangentSides::plus) direction.lower().sample(direction.lower().now().state, lower_row_.data());
  auto slopes = slopes_.row(index);
  if (sides == TangentSides::both) {
    slopes = 0.5 * (upper_row_ - lower_row_);
    direction.even_row = 0.5 * (upper_row_ + lower_row_) - row_;
    direction.row_age = 0;
  } else {
    slopes = sides == TangentSides::plus ? upper_row_ - row_ : row_ - lower_row_;
    if (direction.sides == TangentSides::both) slopes -= (sides == TangentSides::plus ? 1 : -1) * direction.even_row;
    ++direction.row_age;
  }
  slopes /= direction.change;
}

void GradientRun::put(GradientSink& sink) {
  Impl& run = nominal();
  run.sample(run.now().state, row_.data());
  for (std::size_t i = 0; i < directions_.size(); ++i) sample(directions_[i], static_cast<Eigen::Index>(i));
  slopes_.col(0).setZero();
  sampled_ = simulation_.time();
  sink.sample(row_, slopes_);
}

RunSummary GradientRun::go(GradientSink& sink) {
  sink.start(simulation_.columns());
  StepStatus status = nominal().due_event() >= 0 ? settle() : StepStatus::ok;
  if (status == StepStatus::ok) put(sink);
  while (status == StepStatus::ok && !at_end()) {
    const double h = std::min(options_.step, options_.until - simulation_.time());
    status = take_step();
    if (failure_.empty()) nominal().told(status, h);
    if (status == StepStatus::ok && count_ % options_.every == 0) put(sink);
  }
  if (status == StepStatus::ok && sampled_ < simulation_.time() - 1e-9 * options_.step) put(sink);
  RunSummary summary = simulation_.summary();
  if (!failure_.empty()) {
    summary.status = RunStatus::failed;
    summary.reason = failure_;
  }
  return summary;
}

RunSummary run_with_gradients(const MechanismMaker& maker, const std::vector<GradientParameter>& parameters,
                              const RunOptions& options, const std::vector<std::string>& signals, GradientSink& sink,
                              const GradientOptions& how) {
  return GradientRun(maker, parameters, options, signals, how).go(sink);
}

}  // namespace cardan
