// Accelerations and multipliers from the equations of motion at one instant, by the index-1 augmented Lagrangian
// (THEORY section 4):
//     (M + Phi_q^T w Phi_q) a = Q + Phi_q^T (w gamma - lambda),   lambda += w (Phi_q a - gamma)
// It serves every integrator that needs the acceleration of a given (q, v), and the start of those that do not. Without
// constraints it is M a = Q.
#pragma once

#include <limits>

#include "formulation/formulation.hpp"

namespace cardan {

class Index1Acceleration {
 public:
  Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver);

  /// Position, velocity, gamma and dynamics at (t, q, v), into the workspace.
  StepStatus evaluate(double t, const VecX& q, const VecX& v, const State& reference);
  /// The leading matrix at what the workspace holds, its weights multiplied by a factor. Returns -1, or the coordinate
  /// whose pivot vanished.
  int factorize(const VecX& weight, double factor = 1);
  /// `a` and `lambda` are first guesses and become the solution, by at most `limit` iterations, fewer when the largest
  /// violation of Phi_q a = gamma falls below `tolerance` times the largest acceleration. Each iteration corrects the
  /// residual, so that the factorization may be of a position close by. False when the limit came first: a constraint
  /// is close to singular, or the tolerance below rounding. Constraints of no weight do not count.
  bool solve(const VecX& weight, int limit, double tolerance, VecX& a, VecX& lambda);

  /// How strongly the weakest direction that the last solve() met was held: kappa sigma^2, with kappa the strength of
  /// the weights and sigma the singular value of the constraints there. The violation along it shrinks by
  /// 1 / (1 + kappa sigma^2) in an iteration, which is how it is known.
  double hold() const { return slowest_ > 0 ? 1 / slowest_ - 1 : std::numeric_limits<double>::infinity(); }

  /// Takes out of `a` what differs from `prior` along the motions that are hardly constrained: those held by less than
  /// `hold`. Leaves another factorization behind.
  void keep_weak_part(const VecX& weight, double hold, const VecX& prior, VecX& a);

 private:
  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  LinearSolver& solver_;
  VecX leading_;        // on the pattern
  VecX residual_;       // n
  VecX direction_;      // n
  VecX violation_;      // m: Phi_q a - gamma
  double slowest_ = 0;  // largest part of the violations that an iteration after the first left
};

}  // namespace cardan
