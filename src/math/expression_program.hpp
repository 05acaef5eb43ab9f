// The flat program of an expression: its instructions, and the machine that runs them on numbers or jets.
// Shared by the parser, which also folds constants with it, and by Expression; for nobody else.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "math/expression.hpp"
#include "math/jet.hpp"

namespace cardan {

enum class Operation {
  constant,
  variable,
  jump,
  jump_if_zero,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  step,
  integer_power,
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  mod,
  less,
  greater,
  less_equal,
  greater_equal,
  equal,
  not_equal,
};

/// Takes its operands from the stack and leaves its result there.
struct Instruction {
  Operation operation;
  int index = 0;      // variable: which one; jumps: the target; integer_power: the exponent
  double number = 0;  // constant
};

struct Expression::Program {
  std::vector<Instruction> instructions;
  std::size_t variable_count = 0;
};

namespace expression_program {

/// Stack the machine has; the parser refuses what would need more.
constexpr int kStackSize = 64;

/// How many operands an operation takes from the stack.
constexpr int operand_count(Operation operation) {
  if (operation == Operation::constant || operation == Operation::variable || operation == Operation::jump) return 0;
  return operation < Operation::add ? 1 : 2;
}

inline double value(double x) { return x; }
template <class Number>
double value(const Number& x) {
  return x.f;
}

template <class Number>
Number constant(double x) {
  if constexpr (std::is_same_v<Number, double>) {
    return x;
  } else {
    Number number{};
    number.f = x;
    return number;
  }
}

/// Small powers by products: exact where pow is slow, and without a case distinction at zero.
template <class Number>
Number integer_power(const Number& base, int exponent) {
  if (exponent == 0) return constant<Number>(1);
  Number result = base;
  for (int i = 1; i < std::abs(exponent); ++i) result = result * base;
  return exponent > 0 ? result : constant<Number>(1) / result;
}

inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// What an operation of one or two operands gives; `right` is that of two.
template <class Number>
Number apply(Operation operation, const Number& left, const Number& right) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::log10,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const auto truth = [](bool condition) { return constant<Number>(condition ? 1 : 0); };
  switch (operation) {
    case Operation::sin:
      return sin(left);
    case Operation::cos:
      return cos(left);
    case Operation::tan:
      return tan(left);
    case Operation::asin:
      return asin(left);
    case Operation::acos:
      return acos(left);
    case Operation::atan:
      return atan(left);
    case Operation::sinh:
      return sinh(left);
    case Operation::cosh:
      return cosh(left);
    case Operation::tanh:
      return tanh(left);
    case Operation::exp:
      return exp(left);
    case Operation::log:
      return log(left);
    case Operation::log10:
      return log10(left);
    case Operation::sqrt:
      return sqrt(left);
    case Operation::abs:
      return abs(left);
    case Operation::negate:
      return -left;
    case Operation::sign:
      return constant<Number>(sign(value(left)));
    case Operation::floor:
      return constant<Number>(std::floor(value(left)));
    case Operation::ceil:
      return constant<Number>(std::ceil(value(left)));
    case Operation::step:
      return truth(value(left) >= 0);
    case Operation::add:
      return left + right;
    case Operation::subtract:
      return left - right;
    case Operation::multiply:
      return left * right;
    case Operation::divide:
      return left / right;
    case Operation::power:
      return pow(left, right);
    case Operation::atan2:
      return atan2(left, right);
    case Operation::min:
      return value(right) < value(left) ? right : left;
    case Operation::max:
      return value(right) > value(left) ? right : left;
    case Operation::mod:
      return left - constant<Number>(std::floor(value(left) / value(right))) * right;
    case Operation::less:
      return truth(value(left) < value(right));
    case Operation::greater:
      return truth(value(left) > value(right));
    case Operation::less_equal:
      return truth(value(left) <= value(right));
    case Operation::greater_equal:
      return truth(value(left) >= value(right));
    case Operation::equal:
      return truth(value(left) == value(right));
    case Operation::not_equal:
      return truth(value(left) != value(right));
    default:
      return left;
  }
}

/// Runs the program; `variables` holds one Number per variable.
template <class Number>
Number run(std::span<const Instruction> program, const Number* variables) {
  Number stack[kStackSize + 1];  // the first place stays unused, so that `top` always points into it
  Number* top = stack;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const Instruction& step = program[i];
    switch (step.operation) {
      case Operation::constant:
        *++top = constant<Number>(step.number);
        break;
      case Operation::variable:
        *++top = variables[step.index];
        break;
      case Operation::jump:
        i = step.index - 1;
        break;
      case Operation::jump_if_zero:
        if (value(*top--) == 0) i = step.index - 1;
        break;
      case Operation::integer_power:
        *top = integer_power(*top, step.index);
        break;
      default:
        if (step.operation >= Operation::add) --top;  // now `top` is the left operand and the place of the result
        *top = apply(step.operation, *top, step.operation >= Operation::add ? top[1] : *top);
    }
  }
  return *top;
}

}  // namespace expression_program
}  // namespace cardan
