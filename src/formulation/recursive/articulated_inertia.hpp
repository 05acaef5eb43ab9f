// The inertia that a link in the plane feels with everything that hangs on it: symmetric, in blocks
//     [ A    B ]   A: 2 x 2, symmetric      B: 2 x 1      C: 1 x 1
//     [ B^T  C ]
// about an origin. In space: spatial_sweeps.hpp.
#pragma once

#include <cmath>

#include "math/space.hpp"

namespace cardan {

inline double short_dot(const Space<2>::Twist& x, const Space<2>::Twist& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
/// |x0 y0| + |x1 y1| + ..., what rounding of x . y is relative to.
inline double size_of_dot(const Space<2>::Twist& x, const Space<2>::Twist& y) {
  return std::abs(x[0] * y[0]) + std::abs(x[1] * y[1]) + std::abs(x[2] * y[2]);
}

struct ArticulatedInertia {
  using Twist = Space<2>::Twist;
  double axx, ayx, ayy, bx, by, c;

  static ArticulatedInertia zero() { return {}; }

  void add_body(double m, const Vec2& r, const Space<2>::Inertia& J) {
    axx += m, ayy += m, bx -= m * r.y(), by += m * r.x(), c += J(0, 0) + m * r.squaredNorm();
  }

  void add(const ArticulatedInertia& o) { axx += o.axx, ayx += o.ayx, ayy += o.ayy, bx += o.bx, by += o.by, c += o.c; }

  Twist times(const Twist& h) const {
    return {axx * h[0] + ayx * h[1] + bx * h[2], ayx * h[0] + ayy * h[1] + by * h[2], bx * h[0] + by * h[1] + c * h[2]};
  }

  void eliminate(const Twist& u, double inverse) {
    const double k0 = inverse * u[0], k1 = inverse * u[1], k2 = inverse * u[2];
    axx -= k0 * u[0], ayx -= k1 * u[0], ayy -= k1 * u[1], bx -= k2 * u[0], by -= k2 * u[1], c -= k2 * u[2];
  }

  void shift(const Vec2& d) {
    const double ex = -d.y(), ey = d.x(), old_bx = bx, old_by = by;
    bx += axx * ex + ayx * ey;
    by += ayx * ex + ayy * ey;
    c += (old_bx + bx) * ex + (old_by + by) * ey;
  }
};

}  // namespace cardan
