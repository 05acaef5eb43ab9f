// The number that lane code is written with, of one instance, with its derivatives along three directions beside it:
// value, d1, d2, d3. It lies in Lanes as four numbers do, so that models and buffers are the same.
#pragma once

#include "ensemble/lanes.hpp"
#include "ensemble/single_mask.hpp"

namespace cardan::CARDAN_LANES {

typedef double Vector4 __attribute__((vector_size(32), may_alias));
typedef long long Bits4 __attribute__((vector_size(32), may_alias));

struct Pack {
  Vector4 v;
  Pack() = default;
  CARDAN_INLINE Pack(double x) : v{x, 0, 0, 0} {}
  CARDAN_INLINE explicit Pack(Vector4 x) : v(x) {}
  CARDAN_INLINE Pack(const Lanes& x) : v(*reinterpret_cast<const Vector4*>(x.of)) {}
  CARDAN_INLINE double value() const { return v[0]; }
  CARDAN_INLINE void store(Lanes& x) const { *reinterpret_cast<Vector4*>(x.of) = v; }
  CARDAN_INLINE Pack& operator+=(const Pack& o) { return v += o.v, *this; }
  CARDAN_INLINE Pack& operator-=(const Pack& o) { return v -= o.v, *this; }
  CARDAN_INLINE Pack& operator*=(const Pack& o);
};
static_assert(sizeof(Pack) == sizeof(Lanes));
CARDAN_INLINE Pack* packs(LaneArray& array) { return reinterpret_cast<Pack*>(array.data()); }
CARDAN_INLINE const Pack* packs(const LaneArray& array) { return reinterpret_cast<const Pack*>(array.data()); }
CARDAN_INLINE Lanes& lanes(Pack& pack) { return reinterpret_cast<Lanes&>(pack); }
CARDAN_INLINE const Lanes& lanes(const Pack& pack) { return reinterpret_cast<const Lanes&>(pack); }

CARDAN_INLINE double value_of(const Pack& a) { return a.v[0]; }
CARDAN_INLINE bool is_none(const Pack& a) { return a.v[0] == 0 && a.v[1] == 0 && a.v[2] == 0 && a.v[3] == 0; }
CARDAN_INLINE Vector4 broadcast(double x) { return Vector4{x, x, x, x}; }
CARDAN_INLINE Vector4 derivatives(const Pack& a) {
  return reinterpret_cast<Vector4>(reinterpret_cast<Bits4>(a.v) & Bits4{0, -1, -1, -1});
}
/// Of a function: its value, and its derivative at a.
CARDAN_INLINE Pack made(double value, const Pack& a, double slope) {
  Vector4 result = broadcast(slope) * a.v;
  result[0] = value;
  return Pack(result);
}

CARDAN_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
CARDAN_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
CARDAN_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }
CARDAN_INLINE Pack operator*(const Pack& a, const Pack& b) {
  return Pack(broadcast(a.v[0]) * b.v + broadcast(b.v[0]) * derivatives(a));
}
CARDAN_INLINE Pack operator/(const Pack& a, const Pack& b) {
  const double quotient = a.v[0] / b.v[0];
  Vector4 result = (a.v - broadcast(quotient) * b.v) * broadcast(1 / b.v[0]);
  result[0] = quotient;
  return Pack(result);
}
CARDAN_INLINE Pack& Pack::operator*=(const Pack& o) { return *this = *this * o; }
CARDAN_INLINE Mask operator<(const Pack& a, const Pack& b) { return {a.v[0] < b.v[0]}; }
CARDAN_INLINE Mask operator<=(const Pack& a, const Pack& b) { return {a.v[0] <= b.v[0]}; }
CARDAN_INLINE Mask operator>(const Pack& a, const Pack& b) { return {a.v[0] > b.v[0]}; }
CARDAN_INLINE Mask operator!=(const Pack& a, const Pack& b) { return {a.v[0] != b.v[0]}; }
CARDAN_INLINE Mask operator==(const Pack& a, const Pack& b) { return {a.v[0] == b.v[0]}; }
CARDAN_INLINE Pack select(Mask mask, const Pack& a, const Pack& b) { return mask.on ? a : b; }
CARDAN_INLINE Pack abs(const Pack& a) { return a.v[0] < 0 ? -a : a; }
CARDAN_INLINE Pack larger(const Pack& a, const Pack& b) { return select(a < b, b, a); }
CARDAN_INLINE Pack smaller(const Pack& a, const Pack& b) { return select(b < a, b, a); }
/// At zero, where it has no derivative, it is that of a constant: what is divided by it is not looked at there.
CARDAN_INLINE Pack sqrt(const Pack& a) {
  const double root = __builtin_sqrt(a.v[0]);
  return made(root, a, root > 0 ? 0.5 / root : 0.0);
}
CARDAN_INLINE Pack sin(const Pack& a) { return made(__builtin_sin(a.v[0]), a, __builtin_cos(a.v[0])); }
CARDAN_INLINE Pack cos(const Pack& a) { return made(__builtin_cos(a.v[0]), a, -__builtin_sin(a.v[0])); }
CARDAN_INLINE Pack round(const Pack& a) { return __builtin_round(a.v[0]); }
CARDAN_INLINE Pack atan2(const Pack& y, const Pack& x) {
  const double square = x.v[0] * x.v[0] + y.v[0] * y.v[0];
  Vector4 result = broadcast(x.v[0] / square) * y.v - broadcast(y.v[0] / square) * x.v;
  result[0] = __builtin_atan2(y.v[0], x.v[0]);
  return Pack(result);
}

}  // namespace cardan::CARDAN_LANES
