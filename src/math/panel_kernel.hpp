// What a factorization L D L^T and its solutions do with one panel: N neighbouring columns of L in a full block of
// `height` rows, of which the first N are the panel's own. N is known to the compiler, since the columns of mechanisms
// are short: loops over lengths that it does not know would spend their time on finding out how short.
#pragma once

#include <cstddef>
#include <utility>

#include "math/pivot.hpp"

namespace cardan {

/// Two numbers at once, wherever they stand.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
inline Pair pair_at(const double* x) { return *reinterpret_cast<const Pair*>(x); }
inline Pair& pair_at(double* x) { return *reinterpret_cast<Pair*>(x); }

template <int N>
struct PanelKernel {
  static constexpr std::ptrdiff_t kColumns = N;

  /// The sum over the first K columns of weight times two of their rows, or one.
  template <int K>
  [[gnu::always_inline]] static Pair weighed(const double* top, std::ptrdiff_t height, const double (&weight)[N]) {
    Pair sum = weight[0] * pair_at(top);
    for (int k = 1; k < K; ++k) sum += weight[k] * pair_at(top + k * height);
    return sum;
  }
  template <int K>
  [[gnu::always_inline]] static double weighed_one(const double* top, std::ptrdiff_t height,
                                                   const double (&weight)[N]) {
    double sum = weight[0] * top[0];
    for (int k = 1; k < K; ++k) sum += weight[k] * top[k * height];
    return sum;
  }

  /// Column J: less what the columns before it take, over its pivot. False where that vanishes.
  template <int J>
  [[gnu::always_inline]] static bool make_column(double* top, std::ptrdiff_t height, double* diagonal,
                                                 double* inverse) {
    double weight[N];
    double* const column = top + J * height;
    double pivot = column[J];
    for (int k = 0; k < J; ++k) {
      weight[k] = top[k * height + J] * diagonal[k];
      pivot -= weight[k] * top[k * height + J];
    }
    if (pivot_vanishes(pivot, column[J])) return false;
    diagonal[J] = pivot;
    const double over = inverse[J] = 1 / pivot;
    std::ptrdiff_t i = J + 1;
    for (; i + 2 <= height; i += 2) {
      Pair x = pair_at(column + i);
      if constexpr (J > 0) x -= weighed<J>(top + i, height, weight);
      pair_at(column + i) = x * over;
    }
    if (i < height) {
      double x = column[i];
      if constexpr (J > 0) x -= weighed_one<J>(top + i, height, weight);
      column[i] = x * over;
    }
    return true;
  }

  /// Returns how many columns have pivots: N, or the one that has none.
  [[gnu::always_inline]] static int factorize(double* top, std::ptrdiff_t height, double* diagonal, double* inverse) {
    int made = 0;
    [&]<int... J>(std::integer_sequence<int, J...>) __attribute__((always_inline)) {
      (void)((make_column<J>(top, height, diagonal, inverse) && (++made, true)) && ...);
    }
    (std::make_integer_sequence<int, N>());
    return made;
  }

  /// target[0..length) -= what the panel takes from rows `row` on of the column that row `column` belongs to.
  [[gnu::always_inline]] static void subtract(const double* top, std::ptrdiff_t height, const double* diagonal,
                                              int column, int row, int length, double* target) {
    double weight[N];
    for (int k = 0; k < N; ++k) weight[k] = top[k * height + column] * diagonal[k];
    const double* source = top + row;
    int i = 0;
    for (; i + 2 <= length; i += 2) pair_at(target + i) -= weighed<N>(source + i, height, weight);
    if (i < length) target[i] -= weighed_one<N>(source + i, height, weight);
  }

  /// x <- L^-1 x, over D for the panel's own rows; `row`: places of the others in y.
  [[gnu::always_inline]] static void forward(const double* top, std::ptrdiff_t height, const double* inverse,
                                             double* own, const int* row, double* y, bool in_one_piece) {
    double x[N];
    for (int k = 0; k < N; ++k) {
      x[k] = own[k];
      for (int j = 0; j < k; ++j) x[k] -= top[j * height + k] * x[j];
      own[k] = x[k] * inverse[k];
    }
    const double* below = top + N;
    const std::ptrdiff_t count = height - N;
    std::ptrdiff_t i = 0;
    if (in_one_piece) {
      double* const target = y + row[0];
      for (; i + 2 <= count; i += 2) pair_at(target + i) -= weighed<N>(below + i, height, x);
    }
    for (; i < count; ++i) y[row[i]] -= weighed_one<N>(below + i, height, x);
  }

  /// x <- L^-T x
  [[gnu::always_inline]] static void backward(const double* top, std::ptrdiff_t height, double* own, const int* row,
                                              const double* y, bool in_one_piece) {
    const double* below = top + N;
    const std::ptrdiff_t count = height - N;
    double x[N];
    for (int k = 0; k < N; ++k) x[k] = own[k];
    std::ptrdiff_t i = 0;
    if (in_one_piece) {
      Pair sum[N] = {};
      const double* const source = y + row[0];
      for (; i + 2 <= count; i += 2) {
        const Pair yi = pair_at(source + i);
        for (int k = 0; k < N; ++k) sum[k] += pair_at(below + k * height + i) * yi;
      }
      for (int k = 0; k < N; ++k) x[k] -= sum[k][0] + sum[k][1];
    }
    for (; i < count; ++i) {
      const double yi = y[row[i]];
      for (int k = 0; k < N; ++k) x[k] -= below[k * height + i] * yi;
    }
    for (int k = N - 1; k >= 0; --k) {
      for (int j = k + 1; j < N; ++j) x[k] -= top[k * height + j] * x[j];
      own[k] = x[k];
    }
  }
};

/// Panels are no wider than this.
constexpr int kWidestPanel = 6;

/// f(PanelKernel<count>())
template <class F>
[[gnu::always_inline]] inline decltype(auto) with_panel_kernel(int count, const F& f) {
  switch (count) {
    case 1:
      return f(PanelKernel<1>());
    case 2:
      return f(PanelKernel<2>());
    case 3:
      return f(PanelKernel<3>());
    case 4:
      return f(PanelKernel<4>());
    case 5:
      return f(PanelKernel<5>());
    default:
      return f(PanelKernel<6>());
  }
}

}  // namespace cardan
