// The Jacobian of Psi in implicit stages, kept or renewed: see implicit_stages.hpp. Of few coordinates it is that of
// the independent ones, a full matrix. Of many it is never made: with dq, dq', dq'' and dlambda of all coordinates and
// constraints,
//     Phi_q dq = 0,   Phi_q dq' + (Phi_q v)_q dq = 0,   Phi_q dq'' + 2 (Phi_q v)_q dq' + ((Phi_q a)_q - gamma_q) dq =
//     0, M dq'' + D dq' + S dq + Phi_q^T dlambda = [0; psi],   dv_i = sum_j b_ij dv_j'',   dv_i' = sum_j g_ij dv_j''
// is the same for the independent ones v, and sparse.
#pragma once

#include <memory>

#include "integration/state_space/independent_motion.hpp"

namespace cardan {

class StageMatrix {
 public:
  using Square = Eigen::MatrixXd;  // a row and a column for each stage
  virtual ~StageMatrix() = default;
  /// What it is made of, anew for one of the stages at the values of the last residual().
  virtual void renew(int stage) = 0;
  virtual void factorize(const Square& b, const Square& g) = 0;
  /// psi and v'' of all stages
  virtual void solve(const VecX& psi, VecX& increment) = 0;
  /// velocity <- (M^ + g C^ + g^2 K^)^-1 (M^ velocity - g K^ position), of one stage alone, g that of the last
  /// factorize()
  virtual void smooth(double g, const VecX& position, VecX& velocity) = 0;
  /// What it is made of as numbers.
  virtual int memory_size() const = 0;
  virtual void recall(const double* numbers) = 0;
  virtual void store(double* numbers) const = 0;
};

/// Once the motion has been started.
std::unique_ptr<StageMatrix> make_stage_matrix(IndependentMotion& motion, int stages);

}  // namespace cardan
