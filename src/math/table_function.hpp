// A function through the points of a table.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/function_node.hpp"

namespace cardan {

// Both kinds of interpolation as cubics in the distance from a segment's left end; the two outermost segments, beyond
// the ends, are straight.
struct TableFunction final : Function::Node {
  struct Segment {
    double c0, c1, c2, c3;
    double integral_before;  // from the first point to the segment's origin

    double integral(double s) const { return s * (c0 + s * (c1 / 2 + s * (c2 / 3 + s * c3 / 4))); }
  };

  // `curvature`: the second derivative at every point.
  TableFunction(std::vector<double> points, const std::vector<double>& y, const std::vector<double>& curvature,
                Function::Beyond beyond)
      : x(std::move(points)), beyond(beyond), slack(kRounding * (x.back() - x.front())) {
    const std::size_t n = x.size();
    segments.resize(n + 1);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double h = x[i + 1] - x[i];
      const double slope = (y[i + 1] - y[i]) / h - h * (2 * curvature[i] + curvature[i + 1]) / 6;
      segments[i + 1] = {y[i], slope, curvature[i] / 2, (curvature[i + 1] - curvature[i]) / (6 * h), 0};
    }
    const Segment& last = segments[n - 1];
    const double h = x[n - 1] - x[n - 2];
    const bool goes_on = beyond == Function::Beyond::linear;
    segments[0] = {y[0], goes_on ? segments[1].c1 : 0, 0, 0, 0};
    segments[n] = {y[n - 1], goes_on ? last.c1 + h * (2 * last.c2 + h * 3 * last.c3) : 0, 0, 0, 0};
    for (std::size_t i = 2; i <= n; ++i) {
      segments[i].integral_before = segments[i - 1].integral_before + segments[i - 1].integral(x[i - 1] - x[i - 2]);
    }
  }

  /// The ends themselves belong to the table, with the derivatives inside, and so does what is rounding beside them.
  std::size_t segment_at(double at) const {
    const std::size_t i = std::upper_bound(x.begin(), x.end(), at) - x.begin();
    if (i == x.size() && at <= x.back() + slack) return i - 1;
    return i == 0 && at >= x.front() - slack ? 1 : i;
  }
  double origin(std::size_t segment) const { return x[segment == 0 ? 0 : segment - 1]; }

  Function::Value evaluate(double at) const override {
    const std::size_t i = segment_at(at);
    const Segment& c = segments[i];
    const double s = at - origin(i);
    return {c.c0 + s * (c.c1 + s * (c.c2 + s * c.c3)), c.c1 + s * (2 * c.c2 + s * 3 * c.c3), 2 * c.c2 + s * 6 * c.c3};
  }

  double integral(double a, double b) const override {
    const std::size_t i = segment_at(a), j = segment_at(b);
    return (segments[j].integral_before - segments[i].integral_before) +
           (segments[j].integral(b - origin(j)) - segments[i].integral(a - origin(i)));
  }

  bool is_zero() const override {
    return std::all_of(segments.begin(), segments.end(), [](const Segment& s) { return s.c0 == 0 && s.c1 == 0; });
  }

  std::optional<Function::PassedEnd> passed_end(double at) const override {
    if (!(at < x.front() - slack || at > x.back() + slack)) return std::nullopt;
    return Function::PassedEnd{beyond, x.front(), x.back()};
  }
  bool has_table() const override { return true; }

  static constexpr double kRounding = 1e-9;  // of the table's width: a sum of time steps ends a little beside its end

  std::vector<double> x;
  Function::Beyond beyond;
  double slack;
  std::vector<Segment> segments;
};

// Second derivatives of the natural cubic spline: the usual tridiagonal system, by elimination without pivoting since
// it is diagonally dominant.
inline std::vector<double> natural_spline_curvature(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> curvature(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    const double bend = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    upper[i] = after / pivot;
    curvature[i] = (bend - before * curvature[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature[i] -= upper[i] * curvature[i + 1];
  return curvature;
}

}  // namespace cardan
