// The split of coordinates into dependent and independent ones by full pivoting on Phi_z, and the factorization of the
// dependent block in that fixed order afterwards, whose pivots tell how well the split still fits. Pivots are compared
// with each other, so they are those of the dimensionless Phi_z (constraint_rank.hpp): units do not count.
#pragma once

#include "cardan/math.hpp"
#include "formulation/equations.hpp"

namespace cardan {

class Partition {
 public:
  /// For Jacobians of this structure and of the given rank; sizes every buffer. The structure must outlive it.
  Partition(const Structure& structure, int rank);

  int rank() const { return rank_; }
  int independent_count() const { return n_ - rank_; }

  /// An order to start from: rows and columns as they are numbered.
  void begin(Eigen::VectorXi& order) const;
  /// Chooses rows and columns; `order` receives the chosen rows (rank), then dependent columns (rank), then independent
  /// ones. What it holds before is kept where others are hardly better.
  void choose(const VecX& jacobian, Eigen::VectorXi& order);
  /// LU of the dependent block in the given order, without exchanges; pivots() then holds its pivots.
  void factorize(const VecX& jacobian, const Eigen::VectorXi& order);
  const VecX& pivots() const { return pivots_; }
  /// x <- B^-1 x for the rows chosen
  void solve(Eigen::Ref<VecX> x) const;
  /// x <- B^-T x
  void solve_transposed(Eigen::Ref<VecX> x) const;
  /// The columns of Phi_z that belong to the independent coordinates, rank x (n - rank), after factorize().
  const Eigen::MatrixXd& independent_columns() const { return rest_; }

 private:
  const Structure& structure_;
  int n_, rank_;
  VecX per_constraint_;                       // m: 1 / constraint_scale
  Eigen::MatrixXd dense_;                     // m x n, dimensionless, within choose()
  Eigen::MatrixXd block_;                     // rank x rank, L and U
  Eigen::MatrixXd rest_;                      // rank x (n - rank)
  Eigen::VectorXi rows_, columns_;            // m, n
  Eigen::VectorXi row_place_, column_place_;  // m, n: in the order before, within choose()
  VecX pivots_;
};

}  // namespace cardan
