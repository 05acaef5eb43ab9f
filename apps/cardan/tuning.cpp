#include "tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "comparison.hpp"
#include "measured_run.hpp"
#include "options/applicable_options.hpp"
#include "options/integrators.hpp"
#include "tuning_reference.hpp"

namespace cardan {
namespace {

constexpr int kTrials = 8;             // of one method
constexpr double kTimesTheBest = 6;    // a method that costs more than that is given up
constexpr double kLeastBudget = 0.02;  // s of the processor for a run
constexpr double kFirstBudget = 30;    // while nothing has come to its end
constexpr double kMost = 10;           // times longer or shorter from one trial to the next
constexpr double kCloseEnough = 0.5;   // of the wanted error: no longer step is tried
constexpr int kRepeats = 3;            // of those that may be the cheapest
constexpr double kLeastTolerance = 1e-13;

struct Candidate {
  std::string formulation, integrator;
  bool by_error = false;  // a rule of constant step, with step control
};

/// Those that are cheap most often first, so that dear ones are given up early.
std::vector<Candidate> candidates_of(const TuningPlan& plan) {
  std::vector<std::string> formulations = chosen_names("formulation", plan.formulations, cardan::formulations());
  std::stable_partition(formulations.begin(), formulations.end(), [](const auto& name) { return name == "hybrid"; });
  std::vector<Candidate> candidates;
  for (const std::string& formulation : formulations) {
    for (const std::string& integrator : chosen_names("integrator", plan.integrators, integrators())) {
      if (!why_not(formulation, integrator).empty()) continue;
      const bool adaptive = chooses_steps(formulation, integrator);
      if (!(adaptive && plan.deadline)) candidates.push_back({formulation, integrator});
      const bool newmark = integrator_entry(integrator).family == Family::newmark;
      if (newmark && !plan.deadline && formulation != "recursive" && integrator == "trapezoidal")
        candidates.push_back({formulation, integrator, true});
    }
  }
  std::stable_partition(candidates.begin(), candidates.end(), [](const Candidate& candidate) {
    return candidate.formulation == "hybrid" && (candidate.integrator == "dopri5" || candidate.by_error);
  });
  if (candidates.empty()) throw std::invalid_argument("none of these integrators works on these formulations");
  return candidates;
}

class Tuner {
 public:
  Tuner(const Mechanism& mechanism, const TuningPlan& plan, const TuningReference& reference)
      : mechanism_(mechanism), plan_(plan), reference_(reference) {}

  TunedMethod tune(const Candidate& candidate) {
    TunedMethod method;
    method.options = plan_.base;
    method.options.formulation = candidate.formulation;
    method.options.integrator = candidate.integrator;
    method.options.step_control.reset();
    method.options.tolerance.reset();  // where the model's own method ends its iterations
    if (candidate.by_error) method.options.step_control = "error";
    method.options = without_foreign_options(method.options);
    method.adaptive = candidate.by_error || chooses_steps(candidate.formulation, candidate.integrator);
    if (plan_.deadline) {
      within_deadline(method);
    } else {
      to_the_error(method);
    }
    return method;
  }

  /// The least of several runs: the cheapest are told apart by few percent.
  void repeat(TunedMethod& method) {
    for (int i = 0; i < kRepeats && !stopped(); ++i) {
      const MeasuredRun run = trial(method, kFirstBudget);
      if (run.ok()) method.cpu_seconds = std::min(method.cpu_seconds, run.cpu_seconds);
    }
  }

 private:
  bool stopped() const { return plan_.stop && *plan_.stop; }
  double budget() const { return std::isfinite(best_) ? std::max(kLeastBudget, kTimesTheBest * best_) : kFirstBudget; }

  MeasuredRun trial(TunedMethod& method, double budget) {
    RunOptions& options = method.options;
    if (method.adaptive) options.step = reference_.spacing;
    options.every = std::max(1, static_cast<int>(std::floor(reference_.spacing / options.step)));
    DistanceMeter meter(*reference_.motion, !method.adaptive && options.every == 1);
    ++method.runs;
    return run_measured(mechanism_, options, &meter, &meter, budget, plan_.stop);
  }

  static double knob(const TunedMethod& method) {
    return method.adaptive ? method.options.absolute_tolerance : method.options.step;
  }
  void set_knob(TunedMethod& method, double value) const {
    if (method.adaptive) {
      method.options.absolute_tolerance = method.options.relative_tolerance = std::clamp(value, kLeastTolerance, 0.1);
    } else {
      // As many equal steps as it takes, so that the last one is none of its own.
      method.options.step = plan_.base.until / std::ceil(plan_.base.until / std::min(value, plan_.base.until / 4));
    }
  }
  static void take(TunedMethod& method, const MeasuredRun& run) {
    method.error = run.error;
    method.cpu_seconds = run.cpu_seconds;
    method.step_time = run.step_time;
  }

