#include "simulation/automatic_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "mechanism/automatic_formulation.hpp"
#include "options/integrators.hpp"
#include "simulation/error_estimate.hpp"
#include "simulation/thread_clock.hpp"

namespace cardan {
namespace {

constexpr double kFirstTolerance = 0.1;    // of the wanted error: the middle of what models need
constexpr double kAim = 0.5, kMost = 0.8;  // of the wanted error: what a next trial aims at, what is accepted
constexpr double kWaste = 1.4;             // times the work that would do: a trial that takes more is none
constexpr double kLooser = 4;              // times the tolerance: of a trial's companion
constexpr double kLooseError = 1e-3;       // at which a rule of order two is looked at first
constexpr double kTightest = 1e-13;        // tolerance
constexpr double kMostChange = 1e4;        // of the tolerance from one trial to the next
constexpr int kTrials = 5;                 // of one candidate
constexpr int kStepsBetweenLooks = 64;
/// In evaluations of accelerations by an explicit rule: a step of an implicit one, and an iteration within it (least
/// squares over five models, met to 20 %).
constexpr double kStepWork = 1, kIterationWork = 0.8;

struct Candidate {
  const char* integrator;
  bool by_control;  // of a rule of constant step: by its error
};
constexpr Candidate kExplicit{"dopri5", false}, kImplicit{"trapezoidal", true};

/// By which power of the tolerance errors fall. Steps keep what the rule estimates, h^(q+1), at the tolerance; errors
/// go with h^p. The trapezoidal rule estimates its own error, q = p; dopri5 that of its companion of order 4, q = p
/// - 1. What touches in the middle of a step leaves no rule more than p = 2.
double power_of(const Candidate& candidate, const Mechanism& mechanism) {
  const double order = integrator_entry(candidate.integrator).order;
  const double estimated = candidate.by_control ? order + 1 : order;
  const bool smooth = mechanism.tyres.empty() && mechanism.contacts.empty();
  return (smooth ? order : std::min(order, 2.0)) / estimated;
}

double work_of(const RunSummary& summary, const Candidate& candidate) {
  if (integrator_entry(candidate.integrator).family == Family::explicit_runge_kutta)
    return static_cast<double>(summary.evaluations);
  return kStepWork * static_cast<double>(summary.steps + summary.rejected_steps) +
         kIterationWork * static_cast<double>(summary.iterations);
}

/// Nothing whose forces change with the motion: steps of an explicit rule are bound by accuracy alone.
bool is_not_stiff(const Mechanism& m) {
  return m.springs.empty() && m.joint_springs.empty() && m.bushings.empty() && m.custom_wrenches.empty() &&
         m.actuators.empty() && m.line_forces.empty() && m.tyres.empty() && m.contacts.empty() && m.states.empty();
}

class MethodTrials {
 public:
  MethodTrials(const Mechanism& mechanism, const RunOptions& asked, std::vector<MethodTrial>& trials)
      : mechanism_(mechanism), asked_(asked), wanted_(*asked.error), trials_(trials) {}

  struct Setting {
    RunOptions options;
    MethodReasons because;
    MethodTrial trial;  // the last of it
    bool holds = false;
  };

  /// The loosest tolerance found that holds the error, within so much work for a trial.
  Setting calibrate(const Candidate& candidate, double most_work) {
    Setting setting = with(candidate);
    double tolerance = kFirstTolerance * wanted_;
    double good = 0, bad = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTrials; ++i) {
      const MethodTrial trial = attempt(candidate, setting.options, tolerance, most_work);
      const bool held = trial.error >= 0 && trial.error <= kMost * wanted_;
      if (held && tolerance > good) {
        good = tolerance;
        setting.trial = trial;
        setting.holds = true;
      }
      if (!held) bad = std::min(bad, tolerance);
      if (trial.error < 0 && trial.work > most_work) break;
      if (held && (trial.error >= least(candidate) || tolerance >= loosest(candidate))) break;
      double next = tolerance * change(candidate, trial.error);
      if (next >= bad || next <= good) {
        if (good > 0 && bad < 3 * good) break;
        next = good > 0 ? std::sqrt(good * bad) : 0.1 * bad;
      }
      next = std::clamp(next, kTightest, loosest(candidate));
      if (next == tolerance) break;
      tolerance = next;
    }
    set_tolerance(setting.options, setting.holds ? good : tolerance);
    return setting;
  }

  /// What the error would cost by a rule of order two, which a trial at a larger one tells.
  double foreseen_work(const Candidate& candidate) {
    RunOptions options = with(candidate).options;
    const double loose = std::max(wanted_, kLooseError);
    const MethodTrial trial = attempt(candidate, options, kFirstTolerance * loose, kUnbound);
    if (trial.error < 0) return kUnbound;
    const double order = integrator_entry(candidate.integrator).order;
    return trial.work * std::pow(std::max(trial.error, 1e-12) / (kAim * wanted_), 1 / order);
  }

