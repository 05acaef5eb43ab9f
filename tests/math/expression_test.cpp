// Expressions: meaning (precedence, functions), exact derivatives, the wording and place of errors, and absurd input.
#include "math/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan {
namespace {

const std::map<std::string, double> kNames = {{"L", 2.0}, {"omega", 3.0}, {"front.k", 5.0}};

struct Case {
  const char* text;
  double value;
};

TEST(Expression, PrecedenceAndFunctions) {
  const Case cases[] = {
      {"1", 1},
      {" 1e-3 ", 1e-3},
      {".5", 0.5},
      {"5.", 5},
      {"1.5E+2", 150},
      {"2+3*4", 14},
      {"(2+3)*4", 20},
      {"10-4-3", 3},
      {"16/4/2", 2},
      {"2*3/4*2", 3},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^3^2", 512},
      {"2^-1", 0.5},
      {"2^-1^2", 0.5},
      {"-2^-2", -0.25},
      {"3--2", 5},
      {"3-+2", 1},
      {"--3", 3},
      {"2*-3", -6},
      {"8^(1/3)", 2},
      {"1 < 2", 1},
      {"1+1 > 2", 0},
      {"2 <= 2", 1},
      {"2 >= 3", 0},
      {"2 == 2", 1},
      {"2 != 2", 0},
      {"1 < 2 ? 10 : 20", 10},
      {"1 > 2 ? 10 : 20", 20},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 0 ? 2 : 4 : 3", 4},
      {"(0 ? 1 : 2) + 3", 5},
      {"-(1 ? 1 : 2)*10", -10},
      {"2^(0 ? 1 : 3)", 8},
      {"if(L > 1, 7, 8) + 1", 8},
      {"if(L > 3, 7, 8) + 1", 9},
      {"sin(pi/2)", 1},
      {"cos(0)", 1},
      {"tan(pi/4)", 1},
      {"asin(1)*2", std::numbers::pi},
      {"acos(-1)", std::numbers::pi},
      {"atan(1)*4", std::numbers::pi},
      {"atan2(-1, -1)", -0.75 * std::numbers::pi},
      {"sinh(1)^2", std::sinh(1) * std::sinh(1)},
      {"cosh(1)", std::cosh(1)},
      {"tanh(1)", std::tanh(1)},
      {"exp(1)-e", 0},
      {"log(e)", 1},
      {"log10(1000)", 3},
      {"sqrt(2)^2", 2},
      {"abs(-3)", 3},
      {"sign(-3) + sign(0)", -1},
      {"min(3, 1, 2)", 1},
      {"max(3, 1)", 3},
      {"floor(-1.5)", -2},
      {"ceil(-1.5)", -1},
      {"mod(7, 3)", 1},
      {"mod(-1, 3)", 2},
      {"step(0) + step(-1)", 1},
      {"L/2*front.k\n + omega", 8},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(evaluate_constant(c.text, kNames), c.value, 1e-14 * (1 + std::abs(c.value))) << c.text;
  }
}

TEST(Expression, GivenNamesGoBeforePiAndE) { EXPECT_EQ(evaluate_constant("2*e", {{"e", 0.5}}), 1.0); }

TEST(Expression, SeveralVariables) {
  const Expression expression = Expression::compile("x*L + y > 3 ? x : y", {"x", "y"}, kNames);
  const double high[] = {4, 1}, low[] = {0.5, 1};
  EXPECT_EQ(expression.evaluate(high), 4.0);
  EXPECT_EQ(expression.evaluate(low), 1.0);
  EXPECT_FALSE(expression.is_constant());
  EXPECT_TRUE(Expression::compile("sin(L)*2+1", {"x"}, kNames).is_constant());
}

TEST(Expression, JetsEqualDifferences) {
  const char* texts[] = {
      "x",
      "3",
      "x*x - 2*x",
      "1/x",
      "x^2",
      "x^3",
      "x^-2",
      "x^2.5",
      "2^x",
      "x^x",
      "(x+1)^7",
      "x^9",
      "sin(3*x)",
      "cos(x^2)",
      "tan(x/2)",
      "asin(x/3)",
      "acos(x/3)",
      "atan(x)",
      "atan2(x, 2-x)",
      "atan2(sin(x), -cos(x))",
      "sinh(x)",
      "cosh(2*x)",
      "tanh(x)",
      "exp(-x^2)",
      "log(1+x)",
      "log10(x)",
      "sqrt(1+x)",
      "abs(x-3)*x",
      "min(x, 2)*x",
      "max(x^2, 2, x)",
      "mod(x, 0.7)",
      "mod(5, x)",
      "x > 1 ? sin(x) : cos(x)",
      "if(x > 1, x^3, x)",
      "floor(x)*x",
      "ceil(x)+x^2",
      "sign(x)*x^2",
      "step(x)*x",
      "(x < 2) * x^2",
      "sin(x)/x + exp(x)*tanh(x/2)",
  };
  for (const char* text : texts) {
    const Expression expression = Expression::compile(text, {"x"});
    for (const double x : {0.31, 0.83, 1.27, 1.93}) {
      constexpr double h = 1e-3;
      const auto value = expression.evaluate_jet(x);
      const auto f = [&](double at) { return expression.evaluate({&at, 1}); };
      EXPECT_DOUBLE_EQ(value.f, f(x)) << text;
      const double first = (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
      const double second = (16 * (f(x + h) + f(x - h)) - (f(x + 2 * h) + f(x - 2 * h)) - 30 * f(x)) / (12 * h * h);
      const double scale = 1 + std::abs(value.f) + std::abs(value.d1) + std::abs(value.d2);
      EXPECT_NEAR(value.d1, first, 1e-8 * scale) << text << " at " << x;
      EXPECT_NEAR(value.d2, second, 1e-7 * scale) << text << " at " << x;
    }
  }
}

TEST(Expression, DerivativesAtZeroOfPowers) {
  const auto at_zero = [](const char* text) { return Expression::compile(text, {"x"}).evaluate_jet(0); };
  EXPECT_EQ(at_zero("x^2").d2, 2.0);
  EXPECT_EQ(at_zero("x^0").f, 1.0);
  EXPECT_EQ(at_zero("x^9").d2, 0.0);
  EXPECT_EQ(at_zero("x^1.5").d1, 0.0);
  EXPECT_EQ(at_zero("abs(x)").d1, 0.0);
  EXPECT_EQ(at_zero("sqrt(0*x) + x").d1, 1.0);
}

struct Wrong {
  const char* text;
  std::size_t position;
  const char* message;
};

TEST(Expression, ErrorsSayWhatAndWhere) {
  const Wrong cases[] = {
      {"2 * omga", 4, "unknown name 'omga' at character 5; did you mean 'omega'?"},
      {"2 * zzzzzz", 4, "unknown name 'zzzzzz' at character 5"},
      {"l", 0, "unknown name 'l' at character 1; did you mean 'L'?"},
      {"1 + snh(2)", 4, "unknown function 'snh' at character 5; did you mean 'sinh'?"},
      {"L(2)", 0, "unknown function 'L' at character 1"},
      {"2*(3+4", 6, "missing ')' at character 7 to close '(' at character 3"},
      {"sin(1 2)", 6, "missing ')' at character 7 to close '(' at character 4"},
      {"2*(3+4))", 7, "unexpected ')' at character 8; no '(' is open"},
      {"2 +", 3, "unexpected end of the expression at character 4"},
      {"0.2*(3+", 7, "unexpected end of the expression at character 8; ')' is missing to close '(' at character 5"},
      {"(2)*((1)+(", 10,
       "unexpected end of the expression at character 11; ')' is missing to close '(' at character 10"},
      {"5 if L < 1 else 0", 2, "unexpected 'if' at character 3; a choice is written 'condition ? a : b'"},
      {"L > 1 && L < 2", 6, "unexpected '&' at character 7; conditions are 1 or 0: both hold where min(a, b) does"},
      {"3*(L > 1 or L < 2)", 9,
       "missing ')' at character 10 to close '(' at character 3; conditions are 1 or 0: one of them holds where "
       "max(a, b) does"},
      {"!L", 0, "unexpected '!' at character 1; conditions are 1 or 0: the opposite of a is 1 - a"},
      {"L % 2", 2, "unexpected '%' at character 3; the rest of a division is mod(a, b)"},
      {"", 0, "the expression is empty"},
      {" \t ", 3, "the expression is empty"},
      {"2 pi", 2, "unexpected 'pi' at character 3; expected an operator"},
      {"2pi", 1, "unexpected 'pi' at character 2; expected an operator after a number"},
      {"1.2.3", 3, "unexpected '.' at character 4; expected an operator after a number"},
      {"2 ** 3", 3, "unexpected '*' at character 4; a power is written '^'"},
      {"L = 3", 2, "unexpected '=' at character 3; equality is '=='"},
      {"1 < 2 < 3", 6, "comparisons cannot be chained at character 7; use parentheses"},
      {"1 ? 2", 5, "missing ':' of '? :' at character 6"},
      {"if(1, 2)", 7, "missing ',' in 'if(condition, a, b)' at character 8"},
      {"sin + 1", 0, "the function 'sin' at character 1 needs its argument in parentheses"},
      {"1+atan2(1)", 2, "the function 'atan2' at character 3 takes two arguments, not 1"},
      {"sin()", 0, "the function 'sin' at character 1 takes one argument, not 0"},
      {"min(1)", 0, "the function 'min' at character 1 takes two or more arguments, not 1"},
      {"1e999", 0, "the number '1e999' at character 1 is out of range"},
      {"3 $ 4", 2, "unexpected '$' at character 3; expected an operator"},
      {"3 \x01", 2, "unexpected control character 1 at character 3; expected an operator"},
      {"*3", 0, "unexpected '*' at character 1; expected a value"},
      {"1/0", 0, "the value of '1/0' is not finite"},
      {"sqrt(-1)", 0, "the value of 'sqrt(-1)' is not finite"},
  };
  for (const Wrong& wrong : cases) {
    try {
      evaluate_constant(wrong.text, kNames);
      ADD_FAILURE() << "accepted: " << wrong.text;
    } catch (const ExpressionError& error) {
      EXPECT_EQ(error.position(), wrong.position) << wrong.text;
      EXPECT_STREQ(error.what(), wrong.message) << wrong.text;
    }
  }
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(Expression, AbsurdInputIsRefused) {
  const std::string absurd[] = {
      repeated("(", 100000),     repeated("(", 5000),       repeated("-", 5000) + "1", repeated("2^", 4000) + "2",
      repeated("sin(", 2000),    repeated("1?", 4000),      repeated("1?2:", 2000),    repeated("1+(", 3000),
      std::string(1 << 20, '1'), std::string(1 << 20, 'a'), repeated("if(1,", 1500),   std::string(9000, '9'),
      std::string(3, '\0'),      std::string(5000, '\xff'),
  };
  for (const std::string& text : absurd)
    EXPECT_THROW(evaluate_constant(text, kNames), ExpressionError) << text.substr(0, 20);
}

TEST(Expression, LongButPlainInputIsFine) {
  EXPECT_EQ(evaluate_constant("1" + repeated("+1", 4000), {}), 4001.0);
  EXPECT_EQ(evaluate_constant(repeated("(", 60) + "1" + repeated(")", 60), {}), 1.0);
  EXPECT_EQ(Expression::compile("x" + repeated("+x", 4000), {"x"}).evaluate_jet(1).d1, 4001.0);
}

TEST(Expression, TheStackIsBounded) {
  const std::string nested = repeated("x<x+x*(", 50) + "x" + repeated(")", 50);
  EXPECT_THROW(Expression::compile(nested, {"x"}), ExpressionError);
}

TEST(Expression, RandomTextEndsInAValueOrAnError) {
  const std::string alphabet = "x12.+-*/^()<>=!?:, esinfmax";
  unsigned state = 1;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (int i = 0; i < trial % 24; ++i) {
      state = state * 1664525u + 1013904223u;
      text += alphabet[(state >> 16) % alphabet.size()];
    }
    try {
      Expression::compile(text, {"x"}).evaluate_jet(0.5);
    } catch (const ExpressionError& error) {
      EXPECT_LE(error.position(), text.size());
    }
  }
}

}  // namespace
}  // namespace cardan
