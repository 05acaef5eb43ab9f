// Implicit Runge-Kutta methods by the index-1 augmented Lagrangian: docs/theory/runge-kutta.md, symbol for symbol.
// Unknowns are z_i = y_i - y_0 of the stages, y = (q, v). Jacobians are frozen at the start of the step and the leading
// matrix, which is not symmetric, is factorized once; where that converges slowly, those of the middle of the step take
// their place, and where these do not help either the step is taken again with secants. Any invertible A couples all
// stages,
//     e_i^q = -( z_i^q - h sum_j a_ij v_j ) ,   e_i^v = -Mb ( z_i^v - h sum_j a_ij a_j )
//     [ I (x) Mb + h A (x) Cb + h^2 A^2 (x) K ] dz^v = e^v - h (A (x) K) e^q ,   dz^q = e^q + h (A (x) I) dz^v
// and one that is lower triangular with one g in its diagonal leaves one matrix for one stage after the other:
//     e_i^q = -( z_i^q - h sum_{j<=i} a_ij v_j - h sum_{j<i} a_ij dz_j^v )
//     e_i^v = -( Mb (z_i^v - h sum_{j<=i} a_ij a_j) + h sum_{j<i} a_ij ( K dz_j^q + Cb dz_j^v ) )
//     [ Mb + g h Cb + (g h)^2 K ] dz_i^v = e_i^v - g h K e_i^q ,   dz_i^q = e_i^q + g h dz_i^v
// with
//     Mb = M + Phi_q^T w Phi_q ,  Cb = C + Phi_q^T w (d/dt Phi_q)
// d/dt Phi_q is the difference of Phi_q between the start of the step and about the first stage along v: exact for
// natural coordinates, whose Phi_q is linear, a secant otherwise, and nothing new to ask of a formulation. Without
// constraints all their terms vanish.
#pragma once

#include "integration/butcher_tableau.hpp"
#include "integration/runge_kutta_settings.hpp"
#include "integration/secant_acceleration.hpp"
#include "integration/stage_equations.hpp"
#include "math/dense_lu.hpp"

namespace cardan {

/// Of any tableau whose A is invertible and has a positive trace, as that of every A-stable method.
class ImplicitRungeKutta final : public Integrator {
 public:
  ImplicitRungeKutta(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                     const RungeKuttaSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  const char* solver_name() const override { return equations_.solver_name(); }

 private:
  /// How the stages are looked for: as ever; with secants where increments shrink slowly; as ever, and what is left
  /// when they cease to shrink is taken, if small. The first two leave a step that the next may find.
  enum class Way { plain, secants, takes_the_least };
  StepStatus iterate(State& state, double h, Way way = Way::plain);
  void guess_stages(double h);
  StepStatus end_step(State& state, double h);
  StepStatus weigh_again(State& state, double h);
  StepStatus freeze(double h, double t);
  void form_leading_matrix(double h);
  StepStatus accelerate(int i, double h);
  StepStatus correct(double h);
  StepStatus correct_stage(int i, double h);
  StepStatus correct_together(double h);
  void go_by_secants(double h);
  double largest_velocity(const Eigen::MatrixXd& stages) const;
  bool has_converged(double first, double previous, double best, double h) const;

  const ButcherTableau& tableau_;
  RungeKuttaSettings settings_;
  StageEquations equations_;
  const bool one_by_one_;   // the stages, in place of all together
  const double gamma_;      // the diagonal of A, or its mean
  Eigen::MatrixXd square_;  // A^2, s x s
  VecX end_;                // s: b^T A^-1

  // Frozen at the start of the step, filled by freeze().
  Eigen::MatrixXd mass_, damping_, stiffness_;  // Mb, Cb, K: n x n
  DenseLu leading_;                             // n x n, or n s x n s

  // Buffers of a step, sized by start().
  State before_;
  State found_;  // the end of a step that another one is tried in place of
  StepReport found_report_;
  VecX stepper_;                                       // of before_, while another one is tried
  VecX jacobian_, jacobian_rate_;                      // Phi_q and d/dt Phi_q at the start of the step
  Eigen::MatrixXd z_q_, z_v_, dz_q_, dz_v_, stage_a_;  // n x s
  Eigen::MatrixXd stage_lambda_;                       // m x s
  VecX q_, v_, A_, lambda_, e_q_, e_v_, sum_;
  VecX together_;             // n s: e^v, then dz^v, of stages that are found together
  VecX secant_x_, secant_r_;  // n s: z^v and dz^v of all stages, over the scales
  SecantAcceleration secants_;
};

}  // namespace cardan
