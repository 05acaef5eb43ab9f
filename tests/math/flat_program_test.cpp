// Many expressions in one program: values as each gives by itself, derivatives as differences and as slopes give them,
// what is shared and folded, calls.
#include "math/flat_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/expression.hpp"

namespace cardan {
namespace {

using Sum = FlatProgram::Sum;

/// Expressions of x, y, z in one program.
struct Compiled {
  FlatProgram program;
  std::vector<Sum> inputs;
  std::vector<Expression> expressions;
  std::vector<double> place, slope;

  explicit Compiled(const std::vector<std::string>& texts) {
    for (int i = 0; i < 3; ++i) inputs.push_back(program.add_input());
    for (const std::string& text : texts) {
      expressions.push_back(Expression::compile(text, {"x", "y", "z"}));
      program.add_result(program.add(expressions.back().instructions(), inputs));
    }
    program.finish();
    place = program.initial();
    slope.resize(place.size());
  }

  void evaluate(const std::vector<double>& values) {
    for (std::size_t i = 0; i < 3; ++i) place[static_cast<std::size_t>(inputs[i].terms[0].place)] = values[i];
    program.evaluate(place.data(), [](int, const std::vector<int>&, int) { return 0.0; });
  }

  std::vector<double> gradient(int result) {
    for (const int input : program.inputs_of(result)) slope[input] = std::nan("");  // of which nothing may be left
    program.differentiate(result, place.data(), nullptr, slope.data());
    std::vector<double> gradient(3, 0.0);
    for (const int input : program.inputs_of(result))
      gradient[static_cast<std::size_t>(input)] = slope[static_cast<std::size_t>(input)];
    return gradient;
  }
};

const std::vector<std::string> kTexts = {
    "3*(x - 2) + y/4 - z",
    "x*y*z",
    "sin(x)*cos(y) + tan(z/9)",
    "asin(x/9) + acos(y/9) + atan(z)",
    "sinh(x/3) - cosh(y/3)*tanh(z)",
    "exp(x/2) + log(y) + log10(z)",
    "sqrt(x*x + y^2) - abs(z - 9)",
    "x^3 + y^-2 + z^1 + (x + y)^0",
    "x^y + 2^z",
    "atan2(x, y - z)",
    "min(x, y, 2*z) + max(x - 1, y)",
    "min(max(x - y, -0.4), 0.5*z)",
    "max(min(2*x, y + 1), z) + min(1 + max(x, y), z)",
    "(x > y ? sin(z) : y) + (y < z ? x/z : z*z) + (x > y)*z",
    "mod(x + 3*y, 1.7)",
    "x > y ? x*x : y*z",
    "(x > 1 ? (y > 1 ? x*y : sin(y)) : x/z)*3 + x",
    "sign(x) + floor(y) + ceil(z) + step(x)",
    "(x < y) + (x <= y)*z + (x == y) + (x != y)*2 + (x >= y)*x + (x > y)",
    "x/y/z",
    "-(x - -y)*-2",
    "(x + y)*(x + y)*sin(x + y)",
    "4",
    "0*x + 1",
};

TEST(FlatProgram, ValuesAndDerivativesAreThoseOfTheExpressions) {
  Compiled all(kTexts);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0.2, 3);
  int compared = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<double> at = {number(random), number(random), number(random)};
    all.evaluate(at);
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      const int result = static_cast<int>(i);
      double slopes[3];
      const double value = all.expressions[i].evaluate_gradient(at, slopes);
      EXPECT_NEAR(all.program.value(result, all.place.data()), value, 1e-13 * (1 + std::abs(value))) << kTexts[i];
      const std::vector<double> gradient = all.gradient(result);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(gradient[j], slopes[j], 1e-12 * (1 + std::abs(slopes[j]))) << kTexts[i];
        constexpr double kStep = 1e-6;
        std::vector<double> up = at, down = at;
        up[j] += kStep, down[j] -= kStep;
        const double above = all.expressions[i].evaluate(up), below = all.expressions[i].evaluate(down);
        if (std::abs(above - below) > 0.01) continue;  // a jump
        EXPECT_NEAR(gradient[j], (above - below) / (2 * kStep), 1e-7 * (1 + std::abs(gradient[j]))) << kTexts[i];
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 40 * 3 * 20);
}

/// Of a thousand linear expressions and their sum nothing is left but one sum over the inputs.
TEST(FlatProgram, WhatIsLinearIsOneSum) {
  FlatProgram program;
  const std::vector<Sum> inputs = {program.add_input(), program.add_input()};
  const Expression one = Expression::compile("3*(x - 1) + y/2", {"x", "y"}),
                   two = Expression::compile("x + y", {"x", "y"});
  Sum total;
  for (int i = 0; i < 1000; ++i)
    total = program.add(two.instructions(), {total, program.add(one.instructions(), inputs)});
  EXPECT_EQ(program.places(), 2);
  EXPECT_EQ(total.terms.size(), 2u);
  EXPECT_DOUBLE_EQ(total.terms[0].factor, 3000);
  EXPECT_DOUBLE_EQ(total.constant, -3000);
}

TEST(FlatProgram, WhatIsSaidTwiceIsComputedOnce) {
  const Compiled once({"sin(x + y)*z"}), twice({"sin(x + y)*z", "2*sin(x + y)*z + 1", "z*4*sin(y + x) - sin(x + y)"});
  EXPECT_EQ(twice.program.places(), once.program.places());
}

/// As with slopes: what does not vary has no derivative, not an infinite one.
TEST(FlatProgram, WhatDoesNotVaryHasNoDerivative) {
  Compiled all({"sqrt(0*x)", "sqrt(abs(x))", "x > 0 ? sqrt(x) : 0*y", "(0*x - 2)^2"});
  all.evaluate({0, 1, 2});
  for (int i = 0; i < 4; ++i)
    for (const double derivative : all.gradient(i)) EXPECT_EQ(derivative, 0) << i;
}

/// What is no expression: f = 3 a b, called with what the program has made of its inputs.
TEST(FlatProgram, CallsAreDifferentiatedByTheirPartials) {
  FlatProgram program;
  const std::vector<Sum> inputs = {program.add_input(), program.add_input()};
  const Expression one = Expression::compile("2*x + y", {"x", "y"}), two = Expression::compile("x*y", {"x", "y"});
  const Sum called = program.add_call(7, {program.add(one.instructions(), inputs), inputs[1]});
  const int result = program.add_result(program.add(two.instructions(), {called, inputs[0]}));  // 3 (2 x + y) y x
  program.finish();
  std::vector<double> place = program.initial(), slope(place.size()),
                      partial(static_cast<std::size_t>(program.partials()));
  ASSERT_EQ(partial.size(), 2u);
  place[0] = 2, place[1] = 5;
  program.evaluate(place.data(), [&](int tag, const std::vector<int>& arguments, int first) {
    EXPECT_EQ(tag, 7);
    const double a = place[static_cast<std::size_t>(arguments[0])], b = place[static_cast<std::size_t>(arguments[1])];
    partial[static_cast<std::size_t>(first)] = 3 * b, partial[static_cast<std::size_t>(first) + 1] = 3 * a;
    return 3 * a * b;
  });
  EXPECT_DOUBLE_EQ(program.value(result, place.data()), 3 * 9 * 5 * 2);
  program.differentiate(result, place.data(), partial.data(), slope.data());
  EXPECT_DOUBLE_EQ(slope[0], 3 * 5 * (4 * 2 + 5));
  EXPECT_DOUBLE_EQ(slope[1], 3 * 2 * (2 * 2 + 2 * 5));
}

}  // namespace
}  // namespace cardan
