// When a pivot counts as zero: the one rule of all factorizations.
#pragma once

#include <cmath>

namespace cardan {

/// What elimination left of the diagonal is rounding, or is not a number. Negative pivots pass: indefinite but regular
/// matrices are factorized too.
inline bool pivot_vanishes(double pivot, double diagonal_before) {
  constexpr double smallest_relative_pivot = 1e-14;
  return !(std::abs(pivot) > smallest_relative_pivot * std::abs(diagonal_before)) || !std::isfinite(pivot);
}

}  // namespace cardan
