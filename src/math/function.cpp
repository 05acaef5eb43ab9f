// The kinds of functions behind Function. Each is immutable after its construction and evaluates without allocation.
#include "cardan/function.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "math/antiderivative.hpp"
#include "math/expression.hpp"
#include "math/function_node.hpp"
#include "math/quadrature.hpp"
#include "math/stop_function.hpp"
#include "math/table_function.hpp"

namespace cardan {

namespace {

using Value = Function::Value;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool all_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

bool rising(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), [](double a, double b) { return !(a < b); }) == values.end();
}

bool any_has_table(const std::vector<Function>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const Function& f) { return f.has_table(); });
}

bool all_closed(const std::vector<Function>& functions) {
  return std::all_of(functions.begin(), functions.end(), [](const Function& f) { return f.has_closed_integral(); });
}

struct Constant final : Function::Node {
  explicit Constant(double value) : value(value) {}
  Value evaluate(double) const override { return {value, 0, 0}; }
  double integral(double a, double b) const override { return value * (b - a); }
  bool is_zero() const override { return value == 0; }
  double value;
};

struct Polynomial final : Function::Node {
  explicit Polynomial(std::vector<double> coefficients) : c(std::move(coefficients)) {}

  // Horner's rule, carried along for both derivatives.
  Value evaluate(double x) const override {
    double f = 0, d1 = 0, half_d2 = 0;
    for (std::size_t k = c.size(); k-- > 0;) {
      half_d2 = half_d2 * x + d1;
      d1 = d1 * x + f;
      f = f * x + c[k];
    }
    return {f, d1, 2 * half_d2};
  }

  // With (b^(k+1) - a^(k+1)) / (b - a) = sum_j b^j a^(k-j), so that nothing cancels when a and b are close.
  double integral(double a, double b) const override {
    double sum = 0, power_of_a = 1, mixed_powers = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      mixed_powers = mixed_powers * b + power_of_a;
      power_of_a *= a;
      sum += c[k] / static_cast<double>(k + 1) * mixed_powers;
    }
    return sum * (b - a);
  }

  bool is_zero() const override { return all_zero(c); }
  std::vector<double> c;
};

struct Piecewise final : Function::Node {
  Piecewise(std::vector<double> breaks, std::vector<Function> pieces)
      : breaks(std::move(breaks)), pieces(std::move(pieces)) {}

  std::size_t piece_at(double x) const { return std::upper_bound(breaks.begin(), breaks.end(), x) - breaks.begin(); }

  Value evaluate(double x) const override { return pieces[piece_at(x)].evaluate(x); }

  double integral(double a, double b) const override {
    if (b < a) return -integral(b, a);
    double sum = 0;
    for (std::size_t i = piece_at(a), last = piece_at(b); i <= last; ++i) {
      const double end = i == last ? b : breaks[i];
      sum += pieces[i].integral(a, end);
      a = end;
    }
    return sum;
  }

  bool is_zero() const override {
    return std::all_of(pieces.begin(), pieces.end(), [](const Function& piece) { return piece.is_zero(); });
  }
  std::optional<Function::PassedEnd> passed_end(double x) const override { return pieces[piece_at(x)].passed_end(x); }
  bool has_table() const override { return any_has_table(pieces); }
  bool has_closed_integral() const override { return all_closed(pieces); }

  std::vector<double> breaks;
  std::vector<Function> pieces;
};

struct Sine final : Function::Node {
  Sine(double amplitude, double omega, double phase, double offset)
      : amplitude(amplitude), omega(omega), phase(phase), offset(offset) {}

  Value evaluate(double x) const override {
    const double angle = omega * x + phase, s = amplitude * std::sin(angle), c = amplitude * std::cos(angle);
    return {offset + s, omega * c, -omega * omega * s};
  }

  // The difference of cosines as a product: exact for small omega (b - a) too.
  double integral(double a, double b) const override {
    const double half_angle = omega * (b - a) / 2;
    const double mean =
        std::sin(omega * (a + b) / 2 + phase) * (half_angle == 0 ? 1 : std::sin(half_angle) / half_angle);
    return (offset + amplitude * mean) * (b - a);
  }

