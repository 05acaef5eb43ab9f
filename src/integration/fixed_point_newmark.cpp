#include "integration/fixed_point_newmark.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

constexpr double kLeftOver = 1e-3;     // of the second residual that may be left
constexpr double kSlowdown = 3;        // of the rate at which residuals shrink
constexpr double kLargestLeft = 1e-9;  // increment of q, lengths relative to the size, that may be left in any case
// Rounding: a residual of nothing; where residuals that stop shrinking are rounding, relative to a, or in q.
constexpr double kNoResidual = 1e-15;
constexpr double kRelativeRounding = 1e-8;
constexpr double kRoundingOfQ = 1e-13;
constexpr int kIterationsBefore = 4;  // iterations before that is looked at
constexpr double kDiverging = 1e3;    // times the first residual: what ends in no number has run away before

}  // namespace

FixedPointSettings FixedPointSettings::for_options(const RunOptions& options, double length) {
  FixedPointSettings settings;
  settings.loops = LoopSettings::for_options(options, length);
  settings.tolerance = options.tolerance;
  settings.iteration_budget = options.iterations;
  settings.length = length;
  return settings;
}

FixedPointNewmark::FixedPointNewmark(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                                     const NewmarkRule& rule, const FixedPointSettings& settings)
    : Integrator(formulation, work, settings.length),
      rule_(rule),
      settings_(settings),
      accelerations_(formulation, dynamics, work, settings.loops) {}

StepStatus FixedPointNewmark::start(State& state) {
  known_q_ = known_v_ = known_a_ = q_ = v_ = A_ = guess_ = residual_ = VecX::Zero(structure_.coordinates);
  lambda_ = VecX::Zero(structure_.constraints);
  acceleration_.resize(structure_.coordinates, settings_.depth);
  const StepStatus status = accelerations_.start(state, analysis_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  state.algorithmic = state.acceleration;
  before_ = state;
  return status;
}

StepStatus FixedPointNewmark::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  before_ = state;
  accelerations_.begin_step(before_, h);
  StepStatus status = iterate(h);
  if (status == StepStatus::ok) status = accelerations_.project(before_.t + h, before_, q_, v_, A_, lambda_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  if (status != StepStatus::ok) return status;
  measure_violation(accelerations_.constraint_rates(), accelerations_.constraint_accelerations(), v_, A_);
  // a1 takes the same correction as A1 from the projections.
  known_a_ = A_ + (known_a_ + (rule_.c() - 1) * guess_.cwiseProduct(structure_.scale));
  return accept(before_, before_.t + h, {q_, v_, A_}, known_a_, lambda_, state);
}

/// q_, v_ and A_, lambda_ there; `guess_` is the A1 that made them.
StepStatus FixedPointNewmark::iterate(double h) {
  const VecX& scale = structure_.scale;
  const double in_q = rule_.in_position(h), in_v = rule_.in_velocity(h);
  rule_.known_parts(h, {before_.q, before_.v, before_.algorithmic, before_.acceleration}, known_q_, known_v_, known_a_);
  guess_ = before_.acceleration.cwiseQuotient(scale);
  lambda_ = before_.lambda;
  acceleration_.begin();
  Progress residual;
  for (int i = 0;; ++i) {
    v_ = known_v_ + in_v * guess_.cwiseProduct(scale);
    q_ = known_q_ + in_q * guess_.cwiseProduct(scale);
    const StepStatus status = accelerations_.evaluate(before_.t + h, q_, v_, before_, A_, lambda_);
    if (status != StepStatus::ok) return has_diverged(residual) ? StepStatus::not_converged : status;
    ++report_.iterations;
    ++report_.evaluations;
    residual_ = A_.cwiseQuotient(scale) - guess_;
    residual.last = residual.now;
    residual.now = residual_.norm();
    // What the next iteration would add to q.
    report_.increment = in_q * (settings_.tolerance ? residual_.cwiseProduct(scale).norm() : residual.now);
    if (!std::isfinite(report_.increment))
      return has_diverged(residual) ? StepStatus::not_converged : StepStatus::not_finite;
    if (i == 0) residual.first = residual.smallest = residual.now;
    if (i == 1) residual.second = residual.now;
    const bool converged = has_converged(i, residual, in_q);
    if (settings_.iteration_budget > 0 ? i + 1 >= settings_.iteration_budget : converged) {
      report_.stagnated = !converged;
      break;
    }
    // At the level of rounding the residual stops shrinking: nothing better is to be had.
    const bool small =
        residual.now <= kRelativeRounding * A_.cwiseQuotient(scale).norm() || in_q * residual.now <= kRoundingOfQ;
    if (i >= kIterationsBefore && small && residual.now > 0.5 * residual.smallest) {
      report_.stagnated = !converged;
      break;
    }
    residual.smallest = std::min(residual.smallest, residual.now);
    if (i + 1 >= settings_.iteration_limit) {
      residual_.cwiseAbs().maxCoeff(&report_.worst_coordinate);
      return StepStatus::not_converged;
    }
    acceleration_.advance(guess_, residual_);
  }
  return StepStatus::ok;
}

/// Where stiff loads answer to a guess by more than it was off, every iterate is further away than the one before,
/// until it is no number any more: then it is the iteration that failed, not what it was given.
bool FixedPointNewmark::has_diverged(const Progress& residual) {
  const double finite = std::isfinite(residual.now) ? residual.now : residual.last;
  report_.diverged = finite > kDiverging * residual.first && residual.first > 0;
  return report_.diverged;
}

/// The error of v that is left, g h times what A1 lacks, must be far below that of the rule, h^3/12 a'' at best. The
/// residual is about h a' at first, and about h rho a' in the second iteration, rho being g h or b h^2 times the rate
/// at which a answers to v and q; a'' is at least that rate times a'. So a small part of the second residual is what
/// may be left, at every step size. One iteration alone is never enough: what it leaves is of first order.
bool FixedPointNewmark::has_converged(int iteration, const Progress& residual, double in_q) const {
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  if (residual.now <= kNoResidual * A_.cwiseQuotient(structure_.scale).norm()) return true;
  if (iteration == 0) return false;
  // The residuals shrink at least as fast as the last did, with a margin.
  const double rest = std::min(1.0, kSlowdown * residual.now / residual.last) * residual.now;
  return rest <= kLeftOver * std::min(residual.first, residual.second) && in_q * rest <= kLargestLeft;
}

}  // namespace cardan
