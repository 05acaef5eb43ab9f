// Small vectors of the number that lane code is written with: four instances at once (pack_four.hpp), one with three
// derivatives (pack_dual.hpp), or one whose operations are written down to be differentiated (pack_taped.hpp). Compiled
// once for every set of instructions, each time in a namespace of its own (CARDAN_LANES), and free of anything that
// other files compile too, so that the linker cannot put code for one processor where another runs. Products are not
// contracted: all sets give the same bits.
#pragma once

#if defined(CARDAN_TAPED)
#include "ensemble/pack_taped.hpp"
#elif defined(CARDAN_DUAL)
#include "ensemble/pack_dual.hpp"
#else
#include "ensemble/pack_four.hpp"
#endif

namespace cardan::CARDAN_LANES {

template <int N>
struct Vec {
  Pack x[N];
  CARDAN_INLINE Pack& operator[](int i) { return x[i]; }
  CARDAN_INLINE const Pack& operator[](int i) const { return x[i]; }
  static CARDAN_INLINE Vec zero() {
    Vec r;
    for (int i = 0; i < N; ++i) r.x[i] = 0.0;
    return r;
  }
  static CARDAN_INLINE Vec of(const Lanes* from) {
    Vec r;
    for (int i = 0; i < N; ++i) r.x[i] = from[i];
    return r;
  }
  CARDAN_INLINE Vec& operator+=(const Vec& o) {
    for (int i = 0; i < N; ++i) x[i] += o.x[i];
    return *this;
  }
  CARDAN_INLINE Vec& operator-=(const Vec& o) {
    for (int i = 0; i < N; ++i) x[i] -= o.x[i];
    return *this;
  }
};
template <int N>
CARDAN_INLINE Vec<N> operator+(Vec<N> a, const Vec<N>& b) {
  return a += b;
}
template <int N>
CARDAN_INLINE Vec<N> operator-(Vec<N> a, const Vec<N>& b) {
  return a -= b;
}
template <int N>
CARDAN_INLINE Vec<N> operator-(Vec<N> a) {
  for (int i = 0; i < N; ++i) a.x[i] = -a.x[i];
  return a;
}
template <int N>
CARDAN_INLINE Vec<N> operator*(const Pack& s, Vec<N> a) {
  for (int i = 0; i < N; ++i) a.x[i] *= s;
  return a;
}
template <int N>
CARDAN_INLINE Pack dot(const Vec<N>& a, const Vec<N>& b) {
  Pack sum = a.x[0] * b.x[0];
  for (int i = 1; i < N; ++i) sum += a.x[i] * b.x[i];
  return sum;
}
CARDAN_INLINE Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

/// The plane and space behind one set of names: math/space.hpp.
template <int D>
inline constexpr int kAngular = D == 2 ? 1 : 3;
template <int D>
inline constexpr int kTwist = D == 2 ? 3 : 6;
template <int D>
using Twist = Vec<kTwist<D>>;
template <int D>
using Angular = Vec<kAngular<D>>;

/// w x r
CARDAN_INLINE Vec<2> cross(const Vec<1>& w, const Vec<2>& r) { return {{-(w[0] * r[1]), w[0] * r[0]}}; }
CARDAN_INLINE Vec<1> moment(const Vec<2>& r, const Vec<2>& f) { return {{r[0] * f[1] - r[1] * f[0]}}; }
CARDAN_INLINE Vec<3> moment(const Vec<3>& r, const Vec<3>& f) { return cross(r, f); }
template <int D>
CARDAN_INLINE Vec<D> linear(const Twist<D>& z) {
  Vec<D> r;
  for (int i = 0; i < D; ++i) r[i] = z[i];
  return r;
}
template <int D>
CARDAN_INLINE Angular<D> angular(const Twist<D>& z) {
  Angular<D> r;
  for (int i = 0; i < kAngular<D>; ++i) r[i] = z[D + i];
  return r;
}
template <int D>
CARDAN_INLINE Twist<D> twist(const Vec<D>& s, const Angular<D>& w) {
  Twist<D> r;
  for (int i = 0; i < D; ++i) r[i] = s[i];
  for (int i = 0; i < kAngular<D>; ++i) r[D + i] = w[i];
  return r;
}
template <int D>
CARDAN_INLINE Vec<D> velocity_at(const Twist<D>& z, const Vec<D>& r) {
  return linear<D>(z) + cross(angular<D>(z), r);
}
template <int D>
CARDAN_INLINE Twist<D> force_at(const Vec<D>& f, const Vec<D>& r) {
  return twist<D>(f, moment(r, f));
}
template <int D>
CARDAN_INLINE Twist<D> carried_rate(const Twist<D>& z, const Twist<D>& h) {
  if constexpr (D == 2) {
    return {{z[1] * h[2] - z[2] * h[1], z[2] * h[0] - z[0] * h[2], Pack(0.0)}};
  } else {
    const Vec<3> w = angular<3>(z), hw = angular<3>(h);
    return twist<3>(cross(w, linear<3>(h)) + cross(linear<3>(z), hw), cross(w, hw));
  }
}
template <int D>
CARDAN_INLINE Twist<D> carried_wrench_rate(const Twist<D>& z, const Twist<D>& p) {
  if constexpr (D == 2) {
    return {{-(z[2] * p[1]), z[2] * p[0], z[0] * p[1] - z[1] * p[0]}};
  } else {
    const Vec<3> w = angular<3>(z), f = linear<3>(p);
    return twist<3>(cross(w, f), cross(w, angular<3>(p)) + cross(linear<3>(z), f));
  }
}

/// A matrix by columns.
template <int D>
struct Matrix {
  Pack x[D * D];
  static CARDAN_INLINE Matrix of(const Lanes* from) {
    Matrix r;
    for (int i = 0; i < D * D; ++i) r.x[i] = from[i];
    return r;
  }
  CARDAN_INLINE Vec<D> column(int j) const {
    Vec<D> r;
    for (int i = 0; i < D; ++i) r[i] = x[j * D + i];
    return r;
  }
  CARDAN_INLINE void set_column(int j, const Vec<D>& v) {
    for (int i = 0; i < D; ++i) x[j * D + i] = v[i];
  }
};
template <int D>
CARDAN_INLINE Vec<D> operator*(const Matrix<D>& m, const Vec<D>& v) {
  Vec<D> r = v[0] * m.column(0);
  for (int j = 1; j < D; ++j) r += v[j] * m.column(j);
  return r;
}
template <int D>
CARDAN_INLINE Matrix<D> operator*(const Matrix<D>& a, const Matrix<D>& b) {
  Matrix<D> r;
  for (int j = 0; j < D; ++j) r.set_column(j, a * b.column(j));
  return r;
}

CARDAN_INLINE Pack nearest_turn(const Pack& angle, const Pack& reference) {
  const Pack turn = 6.283185307179586476925286766559;
  return angle + turn * round((reference - angle) / turn);
}

}  // namespace cardan::CARDAN_LANES
