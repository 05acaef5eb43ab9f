// First derivatives with respect to N variables of a number that may carry derivatives itself: NestedDual<double, N>
// has gradients, NestedDual<NestedDual<double, 1>, N> those of a rate too. Few operations, for formulas that are too
// long to be differentiated twice by hand and not evaluated often.
#pragma once

#include <array>
#include <cmath>

namespace cardan {

template <class B, int N>
struct NestedDual {
  B f = 0;
  std::array<B, N> d{};

  NestedDual() = default;
  NestedDual(double value) : f(value) {}

  /// g(u), of which g1 is the derivative.
  static NestedDual chain(const NestedDual& u, const B& g, const B& g1) {
    NestedDual r;
    r.f = g;
    for (int i = 0; i < N; ++i) r.d[i] = g1 * u.d[i];
    return r;
  }
  NestedDual operator-() const { return chain(*this, -f, B(-1)); }
  friend NestedDual operator+(NestedDual a, const NestedDual& b) {
    a.f = a.f + b.f;
    for (int i = 0; i < N; ++i) a.d[i] = a.d[i] + b.d[i];
    return a;
  }
  friend NestedDual operator-(const NestedDual& a, const NestedDual& b) { return a + -b; }
  friend NestedDual operator*(const NestedDual& a, const NestedDual& b) {
    NestedDual r;
    r.f = a.f * b.f;
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b.f + a.f * b.d[i];
    return r;
  }
  friend NestedDual operator/(const NestedDual& a, const NestedDual& b) {
    const B inverse = B(1) / b.f;
    return a * chain(b, inverse, -inverse * inverse);
  }
  NestedDual& operator+=(const NestedDual& b) { return *this = *this + b; }
};

template <class B, int N>
NestedDual<B, N> sqrt(const NestedDual<B, N>& u) {
  using std::sqrt;
  const B root = sqrt(u.f);
  return NestedDual<B, N>::chain(u, root, B(0.5) / root);
}
template <class B, int N>
NestedDual<B, N> cos(const NestedDual<B, N>& u);
template <class B, int N>
NestedDual<B, N> sin(const NestedDual<B, N>& u) {
  using std::cos, std::sin;
  return NestedDual<B, N>::chain(u, sin(u.f), cos(u.f));
}
template <class B, int N>
NestedDual<B, N> cos(const NestedDual<B, N>& u) {
  using std::cos, std::sin;
  return NestedDual<B, N>::chain(u, cos(u.f), -sin(u.f));
}

}  // namespace cardan
