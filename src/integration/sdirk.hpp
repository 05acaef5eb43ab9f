// Singly diagonally implicit Runge-Kutta methods by the index-1 augmented Lagrangian: THEORY section 4, symbol for
// symbol. Jacobians are frozen at the start of the step and the leading matrix, which is not symmetric, is factorized
// once; where that converges slowly, those of the middle of the step take their place.
//     e_i^q = -( z_i^q - h sum_{j<=i} a_ij v_j - h sum_{j<i} a_ij dz_j^v )
//     e_i^v = -( Mb (z_i^v - h sum_{j<=i} a_ij a_j) + h sum_{j<i} a_ij ( K dz_j^q + Cb dz_j^v ) )
//     [ Mb + g h Cb + (g h)^2 K ] dz_i^v = e_i^v - g h K e_i^q ,   dz_i^q = e_i^q + g h dz_i^v
//     Mb = M + Phi_q^T w Phi_q ,  Cb = C + Phi_q^T w (d/dt Phi_q)
// d/dt Phi_q is the difference of Phi_q between the start of the step and the first stage along v: exact for natural
// coordinates, whose Phi_q is linear, a secant otherwise, and nothing new to ask of a formulation. Without constraints
// all their terms vanish.
#pragma once

#include "integration/butcher_tableau.hpp"
#include "integration/runge_kutta_settings.hpp"
#include "integration/stage_equations.hpp"
#include "math/dense_lu.hpp"

namespace cardan {

class SdirkIntegrator final : public Integrator {
 public:
  SdirkIntegrator(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                  const RungeKuttaSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  const char* solver_name() const override { return equations_.solver_name(); }

 private:
  StepStatus iterate(State& state, double h);
  StepStatus freeze(double h, double t);
  StepStatus correct(int i, double h);
  bool has_converged(double first) const;

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  const ButcherTableau& tableau_;
  RungeKuttaSettings settings_;
  StageEquations equations_;
  VecX end_;  // s: b^T A^-1

  // Frozen at the start of the step: n x n, filled by freeze().
  Eigen::MatrixXd mass_, damping_, stiffness_;  // Mb, Cb, K
  DenseLu leading_;

  // Buffers of a step, sized by start().
  State before_;
  VecX jacobian_, jacobian_rate_;                      // Phi_q and d/dt Phi_q at the start of the step
  Eigen::MatrixXd z_q_, z_v_, dz_q_, dz_v_, stage_a_;  // n x s
  Eigen::MatrixXd stage_lambda_;                       // m x s
  VecX q_, v_, A_, lambda_, e_q_, e_v_, sum_;
};

}  // namespace cardan