  static constexpr double kUnbound = std::numeric_limits<double>::infinity();

 private:
  Setting with(const Candidate& candidate) const {
    Setting setting;
    setting.options = asked_;
    setting.options.error.reset();
    setting.options.integrator = candidate.integrator;
    if (candidate.by_control) setting.options.step_control = "error";
    setting.because = resolve_method(setting.options, mechanism_);
    return setting;
  }
  static void set_tolerance(RunOptions& options, double tolerance) {
    options.absolute_tolerance = options.relative_tolerance = tolerance;
  }
  double change(const Candidate& candidate, double error) const {
    if (error < 0) return 0.01;  // it did not get through
    const double factor = std::pow(kAim * wanted_ / std::max(error, 1e-300), 1 / power_of(candidate, mechanism_));
    return std::clamp(factor, 1 / kMostChange, kMostChange);
  }
  /// What a single step may miss is not more than what all of them may; of a rule of order two, a fifth, since its
  /// steps miss in one direction. (Between steps longer than that the companion misses the same bumps as the trial.)
  double loosest(const Candidate& candidate) const { return candidate.by_control ? 0.2 * wanted_ : wanted_; }
  /// An error below which a rule of order p, whose work goes with error^(-1/p), does too much.
  double least(const Candidate& candidate) const {
    return kMost * wanted_ * std::pow(kWaste, -integrator_entry(candidate.integrator).order);
  }

  MethodTrial attempt(const Candidate& candidate, RunOptions& options, double tolerance, double most_work) {
    set_tolerance(options, tolerance);
    MethodTrial trial{options.formulation, options.integrator, tolerance, -1, 0, 0};
    const double begun = thread_cpu_seconds();
    Simulation simulation(mechanism_, options);
    ErrorEstimate estimate(mechanism_, options, kLooser);
    StepStatus status = simulation.pass_events();
    const double slack = 1e-9 * std::min(options.step, options.until);
    const auto rest = [&] { return options.until - simulation.time(); };
    for (int i = 0; status == StepStatus::ok && !simulation.ended() && rest() > slack; ++i) {
      status = simulation.step(rest());
      if (status == StepStatus::ok) estimate.see(simulation);
      if (i % kStepsBetweenLooks == 0 && work_of(simulation.summary(), candidate) > most_work) break;
    }
    const RunSummary& summary = simulation.summary();
    trial.work = work_of(summary, candidate);
    if (status == StepStatus::ok && (simulation.ended() || rest() <= slack)) {
      estimate.finish(simulation);
      const double error = estimate.largest_difference() / (std::pow(kLooser, power_of(candidate, mechanism_)) - 1);
      if (std::isfinite(error)) trial.error = error;
    }
    trial.cpu_seconds = thread_cpu_seconds() - begun;
    trials_.push_back(trial);
    return trial;
  }

  const Mechanism& mechanism_;
  const RunOptions& asked_;
  const double wanted_;
  std::vector<MethodTrial>& trials_;
};

using Setting = MethodTrials::Setting;

Setting least_work(MethodTrials& trials, bool maybe_stiff) {
  const double implicit_work = maybe_stiff ? trials.foreseen_work(kImplicit) : MethodTrials::kUnbound;
  const Setting by_explicit = trials.calibrate(kExplicit, implicit_work);
  if (by_explicit.holds && by_explicit.trial.work <= implicit_work) return by_explicit;
  const Setting by_implicit = trials.calibrate(kImplicit, MethodTrials::kUnbound);
  const bool dearer = by_explicit.holds && by_explicit.trial.work < by_implicit.trial.work;
  return by_implicit.holds && !dearer ? by_implicit : by_explicit.holds ? by_explicit : by_implicit;
}

std::string reason_of(const Setting& setting, double wanted, std::size_t count) {
  if (!setting.holds)
    return fmt::format("no method tried holds an error of {:g} ({} trial runs): this one comes nearest", wanted, count);
  return fmt::format(
      "it holds an error of {:g} with the least work of {} trial runs: {:.1e} with a tolerance of {:.1e}", wanted,
      count, setting.trial.error, setting.trial.tolerance);
}

}  // namespace

MethodReasons choose_method(RunOptions& options, const Mechanism& mechanism, std::vector<MethodTrial>* trials) {
  if (options.integrator != kAutomatic || !options.error) return resolve_method(options, mechanism);
  options.check();
  std::vector<MethodTrial> made;
  MethodTrials runs(mechanism, options, made);
  Setting setting = least_work(runs, !is_not_stiff(mechanism));
  setting.because.integrator = reason_of(setting, *options.error, made.size());
  options = setting.options;
  if (trials) *trials = std::move(made);
  return setting.because;
}

}  // namespace cardan
