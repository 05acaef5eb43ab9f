// The split of coordinates into dependent and independent ones by full pivoting on Phi_z, and the factorization of the
// dependent block in that fixed order afterwards, whose pivots tell how well the split still fits.
#pragma once

#include "cardan/math.hpp"
#include "formulation/equations.hpp"

namespace cardan {

class Partition {
 public:
  /// For m x n Jacobians of the given rank; sizes every buffer.
  Partition(int constraints, int coordinates, int rank);

  int rank() const { return rank_; }
  int independent_count() const { return n_ - rank_; }

  /// Rank of a Jacobian: pivots above `tolerance` times the largest.
  static int rank_of(const RowPattern& pattern, const VecX& values, int columns, double tolerance);

  /// Chooses rows and columns; `order` receives the chosen rows (rank), then dependent columns (rank), then independent
  /// ones.
  void choose(const RowPattern& pattern, const VecX& values, Eigen::VectorXi& order);
  /// LU of the dependent block in the given order, without exchanges; pivots() then holds its pivots.
  void factorize(const RowPattern& pattern, const VecX& values, const Eigen::VectorXi& order);
  const VecX& pivots() const { return pivots_; }
  /// x <- B^-1 x for the rows chosen
  void solve(Eigen::Ref<VecX> x) const;
  /// x <- B^-T x
  void solve_transposed(Eigen::Ref<VecX> x) const;
  /// The columns of Phi_z that belong to the independent coordinates, rank x (n - rank), after factorize().
  const Eigen::MatrixXd& independent_columns() const { return rest_; }

 private:
  static void scatter(const RowPattern& pattern, const VecX& values, Eigen::MatrixXd& dense);

  int m_, n_, rank_;
  Eigen::MatrixXd dense_;  // m x n
  Eigen::MatrixXd block_;  // rank x rank, L and U
  Eigen::MatrixXd rest_;   // rank x (n - rank)
  Eigen::VectorXi rows_, columns_;
  VecX pivots_;
};

}  // namespace cardan
