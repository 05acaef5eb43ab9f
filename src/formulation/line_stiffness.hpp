// What resists a motion across the line of a load between two points P1 and P2, s apart, that pulls with f. With u the
// direction of the line and d = P2 - P1,
//     (f s_q)_q = f' s_q^T s_q + f / s d_q^T (I - u u^T) d_q + f u . d_qq
// The second part grows as the line gets short; it is a row of stiffness f / s for each direction across. The last
// comes from the coordinates alone and stays as it is.
//
// A push, which drives its ends aside, is left out: the tangent stays positive, and where other loads keep the
// mechanism from yielding, so that the true one is positive too, Newton's method converges with the larger of the two.
#pragma once

#include <algorithm>
#include <array>

#include "math/space.hpp"

namespace cardan {

/// Directions across a line.
template <int D>
inline constexpr int kAcross = D - 1;

/// f / s, or its limit `k`, the stiffness along the line, for a spring without free length whose ends meet.
inline double stiffness_across(double pull, double length, double k) {
  return length > 0 ? std::max(0.0, pull / length) : pull == 0 ? k : 0;
}

/// At right angles to each other, the first along the line d; of a line of no length any is along it.
template <int D>
std::array<typename Space<D>::Vector, D> line_directions(const typename Space<D>::Vector& d) {
  using Vector = typename Space<D>::Vector;
  std::array<Vector, D> e;
  e[0] = d.isZero(0) ? Vector(Vector::Unit(0)) : Vector(d.normalized());
  if constexpr (D == 2) {
    e[1] = Vector(-e[0][1], e[0][0]);
  } else {
    int least = 0;
    e[0].cwiseAbs().minCoeff(&least);
    e[1] = e[0].cross(Vector(Vector::Unit(least))).normalized();
    e[2] = e[0].cross(e[1]);
  }
  return e;
}

}  // namespace cardan
