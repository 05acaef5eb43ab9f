// The number that lane code is written with, of one instance, with where it stands on a tape: what is computed with it
// is written down there. It lies in Lanes as four numbers do, so that models and buffers are the same.
#pragma once

#include <cmath>

#include "ensemble/lanes.hpp"
#include "ensemble/single_mask.hpp"
#include "ensemble/tape.hpp"

namespace cardan::CARDAN_LANES {

/// Where operations are written to.
inline thread_local constinit Tape* tape = nullptr;

struct alignas(sizeof(Lanes)) Pack {
  double value;
  std::int64_t node;  // 0: constant
  double unused[2];
  Pack() = default;
  CARDAN_INLINE Pack(double x) : value(x), node(0) {}
  CARDAN_INLINE Pack(double x, std::int64_t at) : value(x), node(at) {}
  CARDAN_INLINE Pack(const Pack& x) : value(x.value), node(x.node) {}
  CARDAN_INLINE Pack& operator=(const Pack& x) { return value = x.value, node = x.node, *this; }
  CARDAN_INLINE Pack(const Lanes& x) : Pack(reinterpret_cast<const Pack&>(x)) {}
  void store(Lanes& x) const { reinterpret_cast<Pack&>(x) = *this; }
  Pack& operator+=(const Pack& o);
  Pack& operator-=(const Pack& o);
  Pack& operator*=(const Pack& o);
};
static_assert(sizeof(Pack) == sizeof(Lanes));
CARDAN_INLINE Pack* packs(LaneArray& array) { return reinterpret_cast<Pack*>(array.data()); }
inline const Pack* packs(const LaneArray& array) { return reinterpret_cast<const Pack*>(array.data()); }
inline Lanes& lanes(Pack& pack) { return reinterpret_cast<Lanes&>(pack); }
inline const Lanes& lanes(const Pack& pack) { return reinterpret_cast<const Lanes&>(pack); }

CARDAN_INLINE Pack made(double value, const Pack& a, double da) {
  return a.node == 0 ? Pack(value) : Pack(value, tape->push(a.node, da, 0, 0));
}
CARDAN_INLINE Pack made(double value, const Pack& a, double da, const Pack& b, double db) {
  return (a.node | b.node) == 0 ? Pack(value) : Pack(value, tape->push(a.node, da, b.node, db));
}
CARDAN_INLINE double value_of(const Pack& a) { return a.value; }
/// Of numbers that are zero for good nothing is made.
CARDAN_INLINE bool is_none(const Pack& a) { return a.node == 0 && a.value == 0; }
CARDAN_INLINE Pack operator-(const Pack& a) { return made(-a.value, a, -1); }
CARDAN_INLINE Pack operator+(const Pack& a, const Pack& b) {
  return is_none(a) ? b : is_none(b) ? a : made(a.value + b.value, a, 1, b, 1);
}
CARDAN_INLINE Pack operator-(const Pack& a, const Pack& b) {
  return is_none(b) ? a : made(a.value - b.value, a, 1, b, -1);
}
CARDAN_INLINE Pack operator*(const Pack& a, const Pack& b) {
  return is_none(a) || is_none(b) ? Pack(0.0) : made(a.value * b.value, a, b.value, b, a.value);
}
CARDAN_INLINE Pack operator/(const Pack& a, const Pack& b) {
  const double quotient = a.value / b.value;
  return made(quotient, a, 1 / b.value, b, -quotient / b.value);
}
CARDAN_INLINE Pack& Pack::operator+=(const Pack& o) { return *this = *this + o; }
CARDAN_INLINE Pack& Pack::operator-=(const Pack& o) { return *this = *this - o; }
CARDAN_INLINE Pack& Pack::operator*=(const Pack& o) { return *this = *this * o; }
CARDAN_INLINE Mask operator<(const Pack& a, const Pack& b) { return {a.value < b.value}; }
CARDAN_INLINE Mask operator<=(const Pack& a, const Pack& b) { return {a.value <= b.value}; }
CARDAN_INLINE Mask operator>(const Pack& a, const Pack& b) { return {a.value > b.value}; }
CARDAN_INLINE Mask operator!=(const Pack& a, const Pack& b) { return {a.value != b.value}; }
CARDAN_INLINE Mask operator==(const Pack& a, const Pack& b) { return {a.value == b.value}; }
CARDAN_INLINE Pack select(Mask mask, const Pack& a, const Pack& b) { return mask.on ? a : b; }
CARDAN_INLINE Pack abs(const Pack& a) { return a.value < 0 ? -a : a; }
CARDAN_INLINE Pack larger(const Pack& a, const Pack& b) { return select(a < b, b, a); }
CARDAN_INLINE Pack smaller(const Pack& a, const Pack& b) { return select(b < a, b, a); }
CARDAN_INLINE Mask is_finite(const Pack& a) { return {std::isfinite(a.value)}; }
/// At zero, where it has no derivative, it is that of a constant: what is divided by it is not looked at there.
CARDAN_INLINE Pack sqrt(const Pack& a) {
  const double root = std::sqrt(a.value);
  return made(root, a, root > 0 ? 0.5 / root : 0.0);
}
CARDAN_INLINE Pack sin(const Pack& a) { return made(std::sin(a.value), a, std::cos(a.value)); }
CARDAN_INLINE Pack cos(const Pack& a) { return made(std::cos(a.value), a, -std::sin(a.value)); }
CARDAN_INLINE Pack round(const Pack& a) { return std::round(a.value); }
CARDAN_INLINE Pack atan2(const Pack& y, const Pack& x) {
  const double square = x.value * x.value + y.value * y.value;
  return made(std::atan2(y.value, x.value), y, x.value / square, x, -y.value / square);
}

}  // namespace cardan::CARDAN_LANES
