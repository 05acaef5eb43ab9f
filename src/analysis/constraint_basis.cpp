#include "analysis/constraint_basis.hpp"

namespace cardan {

void ConstraintBasis::compute(const Eigen::MatrixXd& J) {
  constexpr double redundant = 1e-9;  // what is left of a row of unit length beside those before it
  const Eigen::Index n = J.cols();
  rows_ = static_cast<int>(J.rows());
  rank_ = 0;
  if (rows_ > 0) {
    qr_.compute(J.transpose());
    const auto R = qr_.matrixR();
    while (rank_ < std::min<Eigen::Index>(n, rows_) && std::abs(R(rank_, rank_)) > redundant) ++rank_;
  }
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(n, n);
  if (rows_ > 0) Q = qr_.householderQ() * Q;
  range_ = Q.leftCols(rank_);
  free_ = Q.rightCols(n - rank_);
}

VecX ConstraintBasis::shortest(const VecX& b) const {
  if (rank_ == 0) return VecX::Zero(range_.rows());
  VecX y = (qr_.colsPermutation().transpose() * b).head(rank_);
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solveInPlace(y);
  return range_ * y;
}

VecX ConstraintBasis::multipliers(const VecX& f) const {
  VecX lambda = VecX::Zero(rows_);
  if (rank_ == 0) return lambda;
  VecX y = range_.transpose() * f;
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(y);
  lambda.head(rank_) = y;
  return qr_.colsPermutation() * lambda;
}

VecX ConstraintBasis::rest(const VecX& f) const { return free_ * (free_.transpose() * f); }

}  // namespace cardan
