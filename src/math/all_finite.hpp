// Whether vectors hold nothing but numbers, in one pass without branches: most are so short that those would cost more.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

/// 0 x is zero for numbers alone.
inline bool all_finite(const VecX& x) {
  const double* const from = x.data();
  double sum = 0;
  for (Eigen::Index i = 0, n = x.size(); i < n; ++i) sum += 0 * from[i];
  return sum == 0;
}

}  // namespace cardan
