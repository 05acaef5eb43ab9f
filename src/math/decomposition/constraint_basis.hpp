// One orthogonal decomposition of a constraint Jacobian J (rows of unit length): J^T P = [Q1 Q2] R. Q2 spans the
// motions that the constraints allow, and the constraint forces lie in Q1. Redundant rows are left out. Dense, for
// analyses. Q stays a product of reflections, as cheap to apply as a matrix, and its columns are written out where they
// are asked for.
#pragma once

#include <Eigen/QR>

#include "cardan/math.hpp"

namespace cardan {

class ConstraintBasis {
 public:
  void compute(const Eigen::MatrixXd& J);

  bool has_size_of(const Eigen::MatrixXd& J) const { return J.rows() == rows_ && J.cols() == columns_; }
  int rank() const { return rank_; }
  int freedom() const { return columns_ - rank_; }
  /// Orthonormal columns that span the null space of J.
  const Eigen::MatrixXd& free() const;
  /// The shortest x with J x = b on the independent rows.
  VecX shortest(const VecX& b) const;
  /// A lambda with which J^T lambda comes closest to f; zero on redundant rows.
  VecX multipliers(const VecX& f) const;
  /// What no constraint force can balance of f: f - J^T lambda.
  VecX rest(const VecX& f) const;

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  VecX times_range(const VecX& y) const;
  VecX transpose_times(const VecX& f) const;

  mutable Eigen::MatrixXd free_;  // written out by the first free() after compute()
  mutable bool has_free_ = false;
  int rank_ = 0, rows_ = 0, columns_ = 0;
};

}  // namespace cardan
