// How large the error of one step may be (Eq. 21 of [N], docs/theory/notation.md): e_i = Atol + max(|y0|, |y1|) Rtol of
// positions, velocities looser by a factor.
#pragma once

#include <algorithm>
#include <cmath>

#include "cardan/math.hpp"

namespace cardan {

struct ErrorTolerance {
  double absolute = 1e-6, relative = 1e-6;  // of positions; Atol in units of `size` below
  double velocity_factor = 10;              // by which velocities are looser

  /// `size` is 1 where Atol is in m and rad, and the scale of the coordinate where it is a part of that. |y| counts up
  /// to `most`, the size of the mechanism or a radian, so that neither the distance from the origin nor full turns make
  /// it looser.
  double of_position(double y0, double y1, double size, double most) const {
    return absolute * size + relative * std::min(std::max(std::abs(y0), std::abs(y1)), most);
  }
  double of_velocity(double y0, double y1, double size) const {
    return velocity_factor * (absolute * size + relative * std::max(std::abs(y0), std::abs(y1)));
  }
};

/// Positions and velocities at one end of a step.
struct EndOfStep {
  const VecX &q, &v;
};

/// sqrt(mean((error / allowed)^2)) over q and v; `error(i)` is the pair of those of coordinate i. `most`: how much of
/// |q| counts, in scales.
template <class Error>
double mean_error(const ErrorTolerance& allowed, const VecX& scale, const EndOfStep& from, const EndOfStep& to,
                  const Error& error, double most = 1) {
  double sum = 0;
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    auto [of_q, of_v] = error(i);
    of_q /= allowed.of_position(from.q[i], to.q[i], scale[i], most * scale[i]);
    of_v /= allowed.of_velocity(from.v[i], to.v[i], scale[i]);
    sum += of_q * of_q + of_v * of_v;
  }
  return scale.size() > 0 ? std::sqrt(sum / static_cast<double>(2 * scale.size())) : 0;
}

}  // namespace cardan
