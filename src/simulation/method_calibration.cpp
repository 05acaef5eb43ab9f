#include "simulation/method_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "options/integrators.hpp"
#include "simulation/thread_clock.hpp"

namespace cardan {
namespace {

constexpr double kFirstTolerance = 0.1;  // of the wanted error: the middle of what models need
constexpr double kMost = 0.8;            // of the wanted error: what is accepted
constexpr double kWaste = 1.2;           // times the work that would do: what is not tried again
constexpr double kFiner = 10;            // times tighter: a run that another one is measured against
constexpr double kFineEnough = 6;        // the least of that
constexpr double kTightest = 1e-13;      // tolerance
constexpr double kMostChange = 1e3;      // of the tolerance from one trial to the next
constexpr double kTooNear = 1.3;         // times the tolerance: nothing is tried between two that are nearer
constexpr double kFinerWork = 3;         // times as much a run may take that only measures another one
constexpr int kTrials = 8;
constexpr int kStepsBetweenLooks = 64;
/// In evaluations of accelerations by an explicit rule: a step of Newmark's family, and an iteration within it (least
/// squares over five models, met to 20 %); an iteration of an implicit Runge-Kutta rule with exact derivatives on
/// cartesian (8 to 11 on two to four bodies).
constexpr double kStepWork = 1, kIterationWork = 0.8, kStageWork = 10;

/// By which power of the tolerance errors fall. Steps keep what the rule estimates, h^(q+1), at the tolerance; errors
/// go with h^p. The trapezoidal rule estimates its own error, q = p; dopri5 that of its companion of order 4, q = p
/// - 1. What touches in the middle of a step leaves no rule more than p = 2.
double power_of(const MethodCandidate& candidate, const Mechanism& mechanism) {
  const double order = integrator_entry(candidate.integrator).order;
  const double estimated = candidate.by_control ? order + 1 : order;
  const bool smooth = mechanism.tyres.empty() && mechanism.contacts.empty();
  return (smooth ? order : std::min(order, 2.0)) / estimated;
}

double work_of(const RunSummary& summary) {
  const Family family = integrator_entry(summary.integrator_used).family;
  if (family == Family::explicit_runge_kutta) return static_cast<double>(summary.evaluations);
  if (family == Family::implicit_runge_kutta) return kStageWork * static_cast<double>(summary.iterations);
  return kStepWork * static_cast<double>(summary.steps + summary.rejected_steps) +
         kIterationWork * static_cast<double>(summary.iterations);
}

}  // namespace

MethodCalibration::MethodCalibration(const Mechanism& mechanism, const RunOptions& asked,
                                     const MethodCandidate& candidate, std::vector<MethodTrial>& trials)
    : mechanism_(mechanism),
      wanted_(*asked.error),
      candidate_(candidate),
      trials_(trials),
      options_(asked),
      power_(power_of(candidate, mechanism)),
      order_(integrator_entry(candidate.integrator).order) {
  options_.error.reset();
  options_.integrator = candidate.integrator;
  if (candidate.formulation) options_.formulation = candidate.formulation;
  if (candidate.by_control) options_.step_control = "error";
  because_ = resolve_method(options_, mechanism);
}

/// An error below which a rule of order p, whose work goes with error^(-1/p), does too much.
double MethodCalibration::least() const { return kMost * wanted_ * std::pow(kWaste, -order_); }
double MethodCalibration::aim() const { return std::sqrt(least() * kMost * wanted_); }
/// What a single step may miss is hardly more than what all of them may.
double MethodCalibration::loosest() const {
  return std::min(candidate_.by_control ? 1.0 : 4.0, 0.03 / wanted_) * wanted_;
}

/// False: it did not come to its end within so much work.
bool MethodCalibration::attempt(double tolerance, double most_work) {
  RunOptions options = options_;
  options.absolute_tolerance = options.relative_tolerance = tolerance;
  MethodTrial trial{options.formulation, options.integrator, tolerance, -1, 0, 0};
  TrialMotion motion(mechanism_, options.until);
  const double begun = thread_cpu_seconds();
  Simulation simulation(mechanism_, options);
  StepStatus status = simulation.pass_events();
  const double slack = 1e-9 * std::min(options.step, options.until);
  const auto ended = [&] { return simulation.ended() || options.until - simulation.time() <= slack; };
  bool too_dear = false;
  for (int i = 0; status == StepStatus::ok && !ended() && !too_dear; ++i) {
    status = simulation.step(options.until - simulation.time());
    if (status == StepStatus::ok) motion.see(simulation);
    too_dear = i % kStepsBetweenLooks == 0 && work_of(simulation.summary()) > most_work;
  }
  trial.work = work_of(simulation.summary());
  trial.cpu_seconds = thread_cpu_seconds() - begun;
  trials_.push_back(trial);
  ++runs_made_;
  length_ = simulation.length();
  if (too_dear && !ended()) return false;
  if (status != StepStatus::ok) {
    const bool loose = runs_.empty() || tolerance > runs_.front().tolerance;
    (loose ? failed_loose_ : failed_tight_) = tolerance;
    return true;
  }
  const auto looser = [&](const TrialRun& run) { return run.tolerance > tolerance; };
  runs_.insert(std::find_if_not(runs_.begin(), runs_.end(), looser),
               {tolerance, trial.work, std::move(motion), trials_.size() - 1});
  judge();
  return true;
}

void MethodCalibration::judge() {
  if (runs_.size() < 2) return;
  TrialRun& finest = runs_.back();
  for (TrialRun& run : runs_) {
    const TrialRun& other = &run == &finest ? runs_[runs_.size() - 2] : run;
    const double part = std::pow(finest.tolerance / other.tolerance, power_);
    run.off = other.motion.difference(finest.motion);
    run.off.size *= (&run == &finest ? part : 1) / (1 - part);
    run.is_measured = run.tolerance >= kFineEnough * finest.tolerance;
    trials_[run.trial].error = run.error();
  }
}

/// The loosest that holds the error.
int MethodCalibration::best() const {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].is_measured && runs_[i].error() <= kMost * wanted_) return static_cast<int>(i);
  }
  return -1;
}

