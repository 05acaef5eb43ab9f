#include "math/dense_lu.hpp"

#include <cmath>
#include <utility>

namespace cardan {

void DenseLu::eliminate(int count, double* __restrict x) const {
  const int n = size_;
  const auto column = [&](int k) { return factors_.data() + k * factors_.rows(); };
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a = column(k), *b = column(k + 1), *c = column(k + 2), *d = column(k + 3);
    const double xa = x[k];
    const double xb = x[k + 1] -= xa * a[k + 1];
    const double xc = x[k + 2] -= xa * a[k + 2] + xb * b[k + 2];
    const double xd = x[k + 3] -= (xa * a[k + 3] + xb * b[k + 3]) + xc * c[k + 3];
    if (xa == 0 && xb == 0 && xc == 0 && xd == 0) continue;
    for (int i = k + 4; i < n; ++i) x[i] -= (xa * a[i] + xb * b[i]) + (xc * c[i] + xd * d[i]);
  }
  for (; k < count; ++k) {
    const double* a = column(k);
    const double xa = x[k];
    for (int i = k + 1; i < n; ++i) x[i] -= xa * a[i];
  }
}

int DenseLu::factorize() {
  const int n = size_;
  for (int j = 0; j < n; ++j) {
    double* column = factors_.data() + j * factors_.rows();
    for (int k = 0; k < j; ++k)
      if (exchange_[k] != k) std::swap(column[k], column[exchange_[k]]);
    eliminate(j, column);
    int pivot = j;
    for (int i = j + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    exchange_[j] = pivot;
    const double value = column[pivot];
    if (!std::isfinite(value) || value == 0) return j;
    if (pivot != j) factors_.row(j).head(j + 1).swap(factors_.row(pivot).head(j + 1));
    for (int i = j + 1; i < n; ++i) column[i] /= value;
  }
  return -1;
}

void DenseLu::solve(VecX& x) const {
  const int n = size_;
  for (int j = 0; j < n; ++j) std::swap(x[j], x[exchange_[j]]);
  double* __restrict values = x.data();
  eliminate(n, values);
  for (int j = n - 1; j >= 0; --j) {
    const double* u = factors_.data() + j * factors_.rows();
    const double xj = values[j] /= u[j];
    for (int i = 0; i < j; ++i) values[i] -= xj * u[i];
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
