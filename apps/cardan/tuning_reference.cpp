#include "tuning_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "interruption.hpp"
#include "measured_run.hpp"
#include "options/applicable_options.hpp"

namespace cardan {
namespace {

constexpr double kReferenceRows = 2e4;   // of the reference
constexpr double kFarBelow = 0.1;        // of the wanted error, where a reference is good enough
constexpr double kReferenceBudget = 60;  // s of the processor for one run
constexpr double kTightest = 1e-12;      // tolerance, above rounding
constexpr double kTightening = 0.03;     // from one run to the next
constexpr int kHalvings = 10;

struct Ladder {
  const char* formulation;
  const char* integrator;
  bool by_tolerance;
};

class LadderClimb {
 public:
  LadderClimb(const Mechanism& mechanism, const TuningPlan& plan) : mechanism_(mechanism), plan_(plan) {}

  /// Whether it came to a reference; otherwise `failures` has a line more.
  bool climb(const Ladder& ladder, TuningReference& reference, std::string& failures) {
    std::unique_ptr<ReferenceMotion> before;
    double last = std::nan("");
    RunOptions options = plan_.base;
    options.formulation = ladder.formulation;
    options.integrator = ladder.integrator;
    options.tolerance.reset();
    options = without_foreign_options(options);
    for (int i = 0; i <= kHalvings; ++i) {
      const double finer = ladder.by_tolerance ? kTightening : 0.5;
      if (i > 0 && ladder.by_tolerance && options.absolute_tolerance <= kTightest) break;
      set(options, ladder, std::pow(finer, i));
      auto motion = std::make_unique<ReferenceMotion>(mechanism_);
      const MeasuredRun run = run_measured(mechanism_, options, motion.get(), nullptr, kReferenceBudget, plan_.stop);
      if (plan_.stop && *plan_.stop) throw Interrupted();
      const std::string name = name_of(options, ladder);
      if (!run.ok()) {
        failures += fmt::format("\n  {}: {}", name, run.failure);
        return false;
      }
      if (before) last = motion->largest_distance(*before);
      if (before && last <= kFarBelow * plan_.error) {
        reference.motion = std::move(motion);
        reference.name = name;
        reference.error = last;
        return true;
      }
      before = std::move(motion);
    }
    failures += fmt::format("\n  {}: still moves by {:.1e} when it is refined", name_of(options, ladder), last);
    return false;
  }

 private:
  void set(RunOptions& options, const Ladder& ladder, double fraction) const {
    const double until = plan_.base.until;
    if (ladder.by_tolerance) {
      options.absolute_tolerance = options.relative_tolerance =
          std::max(kTightest, 1e-2 * std::min(plan_.error, 1.0) * fraction);
      options.step = until / std::ceil(until / std::min(plan_.base.step, until / 2000));
    } else {
      options.step = until / std::ceil(until / (plan_.base.step * fraction));
    }
    options.every = std::max(1, static_cast<int>(std::ceil(until / options.step / kReferenceRows)));
  }
  static std::string name_of(const RunOptions& options, const Ladder& ladder) {
    return ladder.by_tolerance
               ? fmt::format("{}, {}, tolerances {:.1e}", options.formulation, options.integrator,
                             options.absolute_tolerance)
               : fmt::format("{}, {}, step {:.4g} s", options.formulation, options.integrator, options.step);
  }

  const Mechanism& mechanism_;
  const TuningPlan& plan_;
};

}  // namespace

TuningReference make_tuning_reference(const Mechanism& mechanism, const TuningPlan& plan) {
  static constexpr Ladder ladders[] = {{"hybrid", "dopri5", true},         {"hybrid", "radau5", false},
                                       {"hybrid", "trapezoidal", false},   {"global", "dopri5", true},
                                       {"global", "radau5", false},        {"global", "trapezoidal", false},
                                       {"recursive", "trapezoidal", false}};
  TuningReference reference;
  LadderClimb ladder(mechanism, plan);
  std::string failures;
  for (const Ladder& one : ladders) {
    if (!ladder.climb(one, reference, failures)) continue;
    reference.spacing = plan.base.until / 2000;
    return reference;
  }
  throw std::invalid_argument(fmt::format(
      "no reference is known to {:.1e}, a tenth of the wanted error, so there is nothing to tune against; ask for a "
      "larger --error or a shorter --until. Tried:{}",
      0.1 * plan.error, failures));
}

}  // namespace cardan
