// Arithmetic expressions as model files have them, compiled to a flat program: evaluated on numbers, or on second-order
// jets for exact derivatives, in both cases without allocation. The parser is in expression_parser.cpp.
//
//   + - * / ^   with -2^2 = -4 and 2^3^2 = 2^9;   < > <= >= == != give 1 or 0;   c ? a : b   or   if(c, a, b)
//   sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign floor ceil min max
//   mod(a, b) = a - b floor(a/b);   step(x) = 0 below 0, else 1;   pi, e
#pragma once

#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/function.hpp"

namespace cardan {

/// What is wrong with an expression, and where. The message counts characters from one, as people do.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t position, const std::string& message)
      : std::runtime_error(message), position_(position) {}
  /// Index into the text, from 0; the text's length when it ends too early.
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

struct Instruction;  // expression_program.hpp

class Expression {
 public:
  /// Names are looked up among the variables, then the constants, then pi and e, so that a model may have its own `e`.
  /// Throws ExpressionError.
  static Expression compile(std::string_view text, const std::vector<std::string>& variables,
                            const std::map<std::string, double>& constants = {});
  /// The same where every name that is no constant is a variable: they are told in the order of their first
  /// occurrence. 'a/b.c' in single quotes is one name whatever it holds, and rate(NAME) is a variable of that text.
  static Expression compile_open(std::string_view text, const std::map<std::string, double>& constants,
                                 std::vector<std::string>& variables);

  /// `values`: one per variable, in the order given to compile.
  double evaluate(std::span<const double> values) const;
  /// Value and derivatives with respect to the only variable (x is ignored when there is none).
  Function::Value evaluate_jet(double x) const;
  /// Along a curve: values and derivatives of the variables in, those of the expression out.
  Function::Value evaluate_along(std::span<const Function::Value> values) const;
  /// The value, and into `gradient` the derivatives with respect to the variables; at most kMostVariables.
  double evaluate_gradient(std::span<const double> values, double* gradient) const;
  static constexpr int kMostVariables = 64;
  /// For programs made of several (flat_program.hpp).
  std::span<const Instruction> instructions() const;
  /// No variable occurs in it and it has been reduced to one number.
  bool is_constant() const;

 private:
  struct Program;  // expression_program.hpp
  friend class ExpressionParser;
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// The value of an expression without variables. Throws ExpressionError, also when the value is not finite.
double evaluate_constant(const std::string& text, const std::map<std::string, double>& names);

}  // namespace cardan
