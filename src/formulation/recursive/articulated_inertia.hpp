// The inertia that a link feels with everything that hangs on it: symmetric, of twist size, in blocks
//     [ A    B ]   A: D x D, symmetric      B: D x (1 or 3)      C: 1 or 3, symmetric
//     [ B^T  C ]
// about an origin. Written out in scalars, sums in pairs: this is where the articulated-body sweeps spend their time,
// and what they wait for are chains of additions.
#pragma once

#include <cmath>

#include "math/space.hpp"

namespace cardan {

/// x . y
inline double short_dot(const Space<3>::Twist& x, const Space<3>::Twist& y) {
  return (x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3]) + (x[4] * y[4] + x[5] * y[5]);
}
inline double short_dot(const Space<2>::Twist& x, const Space<2>::Twist& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// |x0 y0| + |x1 y1| + ..., what rounding of x . y is relative to.
inline double size_of_dot(const Space<3>::Twist& x, const Space<3>::Twist& y) {
  return (std::abs(x[0] * y[0]) + std::abs(x[1] * y[1])) + (std::abs(x[2] * y[2]) + std::abs(x[3] * y[3])) +
         (std::abs(x[4] * y[4]) + std::abs(x[5] * y[5]));
}
inline double size_of_dot(const Space<2>::Twist& x, const Space<2>::Twist& y) {
  return std::abs(x[0] * y[0]) + std::abs(x[1] * y[1]) + std::abs(x[2] * y[2]);
}

template <int D>
struct ArticulatedInertia;

template <>
struct ArticulatedInertia<3> {
  using Twist = Space<3>::Twist;
  double axx, ayx, azx, ayy, azy, azz;                 // A
  double bxx, byx, bzx, bxy, byy, bzy, bxz, byz, bzz;  // B, by columns
  double cxx, cyx, czx, cyy, czy, czz;                 // C

  static ArticulatedInertia zero() { return {}; }

  /// Adds a rigid body with its centre at r and inertia J about it: A = m, B = -m r~, C = J - m r~ r~.
  void add_body(double m, const Vec3& r, const Mat3& J) {
    const double x = m * r.x(), y = m * r.y(), z = m * r.z();
    axx += m, ayy += m, azz += m;
    byx -= z, bzx += y, bxy += z, bzy -= x, bxz -= y, byz += x;
    cxx += J(0, 0) + (y * r.y() + z * r.z()), cyx += J(1, 0) - y * r.x(), czx += J(2, 0) - z * r.x();
    cyy += J(1, 1) + (x * r.x() + z * r.z()), czy += J(2, 1) - z * r.y(), czz += J(2, 2) + (x * r.x() + y * r.y());
  }

  void add(const ArticulatedInertia& o) {
    axx += o.axx, ayx += o.ayx, azx += o.azx, ayy += o.ayy, azy += o.azy, azz += o.azz;
    bxx += o.bxx, byx += o.byx, bzx += o.bzx, bxy += o.bxy, byy += o.byy, bzy += o.bzy;
    bxz += o.bxz, byz += o.byz, bzz += o.bzz;
    cxx += o.cxx, cyx += o.cyx, czx += o.czx, cyy += o.cyy, czy += o.czy, czz += o.czz;
  }

  Twist times(const Twist& h) const {
    const double s0 = h[0], s1 = h[1], s2 = h[2], w0 = h[3], w1 = h[4], w2 = h[5];
    Twist u;
    u[0] = (axx * s0 + ayx * s1) + (azx * s2 + bxx * w0) + (bxy * w1 + bxz * w2);
    u[1] = (ayx * s0 + ayy * s1) + (azy * s2 + byx * w0) + (byy * w1 + byz * w2);
    u[2] = (azx * s0 + azy * s1) + (azz * s2 + bzx * w0) + (bzy * w1 + bzz * w2);
    u[3] = (bxx * s0 + byx * s1) + (bzx * s2 + cxx * w0) + (cyx * w1 + czx * w2);
    u[4] = (bxy * s0 + byy * s1) + (bzy * s2 + cyx * w0) + (cyy * w1 + czy * w2);
    u[5] = (bxz * s0 + byz * s1) + (bzz * s2 + czx * w0) + (czy * w1 + czz * w2);
    return u;
  }

  /// I <- I - u u^T / d
  void eliminate(const Twist& u, double inverse) {
    const double k0 = inverse * u[0], k1 = inverse * u[1], k2 = inverse * u[2], k3 = inverse * u[3],
                 k4 = inverse * u[4], k5 = inverse * u[5];
    axx -= k0 * u[0], ayx -= k1 * u[0], azx -= k2 * u[0], ayy -= k1 * u[1], azy -= k2 * u[1], azz -= k2 * u[2];
    bxx -= k3 * u[0], byx -= k3 * u[1], bzx -= k3 * u[2], bxy -= k4 * u[0], byy -= k4 * u[1], bzy -= k4 * u[2];
    bxz -= k5 * u[0], byz -= k5 * u[1], bzz -= k5 * u[2];
    cxx -= k3 * u[3], cyx -= k4 * u[3], czx -= k5 * u[3], cyy -= k4 * u[4], czy -= k5 * u[4], czz -= k5 * u[5];
  }

  /// About an origin that lies -d away: with E w = w x d, B' = B + A E, C' = C + B^T E + E^T B'.
  void shift(const Vec3& d) {
    Mat3 A, B, C, E;
    A << axx, ayx, azx, ayx, ayy, azy, azx, azy, azz;
    B << bxx, bxy, bxz, byx, byy, byz, bzx, bzy, bzz;
    C << cxx, cyx, czx, cyx, cyy, czy, czx, czy, czz;
    E << 0, d.z(), -d.y(), -d.z(), 0, d.x(), d.y(), -d.x(), 0;
    C += B.transpose() * E;
    B += A * E;
    C += E.transpose() * B;
    bxx = B(0, 0), byx = B(1, 0), bzx = B(2, 0), bxy = B(0, 1), byy = B(1, 1), bzy = B(2, 1);
    bxz = B(0, 2), byz = B(1, 2), bzz = B(2, 2);
    cxx = C(0, 0), cyx = C(1, 0), czx = C(2, 0), cyy = C(1, 1), czy = C(2, 1), czz = C(2, 2);
  }
};

template <>
struct ArticulatedInertia<2> {
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
