#include "integration/state_space/velocity_rows.hpp"

namespace cardan {

void VelocityRows::resize(int f) {
  B_ = change_ = second_ = Eigen::MatrixXd::Zero(count_, structure_.coordinates);
  C_ = damping_ = stiffness_ = product_ = Eigen::MatrixXd::Zero(count_, f);
  L_ = felt_ = Eigen::MatrixXd::Zero(count_, count_);
  response_ = Eigen::MatrixXd::Zero(f, count_);
  violation_ = multiplier_ = VecX::Zero(count_);
  row_ = VecX::Zero(f);
  solver_.compute(Eigen::MatrixXd::Identity(count_, count_));
}

/// Gram and Schmidt, each row twice for the sake of rounding.
void VelocityRows::update(const VecX& jacobian, const Eigen::VectorXi& order, int rank, const Eigen::MatrixXd& H) {
  constexpr double kDependent = 1e-9;  // of a row, that is left beside the others
  const RowPattern& J = structure_.jacobian;
  const int f = static_cast<int>(row_.size());
  B_.setZero();
  L_.setZero();
  for (int k = 0; k < count_; ++k) {
    for (int e = J.start[first_ + k]; e < J.start[first_ + k + 1]; ++e) B_(k, J.column[e]) = jacobian[e];
    for (int j = 0; j < f; ++j) {
      double sum = B_(k, order[2 * rank + j]);
      for (int i = 0; i < rank; ++i) sum += B_(k, order[rank + i]) * H(i, j);
      row_[j] = sum;
    }
    const double length = row_.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < k; ++j) {
        const double part = C_.row(j).dot(row_);
        L_(k, j) += part;
        row_ -= part * C_.row(j).transpose();
      }
    }
    const double left = row_.norm();
    const bool counts = left > kDependent * length && length > 0;
    L_(k, k) = counts ? left : 0;
    C_.row(k) = (counts ? 1 / left : 0.0) * row_.transpose();
  }
}

void VelocityRows::solve_lower(Eigen::Ref<Eigen::MatrixXd> x) const {
  for (int k = 0; k < count_; ++k) {
    if (L_(k, k) == 0) {
      x.row(k).setZero();
      continue;
    }
    for (int j = 0; j < k; ++j) x.row(k) -= L_(k, j) * x.row(j);
    x.row(k) /= L_(k, k);
  }
}

void VelocityRows::combine(const VecX& x, const VecX& b, double sign) {
  violation_.noalias() = B_ * x;
  violation_ -= sign * b.tail(count_);
  solve_lower(violation_);
}

/// psi = -(B R)^T mu = -C^T L^T mu
void VelocityRows::take_multipliers(VecX& psi, VecX& lambda) {
  multiplier_.noalias() = C_ * psi;
  psi.noalias() -= C_.transpose() * multiplier_;
  for (int k = count_; k-- > 0;) {
    double sum = -multiplier_[k];
    for (int j = k + 1; j < count_; ++j) sum -= L_(j, k) * lambda[first_ + j];
    lambda[first_ + k] = L_(k, k) == 0 ? 0 : sum / L_(k, k);
  }
}

void VelocityRows::add_force(const VecX& lambda, VecX& y) const { y.noalias() += B_.transpose() * lambda.tail(count_); }

/// d(B q'' - gamma) = B dq'' - gamma_v dq' + second dq with dq = R dv, dq' = R dv' - carried dv and
/// dq'' = R dv'' - 2 carried dv' - second_carried dv
void VelocityRows::see_carried(const MotionDerivatives& d, const Eigen::MatrixXd& R, const Eigen::MatrixXd& carried) {
  const RowPattern& J = structure_.jacobian;
  change_.setZero();
  second_.setZero();
  for (int k = 0; k < count_; ++k) {
    for (int e = J.start[first_ + k]; e < J.start[first_ + k + 1]; ++e) {
      change_(k, J.column[e]) = d.rate[e] + d.turning[e];
      second_(k, J.column[e]) = d.second[e];
    }
  }
  damping_.noalias() = change_ * R;
  damping_.noalias() -= 2 * (B_ * carried);
  stiffness_.noalias() = second_ * R;
  stiffness_.noalias() -= change_ * carried;
}

/// x <- (1 - C^T C) x
void VelocityRows::project(Eigen::MatrixXd& tangent) {
  product_.noalias() = C_ * tangent;
  tangent.noalias() -= C_.transpose() * product_;
}

void VelocityRows::complete(double w, Eigen::MatrixXd& mass, Eigen::MatrixXd& damping, Eigen::MatrixXd& stiffness) {
  solve_lower(damping_);
  solve_lower(stiffness_);
  for (Eigen::MatrixXd* tangent : {&mass, &damping, &stiffness}) project(*tangent);
  mass.noalias() += w * (C_.transpose() * C_);
  damping.noalias() += w * (C_.transpose() * damping_);
  stiffness.noalias() += w * (C_.transpose() * stiffness_);
}

}  // namespace cardan
