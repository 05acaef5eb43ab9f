// A value with its derivatives: the first-order part of a jet (jet.hpp), for gradients of expressions, some variables
// at a time. What does not vary keeps a zero derivative even where a function is not differentiable.
#pragma once

#include <cmath>

namespace cardan {

/// No default values on purpose: stacks of slopes are not initialized.
struct Slope {
  static constexpr int kLanes = 4;  // variables at a time
  double f, d[kLanes];
};

/// g(u) with the slope g1 = g'(u).
inline Slope chain(const Slope& u, double g, double g1) {
  Slope r;
  r.f = g;
  for (int i = 0; i < Slope::kLanes; ++i) r.d[i] = u.d[i] == 0 ? 0 : g1 * u.d[i];
  return r;
}
inline Slope steady(double f) { return {f, {0, 0, 0, 0}}; }
inline bool is_steady(const Slope& u) { return u.d[0] == 0 && u.d[1] == 0 && u.d[2] == 0 && u.d[3] == 0; }
/// f, and a times the slopes of u plus b times those of v.
inline Slope blend(double f, double a, const Slope& u, double b, const Slope& v) {
  Slope r;
  r.f = f;
  for (int i = 0; i < Slope::kLanes; ++i) r.d[i] = a * u.d[i] + b * v.d[i];
  return r;
}

inline Slope operator-(const Slope& a) { return blend(-a.f, -1, a, 0, a); }
inline Slope operator+(const Slope& a, const Slope& b) { return blend(a.f + b.f, 1, a, 1, b); }
inline Slope operator-(const Slope& a, const Slope& b) { return blend(a.f - b.f, 1, a, -1, b); }
inline Slope operator*(const Slope& a, const Slope& b) { return blend(a.f * b.f, b.f, a, a.f, b); }
inline Slope operator/(const Slope& a, const Slope& b) {
  const double q = a.f / b.f;
  return blend(q, 1 / b.f, a, -q / b.f, b);
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
inline Slope abs(const Slope& u) { return u.f > 0 ? u : u.f < 0 ? -u : steady(std::abs(u.f)); }
inline Slope atan2(const Slope& y, const Slope& x) {
  const double g = std::atan2(y.f, x.f), square = x.f * x.f + y.f * y.f;
  if (is_steady(y) && is_steady(x)) return steady(g);
  return blend(g, x.f / square, y, -y.f / square, x);
}
inline Slope pow(const Slope& u, const Slope& v) {
  const double g = std::pow(u.f, v.f);
  Slope r = chain(u, g, v.f == 0 ? 0 : v.f * std::pow(u.f, v.f - 1));
  for (int i = 0; i < Slope::kLanes; ++i)
    if (v.d[i] != 0) r.d[i] += g * std::log(u.f) * v.d[i];
  return r;
}

}  // namespace cardan