  bool is_zero() const override { return amplitude == 0 && offset == 0; }
  double amplitude, omega, phase, offset;
};

struct SmoothStep final : Function::Node {
  SmoothStep(double x0, double y0, double x1, double y1) : x0(x0), width(x1 - x0), y0(y0), rise(y1 - y0) {}

  // S(s) = 10 s^3 - 15 s^4 + 6 s^5
  Value evaluate(double x) const override {
    const double s = (x - x0) / width;
    if (s <= 0) return {y0, 0, 0};
    if (s >= 1) return {y0 + rise, 0, 0};
    return {y0 + rise * s * s * s * (10 + s * (6 * s - 15)), rise / width * 30 * s * s * (1 - s) * (1 - s),
            rise / (width * width) * 60 * s * (1 - s) * (1 - 2 * s)};
  }

  static double antiderivative(double s) {
    if (s <= 0) return 0;
    if (s >= 1) return s - 0.5;
    return s * s * s * s * (2.5 + s * (s - 3));
  }

  double integral(double a, double b) const override {
    return y0 * (b - a) + rise * width * (antiderivative((b - x0) / width) - antiderivative((a - x0) / width));
  }

  bool is_zero() const override { return y0 == 0 && rise == 0; }
  double x0, width, y0, rise;
};

// Smooth, of the sign of x everywhere, and within 1 % of its levels from 3 widths on.
struct Friction final : Function::Node {
  Friction(double viscous, double forward, double backward, double width)
      : viscous(viscous), mean((forward - backward) / 2), difference((forward + backward) / 2), width(width) {}

  Value evaluate(double x) const override {
    const double t = std::tanh(x / width), slope = (1 - t * t) / width;
    return {viscous * x + t * (mean + difference * t), viscous + (mean + 2 * difference * t) * slope,
            2 * slope * (difference * slope - t * (mean + 2 * difference * t) / width)};
  }

  // ln cosh y = |y| + ln(1 + e^(-2|y|)) - ln 2, without overflow
  double antiderivative(double x) const {
    const double y = std::abs(x / width);
    return viscous * x * x / 2 + mean * width * (y + std::log1p(std::exp(-2 * y))) +
           difference * (x - width * std::tanh(x / width));
  }
  double integral(double a, double b) const override { return antiderivative(b) - antiderivative(a); }

  bool is_zero() const override { return viscous == 0 && mean == 0 && difference == 0; }
  double viscous, mean, difference, width;
};

struct Scaled final : Function::Node {
  Scaled(Function function, double factor, double argument_factor)
      : function(std::move(function)), a(factor), b(argument_factor) {}
  Value evaluate(double x) const override {
    const Value value = function.evaluate(b * x);
    return {a * value.f, a * b * value.d1, a * b * b * value.d2};
  }
  double integral(double from, double to) const override { return a / b * function.integral(b * from, b * to); }
  bool is_zero() const override { return function.is_zero(); }
  std::optional<Function::PassedEnd> passed_end(double x) const override {
    auto end = function.passed_end(b * x);
    if (end) std::tie(end->low, end->high) = std::minmax({end->low / b, end->high / b});
    return end;
  }
  bool has_table() const override { return function.has_table(); }
  bool has_closed_integral() const override { return function.has_closed_integral(); }
  Function function;
  double a, b;
};

struct Combination final : Function::Node {
  explicit Combination(std::vector<Function> terms) : terms(std::move(terms)) {}
  Value evaluate(double x) const override {
    Value sum;
    for (const Function& term : terms) {
      const Value value = term.evaluate(x);
      sum.f += value.f;
      sum.d1 += value.d1;
      sum.d2 += value.d2;
    }
    return sum;
  }
  double integral(double from, double to) const override {
    double sum = 0;
    for (const Function& term : terms) sum += term.integral(from, to);
    return sum;
  }
  bool is_zero() const override { return false; }  // zero terms are left out when it is made
  std::optional<Function::PassedEnd> passed_end(double x) const override {
    for (const Function& term : terms)
      if (const auto end = term.passed_end(x)) return end;
    return std::nullopt;
  }
  bool has_table() const override { return any_has_table(terms); }
  bool has_closed_integral() const override { return all_closed(terms); }
  std::vector<Function> terms;
};

