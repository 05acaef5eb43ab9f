// IndependentMotion: the exact Jacobian of the equations in independent coordinates.
#include "integration/state_space/independent_motion.hpp"

namespace cardan {

const MotionDerivatives& IndependentMotion::differentiate() {
  ++differentiations_;
  formulation_.differentiate(a_, lambda_, work_, derivatives_);
  return derivatives_;
}

/// dq = R dv,  dq' = R dv' - [A; 0] dv with A = Phi_u^-1 (Phi_q v)_q R,  dq'' = R dv'' - 2 [A; 0] dv' - [B; 0] dv with
/// B = Phi_u^-1 (((Phi_q a)_q - gamma_q) R - 2 (Phi_q v)_q [A; 0]); then
///     M^ = R^T M R,  C^ = R^T (D R - 2 M [A; 0]),  K^ = R^T (S R - D [A; 0] - M [B; 0]),
/// S and D the stiffness and damping of MotionDerivatives.
void IndependentMotion::tangents(Eigen::MatrixXd& mass, Eigen::MatrixXd& damping, Eigen::MatrixXd& stiffness) {
  const Eigen::VectorXi& order = *order_;
  const VecX& M = work_.equations.mass;
  differentiate();
  R_.setZero();
  for (int j = 0; j < f_; ++j) {
    R_(order[2 * rank_ + j], j) = 1;
    for (int i = 0; i < rank_; ++i) R_(order[rank_ + i], j) = H_(i, j);
  }
  // x <- M x, column by column
  const auto times_mass = [&](Eigen::MatrixXd& x) {
    for (int j = 0; j < f_; ++j) {
      momentum_.setZero();
      column_ = x.col(j);
      multiply_add(structure_.pattern, M, column_, momentum_);
      x.col(j) = momentum_;
    }
  };
  // x <- [Phi_u^-1 rows; 0]
  const auto lift = [&](const Eigen::MatrixXd& rows, Eigen::MatrixXd& x) {
    x.setZero();
    for (int j = 0; j < f_ && rank_ > 0; ++j) {
      for (int i = 0; i < rank_; ++i) dependent_[i] = rows(order[i], j);
      partition_->solve(dependent_);
      for (int i = 0; i < rank_; ++i) x(order[rank_ + i], j) = dependent_[i];
    }
  };
  product_ = R_;
  times_mass(product_);
  mass.noalias() = R_.transpose() * product_;

  multiply_rows(structure_.jacobian, derivatives_.rate, R_, rate_R_);
  lift(rate_R_, carried_);  // [A; 0]
  if (!velocities_.empty()) velocities_.see_carried(derivatives_, R_, carried_);
  multiply_rows(structure_.jacobian, derivatives_.rate, carried_, rate_carried_);
  derivatives_.damping.multiply(carried_, product_);
  stiffness.noalias() = -R_.transpose() * product_;
  times_mass(carried_);
  derivatives_.damping.multiply(R_, product_);
  product_ -= 2 * carried_;
  damping.noalias() = R_.transpose() * product_;

  multiply_rows(structure_.jacobian, derivatives_.second, R_, second_R_);
  second_R_ -= 2 * rate_carried_;
  lift(second_R_, carried_);  // [B; 0]
  if (!velocities_.empty()) velocities_.see_second_carried(carried_);
  times_mass(carried_);
  derivatives_.stiffness.multiply(R_, product_);
  product_ -= carried_;
  stiffness.noalias() += R_.transpose() * product_;
  if (!velocities_.empty()) velocities_.complete(velocity_weight_, mass, damping, stiffness);
}

}  // namespace cardan
