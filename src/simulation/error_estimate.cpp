#include "simulation/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "options/integrators.hpp"
#include "options/method.hpp"

namespace cardan {
namespace {

constexpr double kAsked = 1e-3;         // sizes of the mechanism, or rad: what RunSummary::error_step is for
constexpr double kUnresolved = 5e-3;    // the same: from here on there is a warning
constexpr double kMostGrowth = 10;      // of the step: the estimate says little of steps far from its own
constexpr int kFewest = 8;              // steps that tell something
constexpr double kLooser = 32;          // times the tolerance: half the steps of a method of order 5
constexpr int kChosenApart = 8;         // chosen steps, at every end of which the companion would have to stop
constexpr double kTolerances = 100;     // more than so many are too many: errors of the steps grow on the way
constexpr std::size_t kOwnNumbers = 7;  // of a record, beside the companion's
constexpr int kMostFailures = 10;       // of the companion, which starts again where the run is

bool by_error(const RunOptions& options) { return step_control_of(options) == "error"; }

RunOptions of_companion(RunOptions options) {
  if (!by_error(options)) {
    options.step *= 2;
    return options;
  }
  options.absolute_tolerance *= kLooser;
  options.relative_tolerance *= kLooser;
  if (options.tolerance) *options.tolerance *= kLooser;
  return options;
}

}  // namespace

ErrorEstimate::ErrorEstimate(const Mechanism& mechanism, const RunOptions& options)
    : mechanism_(mechanism),
      options_(options),
      companion_(mechanism, of_companion(options)),
      apart_(by_error(options) ? kChosenApart : 2),
      times_(kRoom),
      poses_(kRoom * kEntry * mechanism.bodies.size()),
      own_(kEntry * mechanism.bodies.size()),
      record_(companion_.record_size()) {
  companion_.pass_events();
}

bool ErrorEstimate::is_made_with(const RunOptions& options) {
  return by_error(options) || options.step_control.value_or("fixed") == "fixed";
}

/// By which power of the step the error falls. What touches in the middle of a step leaves no rule more than two.
int ErrorEstimate::order() const {
  const int order = integrator_entry(options_.integrator).order;
  if (order == 1 && options_.dissipation == 0) return 2;  // it is the trapezoidal rule then
  return mechanism_.tyres.empty() && mechanism_.contacts.empty() ? order : std::min(order, 2);
}

void ErrorEstimate::see(Simulation& simulation) {
  if (failures_ > kMostFailures || std::fmod(++steps_, apart_) != 0) return;
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
    if (go_to(times_[i]) != StepStatus::ok) return start_again(simulation);
    compare(poses_.data() + i * own_.size());
  }
}

StepStatus ErrorEstimate::go_to(double time) {
  StepStatus status = companion_.step(time - companion_.time());
  while (status == StepStatus::ok && companion_.chooses_steps() && time - companion_.time() > 1e-9 * options_.step)
    status = companion_.step(time - companion_.time());
  return status;
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
  const bool chosen = companion_.chooses_steps();
  if (steps_ < (chosen ? 1 : kFewest)) return;
  if (failures_ > 0) {
    // Where the companion failed it says nothing of the run, which was not far from failing either.
    summary.warnings.push_back(fmt::format(
        "the motion may not be resolved: {}, with which its error is estimated, does not get through at {:.4g} s; "
        "compare with {}",
        chosen ? fmt::format("{:g} times the tolerance", kLooser)
               : fmt::format("twice the step, {:.3g} s", 2 * options_.step),
        failed_, chosen ? "a tighter tolerance" : "half the step"));
  }
  if (failures_ > kMostFailures) return;
  summary.error_time = time_;
  if (body_ >= 0) summary.error_body = mechanism_.bodies[static_cast<std::size_t>(body_)].name;
  if (chosen) {
    report_chosen(summary);
  } else {
    report_constant(summary);
  }
}

void ErrorEstimate::report_constant(RunSummary& summary) const {
  summary.error_estimate = largest_ / (std::pow(2, order()) - 1);
  const double change =
      summary.error_estimate > 0 ? std::pow(kAsked / summary.error_estimate, 1.0 / order()) : kMostGrowth;
  summary.error_step = options_.step * std::min(change, kMostGrowth);
  if (summary.error_estimate <= kUnresolved) return;
  summary.warnings.push_back(
      fmt::format("the motion is not resolved: a run with twice the step shows that it is off by about {:.2g} of the "
                  "mechanism's size, or rad, at body '{}' at {:.4g} s; for 1e-3 take steps of {:.2g} s or less, or an "
                  "integrator that chooses its steps",
                  summary.error_estimate, summary.error_body, time_, summary.error_step));
}

void ErrorEstimate::report_chosen(RunSummary& summary) const {
  const double power = order() / (order() + 1.0), absolute = options_.tolerance.value_or(options_.absolute_tolerance),
               relative = options_.tolerance.value_or(options_.relative_tolerance);
  summary.error_estimate = largest_ / (std::pow(kLooser, power) - 1);
  summary.error_tolerances = summary.error_estimate / (relative + absolute / std::min(1.0, companion_.length()));
  if (summary.error_estimate <= kUnresolved && summary.error_tolerances <= kTolerances) return;
  summary.warnings.push_back(fmt::format(
      "the motion {} resolved: a run with {:g} times the tolerance shows that it is off by about {:.2g} of "
      "the mechanism's size, or rad, {:.2g} times the tolerance, at body '{}' at {:.4g} s: what steps leave "
      "grows on the way; ask for a tighter tolerance",
      summary.error_estimate > kUnresolved ? "is not" : "may not be", kLooser, summary.error_estimate,
      summary.error_tolerances, summary.error_body, time_));
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
