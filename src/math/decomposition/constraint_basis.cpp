<<<<<<<< HEAD:src/math/constraint_basis.cpp
#include "math/constraint_basis.hpp"
========
#include "math/decomposition/constraint_basis.hpp"
>>>>>>>> door:src/math/decomposition/constraint_basis.cpp

namespace cardan {

void ConstraintBasis::compute(const Eigen::MatrixXd& J) {
  constexpr double redundant = 1e-9;  // what is left of a row of unit length beside those before it
  columns_ = static_cast<int>(J.cols());
  rows_ = static_cast<int>(J.rows());
  rank_ = 0;
  has_free_ = false;
  if (rows_ == 0) return;
  qr_.compute(J.transpose());
  const auto R = qr_.matrixR();
  while (rank_ < std::min(columns_, rows_) && std::abs(R(rank_, rank_)) > redundant) ++rank_;
}

const Eigen::MatrixXd& ConstraintBasis::free() const {
  if (has_free_) return free_;
  free_ = Eigen::MatrixXd::Identity(columns_, columns_).rightCols(freedom());
  if (rows_ > 0) free_.applyOnTheLeft(qr_.householderQ());
  has_free_ = true;
  return free_;
}

/// Q1 y
VecX ConstraintBasis::times_range(const VecX& y) const {
  VecX x = VecX::Zero(columns_);
  x.head(rank_) = y;
  x.applyOnTheLeft(qr_.householderQ());
  return x;
}

/// Q^T f
VecX ConstraintBasis::transpose_times(const VecX& f) const {
  VecX y = f;
  if (rows_ > 0) y.applyOnTheLeft(qr_.householderQ().adjoint());
  return y;
}

VecX ConstraintBasis::shortest(const VecX& b) const {
  if (rank_ == 0) return VecX::Zero(columns_);
  VecX y = (qr_.colsPermutation().transpose() * b).head(rank_);
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solveInPlace(y);
  return times_range(y);
}

VecX ConstraintBasis::multipliers(const VecX& f) const {
  VecX lambda = VecX::Zero(rows_);
  if (rank_ == 0) return lambda;
  VecX y = transpose_times(f).head(rank_);
  qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(y);
  lambda.head(rank_) = y;
  return qr_.colsPermutation() * lambda;
}

VecX ConstraintBasis::rest(const VecX& f) const {
  if (rank_ == 0) return f;
  return f - times_range(transpose_times(f).head(rank_));
}

}  // namespace cardan
