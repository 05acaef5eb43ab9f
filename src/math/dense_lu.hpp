// P A = L U of a general square matrix in one buffer, with row exchanges and without allocation after construction. For
// leading matrices that are not symmetric; the cost is that of a full matrix. The buffer may be larger than A. By
// columns, four earlier ones at a time, as in dense_solver.cpp.
#pragma once

#include <vector>

#include "cardan/math.hpp"

namespace cardan {

class DenseLu {
 public:
  explicit DenseLu(int n) : factors_(Eigen::MatrixXd::Zero(n, n)), exchange_(n), size_(n) {}

  /// A is the upper left part of the buffer from now on.
  void set_size(int n) { size_ = n; }

  /// To be filled with A before factorize().
  Eigen::MatrixXd& matrix() { return factors_; }
  /// Returns -1, or the column that has no pivot.
  int factorize();
  /// x <- A^{-1} x
  void solve(VecX& x) const;
  /// x <- A^{-T} x
  void solve_transposed(VecX& x) const;

 private:
  /// x <- L^{-1} x with the first `count` columns of L.
  void eliminate(int count, double* __restrict x) const;

  Eigen::MatrixXd factors_;    // by columns: L below the diagonal, U on and above it
  std::vector<int> exchange_;  // row that was exchanged with row j in step j
  int size_;                   // of A
};

}  // namespace cardan
