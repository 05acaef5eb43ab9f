// The adjoint of a step of newmark.hpp: from the derivatives of a result by the state after the step, those by the
// state before it, docs/theory/gradients.md, symbol for symbol. Solves with the tangent where the step has ended, which
// is symmetric; what it lacks of the transposed Jacobian a sweep over the tape shows on a vector.
#pragma once

#include "gradients/secant_pairs.hpp"
#include "gradients/taped_step.hpp"

namespace cardan {

/// Derivatives of a result by a state.
struct StateSlopes {
  VecX q, v, a, A, lambda, references;
  void size(int n, int m, int references);
};

class AdjointStep {
 public:
  /// Both must outlive it.
  AdjointStep(const Formulation& formulation, const NewmarkRule& rule, bool projects, TapedStep& taped);

  /// Of all results: where the equations are looked at. Then go_back() for each of them.
  StepStatus begin(const StepRecord& step);
  StepStatus go_back(int result, StateSlopes& slopes);

 private:
  StepStatus factorize(const StepRecord& step);
  /// x and multipliers with P x + Phi_q^T y = rhs, Phi_q x = 0.
  void solve_held(const VecX& rhs, VecX& x, VecX& y);
  StepStatus solve_positions(int result, const VecX& lambda);
  void increase(VecX& left, VecX& violated);

  const Formulation& formulation_;
  const Structure& structure_;
  const NewmarkRule rule_;
  const bool projects_;
  TapedStep& taped_;
  std::unique_ptr<Workspace> work_;
  std::unique_ptr<CoupledSolver> solver_;
  VecX tangent_;
  SecantPairs lacks_;  // (J - T)^T
  TapedEnd end_;
  VecX weight_, predicted_q_, predicted_v_, rhs_, x_, y_, z_, of_d_, pending_, foretold_, lacking_, scaled_;
  VecX u_, multipliers_, increment_y_, algorithmic_;
  StepSlopes sum_;
  double h_ = 0;
};

}  // namespace cardan
