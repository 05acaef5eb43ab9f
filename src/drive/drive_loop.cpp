#include "drive/drive_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "mechanism/trajectory_columns.hpp"
#include "simulation/allocation_counter.hpp"

namespace cardan {
namespace {

constexpr double kSlowest = 0.01, kFastest = 100;  // scales that can be asked for on the way
constexpr std::int64_t kLook = 5'000'000;          // ns: how often commands are looked for while nothing moves

std::vector<std::string> names_of_inputs(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Input& input : mechanism.inputs)
    if (input.is_given()) names.push_back(input.name);
  return names;
}

std::vector<double> starts_of_inputs(const Mechanism& mechanism) {
  std::vector<double> starts;
  for (const Input& input : mechanism.inputs)
    if (input.is_given()) starts.push_back(input.start);
  return starts;
}

/// The mechanism with inputs that nothing but the drive sets.
Mechanism without_tracks(Mechanism mechanism) {
  for (Input& input : mechanism.inputs) input.track = {};
  return mechanism;
}

/// Of a row, those that `outputs:` names.
std::vector<std::size_t> columns_of_outputs(const Mechanism& mechanism, const std::vector<std::string>& columns) {
  std::vector<std::size_t> chosen;
  for (const std::string& wish : mechanism.outputs) {
    for (const std::string& column : columns_like(columns, wish)) {
      const auto at = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
      if (std::find(chosen.begin(), chosen.end(), at) == chosen.end()) chosen.push_back(at);
    }
  }
  return chosen;
}

}  // namespace

const char* mode_name(DriveMode mode) {
  switch (mode) {
    case DriveMode::runs:
      return "runs";
    case DriveMode::paused:
      return "paused";
    case DriveMode::failed:
      return "failed";
    default:
      return "done";
  }
}

DriveLoop::DriveLoop(const Mechanism& mechanism, const RunOptions& options, const DriveSettings& settings,
                     const std::filesystem::path& recording, Wire* wire)
    : settings_(settings),
      period_(options.step / settings.scale),
      simulation_(without_tracks(mechanism), options),
      input_names_(names_of_inputs(mechanism)),
      inputs_(starts_of_inputs(mechanism)),
      felt_(starts_of_inputs(mechanism)),
      wanted_(felt_),
      within_limits_(felt_),
      recorder_(input_names_, recording),
      wire_(wire),
      row_(simulation_.columns().size()),
      output_columns_(columns_of_outputs(mechanism, simulation_.columns())),
      outputs_(output_columns_.size()),
      step_length_(options.step),
      mode_(settings.paused ? DriveMode::paused : DriveMode::runs) {
  if (simulation_.chooses_steps())
    throw std::invalid_argument(
        fmt::format("the integrator {} chooses its steps, which takes no one knows how long: a drive needs one of "
                    "constant steps, such as trapezoidal",
                    simulation_.summary().integrator_used));
  for (const std::string& name : input_names_) input_indices_.push_back(simulation_.input(name));
  for (std::vector<double>& place : places_) place.resize(simulation_.record_size());
  DriveFrame frame;
  frame.record.resize(simulation_.record_size());
  frames_.fill(frame);
  place_sizes_[0] = simulation_.save(places_[0].data());
  try {
    simulation_.restore(std::span(places_[0].data(), place_sizes_[0]));  // the first time asks for memory
    goes_back_ = true;
  } catch (const std::invalid_argument&) {
    goes_back_ = false;  // a program runs beside it that cannot
  }
}

void DriveLoop::rehearse() {
  if (!goes_back_) return;
  simulation_.step();
  simulation_.restore(std::span(places_[0].data(), place_sizes_[0]));
}

bool DriveLoop::obey() {
  for (DriveCommand command; commands_.take(command);) {
    using Kind = DriveCommand::Kind;
    const auto place = static_cast<std::size_t>(std::clamp(command.number, 0.0, kPlaces - 1.0));
    switch (command.kind) {
      case Kind::pause:
        if (mode_ == DriveMode::runs) mode_ = DriveMode::paused;
        break;
      case Kind::go_on:
        if (mode_ == DriveMode::paused) mode_ = DriveMode::runs, restart();
        break;
      case Kind::single_step:
        single_ = mode_ == DriveMode::paused;
        break;
      case Kind::scale:
        settings_.scale = std::clamp(command.number, kSlowest, kFastest);
        period_ = step_length_ / settings_.scale;
        restart();
        break;
      case Kind::reset:
        go_back(0);
        break;
      case Kind::save:
        if (place > 0) place_sizes_[place] = simulation_.save(places_[place].data());
        break;
      case Kind::go_back:
        go_back(place);
        break;
      case Kind::end:
        return false;
    }
    publish(true);
  }
  return true;
}

void DriveLoop::go_back(std::size_t place) {
  if (place_sizes_[place] == 0 || !goes_back_) return;
  simulation_.restore(std::span(places_[place].data(), place_sizes_[place]));
  recorder_.cut_back(simulation_.time());
  inputs_due_ = true;  // they are what they are now, not what they were then
  if (mode_ != DriveMode::runs) mode_ = DriveMode::paused;
  restart();
}

