// Functions of one variable: derivatives against differences, integrals against quadrature, and refusal of bad input.
#include "cardan/function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "math/expression.hpp"

namespace cardan {
namespace {

constexpr auto linear = Function::Interpolation::linear;
constexpr auto spline = Function::Interpolation::cubic;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Named {
  const char* name;
  Function function;
};

std::vector<Named> every_kind() {
  const std::vector<double> x = {-2, -1.1, 0.2, 0.9, 2.3}, y = {1, -0.5, 2, 2.5, -1};
  const Function cubic = Function::polynomial({1, -2, 0.5, 3});
  return {
      {"zero", Function()},
      {"constant", Function::constant(-3.5)},
      {"polynomial", cubic},
      {"one coefficient", Function::polynomial({2})},
      {"piecewise", Function::piecewise({-0.51, 0.77}, {cubic, Function::sine(2, 3), Function::polynomial({0, 1})})},
      {"one piece", Function::piecewise({}, {cubic})},
      {"linear table", Function::table(x, y, linear)},
      {"cubic table", Function::table(x, y, spline)},
      {"table that goes on", Function::table(x, y, spline, Function::Beyond::linear)},
      {"two points", Function::table({0, 1}, {1, 3}, spline)},
      {"sine", Function::sine(1.5, 4, 0.3, -0.7)},
      {"sine of zero frequency", Function::sine(1.5, 0, 0.3, -0.7)},
      {"friction", Function::friction(0.3, 1.2, -0.8, 0.7)},
      {"viscous friction", Function::friction(0.3, 0, 0, 0.01)},
      {"smooth step", Function::smooth_step(-1.05, 2, 0.95, -1)},
      {"stop", Function::stop(-0.8, 0.9, 0.7, 0.6)},
      {"stop at one end", Function::stop(-std::numeric_limits<double>::infinity(), 0.4, 0.7, 0.9)},
      {"antiderivative", Function::sine(1.2, 2, 0.1).antiderivative(0.3)},
      {"scaled", cubic.scaled(-2, -0.5)},
      {"scaled argument", Function::sine(1, 2, 0.3).scaled(1, -1)},
      {"combination", Function::combination({0.5, -2, 0, 3}, {cubic, Function::sine(2, 3), cubic, Function()})},
      {"expression", Function::expression("k*sin(t)^2 + exp(-t^2)", "t", {{"k", 0.4}})},
      {"custom", Function::custom([](double x) {
         return Function::Value{std::sin(x), std::cos(x), -std::sin(x)};
       })},
      {"custom value", Function::custom([](double x) { return std::exp(-x * x) + x; })},
  };
}

TEST(Function, DerivativesEqualDifferences) {
  constexpr double h = 1e-3;
  for (const Named& named : every_kind()) {
    const Function& f = named.function;
    for (double x = -3.013; x < 3; x += 0.0917) {
      const auto value = f.evaluate(x);
      EXPECT_EQ(value.f, f(x));
      const double first = (f(x + h) - f(x - h)) / (2 * h), second = (f(x + h) - 2 * f(x) + f(x - h)) / (h * h);
      EXPECT_NEAR(value.d1, first, 3e-4) << named.name << " at " << x;
      EXPECT_NEAR(value.d2, second, 3e-4) << named.name << " at " << x;
    }
  }
}

double simpson(const Function& f, double a, double b) {
  constexpr int n = 40000;
  const double h = (b - a) / n;
  double sum = f(a) + f(b);
  for (int i = 1; i < n; ++i) sum += f(a + i * h) * (i % 2 ? 4 : 2);
  return sum * h / 3;
}

TEST(Function, IntegralsEqualQuadrature) {
  for (const Named& named : every_kind()) {
    const Function& f = named.function;
    for (const auto& [a, b] : {std::pair{-3.0, 3.0}, {-0.3, 0.4}, {2.5, -2.6}, {0.1, 0.1}, {2.4, 3.1}, {-4.0, -2.5}}) {
      EXPECT_NEAR(f.integral(a, b), simpson(f, a, b), 2e-3 * std::abs(b - a) / 6)
          << named.name << " from " << a << " to " << b;
      EXPECT_NEAR(f.integral(a, b), f.integral(a, 0.3) + f.integral(0.3, b), 1e-12) << named.name;
      EXPECT_NEAR(f.integral(a, b), -f.integral(b, a), 1e-13) << named.name;
    }
  }
}

TEST(Function, ClosedFormsAreExact) {
  EXPECT_NEAR(Function::expression("cos(t)", "t").integral(0, 1), std::sin(1.0), 1e-15);
  EXPECT_NEAR(Function::expression("exp(-t^2)", "t").integral(-8, 8), std::sqrt(std::acos(-1.0)), 1e-14);
  EXPECT_NEAR(Function::expression("t > 0.3 ? 1 : 0", "t").integral(-1, 1), 0.7, 1e-13);
  EXPECT_NEAR(Function::expression("abs(t-0.1)", "t").integral(0, 1), 0.41, 1e-14);
  EXPECT_NEAR(Function::sine(2, 3, 0.1).integral(1, 4), 2.0 / 3 * (std::cos(3.1) - std::cos(12.1)), 1e-14);
  // Nothing is lost between two close arguments far from zero.
  const double a = 1e4, b = a + 1.0 / 1024;
  EXPECT_DOUBLE_EQ(Function::polynomial({0, 0, 0, 1}).integral(a, b), (b - a) * (a + b) * (a * a + b * b) / 4);
  EXPECT_NEAR(Function::sine(1, 1e-9).integral(0, 1), 0.5e-9, 1e-24);
}

// Differences of fourth order: 1e-12 of the first derivative, and of the second what rounding leaves.
TEST(Function, CustomIsKnownByItsValueAlone) {
  for (const double scale : {1e-3, 1.0, 50.0}) {
    const Function f = Function::custom([scale](double x) { return std::sin(x / scale); }, scale);
    for (double x = -3 * scale; x < 3 * scale; x += 0.17 * scale) {
      const Function::Value value = f.evaluate(x);
      EXPECT_EQ(value.f, std::sin(x / scale));
      EXPECT_NEAR(value.d1 * scale, std::cos(x / scale), 2e-12);
      EXPECT_NEAR(value.d2 * scale * scale, -std::sin(x / scale), 1e-8);
    }
    EXPECT_NEAR(f.integral(0, scale) / scale, 1 - std::cos(1.0), 1e-14);
  }
  EXPECT_THROW(Function::custom(std::function<double(double)>()), std::invalid_argument);
  EXPECT_THROW(Function::custom([](double x) { return x; }, 0), std::invalid_argument);
}

TEST(Function, QuadratureEndsOnWildFunctions) {
  EXPECT_TRUE(std::isfinite(Function::expression("mod(sin(t*1e7)*1e6, 1)", "t").integral(0, 1)));
  EXPECT_FALSE(std::isfinite(Function::expression("sqrt(t)", "t").integral(-1, 1)));
}

TEST(Function, TablePassesThroughItsPoints) {
  const std::vector<double> x = {0, 1, 2.5, 4}, y = {1, 2, -1, 0};
  for (const auto kind : {linear, spline}) {
    const Function f = Function::table(x, y, kind);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(f(x[i]), y[i], 1e-14);
  }
  const Function f = Function::table(x, y, spline);
  EXPECT_NEAR(f.evaluate(0).d2, 0, 1e-14);
  EXPECT_NEAR(f.evaluate(4 - 1e-12).d2, 0, 1e-9);
  for (const double knot : {1.0, 2.5}) {  // twice continuously differentiable
    EXPECT_NEAR(f.evaluate(knot - 1e-10).d1, f.evaluate(knot).d1, 1e-8);
    EXPECT_NEAR(f.evaluate(knot - 1e-10).d2, f.evaluate(knot).d2, 1e-8);
  }
}

TEST(Function, TableHoldsBeyondItsEndsUnlessToldToGoOn) {
  const std::vector<double> x = {0, 1, 2.5, 4}, y = {1, 2, -1, 0.5};
  for (const auto kind : {linear, spline}) {
    const Function held = Function::table(x, y, kind), straight = Function::table(x, y, kind, Function::Beyond::linear);
    const Function error = Function::table(x, y, kind, Function::Beyond::error);
    for (const Function& f : {held, error}) {
      for (const auto& [at, end] : {std::pair{-1.0, 1.0}, std::pair{7.0, 0.5}}) {
        EXPECT_EQ(f(at), end);
        EXPECT_EQ(f.evaluate(at).d1, 0);
        EXPECT_EQ(f.evaluate(at).d2, 0);
      }
      EXPECT_NEAR(f.integral(-2, 0), 2 * 1, 1e-14);
      EXPECT_NEAR(f.integral(4, 7), 3 * 0.5, 1e-14);
    }
    EXPECT_NEAR(straight.evaluate(5).d1, straight.evaluate(4).d1, 1e-14);
    EXPECT_NEAR(straight(5), 0.5 + straight.evaluate(4).d1, 1e-14);
    EXPECT_NEAR(straight(-1), 1 - straight.evaluate(0).d1, 1e-14);
    // A sum of time steps that ends a little beside the end has the velocity of the path, not that of rest.
    for (const double at : {4.0, 4 + 1e-12, 0.0, -1e-12}) {
      EXPECT_NEAR(held.evaluate(at).d1, straight.evaluate(at).d1, 1e-10) << at;
      EXPECT_FALSE(held.passed_end(at)) << at;
    }
  }
}

TEST(Function, TellsWhichTableEnds) {
  const Function table = Function::table({1, 3}, {0, 5}, linear, Function::Beyond::error);
  EXPECT_TRUE(table.has_table());
  ASSERT_TRUE(table.passed_end(3.5));
  EXPECT_EQ(table.passed_end(3.5)->beyond, Function::Beyond::error);
  EXPECT_EQ(table.passed_end(0.5)->low, 1);
  EXPECT_EQ(table.passed_end(0.5)->high, 3);
  EXPECT_FALSE(table.passed_end(2));
  // A piece is asked where it holds; an argument that is scaled, in its own units.
  const Function pieces = Function::piecewise({2}, {Function::constant(1), table});
  EXPECT_FALSE(pieces.passed_end(0));
  EXPECT_TRUE(pieces.passed_end(4));
  const Function mirrored = table.scaled(2, -0.5);
  EXPECT_FALSE(mirrored.passed_end(-4));
  ASSERT_TRUE(mirrored.passed_end(4));
  EXPECT_EQ(mirrored.passed_end(4)->low, -6);
  EXPECT_EQ(mirrored.passed_end(4)->high, -2);
  const Function sum = Function::combination({1, 2}, {Function::sine(1, 1), table});
  EXPECT_TRUE(sum.has_table());
  EXPECT_TRUE(sum.passed_end(9));
  EXPECT_FALSE(Function::sine(1, 1).passed_end(1e9));
  EXPECT_FALSE(Function::combination({1, 1}, {Function::sine(1, 1), Function::sine(2, 1)}).has_table());
}

TEST(Function, PiecesHoldFromTheirBreakOn) {
  const Function f = Function::piecewise({1}, {Function::constant(2), Function::constant(3)});
  EXPECT_EQ(f(0.999), 2);
  EXPECT_EQ(f(1), 3);
}

TEST(Function, ZeroIsRecognized) {
  EXPECT_TRUE(Function().is_zero());
  EXPECT_TRUE(Function::constant(0).is_zero());
  EXPECT_TRUE(Function::polynomial({0, 0}).is_zero());
  EXPECT_TRUE(Function::sine(0, 3).is_zero());
  EXPECT_TRUE(Function::smooth_step(0, 0, 1, 0).is_zero());
  EXPECT_TRUE(Function::table({0, 1, 2}, {0, 0, 0}, spline).is_zero());
  EXPECT_TRUE(Function::piecewise({1}, {Function(), Function::constant(0)}).is_zero());
  EXPECT_TRUE(Function::expression("0*3", "t").is_zero());
  for (const Named& named : every_kind()) EXPECT_EQ(named.function.is_zero(), std::string(named.name) == "zero");
}

TEST(Function, ScaledAndCombined) {
  const Function f = Function::polynomial({1, 2, 3}), g = Function::sine(2, 3);
  const Function sum = Function::combination({2, -0.5}, {f, g});
  for (const double x : {-1.3, 0.0, 0.7}) {
    EXPECT_EQ(f.scaled(-1, -1)(x), -f(-x));
    EXPECT_EQ(sum(x), 2 * f(x) - 0.5 * g(x));
  }
  EXPECT_TRUE(Function::combination({0, 1}, {f, Function()}).is_zero());
  EXPECT_TRUE(f.scaled(0).is_zero());
  EXPECT_FALSE(sum.is_zero());
  EXPECT_THROW(f.scaled(1, 0), std::invalid_argument);
  EXPECT_THROW(Function::combination({1}, {f, g}), std::invalid_argument);
  EXPECT_THROW(Function::combination({nan}, {f}), std::invalid_argument);
}

TEST(Function, BadInputIsRefused) {
  const Function one = Function::constant(1);
  EXPECT_THROW(Function::constant(nan), std::invalid_argument);
  EXPECT_THROW(Function::polynomial({}), std::invalid_argument);
  EXPECT_THROW(Function::polynomial({1, nan}), std::invalid_argument);
  EXPECT_THROW(Function::piecewise({1, 1}, {one, one, one}), std::invalid_argument);
  EXPECT_THROW(Function::piecewise({2, 1}, {one, one, one}), std::invalid_argument);
  EXPECT_THROW(Function::piecewise({1}, {one}), std::invalid_argument);
  EXPECT_THROW(Function::piecewise({nan}, {one, one}), std::invalid_argument);
  EXPECT_THROW(Function::table({0}, {1}, linear), std::invalid_argument);
  EXPECT_THROW(Function::table({0, 1}, {1}, linear), std::invalid_argument);
  EXPECT_THROW(Function::table({0, 0}, {1, 2}, spline), std::invalid_argument);
  EXPECT_THROW(Function::table({0, 1}, {1, nan}, spline), std::invalid_argument);
  EXPECT_THROW(Function::sine(1, nan), std::invalid_argument);
  EXPECT_THROW(Function::smooth_step(1, 0, 1, 2), std::invalid_argument);
  EXPECT_THROW(Function::smooth_step(1, 0, 0, 2), std::invalid_argument);
  EXPECT_THROW(Function::stop(1, 1, 2, 0.1), std::invalid_argument);
  EXPECT_THROW(Function::stop(0, 1, -2, 0.1), std::invalid_argument);
  EXPECT_THROW(Function::stop(0, 1, 2, 0), std::invalid_argument);
  EXPECT_THROW(one.antiderivative(nan), std::invalid_argument);
  EXPECT_THROW(Function::expression("2*s", "t"), ExpressionError);
}

}  // namespace
}  // namespace cardan
