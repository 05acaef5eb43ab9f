#include "math/expression.hpp"

#include <cassert>

#include "math/expression_program.hpp"

namespace cardan {

double Expression::evaluate(std::span<const double> values) const {
  assert(values.size() == program_->variable_count);
  return expression_program::run<double>(program_->instructions, values.data());
}

Function::Value Expression::evaluate_jet(double x) const {
  assert(program_->variable_count <= 1);
  const Jet variable{x, 1, 0};
  const Jet result = expression_program::run<Jet>(program_->instructions, &variable);
  return {result.f, result.d1, result.d2};
}

bool Expression::is_constant() const {
  const auto& instructions = program_->instructions;
  return instructions.size() == 1 && instructions[0].operation == Operation::constant;
}

double evaluate_constant(const std::string& text, const std::map<std::string, double>& names) {
  const double value = Expression::compile(text, {}, names).evaluate({});
  if (!std::isfinite(value)) throw ExpressionError(0, "the value of '" + text + "' is not finite");
  return value;
}

}  // namespace cardan
