// Second-order jets in one variable: a value with its first and second derivative, and the arithmetic that carries them
// along exactly. At a kink (abs, min, max, comparisons) the derivative is that of the side taken; abs has slope 0 at 0.
#pragma once

#include <cmath>

namespace cardan {

/// No default values on purpose: stacks of jets are not initialized.
struct Jet {
  double f, d1, d2;
};

/// g(u) from g, g', g'' at u. What does not vary keeps zero derivatives even where g is not differentiable.
inline Jet chain(const Jet& u, double g, double g1, double g2) {
  if (u.d1 == 0 && u.d2 == 0) return {g, 0, 0};
  return {g, g1 * u.d1, g2 * u.d1 * u.d1 + g1 * u.d2};
}

inline Jet operator-(const Jet& a) { return {-a.f, -a.d1, -a.d2}; }
inline Jet operator+(const Jet& a, const Jet& b) { return {a.f + b.f, a.d1 + b.d1, a.d2 + b.d2}; }
inline Jet operator-(const Jet& a, const Jet& b) { return {a.f - b.f, a.d1 - b.d1, a.d2 - b.d2}; }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.f * b.f, a.d1 * b.f + a.f * b.d1, a.d2 * b.f + 2 * a.d1 * b.d1 + a.f * b.d2};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double q = a.f / b.f;
  const double q1 = (a.d1 - q * b.d1) / b.f;
  return {q, q1, (a.d2 - 2 * q1 * b.d1 - q * b.d2) / b.f};
}

inline Jet operator+(const Jet& a, double b) { return {a.f + b, a.d1, a.d2}; }
inline Jet operator+(double a, const Jet& b) { return b + a; }
inline Jet operator-(const Jet& a, double b) { return a + -b; }
inline Jet operator-(double a, const Jet& b) { return -b + a; }
inline Jet operator*(const Jet& a, double b) { return {a.f * b, a.d1 * b, a.d2 * b}; }
inline Jet operator*(double a, const Jet& b) { return b * a; }
inline Jet operator/(const Jet& a, double b) { return {a.f / b, a.d1 / b, a.d2 / b}; }
inline Jet operator/(double a, const Jet& b) { return Jet{a, 0, 0} / b; }

inline Jet sin(const Jet& u) {
  const double s = std::sin(u.f);
  return chain(u, s, std::cos(u.f), -s);
}
inline Jet cos(const Jet& u) {
  const double c = std::cos(u.f);
  return chain(u, c, -std::sin(u.f), -c);
}
inline Jet tan(const Jet& u) {
  const double t = std::tan(u.f);
  return chain(u, t, 1 + t * t, 2 * t * (1 + t * t));
}
inline Jet asin(const Jet& u) {
  const double w = 1 / ((1 - u.f) * (1 + u.f));
  return chain(u, std::asin(u.f), std::sqrt(w), u.f * w * std::sqrt(w));
}
inline Jet acos(const Jet& u) {
  const double w = 1 / ((1 - u.f) * (1 + u.f));
  return chain(u, std::acos(u.f), -std::sqrt(w), -u.f * w * std::sqrt(w));
}
inline Jet atan(const Jet& u) {
  const double w = 1 / (1 + u.f * u.f);
  return chain(u, std::atan(u.f), w, -2 * u.f * w * w);
}
inline Jet sinh(const Jet& u) {
  const double s = std::sinh(u.f);
  return chain(u, s, std::cosh(u.f), s);
}
inline Jet cosh(const Jet& u) {
  const double c = std::cosh(u.f);
  return chain(u, c, std::sinh(u.f), c);
}
inline Jet tanh(const Jet& u) {
  const double t = std::tanh(u.f);
  return chain(u, t, 1 - t * t, -2 * t * (1 - t * t));
}
inline Jet exp(const Jet& u) {
  const double g = std::exp(u.f);
  return chain(u, g, g, g);
}
inline Jet log(const Jet& u) { return chain(u, std::log(u.f), 1 / u.f, -1 / (u.f * u.f)); }
inline Jet log10(const Jet& u) {
  const double w = 1 / std::log(10.0);
  return chain(u, std::log10(u.f), w / u.f, -w / (u.f * u.f));
}
inline Jet sqrt(const Jet& u) {
  const double r = std::sqrt(u.f);
  return chain(u, r, 0.5 / r, -0.25 / (r * u.f));
}
inline double value_of(const Jet& u) { return u.f; }
inline Jet abs(const Jet& u) { return u.f > 0 ? u : u.f < 0 ? -u : Jet{std::abs(u.f), 0, 0}; }

/// The angle of (x, y): its differential is (x dy - y dx) / (x^2 + y^2).
inline Jet atan2(const Jet& y, const Jet& x) {
  const double r2 = x.f * x.f + y.f * y.f;
  const double g = std::atan2(y.f, x.f);
  if (y.d1 == 0 && y.d2 == 0 && x.d1 == 0 && x.d2 == 0) return {g, 0, 0};
  const double g1 = (x.f * y.d1 - y.f * x.d1) / r2;
  const double half_r2_rate = x.f * x.d1 + y.f * y.d1;
  return {g, g1, (x.f * y.d2 - y.f * x.d2 - 2 * half_r2_rate * g1) / r2};
}

inline Jet pow(const Jet& u, const Jet& v) {
  if (v.d1 == 0 && v.d2 == 0) {
    const double n = v.f, n2 = n * (n - 1);  // a vanishing factor wins over an infinite power of zero
    const double g1 = n == 0 ? 0 : n * std::pow(u.f, n - 1);
    return chain(u, std::pow(u.f, n), g1, n2 == 0 ? 0 : n2 * std::pow(u.f, n - 2));
  }
  // u^v = exp(v log u), written with the derivatives of the exponent
  const double g = std::pow(u.f, v.f), log_u = std::log(u.f), rate = u.d1 / u.f;
  const double e1 = v.d1 * log_u + v.f * rate;
  const double e2 = v.d2 * log_u + 2 * v.d1 * rate + v.f * (u.d2 / u.f - rate * rate);
  return {g, g * e1, g * (e2 + e1 * e1)};
}

inline Jet pow(const Jet& u, double n) { return pow(u, Jet{n, 0, 0}); }

}  // namespace cardan
