#include "math/dense_lu.hpp"

#include <cmath>
#include <utility>

namespace cardan {

int DenseLu::factorize() {
  const int n = size_;
  for (int j = 0; j < n; ++j) {
    int pivot = j;
    factors_.col(j).segment(j, n - j).cwiseAbs().maxCoeff(&pivot);
    pivot += j;
    exchange_[j] = pivot;
    const double value = factors_(pivot, j);
    if (!std::isfinite(value) || value == 0) return j;
    if (pivot != j) factors_.row(j).head(n).swap(factors_.row(pivot).head(n));
    factors_.col(j).segment(j + 1, n - j - 1) /= value;
    for (int k = j + 1; k < n; ++k) {
      const double u = factors_(j, k);
      if (u != 0) factors_.col(k).segment(j + 1, n - j - 1) -= u * factors_.col(j).segment(j + 1, n - j - 1);
    }
  }
  return -1;
}

void DenseLu::solve(VecX& x) const {
  const int n = size_;
  for (int j = 0; j < n; ++j) std::swap(x[j], x[exchange_[j]]);
  for (int j = 0; j < n; ++j) x.segment(j + 1, n - j - 1) -= x[j] * factors_.col(j).segment(j + 1, n - j - 1);
  for (int j = n - 1; j >= 0; --j) {
    x[j] /= factors_(j, j);
    x.head(j) -= x[j] * factors_.col(j).head(j);
  }
}

/// A^T = U^T L^T P, the last exchange undone first.
void DenseLu::solve_transposed(VecX& x) const {
  const int n = size_;
  for (int j = 0; j < n; ++j) x[j] = (x[j] - factors_.col(j).head(j).dot(x.head(j))) / factors_(j, j);
  for (int j = n - 1; j >= 0; --j) x[j] -= factors_.col(j).segment(j + 1, n - j - 1).dot(x.segment(j + 1, n - j - 1));
  for (int j = n - 1; j >= 0; --j) std::swap(x[j], x[exchange_[j]]);
}

}  // namespace cardan