struct ExpressionNode final : Function::Node {
  explicit ExpressionNode(Expression compiled) : expression(std::move(compiled)) {}
  Value evaluate(double x) const override { return expression.evaluate_jet(x); }
  double integral(double a, double b) const override {
    return integrate([this](double x) { return expression.evaluate({&x, 1}); }, a, b);
  }
  bool is_zero() const override { return false; }
  bool has_closed_integral() const override { return false; }
  Expression expression;
};

struct Custom final : Function::Node {
  explicit Custom(std::function<Value(double)> law) : law(std::move(law)) {}
  Value evaluate(double x) const override { return law(x); }
  double integral(double a, double b) const override {
    return integrate([this](double x) { return law(x).f; }, a, b);
  }
  bool is_zero() const override { return false; }
  bool has_closed_integral() const override { return false; }
  std::function<Value(double)> law;
};

// f' = (8 (f1 - f-1) - (f2 - f-2)) / 12 h + O(h^4),   f'' = (16 (f1 + f-1) - (f2 + f-2) - 30 f) / 12 h^2 + O(h^4)
struct CustomValue final : Function::Node {
  CustomValue(std::function<double(double)> law, double h) : law(std::move(law)), h(h) {}
  Value evaluate(double x) const override {
    const double f = law(x), right = law(x + h), left = law(x - h), far_right = law(x + 2 * h),
                 far_left = law(x - 2 * h);
    return {f, (8 * (right - left) - (far_right - far_left)) / (12 * h),
            (16 * (right + left) - (far_right + far_left) - 30 * f) / (12 * h * h)};
  }
  double integral(double a, double b) const override { return integrate(law, a, b); }
  bool is_zero() const override { return false; }
  bool has_closed_integral() const override { return false; }
  std::function<double(double)> law;
  double h;
};

}  // namespace

Function::Function() {
  static const auto zero = std::make_shared<Constant>(0.0);
  node_ = zero;
}

Function Function::constant(double value) {
  require(std::isfinite(value), "a constant function needs a finite value");
  return Function(std::make_shared<Constant>(value));
}

Function Function::polynomial(std::vector<double> coefficients) {
  require(!coefficients.empty(), "a polynomial needs at least one coefficient");
  require(all_finite(coefficients), "the coefficients of a polynomial must be finite");
  return Function(std::make_shared<Polynomial>(std::move(coefficients)));
}

Function Function::piecewise(std::vector<double> breaks, std::vector<Function> pieces) {
  require(pieces.size() == breaks.size() + 1, "a piecewise function needs one piece more than it has breaks");
  require(all_finite(breaks), "the breaks of a piecewise function must be finite");
  require(rising(breaks), "the breaks of a piecewise function must rise from each to the next");
  return Function(std::make_shared<Piecewise>(std::move(breaks), std::move(pieces)));
}

Function Function::table(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Beyond beyond) {
  require(x.size() == y.size(), "a table needs as many y as x");
  require(x.size() >= 2, "a table needs at least two points");
  require(all_finite(x) && all_finite(y), "the points of a table must be finite");
  require(rising(x), "the x of a table must rise from each to the next");
  const std::vector<double> curvature =
      interpolation == Interpolation::cubic ? natural_spline_curvature(x, y) : std::vector<double>(x.size(), 0.0);
  return Function(std::make_shared<TableFunction>(std::move(x), y, curvature, beyond));
}

