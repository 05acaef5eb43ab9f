// A function of one variable with its first two derivatives: the law of a spring, the path of a driver, a force over
// time. A value type: cheap to copy, immutable, evaluated without allocation. Units are those of whoever uses it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cardan {

class Function {
 public:
  /// f and its derivatives at one argument.
  struct Value {
    double f = 0, d1 = 0, d2 = 0;
  };
  enum class Interpolation { linear, cubic };
  /// What stands beyond the ends of a table: the value at the end, the straight line along the slope there, or the same
  /// as hold, which ends a run that goes there.
  enum class Beyond { hold, linear, error };

  /// The zero function.
  Function();

  static Function constant(double value);
  /// c0 + c1 x + c2 x^2 + ...
  static Function polynomial(std::vector<double> coefficients);
  /// pieces[i] holds for x < breaks[i], the last one above all breaks (pieces.size() == breaks.size() + 1, breaks
  /// rising).
  static Function piecewise(std::vector<double> breaks, std::vector<Function> pieces);
  /// Through (x[i], y[i]), x rising, at least two; linear or natural cubic spline.
  static Function table(std::vector<double> x, std::vector<double> y, Interpolation interpolation,
                        Beyond beyond = Beyond::hold);
  /// offset + amplitude sin(omega x + phase)
  static Function sine(double amplitude, double omega, double phase = 0, double offset = 0);
  /// y0 below x0, y1 above x1, between them a quintic with zero first and second derivative at both ends.
  static Function smooth_step(double x0, double y0, double x1, double y1);
  /// viscous x + friction that goes from `backward` (x below 0; 0 or less) to `forward` (x above 0; 0 or more):
  ///     m tanh(x / width) + d tanh^2(x / width),   m = (forward - backward) / 2,   d = (forward + backward) / 2
  static Function friction(double viscous, double forward, double backward, double width);
  /// A stop at either end of low <= x <= high, either of which may be infinite: 0 between them, and a depth d beyond
  /// one of them, over which it becomes as stiff as it is, with continuous second derivatives,
  ///     stiffness (d^3/w^2 - d^4/(2 w^3)) up to d = w,   stiffness (d - w/2) from there on,   w = soft
  /// away from the middle positive at the upper end, negative at the lower one: the restoring force of a spring.
  static Function stop(double low, double high, double stiffness, double soft);
  /// An arithmetic expression in `variable`, with named constants. Throws a std::runtime_error that
  /// says what is wrong and at which character.
  static Function expression(const std::string& text, const std::string& variable,
                             const std::map<std::string, double>& constants = {});

  /// A function of a program's own. Whatever thread calls it, it gives the same; it is called in the stepping loop, so
  /// it should not allocate. The integral is by quadrature.
  static Function custom(std::function<Value(double)> law);
  /// The same by its value alone. Derivatives are differences of fourth order over 1/1024 of `scale`, which is how far
  /// x goes until the function has another shape.
  static Function custom(std::function<double(double)> law, double scale = 1);

  /// factors[0] functions[0](x) + factors[1] functions[1](x) + ...; what adds nothing is left out.
  static Function combination(const std::vector<double>& factors, const std::vector<Function>& functions);

  /// factor f(argument_factor x)
  Function scaled(double factor, double argument_factor = 1) const;

  double operator()(double x) const { return evaluate(x).f; }
  Value evaluate(double x) const;
  /// The integral of f from a to b (closed form where there is one, else Gauss-Legendre to rounding on smooth
  /// functions).
  double integral(double a, double b) const;
  bool has_closed_integral() const;
  /// start + the integral of f from 0 to x. Where f has no integral in closed form it is added up here once for x up to
  /// 1000, so that an evaluation integrates over 1/10 at most.
  Function antiderivative(double start) const;
  /// The same twice: its value and its rate at 0 are given.
  Function second_antiderivative(double start, double start_rate) const;
  /// True for the zero function, so that users can leave out what does nothing.
  bool is_zero() const;

  /// A table whose ends are passed at some argument, in terms of that argument.
  struct PassedEnd {
    Beyond beyond;
    double low, high;
  };
  /// The first table that does not reach x, if any; differences of rounding do not count.
  std::optional<PassedEnd> passed_end(double x) const;
  /// True when there is a table in it.
  bool has_table() const;

  struct Node;  // one per kind of function, in src/math/function.cpp

 private:
  explicit Function(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

}  // namespace cardan
