// Rows of a pattern on bare arrays, two at a time where they have the same columns, as those of one joint do: most have
// so few entries that finding them costs more than what is done with them.
#pragma once

#include <algorithm>

#include "formulation/equations.hpp"

namespace cardan {

/// For each row whether the next one has the same columns in the same order.
inline std::vector<unsigned char> twins_of(const RowPattern& rows) {
  std::vector<unsigned char> result(static_cast<std::size_t>(rows.rows()), 0);
  const auto column = rows.column.begin();
  for (int k = 0; k + 1 < rows.rows(); ++k) {
    result[k] = std::equal(column + rows.start[k], column + rows.start[k + 1], column + rows.start[k + 1],
                           column + rows.start[k + 2]);
  }
  return result;
}

/// Those that have a weight, or all where none is given.
class BareRows {
 public:
  BareRows(const RowPattern& pattern, const VecX& values, const std::vector<unsigned char>& is_twin,
           const VecX* weight = nullptr)
      : rows_(pattern.rows()),
        start_(pattern.start.data()),
        column_(pattern.column.data()),
        value_(values.data()),
        weight_(weight ? weight->data() : nullptr),
        is_twin_(is_twin.data()) {}

  /// see(k, row_k . x)
  template <class See>
  [[gnu::always_inline]] void multiply(const double* x, const See& see) const {
    for (int k = 0; k < rows_; ++k) {
      if (!counts(k)) continue;
      const int begin = start_[k], end = start_[k + 1];
      double sum = 0, twin = 0;
      if (has_twin(k)) {
        for (int e = begin, f = end; e < end; ++e, ++f) {
          const double xe = x[column_[e]];
          sum += value_[e] * xe;
          twin += value_[f] * xe;
        }
        see(k, sum);
        see(++k, twin);
      } else {
        for (int e = begin; e < end; ++e) sum += value_[e] * x[column_[e]];
        see(k, sum);
      }
    }
  }
  /// y += factor(k) row_k^T
  template <class Factor>
  [[gnu::always_inline]] void add(const Factor& factor, double* y) const {
    for (int k = 0; k < rows_; ++k) {
      if (!counts(k)) continue;
      const int begin = start_[k], end = start_[k + 1];
      const double one = factor(k);
      if (has_twin(k)) {
        const double two = factor(++k);
        for (int e = begin, f = end; e < end; ++e, ++f) y[column_[e]] += one * value_[e] + two * value_[f];
      } else {
        for (int e = begin; e < end; ++e) y[column_[e]] += one * value_[e];
      }
    }
  }
  /// A += weight(k) row_k^T row_k
  template <class Weight>
  [[gnu::always_inline]] void add_outer(const RowPattern& pattern, const Weight& weight, double* A) const {
    for (int k = 0; k < rows_; ++k) {
      if (!counts(k)) continue;
      const int *slot = pattern.slot.data() + pattern.slot_start[k], count = start_[k + 1] - start_[k];
      const double *p = value_ + start_[k], *q = p + count;
      const double v = weight(k);
      if (!has_twin(k)) {
        for (int a = 0; a < count; ++a) {
          const double vp = v * p[a];
          for (int b = 0; b <= a; ++b) A[*slot++] += vp * p[b];
        }
        continue;
      }
      const double w = weight(++k);
      for (int a = 0; a < count; ++a) {
        const double vp = v * p[a], wq = w * q[a];
        for (int b = 0; b <= a; ++b) A[*slot++] += vp * p[b] + wq * q[b];
      }
    }
  }

 private:
  [[gnu::always_inline]] bool counts(int k) const { return !weight_ || weight_[k] != 0; }
  [[gnu::always_inline]] bool has_twin(int k) const { return is_twin_[k] && counts(k + 1); }

  int rows_;
  const int *start_, *column_;
  const double *value_, *weight_;
  const unsigned char* is_twin_;
};

}  // namespace cardan