int MethodCalibration::nearest() const {
  if (runs_.empty()) return -1;
  const auto least = std::min_element(runs_.begin(), runs_.end(),
                                      [](const TrialRun& a, const TrialRun& b) { return a.error() < b.error(); });
  return static_cast<int>(least - runs_.begin());
}

double MethodCalibration::foreseen_tolerance(const TrialRun& run) const {
  const double factor = std::pow(aim() / std::max(run.error(), 1e-300), 1 / power_);
  return std::clamp(run.tolerance * std::clamp(factor, 1 / kMostChange, kMostChange), kTightest, loosest());
}

/// Between one that holds the error and the next that does not.
double MethodCalibration::next_between(const TrialRun& good, double bad) const {
  if (bad < kTooNear * good.tolerance) return 0;
  const double foreseen = foreseen_tolerance(good);
  return foreseen > good.tolerance * 1.05 && foreseen < bad / 1.05 ? foreseen : std::sqrt(good.tolerance * bad);
}

double MethodCalibration::next() const {
  if (runs_.empty()) {
    if (failed_loose_ > 1e6 * kTightest && std::isfinite(failed_loose_)) return 0.01 * failed_loose_;
    return std::isfinite(failed_loose_) ? 0 : std::min(kFirstTolerance * wanted_, loosest());
  }
  if (runs_.size() == 1) return std::max(runs_.front().tolerance / kFiner, kTightest);
  double bad = failed_loose_;
  if (const int held = best(); held >= 0) {
    const TrialRun& good = runs_[static_cast<std::size_t>(held)];
    if (good.error() >= least() || good.tolerance >= loosest() / 1.05) return 0;
    if (held > 0) bad = std::min(bad, runs_[static_cast<std::size_t>(held - 1)].tolerance);
    return std::isfinite(bad) ? next_between(good, bad) : foreseen_tolerance(good);
  }
  for (const TrialRun& run : runs_) {
    if (run.error() > kMost * wanted_) bad = std::min(bad, run.tolerance);
  }
  const TrialRun& finest = runs_.back();
  if (finest.tolerance <= kTightest) return 0;
  const double foreseen = std::min(foreseen_tolerance(finest), bad / 1.5);
  const double finer = std::max(std::min(foreseen, finest.tolerance) / kFiner, kTightest);
  if (finest.tolerance > foreseen / kFineEnough) return finer > failed_tight_ ? finer : 0;
  return foreseen;
}

void MethodCalibration::calibrate(double most_work) {
  while (runs_made_ < kTrials) {
    const double tolerance = next();
    if (tolerance <= 0) return;
    const bool only_measures = runs_.size() < 2 || tolerance < runs_.back().tolerance;
    const double allowed = only_measures ? kFinerWork * most_work : most_work;
    if (attempt(tolerance, allowed)) continue;
    // Where it is not stability that makes it dear, a loose tolerance does not.
    if (!runs_.empty() || tolerance >= loosest() || !attempt(loosest(), allowed)) return;
  }
}

double MethodCalibration::foreseen_work(double larger_error) {
  const double tolerance = std::min(kFirstTolerance * std::max(larger_error, wanted_), loosest());
  attempt(tolerance, kUnbound);
  if (!runs_.empty()) attempt(tolerance / kFiner, kUnbound);
  if (runs_.size() < 2) return kUnbound;
  const TrialRun& run = runs_.front();
  return run.work * std::pow(std::max(run.error(), 1e-12) / aim(), 1 / order_);
}

const MethodCalibration::TrialRun* MethodCalibration::chosen() const {
  const int index = holds() ? best() : nearest();
  return index >= 0 ? &runs_[static_cast<std::size_t>(index)] : nullptr;
}

RunOptions MethodCalibration::options() const {
  RunOptions options = options_;
  options.absolute_tolerance = options.relative_tolerance = chosen() ? chosen()->tolerance : kFirstTolerance * wanted_;
  return options;
}

PoseDifference MethodCalibration::off() const { return chosen() ? chosen()->off : PoseDifference{-1, 0, 0}; }
double MethodCalibration::work() const { return chosen() ? chosen()->work : kUnbound; }

}  // namespace cardan
