// Accelerations and multipliers from the equations of motion at one instant, by the index-1 augmented Lagrangian
// (docs/theory/runge-kutta.md):
//     (M + Phi_q^T w Phi_q) a = Q + Phi_q^T (w gamma - lambda),   lambda += w (Phi_q a - gamma)
// It serves every integrator that needs the acceleration of a given (q, v), and the start of those that do not. Without
// constraints it is M a = Q.
#pragma once

#include "formulation/formulation.hpp"
#include "integration/narrow_equations.hpp"

namespace cardan {

class Index1Acceleration {
 public:
  Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver);

  /// Position, velocity, gamma and dynamics at (t, q, v), into the workspace.
  StepStatus evaluate(double t, const VecX& q, const VecX& v, const State& reference);
  /// The same at the position that the workspace holds.
  void evaluate_motion(const VecX& v);
  /// The leading matrix at what the workspace holds. Returns -1, or the coordinate whose pivot vanished.
  int factorize(const VecX& weight);
  /// `lambda` is a first guess, it and `a` become the solution, by at most `limit` iterations, fewer when the largest
  /// violation of Phi_q a = gamma falls below `tolerance` times the largest acceleration. Iterations after the first
  /// correct the residual, rounding included. The factorization is that of the same position. False when the limit came
  /// first: a constraint is close to singular, or the tolerance below rounding. Constraints of no weight do not count.
  bool solve(const VecX& weight, int limit, double tolerance, VecX& a, VecX& lambda);

  /// How much of the violation the slowest iteration of the last solve() left: 1 / (1 + kappa sigma^2), sigma the
  /// singular value of the constraints, relative to the assembled position, in the weakest direction that it moved.
  double contraction() const { return contraction_; }

  /// After solve() returned false, with strong weights: the acceleration of which the constraints say what they can,
  /// the equations of motion what is free, and `prior` the rest. Leaves a factorization with stronger weights.
  void keep_weak_part(const VecX& weight, const VecX& prior, VecX& a);
  /// The same with weights so weak that they tell nothing of what is free: takes out of `a` what solve() changed along
  /// the motions that are hardly constrained. From the second iteration on its corrections are along those alone, which
  /// is how they are known, as many as there were iterations.
  void keep_corrected_part(const VecX& prior, VecX& a);

 private:
  static constexpr int kCorrections = 6;

  template <class System>
  bool iterate(const System& system, const VecX& weight, int limit, double tolerance, double* a, double* residual,
               double* lambda);
  int factorize_narrow(const VecX& weight);
  bool solve_narrow(const VecX& weight, int limit, double tolerance, double* a, double* lambda);

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  LinearSolver& solver_;
  VecX leading_;                        // on the pattern
  NarrowEquations narrow_;              // instead, where the mechanism is small
  VecX residual_;                       // n
  VecX direction_;                      // n
  VecX violation_;                      // m: Phi_q a - gamma
  VecX stronger_;                       // m: weights that tell what is free from what is hardly constrained
  std::vector<unsigned char> is_twin_;  // m: the next row has the same columns
  double contraction_ = 0;
  Eigen::MatrixXd corrections_;  // n x kCorrections: of the iterations after the first
  int correction_count_ = 0;
};

}  // namespace cardan
