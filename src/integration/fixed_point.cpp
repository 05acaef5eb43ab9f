#include "integration/fixed_point.hpp"

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
constexpr int kPatience = 4;  // iterations before that is looked at

}  // namespace

FixedPointSettings FixedPointSettings::for_options(const RunOptions& options, double length) {
  FixedPointSettings settings;
  settings.loops = LoopSettings::for_options(options, length);
  settings.tolerance = options.tolerance;
  settings.iteration_budget = options.iterations;
  settings.length = length;
  return settings;
}

FixedPointTrapezoidal::FixedPointTrapezoidal(const Formulation& formulation, const DirectDynamics& dynamics,
                                             Workspace& work, const FixedPointSettings& settings)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      settings_(settings),
      accelerations_(formulation, dynamics, work, settings.loops) {}

StepStatus FixedPointTrapezoidal::start(State& state) {
  q_ = v_ = a_ = guess_ = residual_ = VecX::Zero(structure_.coordinates);
  lambda_ = VecX::Zero(structure_.constraints);
  acceleration_.resize(structure_.coordinates, settings_.depth);
  const StepStatus status = accelerations_.start(state, analysis_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  before_ = state;
  return status;
}

StepStatus FixedPointTrapezoidal::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  before_ = state;
  accelerations_.begin_step(before_, h);
  StepStatus status = iterate(h);
  if (status == StepStatus::Ok) status = accelerations_.project(before_.t + h, before_, q_, v_, a_, lambda_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  if (status != StepStatus::Ok) return status;
  measure_violation(formulation_.structure(), work_.equations.phi, accelerations_.constraint_rates(),
                    accelerations_.constraint_accelerations(), v_, a_, settings_.length);
  state.t = before_.t + h;
  state.q = q_;
  state.v = v_;
  state.acceleration = state.algorithmic = a_;
  state.lambda = lambda_;
  return formulation_.accept(before_, state, work_);
}

/// q_, v_ and a_, lambda_ there; `guess_` is the a1 that made them.
StepStatus FixedPointTrapezoidal::iterate(double h) {
  const VecX &q0 = before_.q, &v0 = before_.v, &a0 = before_.acceleration, &scale = structure_.scale;
  guess_ = a0.cwiseQuotient(scale);
  lambda_ = before_.lambda;
  acceleration_.begin();
  Progress residual;
  for (int i = 0;; ++i) {
    v_ = v0 + (0.5 * h) * (a0 + guess_.cwiseProduct(scale));
    q_ = q0 + (0.5 * h) * (v0 + v_);
    const StepStatus status = accelerations_.evaluate(before_.t + h, q_, v_, before_, a_, lambda_);
    if (status != StepStatus::Ok) return status;
    ++report_.iterations;
    ++report_.evaluations;
    residual_ = a_.cwiseQuotient(scale) - guess_;
    residual.last = residual.now;
    residual.now = residual_.norm();
    // What the next iteration would add to q.
    report_.increment = 0.25 * h * h * (settings_.tolerance ? residual_.cwiseProduct(scale).norm() : residual.now);
    if (!std::isfinite(report_.increment)) return StepStatus::NonFinite;
    if (i == 0) residual.first = residual.smallest = residual.now;
    if (i == 1) residual.second = residual.now;
    if (settings_.iteration_budget > 0 ? i + 1 >= settings_.iteration_budget : has_converged(i, residual, h)) break;
    // At the level of rounding the residual stops shrinking: nothing better is to be had.
    const bool small = residual.now <= kRelativeRounding * a_.cwiseQuotient(scale).norm() ||
                       0.25 * h * h * residual.now <= kRoundingOfQ;
    report_.stagnated = i >= kPatience && small && residual.now > 0.5 * residual.smallest;
    if (report_.stagnated) break;
    residual.smallest = std::min(residual.smallest, residual.now);
    if (i + 1 >= settings_.iteration_limit) {
      residual_.cwiseAbs().maxCoeff(&report_.worst_coordinate);
      return StepStatus::NotConverged;
    }
    acceleration_.advance(guess_, residual_);
  }
  return StepStatus::Ok;
}

/// The error of v that is left, h/2 times what a1 lacks, must be far below that of the rule, h^3/12 a''. The residual
/// is about h a' at first, and about h rho a' in the second iteration, rho being h/2 or h^2/4 times the rate at which a
/// answers to v and q; a'' is at least that rate times a'. So a small part of the second residual is what may be left,
/// at every step size. One iteration alone is never enough: what it leaves is of first order.
bool FixedPointTrapezoidal::has_converged(int iteration, const Progress& residual, double h) const {
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  if (residual.now <= kNoResidual * a_.cwiseQuotient(structure_.scale).norm()) return true;
  if (iteration == 0) return false;
  // The residuals shrink at least as fast as the last did, with a margin.
  const double rest = std::min(1.0, kSlowdown * residual.now / residual.last) * residual.now;
  return rest <= kLeftOver * std::min(residual.first, residual.second) && 0.25 * h * h * rest <= kLargestLeft;
}

}  // namespace cardan
