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

/// Runs the program; `variables` holds one Number per variable.
template <class Number>
Number run(std::span<const Instruction> program, const Number* variables) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::log10,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  Number stack[kStackSize + 1];  // the first place stays unused, so that `top` always points into it
  Number* top = stack;
  const auto truth = [](bool condition) { return constant<Number>(condition ? 1 : 0); };
  for (std::size_t i = 0; i < program.size(); ++i) {
    const Instruction& step = program[i];
    if (step.operation >= Operation::add) --top;  // now `top` is the left operand and the place of the result
    const Number* right = top + 1;
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
      case Operation::negate:
        *top = -*top;
        break;
      case Operation::sin:
        *top = sin(*top);
        break;
      case Operation::cos:
        *top = cos(*top);
        break;
      case Operation::tan:
        *top = tan(*top);
        break;
      case Operation::asin:
        *top = asin(*top);
        break;
      case Operation::acos:
        *top = acos(*top);
        break;
      case Operation::atan:
        *top = atan(*top);
        break;
      case Operation::sinh:
        *top = sinh(*top);
        break;
      case Operation::cosh:
        *top = cosh(*top);
        break;
      case Operation::tanh:
        *top = tanh(*top);
        break;
      case Operation::exp:
        *top = exp(*top);
        break;
      case Operation::log:
        *top = log(*top);
        break;
      case Operation::log10:
        *top = log10(*top);
        break;
      case Operation::sqrt:
        *top = sqrt(*top);
        break;
      case Operation::abs:
        *top = abs(*top);
        break;
      case Operation::sign:
        *top = constant<Number>(sign(value(*top)));
        break;
      case Operation::floor:
        *top = constant<Number>(std::floor(value(*top)));
        break;
      case Operation::ceil:
        *top = constant<Number>(std::ceil(value(*top)));
        break;
      case Operation::step:
        *top = truth(value(*top) >= 0);
        break;
      case Operation::integer_power:
        *top = integer_power(*top, step.index);
        break;
      case Operation::add:
        *top = *top + *right;
        break;
      case Operation::subtract:
        *top = *top - *right;
        break;
      case Operation::multiply:
        *top = *top * *right;
        break;
      case Operation::divide:
        *top = *top / *right;
        break;
      case Operation::power:
        *top = pow(*top, *right);
        break;
      case Operation::atan2:
        *top = atan2(*top, *right);
        break;
      case Operation::min:
        if (value(*right) < value(*top)) *top = *right;
        break;
      case Operation::max:
        if (value(*right) > value(*top)) *top = *right;
        break;
      case Operation::mod: {
        const double turns = std::floor(value(*top) / value(*right));
        *top = *top - constant<Number>(turns) * *right;
        break;
      }
      case Operation::less:
        *top = truth(value(*top) < value(*right));
        break;
      case Operation::greater:
        *top = truth(value(*top) > value(*right));
        break;
      case Operation::less_equal:
        *top = truth(value(*top) <= value(*right));
        break;
      case Operation::greater_equal:
        *top = truth(value(*top) >= value(*right));
        break;
      case Operation::equal:
        *top = truth(value(*top) == value(*right));
        break;
      case Operation::not_equal:
        *top = truth(value(*top) != value(*right));
        break;
    }
  }
  return *top;
}

}  // namespace expression_program
}  // namespace cardan
