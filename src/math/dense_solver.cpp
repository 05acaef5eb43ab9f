// Left-looking by columns, four earlier columns at a time: every inner loop runs down contiguous columns, and the
// column that is being made is loaded and stored once for four others.
#include "math/dense_solver.hpp"

#include <algorithm>

#include "math/by_processor.hpp"
#include "math/contiguous_dot.hpp"
#include "math/panel_kernel.hpp"
#include "math/pivot.hpp"

namespace cardan {
namespace {

// target[0..length) -= sum over `count` columns of (L_jk D_k) L_ik, the rows starting at j; `columns` points to (j, 0).
void subtract_columns(double* __restrict target, const double* __restrict columns, int stride,
                      const double* __restrict diagonal, int count, int length) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* a = columns + static_cast<std::ptrdiff_t>(k) * stride;
    const double* b = a + stride;
    const double* c = b + stride;
    const double* d = c + stride;
    const double wa = a[0] * diagonal[k], wb = b[0] * diagonal[k + 1], wc = c[0] * diagonal[k + 2],
                 wd = d[0] * diagonal[k + 3];
    for (int i = 0; i < length; ++i) target[i] -= (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
  }
  for (; k < count; ++k) {
    const double* a = columns + static_cast<std::ptrdiff_t>(k) * stride;
    const double w = a[0] * diagonal[k];
    for (int i = 0; i < length; ++i) target[i] -= w * a[i];
  }
}

}  // namespace

DenseSolver::DenseSolver(const SymmetricPattern& pattern)
    : n_(pattern.n),
      is_panel_(n_ > 0 && n_ <= kWidestPanel),
      factor_(static_cast<std::size_t>(n_) * n_ + kRoomBehind, 0.0),
      diagonal_(n_, 0.0),
      inverse_(n_, 0.0) {
  for (int column = 0; column < n_; ++column) {
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      place_.push_back(column * n_ + pattern.row[k]);
    }
  }
}

int DenseSolver::factorize(const VecX& values) { return factorize_values(values.data()); }

CARDAN_BY_PROCESSOR int DenseSolver::factorize_values(const double* given) {
  std::fill(factor_.begin(), factor_.end(), 0.0);
  double* const factor = factor_.data();
  const int* const place = place_.data();
  for (std::size_t k = 0, count = place_.size(); k < count; ++k) factor[place[k]] = given[k];
  if (is_panel_) {
    const int made = with_panel_kernel(
        n_, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          return Kernel::factorize(factor, Kernel::kColumns, diagonal_.data(), inverse_.data());
        });
    return made < n_ ? made : -1;
  }
  for (int j = 0; j < n_; ++j) {
    double* column = factor_.data() + static_cast<std::ptrdiff_t>(j) * n_ + j;
    const double before = column[0];
    subtract_columns(column, factor_.data() + j, n_, diagonal_.data(), j, n_ - j);
    if (pivot_vanishes(column[0], before)) return j;
    diagonal_[j] = column[0];
    const double inverse = inverse_[j] = 1 / column[0];
    for (int i = 1; i < n_ - j; ++i) column[i] *= inverse;
  }
  return -1;
}

void DenseSolver::solve(VecX& x) const { solve_values(x.data()); }

CARDAN_BY_PROCESSOR void DenseSolver::solve_values(double* values) const {
  if (is_panel_) {
    with_panel_kernel(
        n_, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          Kernel::forward(factor_.data(), Kernel::kColumns, inverse_.data(), values, nullptr, nullptr, false);
          Kernel::backward(factor_.data(), Kernel::kColumns, values, nullptr, nullptr, false);
        });
    return;
  }
  const auto column = [&](int j) { return factor_.data() + static_cast<std::ptrdiff_t>(j) * n_; };
  for (int j = 0; j < n_; ++j) {
    const double* l = column(j);
    const double xj = values[j];
    for (int i = j + 1; i < n_; ++i) values[i] -= l[i] * xj;
  }
  for (int j = n_ - 1; j >= 0; --j) {
    const double* l = column(j);
    values[j] = values[j] * inverse_[j] - contiguous_dot(l + j + 1, values + j + 1, n_ - 1 - j);
  }
}

}  // namespace cardan