Function Function::sine(double amplitude, double omega, double phase, double offset) {
  require(all_finite({amplitude, omega, phase, offset}), "amplitude, omega, phase and offset of a sine must be finite");
  return Function(std::make_shared<Sine>(amplitude, omega, phase, offset));
}

Function Function::smooth_step(double x0, double y0, double x1, double y1) {
  require(all_finite({x0, y0, x1, y1}), "the points of a smooth step must be finite");
  require(x0 < x1, "a smooth step needs x0 below x1");
  return Function(std::make_shared<SmoothStep>(x0, y0, x1, y1));
}

Function Function::friction(double viscous, double forward, double backward, double width) {
  require(all_finite({viscous, forward, backward, width}), "the numbers of a friction law must be finite");
  require(viscous >= 0 && forward >= 0 && backward <= 0,
          "friction opposes the motion: viscous, forward >= 0 >= backward");
  require(width > 0, "a friction law needs a width above 0");
  return Function(std::make_shared<Friction>(viscous, forward, backward, width));
}

Function Function::stop(double low, double high, double stiffness, double soft) {
  require(low < high, "a stop needs ends that rise");
  require(all_finite({stiffness, soft}) && stiffness >= 0, "the stiffness of a stop must be finite and not negative");
  require(soft > 0, "a stop becomes stiff over a depth above 0");
  return Function(std::make_shared<Stop>(low, high, stiffness, soft));
}

Function Function::antiderivative(double start) const {
  require(std::isfinite(start), "an antiderivative starts at a finite value");
  return Function(std::make_shared<Antiderivative>(*this, start));
}

Function Function::second_antiderivative(double start, double start_rate) const {
  require(std::isfinite(start) && std::isfinite(start_rate), "an antiderivative starts at finite values");
  return Function(std::make_shared<SecondAntiderivative>(*this, start, start_rate));
}

Function Function::expression(const std::string& text, const std::string& variable,
                              const std::map<std::string, double>& constants) {
  Expression compiled = Expression::compile(text, {variable}, constants);
  if (compiled.is_constant()) return Function(std::make_shared<Constant>(compiled.evaluate_jet(0).f));
  return Function(std::make_shared<ExpressionNode>(std::move(compiled)));
}

Function Function::custom(std::function<Value(double)> law) {
  require(law != nullptr, "a function of your own needs a law");
  return Function(std::make_shared<Custom>(std::move(law)));
}

Function Function::custom(std::function<double(double)> law, double scale) {
  require(law != nullptr, "a function of your own needs a law");
  require(std::isfinite(scale) && scale > 0, "the scale of a function of your own must be above 0");
  return Function(std::make_shared<CustomValue>(std::move(law), scale / 1024));
}

Function Function::combination(const std::vector<double>& factors, const std::vector<Function>& functions) {
  require(factors.size() == functions.size(), "a combination needs as many factors as functions");
  require(all_finite(factors), "the factors of a combination must be finite");
  std::vector<Function> terms;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (factors[i] != 0 && !functions[i].is_zero()) terms.push_back(functions[i].scaled(factors[i]));
  if (terms.empty()) return Function();
  if (terms.size() == 1) return terms[0];
  return Function(std::make_shared<Combination>(std::move(terms)));
}

Function Function::scaled(double factor, double argument_factor) const {
  require(std::isfinite(factor) && std::isfinite(argument_factor) && argument_factor != 0,
          "a function is scaled by finite factors, its argument not by 0");
  if (factor == 0) return Function();
  if (factor == 1 && argument_factor == 1) return *this;
  return Function(std::make_shared<Scaled>(*this, factor, argument_factor));
}

Value Function::evaluate(double x) const { return node_->evaluate(x); }
double Function::integral(double a, double b) const { return node_->integral(a, b); }
bool Function::has_closed_integral() const { return node_->has_closed_integral(); }
bool Function::is_zero() const { return node_->is_zero(); }
std::optional<Function::PassedEnd> Function::passed_end(double x) const { return node_->passed_end(x); }
bool Function::has_table() const { return node_->has_table(); }

}  // namespace cardan
