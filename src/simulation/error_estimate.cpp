#include "simulation/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "options/integrators.hpp"
#include "options/method.hpp"
#include "simulation/trial_motion.hpp"

namespace cardan {
namespace {

constexpr double kAsked = 1e-3;         // sizes of the mechanism, or rad: what RunSummary::error_step is for
constexpr double kUnresolved = 5e-3;    // the same: from here on there is a warning
constexpr double kMostGrowth = 10;      // of the step: the estimate says little of steps far from its own
constexpr int kFewest = 8;              // steps that tell something
constexpr int kChosenApart = 8;         // chosen steps, at every end of which the companion would have to stop
constexpr double kTolerances = 100;     // more than so many are too many: errors of the steps grow on the way
constexpr std::size_t kOwnNumbers = 5;  // of a record, beside the companion's

bool by_error(const RunOptions& options) { return step_control_of(options) == "error"; }

RunOptions of_companion(RunOptions options, double looser) {
  if (!by_error(options)) {
    options.step *= 2;
    return options;
  }
  options.absolute_tolerance *= looser;
  options.relative_tolerance *= looser;
  if (options.tolerance) *options.tolerance *= looser;
  return options;
}

}  // namespace

ErrorEstimate::ErrorEstimate(const Mechanism& mechanism, const RunOptions& options, double looser)
    : mechanism_(mechanism),
      options_(options),
      companion_(mechanism, of_companion(options, looser)),
      looser_(looser),
      apart_(by_error(options) ? kChosenApart : 2),
      times_(kRoom),
      poses_(kRoom * kEntry * mechanism.bodies.size()),
      own_(kEntry * mechanism.bodies.size()) {
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
  if (std::fmod(++steps_, apart_) != 0 || companion_failed()) return;
  times_[waiting_] = simulation.time();
  simulation.poses(poses_.data() + waiting_ * own_.size());
  if (++waiting_ == kRoom) catch_up();
}

void ErrorEstimate::finish(Simulation& simulation) {
  catch_up();
  if (companion_failed() || simulation.time() - companion_.time() < 1e-6 * options_.step) return;
  times_[0] = simulation.time();
  simulation.poses(poses_.data());
  waiting_ = 1;
  catch_up();
}

void ErrorEstimate::catch_up() {
  const std::size_t count = std::exchange(waiting_, 0);
  for (std::size_t i = 0; i < count && !companion_failed(); ++i) {
    if (go_to(times_[i]) == StepStatus::ok) {
      compare(poses_.data() + i * own_.size());
    } else {
      failed_ = companion_.time();
    }
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
    const double difference = pose_distance(poses + b * kEntry, own_.data() + b * kEntry, length);
    if (difference > largest_) largest_ = difference, time_ = companion_.time(), body_ = static_cast<double>(b);
  }
}

double ErrorEstimate::largest_difference() const { return companion_failed() ? std::nan("") : largest_; }

void ErrorEstimate::report(RunSummary& summary) const {
  const bool chosen = companion_.chooses_steps();
  if (steps_ < (chosen ? 1 : kFewest) || summary.status == RunStatus::failed) return;
  if (companion_failed()) return report_failure(summary);
  summary.error_estimate = estimate();
  summary.error_time = time_;
  if (body_ >= 0) summary.error_body = mechanism_.bodies[static_cast<std::size_t>(body_)].name;
  if (chosen) {
    report_chosen(summary);
  } else {
    report_constant(summary);
  }
}

/// Where the companion failed the run was not far from failing either.
void ErrorEstimate::report_failure(RunSummary& summary) const {
  const bool chosen = companion_.chooses_steps();
  summary.warnings.push_back(fmt::format(
      "the motion may not be resolved, and its error is not known: a run with {}, which would tell it, fails, so that "
      "the two could be compared only up to t = {:.4g} s{}; compare with {}",
      chosen ? fmt::format("{:g} times the tolerance", looser_)
             : fmt::format("twice the step, {:.3g} s", 2 * options_.step),
      failed_,
      estimate() > kUnresolved
          ? fmt::format(", where it was off by about {:.2g} of the mechanism's size, or rad, already", estimate())
          : "",
      chosen ? "a tighter tolerance" : "half the step"));
}

double ErrorEstimate::estimate() const {
  const double p = order();
  const double ratio = companion_.chooses_steps() ? std::pow(looser_, p / (p + 1)) : std::pow(2, p);
  return largest_ / (ratio - 1);
}

void ErrorEstimate::report_constant(RunSummary& summary) const {
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
  const double absolute = options_.tolerance.value_or(options_.absolute_tolerance),
               relative = options_.tolerance.value_or(options_.relative_tolerance);
  summary.error_tolerances = summary.error_estimate / (relative + absolute / std::min(1.0, companion_.length()));
  if (summary.error_estimate <= kUnresolved && summary.error_tolerances <= kTolerances) return;
  summary.warnings.push_back(fmt::format(
      "the motion {} resolved: a run with {:g} times the tolerance shows that it is off by about {:.2g} of "
      "the mechanism's size, or rad, {:.2g} times the tolerance, at body '{}' at {:.4g} s: what steps leave "
      "grows on the way; ask for a tighter tolerance",
      summary.error_estimate > kUnresolved ? "is not" : "may not be", looser_, summary.error_estimate,
      summary.error_tolerances, summary.error_body, time_));
}

/// Of where the companion is when it is saved: a program that runs beside it may have begun on the way there.
std::size_t ErrorEstimate::record_size() {
  catch_up();
  return kOwnNumbers + companion_.record_size();
}

std::size_t ErrorEstimate::save(double* numbers) {
  catch_up();
  double* at = numbers;
  for (const double number : {steps_, largest_, time_, body_, failed_}) *at++ = number;
  return kOwnNumbers + companion_.save(at);
}

bool ErrorEstimate::restore(std::span<const double> record) {
  if (record.size() < kOwnNumbers) return false;
  try {
    companion_.restore(record.subspan(kOwnNumbers));
  } catch (const std::invalid_argument&) {
    return false;
  }
  const double* at = record.data();
  for (double* number : {&steps_, &largest_, &time_, &body_, &failed_}) *number = *at++;
  return true;
}

}  // namespace cardan
