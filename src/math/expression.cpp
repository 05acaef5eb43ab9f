#include "math/expression.hpp"

#include <algorithm>
#include <cassert>

#include "math/expression_program.hpp"
#include "math/slope.hpp"

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

Function::Value Expression::evaluate_along(std::span<const Function::Value> values) const {
  assert(values.size() == program_->variable_count && values.size() <= kMostVariables);
  Jet variables[kMostVariables];
  for (std::size_t i = 0; i < values.size(); ++i) variables[i] = {values[i].f, values[i].d1, values[i].d2};
  const Jet result = expression_program::run<Jet>(program_->instructions, variables);
  return {result.f, result.d1, result.d2};
}

double Expression::evaluate_gradient(std::span<const double> values, double* gradient) const {
  assert(values.size() == program_->variable_count && values.size() <= kMostVariables);
  if (values.empty()) return evaluate(values);
  Slope variables[kMostVariables];
  for (std::size_t i = 0; i < values.size(); ++i) variables[i] = steady(values[i]);
  double value = 0;
  for (std::size_t first = 0; first < values.size(); first += Slope::kLanes) {
    const std::size_t lanes = std::min<std::size_t>(Slope::kLanes, values.size() - first);
    for (std::size_t i = 0; i < lanes; ++i) variables[first + i].d[i] = 1;
    const Slope result = expression_program::run<Slope>(program_->instructions, variables);
    for (std::size_t i = 0; i < lanes; ++i) {
      variables[first + i].d[i] = 0;
      gradient[first + i] = result.d[i];
    }
    value = result.f;
  }
  return value;
}

std::span<const Instruction> Expression::instructions() const { return program_->instructions; }

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
