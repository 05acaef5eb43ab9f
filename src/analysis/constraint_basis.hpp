// One orthogonal decomposition of a constraint Jacobian J (rows of unit length): J^T P = [Q1 Q2] R. Q2 spans the
// motions that the constraints allow, and the constraint forces lie in Q1. Redundant rows are left out. Dense, for
// analyses.
#pragma once

#include <Eigen/QR>

#include "cardan/math.hpp"

namespace cardan {

class ConstraintBasis {
 public:
  void compute(const Eigen::MatrixXd& J);

  int rank() const { return rank_; }
  /// Orthonormal columns that span the null space of J.
  const Eigen::MatrixXd& free() const { return free_; }
  /// The shortest x with J x = b on the independent rows.
  VecX shortest(const VecX& b) const;
  /// A lambda with which J^T lambda comes closest to f; zero on redundant rows.
  VecX multipliers(const VecX& f) const;
  /// What no constraint force can balance of f: f - J^T lambda.
  VecX rest(const VecX& f) const;

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd range_, free_;
  int rank_ = 0, rows_ = 0;
};

}  // namespace cardan
