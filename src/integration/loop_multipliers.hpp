// Accelerations of the recursive formulation with closed loops: augmented Lagrangian at acceleration level. The penalty
// form of the stabilized constraints,
//     M a + Phi_q^T (lambda + alpha s) = Q,   s = Phi'' + 2 xi W Phi' + W^2 Phi,
// is solved with A = Phi_q M^-1 Phi_q^T, which articulated-body sweeps give column by column: lambda enters as wrenches
// on the bodies, a(lambda) comes from one sweep, and
//     lambda = lambda0 + (alpha^-1 + A)^-1 s(a(lambda0)),   lambda0 the multipliers at the start of the step,
// is the exact solution of the penalty form. Without loops it is one sweep.
//
// The multipliers accumulate from step to step, not within a step: close to a singular position, where a direction is
// hardly constrained (singular value sigma), an exact answer would react to an error in v by 1 / sigma and no
// fixed-point iteration could follow. With the penalty the reaction is bounded by sqrt(kappa) / 2, and an iteration
// over a step of h seconds contracts when h w sqrt(kappa) / 2 is well below one, w the largest rate: kappa = 0.2 / (h
// w)^2.
#pragma once

#include <memory>
#include <optional>

#include "formulation/direct_dynamics.hpp"
#include "formulation/formulation.hpp"
#include "integration/penalties.hpp"
#include "math/linear_solver.hpp"

namespace cardan {

struct LoopSettings {
  std::optional<double> penalty;  // one alpha for all constraints
  double kappa_smallest = 200;    // bounds of the automatic ones, alpha = kappa (A^-1)_kk
  double kappa_largest = 1e6;
  double damping = 1;      // xi
  double frequency = 0.2;  // W h: how much of a violation goes in a step

  static LoopSettings for_options(const RunOptions& options);
};

class LoopMultipliers {
 public:
  LoopMultipliers(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                  const LoopSettings& settings);

  /// Consistent accelerations and multipliers of the state, sized here, and what the constraints are like there.
  StepStatus start(State& state, ConstraintAnalysis& analysis);
  /// Called at the start of a step of h seconds from that state.
  void begin_step(const State& before, double h);
  /// a and lambda at (t, q, v); `reference` is the state at the start of the step.
  StepStatus evaluate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a, VecX& lambda);
  /// Phi_q v + Phi_t and Phi_q a - gamma of the last evaluation.
  const VecX& constraint_rates() const { return rate_; }
  const VecX& constraint_accelerations() const { return second_; }
  /// The coordinate whose pivot vanished when an evaluation was Singular.
  int singular_coordinate() const { return singular_; }
  std::pair<double, double> penalty_range(const State& state, double h) const;

 private:
  double kappa(const State& state, double h) const;
  double penalty(int constraint) const { return settings_.penalty.value_or(kappa_ * effective_mass_[constraint]); }
  ConstraintAnalysis analyse();
  bool factorize();
  void correct(VecX& a, VecX& lambda);

  const Formulation& formulation_;
  const DirectDynamics& dynamics_;
  Workspace& work_;
  LoopSettings settings_;
  int m_;
  std::unique_ptr<LinearSolver> solver_;
  double kappa_, frequency_ = 0;  // of this step: kappa, W
  int singular_ = -1;
  bool analysed_ = false;
  VecX effective_mass_;             // (A^-1)_kk at the first start, m
  VecX compliance_;                 // A, then alpha^-1 + A: lower triangle by columns
  VecX rate_, second_, violation_;  // Phi', Phi'', s; m
};

}  // namespace cardan
