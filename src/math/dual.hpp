// First derivatives with respect to N variables, carried along exactly through scalar arithmetic. Where a law is
// written once for any scalar type, its Jacobian comes from here instead of from a second, hand-written formula.
#pragma once

#include <cmath>

#include "cardan/math.hpp"

namespace cardan {

template <int N>
struct Dual {
  using Gradient = Eigen::Matrix<double, N, 1>;
  double f = 0;
  Gradient d = Gradient::Zero();

  Dual() = default;
  Dual(double value) : f(value) {}
  Dual(double value, const Gradient& gradient) : f(value), d(gradient) {}
  /// Variable number `index`.
  static Dual variable(double value, int index) { return {value, Gradient::Unit(index)}; }

  Dual operator-() const { return {-f, -d}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.f + b.f, a.d + b.d}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.f - b.f, a.d - b.d}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.f * b.f, a.d * b.f + b.d * a.f}; }
  friend Dual operator/(const Dual& a, const Dual& b) { return {a.f / b.f, (a.d - b.d * (a.f / b.f)) / b.f}; }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
};

inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.f;
}

template <int N>
Dual<N> sqrt(const Dual<N>& x) {
  const double root = std::sqrt(x.f);
  return {root, x.d * (0.5 / root)};
}
template <int N>
Dual<N> atan(const Dual<N>& x) {
  return {std::atan(x.f), x.d / (1 + x.f * x.f)};
}
template <int N>
Dual<N> sin(const Dual<N>& x) {
  return {std::sin(x.f), x.d * std::cos(x.f)};
}
template <int N>
Dual<N> cos(const Dual<N>& x) {
  return {std::cos(x.f), x.d * -std::sin(x.f)};
}
template <int N>
Dual<N> exp(const Dual<N>& x) {
  const double e = std::exp(x.f);
  return {e, x.d * e};
}
template <int N>
Dual<N> tanh(const Dual<N>& x) {
  const double t = std::tanh(x.f);
  return {t, x.d * (1 - t * t)};
}
template <int N>
Dual<N> pow(const Dual<N>& x, double n) {
  return {std::pow(x.f, n), x.d * (n * std::pow(x.f, n - 1))};
}
template <int N>
Dual<N> abs(const Dual<N>& x) {
  return x.f < 0 ? -x : x;
}

/// A small vector of any scalar type: as little as laws written for both double and Dual need.
template <class T, int N>
struct SmallVector {
  T x[N];
  T& operator[](int i) { return x[i]; }
  const T& operator[](int i) const { return x[i]; }
  friend SmallVector operator+(SmallVector a, const SmallVector& b) {
    for (int i = 0; i < N; ++i) a.x[i] = a.x[i] + b.x[i];
    return a;
  }
  friend SmallVector operator-(SmallVector a, const SmallVector& b) {
    for (int i = 0; i < N; ++i) a.x[i] = a.x[i] - b.x[i];
    return a;
  }
  friend SmallVector operator*(const T& s, SmallVector a) {
    for (int i = 0; i < N; ++i) a.x[i] = s * a.x[i];
    return a;
  }
};
template <class T, int N>
T dot(const SmallVector<T, N>& a, const SmallVector<T, N>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum += a[i] * b[i];
  return sum;
}
template <class T>
SmallVector<T, 3> cross(const SmallVector<T, 3>& a, const SmallVector<T, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T, int N>
SmallVector<T, N> normalized(const SmallVector<T, N>& a) {
  using std::sqrt;
  return (T(1) / sqrt(dot(a, a))) * a;
}

}  // namespace cardan
