// Numbers that follow signals, as a model file writes them: expressions of signals by their names, and sums of such
// with functions of time. What signals there are is in signals.hpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/function.hpp"

namespace cardan {

class Expression;  // of the library's inside

/// A scalar of several others with exact derivatives. Text becomes one by SignalExpression::parse(); elements that are
/// written in C++ have their own.
class SignalLaw {
 public:
  virtual ~SignalLaw() = default;
  virtual double evaluate(const double* values) const = 0;
  /// Derivatives with respect to each value into `gradient`.
  virtual double evaluate(const double* values, double* gradient) const = 0;
  /// Along a curve: with first and second derivatives of the values, those of the law.
  virtual Function::Value along(const Function::Value* values) const = 0;
  /// The text that it was, which is then computed in one piece with others; null of what is written in C++.
  virtual const Expression* parsed() const { return nullptr; }
};

/// An arithmetic expression of signals: "300*throttle - 0.2*axle.v". A name that holds more than letters, digits, '_'
/// and '.' stands in single quotes; rate(NAME) is the time derivative of a signal of positions.
class SignalExpression {
 public:
  SignalExpression() = default;
  /// Every name that is no constant is a signal's. Throws a std::runtime_error that says what is wrong and at which
  /// character.
  static SignalExpression parse(const std::string& text, const std::map<std::string, double>& constants = {});
  /// A law of the signals of these names, at most kMostNames. `text` tells it from other laws: saved states go by it.
  static SignalExpression custom(std::string text, std::vector<std::string> names,
                                 std::shared_ptr<const SignalLaw> law);
  static constexpr std::size_t kMostNames = 64;

  bool empty() const { return law_ == nullptr; }
  const std::string& text() const { return text_; }
  /// Of the signals, "rate(lift)" for a rate, in the order in which values are given.
  const std::vector<std::string>& names() const { return names_; }
  void rename(std::size_t index, std::string name) { names_[index] = std::move(name); }
  /// Names that were constants to it, for suggestions.
  const std::vector<std::string>& constants() const { return constants_; }

  double evaluate(const double* values) const { return law_->evaluate(values); }
  double evaluate(const double* values, double* gradient) const { return law_->evaluate(values, gradient); }
  Function::Value along(const Function::Value* values) const { return law_->along(values); }
  const Expression* parsed() const { return law_->parsed(); }

 private:
  std::shared_ptr<const SignalLaw> law_;
  std::string text_;
  std::vector<std::string> names_, constants_;
};

/// A number that may vary: a function of time plus expressions of signals, each times a factor and, with `of`, behind a
/// function of its own.
struct Varying {
  struct Term {
    double factor = 1;
    SignalExpression expression;
    std::optional<Function> of = {};
  };
  Function function;
  std::vector<Term> terms;
  bool given = true;  // false of one that nobody has set, which is not the same as 0

  Varying() : given(false) {}
  Varying(double number) : function(Function::constant(number)) {}
  Varying(Function of_time) : function(std::move(of_time)) {}
  Varying(SignalExpression expression) : terms{{1, std::move(expression)}} {}

  bool follows_signals() const { return !terms.empty(); }
  bool is_zero() const { return terms.empty() && function.is_zero(); }
  Varying scaled(double factor) const { return combination({factor}, {*this}); }
  static Varying combination(const std::vector<double>& factors, const std::vector<Varying>& numbers);
};

}  // namespace cardan
