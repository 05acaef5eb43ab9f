#include "integration/fixed_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

FixedPointSettings FixedPointSettings::for_options(const RunOptions& options, double length) {
  FixedPointSettings settings;
  settings.loops = LoopSettings::for_options(options);
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
  q_ = v_ = a_ = previous_ = VecX::Zero(structure_.coordinates);
  lambda_ = VecX::Zero(structure_.constraints);
  const StepStatus status = accelerations_.start(state, analysis_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  before_ = state;
  return status;
}

StepStatus FixedPointTrapezoidal::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  before_ = state;
  const VecX &q0 = before_.q, &v0 = before_.v, &a0 = before_.acceleration;
  a_ = a0;
  lambda_ = before_.lambda;
  accelerations_.begin_step(before_, h);
  double first = 0, smallest = std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    v_ = v0 + (0.5 * h) * (a0 + a_);
    q_ = q0 + (0.5 * h) * (v0 + v_);
    previous_ = a_;
    const StepStatus status = accelerations_.evaluate(before_.t + h, q_, v_, before_, a_, lambda_);
    report_.singular_coordinate = accelerations_.singular_coordinate();
    if (status != StepStatus::Ok) return status;
    ++report_.iterations;
    ++report_.evaluations;
    // What the next iteration would add to q.
    previous_ = (0.25 * h * h) * (a_ - previous_);
    report_.increment = settings_.tolerance ? previous_.norm() : previous_.cwiseQuotient(structure_.scale).norm();
    if (!std::isfinite(report_.increment)) return StepStatus::NonFinite;
    if (i == 0) first = report_.increment;
    if (settings_.iteration_budget > 0 ? i + 1 >= settings_.iteration_budget : has_converged(first)) break;
    // At the level of rounding the increment stops shrinking: nothing better is to be had.
    report_.stagnated = i >= 10 && report_.increment < 1e-9 && report_.increment > 0.5 * smallest;
    if (report_.stagnated) break;
    smallest = std::min(smallest, report_.increment);
    if (i + 1 >= settings_.iteration_limit) {
      previous_.cwiseAbs().maxCoeff(&report_.worst_coordinate);
      return StepStatus::NotConverged;
    }
  }
  measure_violation(work_.equations.phi, accelerations_.constraint_rates(), accelerations_.constraint_accelerations(),
                    v_, a_, settings_.length);
  state.t = before_.t + h;
  state.q = q_;
  state.v = v_;
  state.acceleration = state.algorithmic = a_;
  state.lambda = lambda_;
  return formulation_.accept(before_, state, work_);
}

/// Automatic: far below the local truncation error, of which the first increment is a measure.
bool FixedPointTrapezoidal::has_converged(double first_increment) const {
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  return report_.increment <= std::clamp(1e-5 * first_increment, 1e-13, 1e-9);
}

}  // namespace cardan
