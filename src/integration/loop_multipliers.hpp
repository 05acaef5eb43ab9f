// Accelerations of the recursive formulation with closed loops: augmented Lagrangian at acceleration level. The penalty
// form of the constraints,
//     M a + Phi_q^T (lambda + alpha Phi'') = Q,
// is solved with A = Phi_q M^-1 Phi_q^T, which articulated-body sweeps give column by column: lambda enters as wrenches
// on the bodies, a(lambda) comes from one sweep, and
//     lambda <- lambda + (alpha^-1 + A)^-1 Phi''(a(lambda)),   from lambda0, the multipliers at the start of the step,
// is the exact solution of the penalty form; repeated it leaves 1/kappa of Phi'' each time. Without loops it is one
// sweep.
//
// An implicit rule takes one such pass, so that its multipliers accumulate from step to step, not within one: close to
// a singular position, where a direction is hardly constrained (singular value sigma), an exact answer would react to
// an error in v by 1 / sigma and no iteration could follow. With the penalty the reaction is bounded by sqrt(kappa) /
// 2, and an iteration over a step of h seconds contracts when h w sqrt(kappa) / 2 is well below one, w the largest
// rate: kappa = 0.2 / (h w)^2. What a pass leaves of Phi'' is of the order h^3 then; explicit rules of higher order
// take more.
//
// Nothing holds positions and velocities within a step. At its end they are projected onto the constraints,
//     dq = -M^-1 Phi_q^T (alpha^-1 + A)^-1 Phi,   dv = -M^-1 Phi_q^T (alpha^-1 + A)^-1 Phi',
// and the accelerations found there. Nothing iterates on these, so that they take the strength of Newmark's
// projections, fifty times that of the evaluations: see penalty_strength(). (With m constraints the slowest of a pass
// leaves up to m / kappa, which with that of the evaluations left loops of a vehicle open by 1e-6.)
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
  double kappa_smallest = 100;    // bounds of the automatic ones, alpha = kappa (A^-1)_kk
  double kappa_largest = 1e6;
  int passes = 1;           // of the multipliers in an evaluation
  bool projections = true;  // of positions and velocities at the end of a step
  double length = 1;        // size of the mechanism, m

  static LoopSettings for_options(const RunOptions& options, double length);
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
  /// After evaluate() at the same (t, q, v): puts them onto the constraints, and a and lambda to what belongs there.
  StepStatus project(double t, const State& reference, VecX& q, VecX& v, VecX& a, VecX& lambda);
  /// Phi_q v + Phi_t and Phi_q a - gamma of the last evaluation.
  const VecX& constraint_rates() const { return rate_; }
  const VecX& constraint_accelerations() const { return second_; }
  /// The coordinate whose pivot vanished when an evaluation was Singular.
  int singular_coordinate() const { return singular_; }
  std::pair<double, double> penalty_range(const State& state, double h) const;

 private:
  double kappa(const State& state, double h) const;
  ConstraintAnalysis analyse();
  bool factorize(double kappa, int count);
  StepStatus sweep(double t, const VecX& q, const VecX& v, const State& reference, const VecX& lambda, VecX& a);
  void correct(VecX& a, VecX& lambda);
  template <class Violation, class Correct>
  void pass_until(double tolerance, const Violation& violation, const Correct& correct);

  const Formulation& formulation_;
  const DirectDynamics& dynamics_;
  Workspace& work_;
  LoopSettings settings_;
  int m_;
  int positions_;  // how many of the constraints, the first ones, hold positions
  std::unique_ptr<LinearSolver> solver_;
  double kappa_, closing_kappa_;  // of the evaluations of this step, and of its projections
  int singular_ = -1;
  bool analysed_ = false;
  VecX effective_mass_;             // (A^-1)_kk at the first start, m
  VecX compliance_, leading_;       // A, and alpha^-1 + A: lower triangles by columns
  VecX rate_, second_, violation_;  // Phi', Phi'', and what a pass mends; m
  VecX change_;                     // of q or v by the last pass of project(); n
};

}  // namespace cardan
