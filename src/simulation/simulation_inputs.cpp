// Inputs of a simulation: given by hand, by tracks, by sampled signals and by companions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "formulation/input_values.hpp"
#include "simulation/simulation_impl.hpp"

namespace cardan {

/// Numbers of Context::inputs say when each was given: one that is sampled is given at every sample, changed or not.
StepStatus Simulation::Impl::take_samples() {
  State& state = now().state;
  bool any = !companions.empty() && companions.find_due(state, event_slack());
  if (any) now().compiled.observer->signals(state, *now().work, samples_late);
  for (std::size_t i = 0; i < mechanism.inputs.size(); ++i) {
    const Input& input = mechanism.inputs[i];
    sampled[static_cast<Eigen::Index>(i)] = std::numeric_limits<double>::quiet_NaN();
    if (input.source < 0) continue;
    const double instant = input.period * std::floor((state.t + event_slack()) / input.period);
    const double given = state.inputs[static_cast<Eigen::Index>(input_values::kNumbers * i + 2)];
    if (given >= instant - event_slack()) continue;
    if (!any) now().compiled.observer->signals(state, *now().work, samples_late);
    any = true;
    const double value = now().compiled.observer->signal_values(*now().work)[input.source];
    if (!std::isfinite(value)) return StepStatus::not_finite;
    sampled[static_cast<Eigen::Index>(i)] = value;
  }
  if (any) is_evaluated = false;
  if (any && !companions.ask(now().compiled.observer->signal_values(*now().work), sampled))
    return StepStatus::companion;
  for (std::size_t i = 0; any && i < mechanism.inputs.size(); ++i) {
    const double value = sampled[static_cast<Eigen::Index>(i)];
    if (mechanism.inputs[i].is_given() || std::isnan(value)) continue;
    auto numbers = state.inputs.segment<input_values::kNumbers>(static_cast<Eigen::Index>(input_values::kNumbers * i));
    inputs_changed = inputs_changed || numbers[0] != value;
    numbers << value, value, state.t, 0;
  }
  return StepStatus::ok;
}

void Simulation::Impl::set_input(int input, double value) {
  const double within = input_values::admitted(mechanism, input, value);
  const auto index = static_cast<std::size_t>(input);
  State& state = now().state;
  if (input_values::set(mechanism.inputs[index], state.inputs, index, state.t, within)) inputs_changed = true;
  is_evaluated = false;
}

void Simulation::Impl::follow_tracks() {
  State& state = now().state;
  for (std::size_t i = 0; i < mechanism.inputs.size(); ++i) {
    const InputTrack& track = mechanism.inputs[i].track;
    const auto next = std::upper_bound(track.t.begin(), track.t.end(), state.t + event_slack());
    if (next == track.t.begin()) continue;
    const std::size_t row = static_cast<std::size_t>(next - track.t.begin()) - 1;
    const double since = state.inputs[static_cast<Eigen::Index>(input_values::kNumbers * i + 2)];
    // A row counts once: what is set by hand after it stays until the next one.
    if (rows_taken[i] == row + 1 && since >= track.t[row] - event_slack()) continue;
    rows_taken[i] = row + 1;
    is_evaluated = false;
    const bool straight = !track.held && next != track.t.end();
    const double slope = straight ? (track.value[row + 1] - track.value[row]) / (*next - track.t[row]) : 0;
    const double rate = input_values::seen(mechanism.inputs[i], state.inputs, i, state.t).d1;
    if (input_values::set(mechanism.inputs[i], state.inputs, i, state.t, track.value[row], slope))
      inputs_changed = true;
    const double after = input_values::seen(mechanism.inputs[i], state.inputs, i, state.t).d1;
    if (phases.drivers_follow_inputs() && std::abs(after - rate) > 1e-12 * std::abs(after)) inputs_changed = true;
  }
}

double Simulation::Impl::next_row() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Input& input : mechanism.inputs) {
    const auto after =
        std::upper_bound(input.track.t.begin(), input.track.t.end(), phases.now().state.t + event_slack());
    if (after != input.track.t.end()) next = std::min(next, *after);
    if (!input.is_given())
      next = std::min(next, input.period * (std::floor((phases.now().state.t + event_slack()) / input.period) + 1));
  }
  return next;
}

void Simulation::Impl::derivatives(int input, double* row) {
  if (input < 0 || static_cast<std::size_t>(input) >= mechanism.inputs.size())
    throw std::invalid_argument("there is no such input");
  if (!input_derivatives) input_derivatives = std::make_unique<InputDerivatives>(mechanism, phases.columns());
  Observer& observer = *now().compiled.observer;
  static const VecX none;
  const bool any = !observer.mechanism().signals.empty();
  const VecX& values = any ? observer.signals(now().state, *now().work, false) : none;
  is_evaluated = false;
  input_derivatives->find(observer.mechanism(), values, input, row);
}

/// Motion that goes with the inputs as they are now: forces may have jumped, and the velocities of drivers.
StepStatus Simulation::Impl::take_inputs() {
  if (!inputs_changed) return StepStatus::ok;
  inputs_changed = false;
  const StepStatus status = phases.take_inputs();
  if (status == StepStatus::ok) book_jump();
  return status;
}

}  // namespace cardan