  /// The longest step (or loosest tolerance) found whose error is small enough. An error of order p says which one to
  /// try next; between one that is too long and one that is not, their geometric mean.
  void to_the_error(TunedMethod& method) {
    const double order = method.adaptive ? 1 : integrator_entry(method.options.integrator).order;
    set_knob(method, method.adaptive ? plan_.error : plan_.base.step);
    TunedMethod good;
    double good_knob = 0, bad_knob = std::numeric_limits<double>::infinity(), least_error = bad_knob;
    MeasuredRun last;
    for (int i = 0; i < kTrials && !stopped(); ++i) {
      last = trial(method, budget());
      const double at = knob(method);
      const bool holds = last.ok() && last.error <= plan_.error;
      if (last.ok()) least_error = std::min(least_error, last.error);
      if (holds && at > good_knob) {
        good = method;
        take(good, last);
        good_knob = at;
        best_ = std::min(best_, last.cpu_seconds);
      }
      if (last.too_dear || (holds && last.error >= kCloseEnough * plan_.error)) break;
      if (!holds) bad_knob = std::min(bad_knob, at);
      double factor = 0.2;
      if (last.ok())
        factor = std::clamp(std::pow(0.8 * plan_.error / std::max(last.error, 1e-300), 1 / order), 1 / kMost, kMost);
      double next = at * factor;
      if (next >= bad_knob || next <= good_knob) {
        if (good_knob == 0 || bad_knob < 1.2 * good_knob) {
          if (good_knob > 0) break;
          next = 0.5 * bad_knob;
        } else {
          next = std::sqrt(good_knob * std::min(bad_knob, kMost * good_knob));
        }
      }
      set_knob(method, next);
      if (knob(method) == at) break;
      if (good_knob == 0 && !method.adaptive && last.ok() && last.cpu_seconds * at / knob(method) > budget()) {
        last.too_dear = true;
        break;
      }
    }
    const int runs = method.runs;
    if (good_knob > 0) {
      method = good;
      method.why_not.clear();
    } else {
      take(method, last);
      method.why_not = last.too_dear ? "costs more than six times the cheapest"
                       : last.ok()   ? fmt::format("error {:.1e} at best", least_error)
                                     : last.failure;
    }
    method.runs = runs;
  }

  /// The most accurate of 1, 2, ... equal steps within the period that there is time for. More of them are tried also
  /// where few are unstable.
  void within_deadline(TunedMethod& method) {
    const double period = *plan_.deadline, allowed = plan_.share * period;
    std::optional<TunedMethod> best;
    int steps = 1;
    for (int i = 0; i < kTrials && !stopped(); ++i) {
      method.options.step = period / steps;
      const MeasuredRun run = trial(method, kFirstBudget);
      const double time = steps * run.step_time;
      int next = 2 * steps;
      if (!run.ok()) {
        method.why_not = run.failure;
      } else if (time > allowed) {
        method.why_not =
            fmt::format("a period takes {:.2g} ms of the processor, {:.2g} ms are allowed", 1e3 * time, 1e3 * allowed);
      } else {
        if (!best || run.error < best->error) {
          best = method;
          take(*best, run);
        }
        if (run.error <= reference_.error) break;
        next = std::min(4 * steps, static_cast<int>(steps * allowed / time));
      }
      if (next <= steps || 2 * time > allowed) break;
      steps = next;
    }
    const int runs = method.runs;
    if (best) {
      method = *best;
      method.why_not.clear();
    }
    method.runs = runs;
  }

  const Mechanism& mechanism_;
  const TuningPlan& plan_;
  const TuningReference& reference_;
  double best_ = std::numeric_limits<double>::infinity();  // cost of what holds the error, s
};

}  // namespace

Tuning tune(const Mechanism& mechanism, const TuningPlan& plan) {
  candidates_of(plan);  // names are refused first
  return tune(mechanism, plan, make_tuning_reference(mechanism, plan));
}

Tuning tune(const Mechanism& mechanism, const TuningPlan& plan, const TuningReference& reference) {
  const std::vector<Candidate> candidates = candidates_of(plan);
  Tuning tuning;
  tuning.reference = reference.name;
  tuning.reference_error = reference.error;
  Tuner tuner(mechanism, plan, reference);
  for (const Candidate& candidate : candidates) {
    if (plan.stop && *plan.stop) {
      tuning.interrupted = true;
      break;
    }
    tuning.methods.push_back(tuner.tune(candidate));
    if (plan.progress)
      plan.progress(static_cast<double>(tuning.methods.size()) / static_cast<double>(candidates.size()));
  }
  double least = std::numeric_limits<double>::infinity();
  for (const TunedMethod& method : tuning.methods) {
    if (method.why_not.empty()) least = std::min(least, method.cpu_seconds);
  }
  if (!plan.deadline) {
    for (TunedMethod& method : tuning.methods) {
      if (method.why_not.empty() && method.cpu_seconds < 2 * least) tuner.repeat(method);
    }
  }
  std::stable_sort(tuning.methods.begin(), tuning.methods.end(), [&](const TunedMethod& a, const TunedMethod& b) {
    if (a.why_not.empty() != b.why_not.empty()) return a.why_not.empty();
    if (!a.why_not.empty()) return false;
    return plan.deadline ? a.error < b.error : a.cpu_seconds < b.cpu_seconds;
  });
  return tuning;
}

}  // namespace cardan