void DriveLoop::restart() { schedule_.restart(next_millisecond(), period_); }

/// All inputs are set when one changes, as a row of the recording sets all of them.
void DriveLoop::take_inputs() {
  if (inputs_.take()) {
    std::copy(inputs_.values().begin(), inputs_.values().end(), wanted_.begin());
    stamp_ = inputs_.stamp();
  }
  if (wire_) wire_->read(wanted_);
  if (!inputs_due_ && wanted_ == felt_) return;
  inputs_due_ = false;
  felt_ = wanted_;
  for (std::size_t i = 0; i < felt_.size(); ++i) {
    simulation_.set_input(input_indices_[i], felt_[i]);
    within_limits_[i] = simulation_.input_value(input_indices_[i]);
  }
  recorder_.add(simulation_.time(), within_limits_);
}

void DriveLoop::step() {
  const std::int64_t processor = thread_time(), clock = monotonic_now();
  take_inputs();
  advance();
  publish(mode_ != DriveMode::runs);
  statistics_.step.add(thread_time() - processor);
  statistics_.wall.add(monotonic_now() - clock);
}

void DriveLoop::advance() {
  const StepStatus status = simulation_.step();
  statistics_.steps.store(++step_, std::memory_order_relaxed);
  if (status != StepStatus::ok) {
    mode_ = DriveMode::failed;
    const std::lock_guard lock(telling_);  // nothing moves any more
    reason_ = simulation_.summary().reason;
  } else if (simulation_.ended() || simulation_.time() >= settings_.until - 1e-6 * step_length_) {
    mode_ = DriveMode::done;
  }
  if (!wire_) return;
  simulation_.sample(row_.data());
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i] = row_[output_columns_[i]];
  wire_->send(simulation_.time(), outputs_);
}

void DriveLoop::come_late(std::int64_t by) {
  statistics_.late.add(by);
  if (!behind_) statistics_.fell_behind.fetch_add(1, std::memory_order_relaxed);
  const auto most = static_cast<std::int64_t>(1e9 * settings_.most_behind);
  std::int64_t give_up = 0;
  if (settings_.overrun == Overrun::stop) stopped_late_ = true;
  if (settings_.overrun == Overrun::slow_down) give_up = by;
  if (settings_.overrun == Overrun::catch_up) give_up = std::max<std::int64_t>(0, by - most);
  if (give_up == 0) return;
  schedule_.put_off(give_up);
  statistics_.given_up.fetch_add(give_up, std::memory_order_relaxed);
}

void DriveLoop::publish(bool always) {
  const std::int64_t now = monotonic_now();
  const double rate = stamp_ != seen_stamp_ ? settings_.answers : settings_.frames;
  if (!always && static_cast<double>(now - last_frame_) * rate < 1e9) return;
  last_frame_ = now;
  seen_stamp_ = stamp_;
  DriveFrame& frame = frames_.room();
  frame.size = simulation_.save(frame.record.data());
  frame.step = step_;
  frame.time = simulation_.time();
  frame.scale = settings_.scale;
  frame.mode = mode_;
  frame.stamp = stamp_;
  frames_.publish();
}

/// Nothing moves, but commands are obeyed.
void DriveLoop::rest() {
  if (single_) {
    single_ = false;
    step();
  }
  sleep_until(monotonic_now() + kLook);
  restart();
}

void DriveLoop::run(const std::atomic<bool>& stop) {
  ask_for_short_waits();
  touch_stack();
  rehearse();
  if (settings_.real_time) refused_ = ask_for_real_time();
  if (settings_.processor >= 0) {
    const std::string why = ask_for_processor(settings_.processor);
    refused_ += refused_.empty() || why.empty() ? why : "; " + why;
  }
  const bool by_the_clock = std::isfinite(settings_.scale);
  restart();
  publish(true);
  const std::uint64_t allocated = allocation_counter ? allocation_counter() : 0;
  const std::uint64_t locked = lock_counter ? lock_counter() : 0;
  const Disturbances disturbed = disturbances();
  while (!stop.load(std::memory_order_relaxed) && !stopped_late_ && obey()) {
    if (mode_ != DriveMode::runs) {
      if (!settings_.stays && mode_ != DriveMode::paused) break;
      rest();
      continue;
    }
    if (by_the_clock && monotonic_now() < schedule_.due()) {
      sleep_until(schedule_.due());
      statistics_.wake.add(monotonic_now() - schedule_.due());
    }
    step();
    const std::int64_t late = monotonic_now() - schedule_.deadline();
    schedule_.advance();
    if (by_the_clock && late > 0) come_late(late);
    behind_ = late > 0;
  }
  publish(true);
  const Disturbances now = disturbances();
  statistics_.page_faults = now.page_faults - disturbed.page_faults;
  statistics_.preemptions = now.preemptions - disturbed.preemptions;
  if (mode_ == DriveMode::failed) return;  // its reason is told in words, which need memory and a lock
  if (allocation_counter) statistics_.allocations = static_cast<std::int64_t>(allocation_counter() - allocated);
  if (lock_counter) statistics_.locks = static_cast<std::int64_t>(lock_counter() - locked);
}

}  // namespace cardan
