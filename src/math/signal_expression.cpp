#include "cardan/signal_expression.hpp"

#include <algorithm>

#include "math/expression.hpp"

namespace cardan {

SignalExpression SignalExpression::parse(const std::string& text, const std::map<std::string, double>& constants) {
  SignalExpression result;
  result.expression_ = std::make_shared<const Expression>(Expression::compile_open(text, constants, result.names_));
  result.text_ = text;
  for (const auto& [name, value] : constants) result.constants_.push_back(name);
  return result;
}

double SignalExpression::evaluate(const double* values) const { return expression_->evaluate({values, names_.size()}); }

double SignalExpression::evaluate(const double* values, double* gradient) const {
  return expression_->evaluate_gradient({values, names_.size()}, gradient);
}

Function::Value SignalExpression::along(const Function::Value* values) const {
  return expression_->evaluate_along({values, names_.size()});
}

Varying Varying::combination(const std::vector<double>& factors, const std::vector<Varying>& numbers) {
  Varying sum = 0;
  sum.given = std::any_of(numbers.begin(), numbers.end(), [](const Varying& number) { return number.given; });
  std::vector<Function> functions;
  for (const Varying& number : numbers) functions.push_back(number.function);
  sum.function = Function::combination(factors, functions);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (Term term : numbers[i].terms) {
      term.factor *= factors[i];
      if (term.factor != 0) sum.terms.push_back(std::move(term));
    }
  }
  return sum;
}

}  // namespace cardan
