// Flow through openings, for the hydraulic elements; smooth, so that implicit methods take it in few iterations.
#pragma once

#include <cmath>

#include "math/dual.hpp"
#include "math/jet.hpp"

namespace cardan {

inline double natural_logarithm(double x) { return std::log(x); }
inline Jet natural_logarithm(const Jet& x) { return log(x); }
template <int N>
Dual<N> natural_logarithm(const Dual<N>& x) {
  return {std::log(x.f), x.d / x.f};
}

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

/// What a valve opens by that a pressure x pushes open: 0 for x <= 0, then x^2 / (x + w), which becomes x - w.
template <class T>
T soft_ramp(const T& x, double width) {
  if (!(value_of(x) > 0)) return 0.0 * x;
  return x * x / (x + width);
}
/// The same of a relief valve above its pressure.
template <class T>
T relief_opening(const T& p, double relief) {
  return soft_ramp(p - relief, 0.01 * relief);
}

}  // namespace cardan
