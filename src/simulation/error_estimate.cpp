#include "simulation/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "options/integrators.hpp"

namespace cardan {
namespace {

constexpr double kAsked = 1e-3;         // sizes of the mechanism, or rad: what RunSummary::error_step is for
constexpr double kUnresolved = 5e-3;    // the same: from here on there is a warning
constexpr double kMostGrowth = 10;      // of the step: the estimate says little of steps far from its own
constexpr int kFewest = 8;              // steps that tell something
constexpr std::size_t kOwnNumbers = 7;  // of a record, beside the companion's
constexpr int kMostFailures = 10;       // of the companion, which starts again where the run is

RunOptions with_twice_the_step(RunOptions options) {
  options.step *= 2;
  return options;
}

/// By which power of the step the error falls. What touches in the middle of a step leaves no rule more than
/// two.
int order_of(const RunOptions& options, const Mechanism& mechanism) {
  const int order = integrator_entry(options.integrator).order;
  if (order == 1 && options.dissipation == 0) return 2;  // it is the trapezoidal rule then
  return mechanism.tyres.empty() && mechanism.contacts.empty() ? order : std::min(order, 2);
}

}  // namespace

ErrorEstimate::ErrorEstimate(const Mechanism& mechanism, const RunOptions& options)
    : mechanism_(mechanism),
      options_(options),
      companion_(mechanism, with_twice_the_step(options)),
      times_(kRoom),
      poses_(kRoom * kEntry * mechanism.bodies.size()),
      own_(kEntry * mechanism.bodies.size()),
      record_(companion_.record_size()) {
  companion_.pass_events();
}

void ErrorEstimate::see(Simulation& simulation) {
  if (failures_ > kMostFailures || std::fmod(++steps_, 2) != 0) return;
  times_[waiting_] = simulation.time();
  simulation.poses(poses_.data() + waiting_ * own_.size());
  if (++waiting_ == kRoom) catch_up(simulation);
}

void ErrorEstimate::finish(Simulation& simulation) {
  catch_up(simulation);
  const double rest = simulation.time() - companion_.time();
  if (rest < 1e-6 * options_.step) return;
  times_[0] = simulation.time();
  simulation.poses(poses_.data());
  waiting_ = 1;
  catch_up(simulation);
}

void ErrorEstimate::catch_up(Simulation& simulation) {
  const std::size_t count = std::exchange(waiting_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (companion_.step(times_[i] - companion_.time()) != StepStatus::ok) return start_again(simulation);
    compare(poses_.data() + i * own_.size());
  }
}

void ErrorEstimate::compare(const double* poses) {
  companion_.poses(own_.data());
  const double length = companion_.length();
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
    const Eigen::Map<const Vec3> place(poses + b * kEntry), own_place(own_.data() + b * kEntry);
    const Eigen::Map<const Mat3> turn(poses + b * kEntry + 3), own_turn(own_.data() + b * kEntry + 3);
    // |R1 - R2| = 2 sqrt(2) sin(angle / 2)
    const double angle = 2 * std::asin(std::min(1.0, (turn - own_turn).norm() / std::sqrt(8.0)));
    const double difference = before_ + std::max((place - own_place).norm() / length, angle);
    if (difference > largest_) largest_ = difference, time_ = companion_.time(), body_ = static_cast<double>(b);
  }
}

/// What the companion was off by until then stays.
void ErrorEstimate::start_again(Simulation& simulation) {
  if (++failures_ == 1) failed_ = companion_.time();
  before_ = largest_;
  record_.resize(companion_.record_size());
  record_.resize(simulation.save(record_.data()));
  if (!companion_.restore(record_)) failures_ = kMostFailures + 1;
}

void ErrorEstimate::report(RunSummary& summary) const {
  if (steps_ < kFewest) return;
  if (failures_ > 0) {
    // Where the companion failed it says nothing of the run, which was not far from failing either.
    summary.warnings.push_back(fmt::format(
        "the motion may not be resolved: twice the step, {:.3g} s, with which its error is estimated, does not get "
        "through at {:.4g} s; compare with half the step",
        2 * options_.step, failed_));
  }
  if (failures_ > kMostFailures) return;
  const int order = order_of(options_, mechanism_);
  summary.error_estimate = largest_ / (std::pow(2, order) - 1);
  summary.error_time = time_;
  if (body_ >= 0) summary.error_body = mechanism_.bodies[static_cast<std::size_t>(body_)].name;
  const double change =
      summary.error_estimate > 0 ? std::pow(kAsked / summary.error_estimate, 1.0 / order) : kMostGrowth;
  summary.error_step = options_.step * std::min(change, kMostGrowth);
  if (summary.error_estimate <= kUnresolved) return;
  summary.warnings.push_back(
      fmt::format("the motion is not resolved: a run with twice the step shows that it is off by about {:.2g} of the "
                  "mechanism's size, or rad, at body '{}' at {:.4g} s; for 1e-3 take steps of {:.2g} s or less, or an "
                  "integrator that chooses its steps",
                  summary.error_estimate, summary.error_body, time_, summary.error_step));
}

std::size_t ErrorEstimate::record_size() const { return kOwnNumbers + companion_.record_size(); }

std::size_t ErrorEstimate::save(Simulation& simulation, double* numbers) {
  catch_up(simulation);
  double* at = numbers;
  for (const double number : {steps_, largest_, time_, body_, before_, failures_, failed_}) *at++ = number;
  return kOwnNumbers + companion_.save(at);
}

bool ErrorEstimate::restore(std::span<const double> record) {
  if (record.size() < kOwnNumbers || !companion_.restore(record.subspan(kOwnNumbers))) return false;
  const double* at = record.data();
  for (double* number : {&steps_, &largest_, &time_, &body_, &before_, &failures_, &failed_}) *number = *at++;
  return true;
}

}  // namespace cardan
