// L D L^T of four matrices of one pattern at once, left-looking by columns in a given order of elimination.
#pragma once

#include "ensemble/pack.hpp"

namespace cardan::CARDAN_LANES {

class Factor {
 public:
  template <class Work>
  Factor(const LaneSymbolic& symbolic, Work& work)
      : symbolic_(symbolic),
        lower_(packs(work.lower)),
        diagonal_(packs(work.diagonal)),
        inverse_(packs(work.inverse)),
        accumulated_(packs(work.accumulated)),
        permuted_(packs(work.permuted)) {}

  /// Those whose pivots do not vanish: the rule of math/pivot.hpp.
  Mask factorize(const Pack* values) {
    const LaneSymbolic& s = symbolic_;
    Mask regular = Mask::of(~0U);
    for (int j = 0; j < s.n; ++j) accumulated_[j] = 0.0;
    for (int j = 0; j < s.n; ++j) {
      for (int k = s.entry_start[j]; k < s.entry_start[j + 1]; ++k) accumulated_[s.entry_row[k]] = values[s.entry_value[k]];
      const Pack before = accumulated_[j];
      for (int u = s.update_start[j]; u < s.update_start[j + 1]; ++u) subtract(s.updates[u]);
      const Pack pivot = accumulated_[j];
      accumulated_[j] = 0.0;
      regular = regular & (abs(pivot) > Pack(1e-14) * abs(before)) & is_finite(pivot);
      diagonal_[j] = pivot;
      inverse_[j] = Pack(1.0) / pivot;
      const int* row = s.row.data() + s.row_start[j];
      Pack* column = lower_ + s.column_start[j];
      for (int i = 0, count = s.column_start[j + 1] - s.column_start[j]; i < count; ++i) {
        column[i] = accumulated_[row[i]] * inverse_[j];
        accumulated_[row[i]] = 0.0;
      }
    }
    return regular;
  }

  void solve(Pack* x) const {
    const LaneSymbolic& s = symbolic_;
    Pack* y = permuted_;
    for (int j = 0; j < s.n; ++j) y[j] = x[s.original[j]];
    for (int j = 0; j < s.n; ++j) {
      const int* row = s.row.data() + s.row_start[j];
      const Pack* column = lower_ + s.column_start[j];
      const Pack yj = y[j];
      for (int i = 0, count = s.column_start[j + 1] - s.column_start[j]; i < count; ++i) y[row[i]] -= column[i] * yj;
    }
    for (int j = s.n - 1; j >= 0; --j) {
      const int* row = s.row.data() + s.row_start[j];
      const Pack* column = lower_ + s.column_start[j];
      Pack yj = y[j] * inverse_[j];
      for (int i = 0, count = s.column_start[j + 1] - s.column_start[j]; i < count; ++i) yj -= column[i] * y[row[i]];
      y[j] = yj;
    }
    for (int j = 0; j < s.n; ++j) x[s.original[j]] = y[j];
  }

 private:
  CARDAN_INLINE void subtract(const LaneSymbolic::Update& update) {
    const int* row = symbolic_.row.data() + update.row_start;
    const Pack* a = lower_ + symbolic_.column_start[update.column + 1] - update.rows;
    const Pack weight = a[0] * diagonal_[update.column];
    for (int i = 0; i < update.rows; ++i) accumulated_[row[i]] -= weight * a[i];
  }

  const LaneSymbolic& symbolic_;
  Pack *lower_, *diagonal_, *inverse_, *accumulated_, *permuted_;
};

}  // namespace cardan::CARDAN_LANES
