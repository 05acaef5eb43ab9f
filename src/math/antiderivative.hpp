// start + the integral of a function from 0 on, and the same twice. What has no closed form is added up part by part
// when it is made, so that an evaluation integrates over one part.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/function_node.hpp"
#include "math/quadrature.hpp"

namespace cardan {

struct Antiderivative final : Function::Node {
  static constexpr double kPart = 0.1;
  static constexpr int kParts = 10000;

  Antiderivative(Function f, double start) : function(std::move(f)), sum{start} {
    if (function.has_closed_integral()) return;
    for (int i = 0; i < kParts; ++i) sum.push_back(sum.back() + function.integral(i * kPart, (i + 1) * kPart));
  }
  static double part_at(double x, std::size_t parts) {
    return std::clamp(std::floor(x / kPart), 0.0, static_cast<double>(parts - 1));
  }
  Function::Value evaluate(double x) const override {
    const double part = part_at(x, sum.size());
    const Function::Value rate = function.evaluate(x);
    return {sum[static_cast<std::size_t>(part)] + function.integral(part * kPart, x), rate.f, rate.d1};
  }
  double integral(double a, double b) const override {
    return integrate([this](double x) { return evaluate(x).f; }, a, b);
  }
  bool is_zero() const override { return false; }
  bool has_closed_integral() const override { return false; }
  std::optional<Function::PassedEnd> passed_end(double x) const override { return function.passed_end(x); }
  bool has_table() const override { return function.has_table(); }

  Function function;
  std::vector<double> sum;  // up to x = i kPart
};

/// From a to x the value grows by v(a) (x - a) + the integral of (x - s) f(s) ds.
struct SecondAntiderivative final : Function::Node {
  SecondAntiderivative(const Function& f, double start, double start_rate) : rate(f, start_rate), sum{start} {
    for (int i = 0; i < Antiderivative::kParts; ++i) sum.push_back(beyond(i, (i + 1) * Antiderivative::kPart));
  }
  double beyond(double part, double x) const {
    const double from = part * Antiderivative::kPart;
    return sum[static_cast<std::size_t>(part)] + rate.evaluate(from).f * (x - from) +
           integrate([&](double s) { return (x - s) * rate.function(s); }, from, x);
  }
  Function::Value evaluate(double x) const override {
    const Function::Value v = rate.evaluate(x);
    return {beyond(Antiderivative::part_at(x, sum.size()), x), v.f, v.d1};
  }
  double integral(double a, double b) const override {
    return integrate([this](double x) { return evaluate(x).f; }, a, b);
  }
  bool is_zero() const override { return false; }
  bool has_closed_integral() const override { return false; }
  std::optional<Function::PassedEnd> passed_end(double x) const override { return rate.passed_end(x); }
  bool has_table() const override { return rate.has_table(); }

  Antiderivative rate;
  std::vector<double> sum;  // up to x = i kPart
};

}  // namespace cardan
