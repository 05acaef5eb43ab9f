// Flow through openings, for the hydraulic elements; smooth, so that implicit methods take it in few iterations.
#pragma once

#include <cmath>

#include "math/dual.hpp"

namespace cardan {

/// Turbulent flow over the pressure drop, for a unit of K: sqrt|dp| with the sign of dp, laminar below the transition
/// d:
///     g(dp) = dp / (dp^2 + d^2)^(1/4)
/// which is below sqrt(dp) by the part (d/dp)^2 / 4, and has the slope 1/sqrt(d) at dp = 0.
template <class T>
T orifice_flow(const T& drop, double transition) {
  using std::sqrt;
  return drop / sqrt(sqrt(drop * drop + transition * transition));
}

/// The same with a check valve, nothing for dp <= 0 and with it a continuous slope:
///     g(dp) = dp^2 / (dp^2 + d^2)^(3/4)
template <class T>
T checked_flow(const T& drop, double transition) {
  using std::sqrt;
  if (!(value_of(drop) > 0)) return 0.0 * drop;
  const T square = drop * drop + transition * transition, root = sqrt(square);
  return drop * drop / (root * sqrt(root));
}

/// What a relief valve opens by above its pressure p_r, x = p - p_r: 0 for x <= 0, then x^2 / (x + 0.01 p_r).
template <class T>
T relief_opening(const T& p, double relief) {
  const T x = p - relief;
  if (!(value_of(x) > 0)) return 0.0 * x;
  return x * x / (x + 0.01 * relief);
}

}  // namespace cardan
