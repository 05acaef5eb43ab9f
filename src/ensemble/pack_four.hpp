// The number that lane code is written with, of four instances at once: see pack.hpp.
#pragma once

#include "ensemble/lanes.hpp"

namespace cardan::CARDAN_LANES {

/// Rows of loads that have neither stiffness nor damping just now are not written.
inline constexpr bool kAllRowsLive = false;

#define CARDAN_INLINE __attribute__((always_inline)) inline

typedef double Vector4 __attribute__((vector_size(32), may_alias));
typedef long long Bits4 __attribute__((vector_size(32), may_alias));

/// For each instance all bits or none.
struct Mask {
  Bits4 bits;
  CARDAN_INLINE bool any() const { return (bits[0] | bits[1] | bits[2] | bits[3]) != 0; }
  CARDAN_INLINE bool all() const { return (bits[0] & bits[1] & bits[2] & bits[3]) != 0; }
  CARDAN_INLINE unsigned which() const {
    return (bits[0] ? 1U : 0U) | (bits[1] ? 2U : 0U) | (bits[2] ? 4U : 0U) | (bits[3] ? 8U : 0U);
  }
  static CARDAN_INLINE Mask of(unsigned which) {
    return {Bits4{which & 1U ? -1LL : 0, which & 2U ? -1LL : 0, which & 4U ? -1LL : 0, which & 8U ? -1LL : 0}};
  }
};
CARDAN_INLINE Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
CARDAN_INLINE Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
CARDAN_INLINE Mask operator~(Mask a) { return {~a.bits}; }

struct Pack {
  Vector4 v;
  Pack() = default;
  CARDAN_INLINE Pack(double x) : v{x, x, x, x} {}
  CARDAN_INLINE explicit Pack(Vector4 x) : v(x) {}
  CARDAN_INLINE Pack(const Lanes& x) : v(*reinterpret_cast<const Vector4*>(x.of)) {}
  CARDAN_INLINE double operator[](int lane) const { return v[lane]; }
  CARDAN_INLINE void set(int lane, double x) { v[lane] = x; }
  CARDAN_INLINE void store(Lanes& x) const { *reinterpret_cast<Vector4*>(x.of) = v; }
  CARDAN_INLINE Pack& operator+=(const Pack& o) { return v += o.v, *this; }
  CARDAN_INLINE Pack& operator-=(const Pack& o) { return v -= o.v, *this; }
  CARDAN_INLINE Pack& operator*=(const Pack& o) { return v *= o.v, *this; }
};
static_assert(sizeof(Pack) == sizeof(Lanes));
/// Where arrays of Lanes are worked on.
CARDAN_INLINE Pack* packs(LaneArray& array) { return reinterpret_cast<Pack*>(array.data()); }
CARDAN_INLINE const Pack* packs(const LaneArray& array) { return reinterpret_cast<const Pack*>(array.data()); }
CARDAN_INLINE Lanes& lanes(Pack& pack) { return reinterpret_cast<Lanes&>(pack); }
CARDAN_INLINE const Lanes& lanes(const Pack& pack) { return reinterpret_cast<const Lanes&>(pack); }

CARDAN_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
CARDAN_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
CARDAN_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
CARDAN_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
CARDAN_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }
CARDAN_INLINE Mask operator<(const Pack& a, const Pack& b) { return {a.v < b.v}; }
CARDAN_INLINE Mask operator<=(const Pack& a, const Pack& b) { return {a.v <= b.v}; }
CARDAN_INLINE Mask operator>(const Pack& a, const Pack& b) { return {a.v > b.v}; }
CARDAN_INLINE Mask operator!=(const Pack& a, const Pack& b) { return {a.v != b.v}; }
CARDAN_INLINE Mask operator==(const Pack& a, const Pack& b) { return {a.v == b.v}; }
CARDAN_INLINE Pack select(Mask mask, const Pack& a, const Pack& b) { return Pack(mask.bits ? a.v : b.v); }
CARDAN_INLINE Pack abs(const Pack& a) {
  return Pack(reinterpret_cast<Vector4>(reinterpret_cast<Bits4>(a.v) & 0x7fffffffffffffffLL));
}
/// The first where one is no number, as std::max and std::min do.
CARDAN_INLINE Pack larger(const Pack& a, const Pack& b) { return select(a < b, b, a); }
CARDAN_INLINE Pack smaller(const Pack& a, const Pack& b) { return select(b < a, b, a); }
CARDAN_INLINE Mask is_finite(const Pack& a) { return abs(a) <= Pack(1.7976931348623157e308); }

/// Instance by instance.
template <class F>
CARDAN_INLINE Pack each(const Pack& a, const F& f) {
  return Pack(Vector4{f(a.v[0]), f(a.v[1]), f(a.v[2]), f(a.v[3])});
}
CARDAN_INLINE Pack sqrt(const Pack& a) {
  return each(a, [](double x) { return __builtin_sqrt(x); });
}
CARDAN_INLINE Pack sin(const Pack& a) {
  return each(a, [](double x) { return __builtin_sin(x); });
}
CARDAN_INLINE Pack cos(const Pack& a) {
  return each(a, [](double x) { return __builtin_cos(x); });
}
CARDAN_INLINE Pack round(const Pack& a) {
  return each(a, [](double x) { return __builtin_round(x); });
}
CARDAN_INLINE Pack atan2(const Pack& y, const Pack& x) {
  return Pack(Vector4{__builtin_atan2(y.v[0], x.v[0]), __builtin_atan2(y.v[1], x.v[1]), __builtin_atan2(y.v[2], x.v[2]),
                      __builtin_atan2(y.v[3], x.v[3])});
}

}  // namespace cardan::CARDAN_LANES
