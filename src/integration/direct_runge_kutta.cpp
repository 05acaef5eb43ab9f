#include "integration/direct_runge_kutta.hpp"

namespace cardan {
namespace {

/// Of the multipliers: each takes Phi'' to at most 5 (h w)^2 of what it was, and what is left must be below the order
/// of the method.
LoopSettings exact(LoopSettings loops) {
  loops.passes = 3;
  return loops;
}

}  // namespace

DirectRungeKutta::DirectRungeKutta(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                                   const ButcherTableau& tableau, const LoopSettings& loops, double length)
    : Integrator(formulation, work, length),
      tableau_(tableau),
      accelerations_(formulation, dynamics, work, exact(loops)) {}

StepStatus DirectRungeKutta::start(State& state) {
  const int n = structure_.coordinates;
  q_ = v_ = a_ = VecX::Zero(n);
  lambda_ = VecX::Zero(structure_.constraints);
  stage_v_ = stage_a_ = Eigen::MatrixXd::Zero(n, tableau_.stages());
  const StepStatus status = accelerations_.start(state, analysis_);
  report_.singular_coordinate = accelerations_.singular_coordinate();
  before_ = state;
  return status;
}

/// k_i = f(t0 + c_i h, y0 + h sum_j a_ij k_j),   y1 = y0 + h sum_i b_i k_i,   y = (q, v)
StepStatus DirectRungeKutta::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  before_ = state;
  accelerations_.begin_step(before_, h);
  const auto evaluate = [&](double t) {
    ++report_.evaluations;
    const StepStatus status = accelerations_.evaluate(t, q_, v_, before_, a_, lambda_);
    report_.singular_coordinate = accelerations_.singular_coordinate();
    return status;
  };
  const int stages = tableau_.stages();
  for (int i = 0; i < stages; ++i) {
    q_ = before_.q;
    v_ = before_.v;
    for (int j = 0; j < i; ++j) {
      q_ += (h * tableau_.A(i, j)) * stage_v_.col(j);
      v_ += (h * tableau_.A(i, j)) * stage_a_.col(j);
    }
    // The first stage is the end of the last step.
    if (i == 0) {
      a_ = before_.acceleration;
    } else if (const StepStatus status = evaluate(before_.t + tableau_.c[i] * h); status != StepStatus::ok) {
      return status;
    }
    stage_v_.col(i) = v_;
    stage_a_.col(i) = a_;
  }
  q_ = before_.q;
  v_ = before_.v;
  for (int i = 0; i < stages; ++i) {
    q_ += (h * tableau_.b[i]) * stage_v_.col(i);
    v_ += (h * tableau_.b[i]) * stage_a_.col(i);
  }
  if (const StepStatus status = evaluate(before_.t + h); status != StepStatus::ok) return status;
  const StepStatus projected = accelerations_.project(before_.t + h, before_, q_, v_, a_, lambda_);
  if (projected != StepStatus::ok) return projected;
  measure_violation(accelerations_.constraint_rates(), accelerations_.constraint_accelerations(), v_, a_);
  return accept(before_, before_.t + h, {q_, v_, a_}, a_, lambda_, state);
}

}  // namespace cardan
