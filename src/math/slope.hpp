// A value with one derivative: the first-order part of a jet (jet.hpp), for gradients of expressions, one variable at a
// time. What does not vary keeps a zero derivative even where a function is not differentiable.
#pragma once

#include <cmath>

namespace cardan {

/// No default values on purpose: stacks of slopes are not initialized.
struct Slope {
  double f, d;
};

inline Slope chain(const Slope& u, double g, double g1) { return {g, u.d == 0 ? 0 : g1 * u.d}; }

inline Slope operator-(const Slope& a) { return {-a.f, -a.d}; }
inline Slope operator+(const Slope& a, const Slope& b) { return {a.f + b.f, a.d + b.d}; }
inline Slope operator-(const Slope& a, const Slope& b) { return {a.f - b.f, a.d - b.d}; }
inline Slope operator*(const Slope& a, const Slope& b) { return {a.f * b.f, a.d * b.f + a.f * b.d}; }
inline Slope operator/(const Slope& a, const Slope& b) {
  const double q = a.f / b.f;
  return {q, (a.d - q * b.d) / b.f};
}

inline Slope sin(const Slope& u) { return chain(u, std::sin(u.f), std::cos(u.f)); }
inline Slope cos(const Slope& u) { return chain(u, std::cos(u.f), -std::sin(u.f)); }
inline Slope tan(const Slope& u) {
  const double t = std::tan(u.f);
  return chain(u, t, 1 + t * t);
}
inline Slope asin(const Slope& u) { return chain(u, std::asin(u.f), 1 / std::sqrt((1 - u.f) * (1 + u.f))); }
inline Slope acos(const Slope& u) { return chain(u, std::acos(u.f), -1 / std::sqrt((1 - u.f) * (1 + u.f))); }
inline Slope atan(const Slope& u) { return chain(u, std::atan(u.f), 1 / (1 + u.f * u.f)); }
inline Slope sinh(const Slope& u) { return chain(u, std::sinh(u.f), std::cosh(u.f)); }
inline Slope cosh(const Slope& u) { return chain(u, std::cosh(u.f), std::sinh(u.f)); }
inline Slope tanh(const Slope& u) {
  const double t = std::tanh(u.f);
  return chain(u, t, 1 - t * t);
}
inline Slope exp(const Slope& u) {
  const double g = std::exp(u.f);
  return chain(u, g, g);
}
inline Slope log(const Slope& u) { return chain(u, std::log(u.f), 1 / u.f); }
inline Slope log10(const Slope& u) { return chain(u, std::log10(u.f), 1 / (u.f * std::log(10.0))); }
inline Slope sqrt(const Slope& u) {
  const double r = std::sqrt(u.f);
  return chain(u, r, 0.5 / r);
}
inline Slope abs(const Slope& u) { return u.f > 0 ? u : u.f < 0 ? -u : Slope{std::abs(u.f), 0}; }
inline Slope atan2(const Slope& y, const Slope& x) {
  const double g = std::atan2(y.f, x.f);
  if (y.d == 0 && x.d == 0) return {g, 0};
  return {g, (x.f * y.d - y.f * x.d) / (x.f * x.f + y.f * y.f)};
}
inline Slope pow(const Slope& u, const Slope& v) {
  const double g = std::pow(u.f, v.f);
  if (v.d == 0) return chain(u, g, v.f == 0 ? 0 : v.f * std::pow(u.f, v.f - 1));
  return {g, g * (v.d * std::log(u.f) + v.f * u.d / u.f)};
}

}  // namespace cardan
