#include "simulation/automatic_method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/method_calibration.hpp"

namespace cardan {
namespace {

constexpr double kLooseError = 1e-3;  // at which rules of order two are looked at first
constexpr double kTightError = 1e-4;  // from which on a stiff rule of order four may pay for its dear steps
constexpr MethodCandidate kExplicit{nullptr, "dopri5", false};
/// Without dissipation, and with: where dampers have taken a fast vibration out, the trapezoidal rule goes on ringing.
constexpr MethodCandidate kUndamped{nullptr, "trapezoidal", true}, kDamped{nullptr, "generalized-alpha", true};
constexpr MethodCandidate kStiff{"cartesian", "sdirk4", false};

/// Nothing whose forces change with the motion: steps of an explicit rule are bound by accuracy alone.
bool is_not_stiff(const Mechanism& m) {
  return m.springs.empty() && m.joint_springs.empty() && m.bushings.empty() && m.custom_wrenches.empty() &&
         m.actuators.empty() && m.line_forces.empty() && m.tyres.empty() && m.contacts.empty() && m.states.empty();
}

/// Whether `a` is to be taken rather than `b`: of those that hold the error the one with the least work; of those that
/// do not, the one that comes nearest.
bool is_better(const MethodCalibration& a, const MethodCalibration& b) {
  if (a.holds() != b.holds()) return a.holds();
  if (a.holds()) return a.work() < b.work();
  return a.off().size >= 0 && (b.off().size < 0 || a.off().size < b.off().size);
}

/// All methods that are tried for one wanted error.
class MethodSearch {
 public:
  MethodSearch(const Mechanism& mechanism, const RunOptions& asked, std::vector<MethodTrial>& trials)
      : mechanism_(mechanism),
        asked_(asked),
        wanted_(*asked.error),
        trials_(trials),
        explicit_(of(kExplicit)),
        undamped_(of(kUndamped)),
        damped_(of(kDamped)),
        stiff_(of(kStiff)) {}

  const MethodCalibration& best() {
    if (is_not_stiff(mechanism_)) {
      try_out(explicit_, MethodCalibration::kUnbound);
      if (!best_->holds()) try_out(undamped_, MethodCalibration::kUnbound);
      return *best_;
    }
    const double loose = std::max(wanted_, kLooseError);
    const double of_undamped = undamped_.foreseen_work(loose), of_damped = damped_.foreseen_work(loose);
    const double foreseen = std::min(of_undamped, of_damped);
    try_out(explicit_, foreseen);
    if (best_->holds() && best_->work() <= foreseen) return *best_;
    try_out(of_damped < of_undamped ? damped_ : undamped_, bound());
    try_out(of_damped < of_undamped ? undamped_ : damped_, bound());
    const bool free_to_choose = asked_.formulation == kAutomatic || asked_.formulation == kStiff.formulation;
    if (wanted_ <= kTightError && free_to_choose) try_out(stiff_, bound());
    return *best_;
  }

 private:
  MethodCalibration of(const MethodCandidate& candidate) { return {mechanism_, asked_, candidate, trials_}; }
  /// What takes more is of no use.
  double bound() const { return best_ && best_->holds() ? best_->work() : MethodCalibration::kUnbound; }
  void try_out(MethodCalibration& method, double most_work) {
    method.calibrate(most_work);
    if (!best_ || is_better(method, *best_)) best_ = &method;
  }

  const Mechanism& mechanism_;
  const RunOptions& asked_;
  const double wanted_;
  std::vector<MethodTrial>& trials_;
  MethodCalibration explicit_, undamped_, damped_, stiff_;
  const MethodCalibration* best_ = nullptr;
};

std::string reason_of(const MethodCalibration& method, double wanted, std::size_t count) {
  if (!method.holds())
    return fmt::format("no method tried holds an error of {:g} ({} trial runs): this one comes nearest", wanted, count);
  return fmt::format(
      "it holds an error of {:g} with the least work of {} trial runs: {:.1e} with a tolerance of {:.1e}", wanted,
      count, method.off().size, method.options().absolute_tolerance);
}

}  // namespace

ChosenMethod choose_method(RunOptions& options, const Mechanism& mechanism) {
  ChosenMethod chosen;
  if (options.integrator != kAutomatic || !options.error) {
    chosen.because = resolve_method(options, mechanism);
    return chosen;
  }
  options.check();
  const double wanted = *options.error;
  const RunOptions asked = options;
  MethodSearch search(mechanism, asked, chosen.trials);
  const MethodCalibration& method = search.best();
  chosen.because = method.because();
  chosen.because.integrator = reason_of(method, wanted, chosen.trials.size());
  chosen.off = method.off();
  chosen.length = method.length();
  options = method.options();
  return chosen;
}

}  // namespace cardan
