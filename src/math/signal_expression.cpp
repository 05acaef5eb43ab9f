#include "cardan/signal_expression.hpp"

#include <algorithm>
#include <stdexcept>

#include "math/expression.hpp"

namespace cardan {

namespace {

class ParsedLaw final : public SignalLaw {
 public:
  ParsedLaw(Expression expression, std::size_t count) : expression_(std::move(expression)), count_(count) {}
  double evaluate(const double* values) const override { return expression_.evaluate({values, count_}); }
  double evaluate(const double* values, double* gradient) const override {
    return expression_.evaluate_gradient({values, count_}, gradient);
  }
  Function::Value along(const Function::Value* values) const override {
    return expression_.evaluate_along({values, count_});
  }
  const Expression* parsed() const override { return &expression_; }

 private:
  Expression expression_;
  std::size_t count_;
};

}  // namespace

SignalExpression SignalExpression::parse(const std::string& text, const std::map<std::string, double>& constants) {
  SignalExpression result;
  Expression expression = Expression::compile_open(text, constants, result.names_);
  result.law_ = std::make_shared<const ParsedLaw>(std::move(expression), result.names_.size());
  result.text_ = text;
  for (const auto& [name, value] : constants) result.constants_.push_back(name);
  return result;
}

SignalExpression SignalExpression::custom(std::string text, std::vector<std::string> names,
                                          std::shared_ptr<const SignalLaw> law) {
  static_assert(kMostNames == Expression::kMostVariables);
  if (names.size() > kMostNames)
    throw std::invalid_argument("a law of " + std::to_string(names.size()) + " signals, more than " +
                                std::to_string(kMostNames));
  SignalExpression result;
  result.text_ = std::move(text);
  result.names_ = std::move(names);
  result.law_ = std::move(law);
  return result;
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
