// How large the error of one step may be (Eq. 21 of [N], docs/theory/notation.md): e_i = Atol + max(|y0|, |y1|) Rtol of
// positions, velocities looser by a factor.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Errors over what is allowed, of all q and v: `error(i)` is the pair of those of coordinate i, `most` how much of |q|
/// counts, in scales.
template <class Error, class See>
void see_errors(const ErrorTolerance& allowed, const VecX& scale, const EndOfStep& from, const EndOfStep& to,
                const Error& error, double most, const See& see) {
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const auto [of_q, of_v] = error(i);
    see(of_q / allowed.of_position(from.q[i], to.q[i], scale[i], most * scale[i]));
    see(of_v / allowed.of_velocity(from.v[i], to.v[i], scale[i]));
  }
}

/// sqrt(mean((error / allowed)^2)), as in [N].
template <class Error>
double mean_error(const ErrorTolerance& allowed, const VecX& scale, const EndOfStep& from, const EndOfStep& to,
                  const Error& error, double most = 1) {
  double sum = 0;
  see_errors(allowed, scale, from, to, error, most, [&sum](double part) { sum += part * part; });
  return scale.size() > 0 ? std::sqrt(sum / static_cast<double>(2 * scale.size())) : 0;
}

/// The largest |error / allowed|: in a mean over many bodies that of one is lost. Infinite when one is not a number.
template <class Error>
double largest_error(const ErrorTolerance& allowed, const VecX& scale, const EndOfStep& from, const EndOfStep& to,
                     const Error& error) {
  double largest = 0;
  see_errors(allowed, scale, from, to, error, 1.0, [&largest](double part) {
    largest = std::max(largest, std::isnan(part) ? std::numeric_limits<double>::infinity() : std::abs(part));
  });
  return largest;
}

}  // namespace cardan
