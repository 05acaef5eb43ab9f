// Sobol's sequence: points that fill the unit cube evenly, however many are taken. I. M. Sobol', USSR Computational
// Mathematics and Mathematical Physics 7 (1967) 86-112; direction numbers of S. Joe and F. Y. Kuo, Constructing Sobol
// sequences with better two-dimensional projections, SIAM Journal on Scientific Computing 30 (2008) 2635-2654.
#pragma once

#include <array>
#include <cstdint>

namespace cardan {

/// One coordinate of the points: x_n is the exclusive or of the direction numbers v_k at the ones of n's Gray code.
class SobolDimension {
 public:
  static constexpr int kDimensions = 37;  // all primitive polynomials of degree 7 or less
  static constexpr int kDigits = 52;

  /// `dimension` from 0.
  explicit SobolDimension(int dimension);
  /// The digits of the point of that number, the first behind the binary point at the place kDigits - 1.
  std::uint64_t digits(std::uint64_t number) const;

 private:
  std::array<std::uint64_t, kDigits> direction_;
};

}  // namespace cardan
