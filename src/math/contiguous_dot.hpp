// The product of two rows that lie in one piece, as factorizations need it.
#pragma once

namespace cardan {

// Four partial sums, because the compiler may not reorder one.
inline double contiguous_dot(const double* __restrict a, const double* __restrict b, int length) {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= length; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sum[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < length; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

}  // namespace cardan
