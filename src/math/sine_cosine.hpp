// Sine and cosine of one angle, written out where they are asked for: trees of hinges spend as much on the library's
// call as on the rotation. To within one unit of the last place up to an eighth of a turn, and two and a half beyond.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace cardan {

struct SineCosine {
  double sine, cosine;
};

/// x = k pi/2 + r with |r| <= pi/4. With u = r^2
///     sin r = r + r u S(u),   cos r = 1 - u/2 + u^2 C(u)
/// S and C interpolate at the Chebyshev points of [0, (pi/4)^2], to 2e-17 and 1e-18 of the results. pi/2 is in three
/// parts; k times each of the first two is exact.
[[gnu::always_inline]] inline SineCosine sine_and_cosine(double x) {
  constexpr double kHalfPi1 = 0x1.921fb544p+0, kHalfPi2 = 0x1.0b4611a6p-34, kHalfPi3 = 0x1.3198a2e037073p-69;
  constexpr double kFarthest = 0x1p19;
  if (!(std::abs(x) < kFarthest)) [[unlikely]]
    return {std::sin(x), std::cos(x)};
  // In the last bits of a number so large stands k.
  constexpr double kShift = 0x1.8p52;
  const double shifted = x * 0x1.45f306dc9c883p-1 + kShift, k = shifted - kShift;
  const auto quarter = std::bit_cast<std::uint64_t>(shifted);
  const double r = ((x - k * kHalfPi1) - k * kHalfPi2) - k * kHalfPi3, u = r * r;
  const double S = -0x1.5555555555555p-3 +
                   u * (0x1.1111111110bb2p-7 +
                        u * (-0x1.a01a019e83aaep-13 +
                             u * (0x1.71de37968a1p-19 + u * (-0x1.ae600b02b6262p-26 + u * 0x1.5e0b19f8b1451p-33))));
  const double C = 0x1.5555555555555p-5 +
                   u * (-0x1.6c16c16c16967p-10 +
                        u * (0x1.a01a019f4eb01p-16 +
                             u * (-0x1.27e4fa17da09ep-22 + u * (0x1.1eeb68e93b64cp-29 - u * 0x1.907da367a37cbp-37))));
  const double sine = r + r * u * S, half = 0.5 * u, most = 1 - half;
  const double cosine = most + (((1 - most) - half) + u * u * C);
  // A quarter of a turn further the one becomes the other; half a turn further both change their signs.
  const std::uint64_t swap = std::uint64_t{0} - (quarter & 1);
  const auto s = std::bit_cast<std::uint64_t>(sine), c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t other = (s ^ c) & swap;
  return {std::bit_cast<double>(s ^ other ^ ((quarter & 2) << 62)),
          std::bit_cast<double>(c ^ other ^ (((quarter + 1) & 2) << 62))};
}

}  // namespace cardan
