// The jump of velocities that new constraints ask for, a plastic impulse:
//     M (v+ - v-) + Phi_q^T Lambda = 0,   Phi_q v+ = -Phi_t
// and the same for positions, M (q+ - q-) + Phi_q^T Lambda = 0 with Phi(q+) = 0, repeated until it holds. Where a
// formulation has M and Phi_q it is found like accelerations (index1_acceleration.hpp), with M v- for Q and -Phi_t for
// gamma: what the factors of M + Phi_q^T w Phi_q lose in rounding, as in the spin of a thin rod, the iteration brings
// back. Otherwise with A = Phi_q M^-1 Phi_q^T. Redundant constraints do no harm.
#pragma once

#include <memory>

#include "formulation/direct_dynamics.hpp"
#include "formulation/formulation.hpp"
#include "integration/index1_acceleration.hpp"

namespace cardan {

class Impulse {
 public:
  Impulse(const Formulation& formulation, Workspace& work, double length);

  /// Chooses w at the state. Setup work: it allocates.
  StepStatus prepare(const State& state);
  /// Changes state.v alone; does not allocate.
  StepStatus project_velocity(State& state);
  /// Changes state.q alone, at the velocities of the state.
  StepStatus project_position(State& state);

 private:
  /// Position, velocity and M at the state, factorized with all constraints or those of positions alone.
  StepStatus evaluate(const State& state, bool of_positions);

  const Formulation& formulation_;
  const DirectDynamics* direct_;
  const Structure& structure_;
  Workspace& work_;
  double length_;
  std::unique_ptr<LinearSolver> solver_;  // of the leading matrix, or of A
  std::unique_ptr<Index1Acceleration> acceleration_;
  VecX weight_;               // m: w
  VecX counted_weight_;       // m: the same of what counts
  VecX compliance_;           // A: lower triangle by columns
  VecX violation_, impulse_;  // m
  VecX increment_;            // n
};

}  // namespace cardan
