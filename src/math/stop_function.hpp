// The law of a stop, Function::stop(), with its integral in closed form.
#pragma once

#include "math/function_node.hpp"

namespace cardan {

// g(d) = d^3/w^2 - d^4/(2 w^3), from w on d - w/2; its integral d^4/(4 w^2) - d^5/(10 w^3), from w on
// (d - w/2)^2/2 + w^2/40
struct Stop final : Function::Node {
  Stop(double low, double high, double stiffness, double soft) : low(low), high(high), k(stiffness), w(soft) {}

  Function::Value pushed(double d) const {
    if (!(d > 0)) return {};
    const double u = d / w;
    if (u >= 1) return {d - w / 2, 1, 0};
    return {d * u * u * (1 - u / 2), u * u * (3 - 2 * u), 6 * u * (1 - u) / w};
  }
  double stored(double d) const {
    if (!(d > 0)) return 0;
    const double u = d / w;
    return u >= 1 ? (d - w / 2) * (d - w / 2) / 2 + w * w / 40 : d * d * u * u * (0.25 - u / 10);
  }
  Function::Value evaluate(double x) const override {
    const Function::Value up = pushed(x - high), down = pushed(low - x);
    return {k * (up.f - down.f), k * (up.d1 + down.d1), k * (up.d2 - down.d2)};
  }
  double integral(double a, double b) const override {
    return k * (stored(b - high) + stored(low - b) - stored(a - high) - stored(low - a));
  }
  bool is_zero() const override { return k == 0; }
  double low, high, k, w;
};

}  // namespace cardan
