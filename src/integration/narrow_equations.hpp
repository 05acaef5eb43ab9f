// M, Phi_q and the factors of T = M + Phi_q^T w Phi_q of mechanisms so small that looking entries up in patterns would
// cost more than what is done with them: in full, by columns of M and rows of Phi_q that are padded with zeros to whole
// groups of four numbers. The factors are those of the solver, so that it solves with the same ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "formulation/equations.hpp"
#include "math/dense_solver.hpp"
#include "math/panel_kernel.hpp"

namespace cardan {

/// Four numbers at once, wherever they stand.
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

class NarrowEquations {
 public:
  static constexpr int kStride = 8;  // of columns and rows, and what vectors are padded to
  static_assert(kWidestPanel <= kStride);

  /// Of solvers that are one panel; others leave it without room.
  NarrowEquations(const Structure& structure, LinearSolver& solver) {
    auto* const dense = dynamic_cast<DenseSolver*>(&solver);
    if (!dense || !dense->is_panel()) return;
    panel_ = dense->panel();
    const SymmetricPattern& M = structure.pattern;
    for (int j = 0; j < M.n; ++j) {
      for (int e = M.column_start[j]; e < M.column_start[j + 1]; ++e) {
        lower_.push_back(j * kStride + M.row[e]);
        upper_.push_back(M.row[e] * kStride + j);
      }
    }
    const RowPattern& J = structure.jacobian;
    for (int k = 0; k < J.rows(); ++k)
      for (int e = J.start[k]; e < J.start[k + 1]; ++e) place_.push_back(k * kStride + J.column[e]);
    mass_.resize(static_cast<std::size_t>(M.n) * kStride);
    rows_.resize(static_cast<std::size_t>(J.rows()) * kStride);
  }
  bool empty() const { return mass_.empty(); }

  /// Takes them as they are; entries that no pattern has stay zero.
  [[gnu::always_inline]] void read(const Equations& e) {
    double *const M = mass_.data(), *const J = rows_.data();
    for (std::size_t i = 0, count = lower_.size(); i < count; ++i) M[lower_[i]] = M[upper_[i]] = e.mass[i];
    for (std::size_t i = 0, count = place_.size(); i < count; ++i) J[place_[i]] = e.jacobian[i];
  }

  /// What is done with N coordinates. Vectors are padded with zeros to kStride numbers.
  template <int N>
  class Of {
   public:
    Of(const NarrowEquations& own, const double* weight)
        : mass_(own.mass_.data()),
          rows_(own.rows_.data()),
          end_(rows_ + own.rows_.size()),
          weight_(weight),
          panel_(own.panel_) {}

    static constexpr int size() { return N; }
    /// Of T, column by column: the numbers that follow its rows are overwritten by the next column. Returns -1, or the
    /// coordinate whose pivot vanished.
    [[gnu::always_inline]] int factorize() const {
      Four column[N][kFours];
      for (int j = 0; j < N; ++j)
        for (int f = 0; f < kFours; ++f) column[j][f] = four(mass_ + j * kStride + 4 * f);
      const double* w = weight_;
      for (const double* row = rows_; row != end_; row += kStride, ++w) {
        Four weighed[kFours];
        for (int f = 0; f < kFours; ++f) weighed[f] = *w * four(row + 4 * f);
        for (int j = 0; j < N; ++j)
          for (int f = 0; f < kFours; ++f) column[j][f] += row[j] * weighed[f];
      }
      for (int j = 0; j < N; ++j)
        for (int f = 0; f < kFours; ++f) four(panel_.factor + j * N + 4 * f) = column[j][f];
      const int made = PanelKernel<N>::factorize(panel_.factor, N, panel_.diagonal, panel_.inverse);
      return made < N ? made : -1;
    }
    [[gnu::always_inline]] void solve(double* x) const {
      PanelKernel<N>::forward(panel_.factor, N, panel_.inverse, x, nullptr, nullptr, false);
      PanelKernel<N>::backward(panel_.factor, N, x, nullptr, nullptr, false);
    }
    /// see(k, row_k . x) of rows that have a weight
    template <class See>
    [[gnu::always_inline]] void multiply(const double* x, const See& see) const {
      Four part[kFours];
      for (int f = 0; f < kFours; ++f) part[f] = four(x + 4 * f);
      int k = 0;
      for (const double* row = rows_; row != end_; row += kStride, ++k) {
        if (weight_[k] == 0) continue;
        Four sum = part[0] * four(row);
        for (int f = 1; f < kFours; ++f) sum += part[f] * four(row + 4 * f);
        see(k, (sum[0] + sum[2]) + (sum[1] + sum[3]));
      }
    }
    /// y += factor(k) row_k^T of the same
    template <class Factor>
    [[gnu::always_inline]] void add(const Factor& factor, double* y) const {
      Four sum[kFours];
      for (int f = 0; f < kFours; ++f) sum[f] = four(y + 4 * f);
      int k = 0;
      for (const double* row = rows_; row != end_; row += kStride, ++k) {
        if (weight_[k] == 0) continue;
        const double one = factor(k);
        for (int f = 0; f < kFours; ++f) sum[f] += one * four(row + 4 * f);
      }
      for (int f = 0; f < kFours; ++f) four(y + 4 * f) = sum[f];
    }
    /// y -= M x
    [[gnu::always_inline]] void subtract_inertia(const double* x, double* y) const {
      Four sum[kFours];
      for (int f = 0; f < kFours; ++f) sum[f] = four(y + 4 * f);
      for (int j = 0; j < N; ++j)
        for (int f = 0; f < kFours; ++f) sum[f] -= x[j] * four(mass_ + j * kStride + 4 * f);
      for (int f = 0; f < kFours; ++f) four(y + 4 * f) = sum[f];
    }

   private:
    static constexpr int kFours = (N + 3) / 4;
    [[gnu::always_inline]] static const Four& four(const double* x) { return *reinterpret_cast<const Four*>(x); }
    [[gnu::always_inline]] static Four& four(double* x) { return *reinterpret_cast<Four*>(x); }

    const double *mass_, *rows_, *end_, *weight_;
    DenseSolver::Panel panel_;
  };

  /// f(Of<n>)
  template <class F>
  [[gnu::always_inline]] decltype(auto) with_size(int n, const VecX& weight, const F& f) const {
    return with_panel_kernel(
        n, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          return f(Of<static_cast<int>(Kernel::kColumns)>(*this, weight.data()));
        });
  }

 private:
  DenseSolver::Panel panel_{};
  std::vector<int> lower_, upper_, place_;  // where the values of the patterns stand: of M twice, of Phi_q
  std::vector<double> mass_, rows_;
};

}  // namespace cardan
