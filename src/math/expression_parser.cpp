// Recursive descent over the grammar of expression.hpp, emitting the flat program as it goes and folding constants.
// Nesting, length and stack are bounded, so that any text whatever ends in a program or an ExpressionError.
#include <algorithm>
#include <numbers>

#include "math/expression_builder.hpp"
#include "math/expression_text.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

constexpr std::size_t kLongestText = 10000;
constexpr int kDeepestNesting = 200;

struct NamedFunction {
  const char* name;
  int arguments;  // kTwoOrMore: applied pairwise
  Operation operation;
};
constexpr int kTwoOrMore = -2;
constexpr NamedFunction kFunctions[] = {
    {"sin", 1, Operation::sin},          {"cos", 1, Operation::cos},     {"tan", 1, Operation::tan},
    {"asin", 1, Operation::asin},        {"acos", 1, Operation::acos},   {"atan", 1, Operation::atan},
    {"atan2", 2, Operation::atan2},      {"sinh", 1, Operation::sinh},   {"cosh", 1, Operation::cosh},
    {"tanh", 1, Operation::tanh},        {"exp", 1, Operation::exp},     {"log", 1, Operation::log},
    {"log10", 1, Operation::log10},      {"sqrt", 1, Operation::sqrt},   {"abs", 1, Operation::abs},
    {"sign", 1, Operation::sign},        {"floor", 1, Operation::floor}, {"ceil", 1, Operation::ceil},
    {"step", 1, Operation::step},        {"mod", 2, Operation::mod},     {"min", kTwoOrMore, Operation::min},
    {"max", kTwoOrMore, Operation::max},
};

std::string at_character(std::size_t position) { return ExpressionText::at_character(position); }
std::string quoted(std::string_view word) { return ExpressionText::quoted(word); }

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::vector<std::string>& variables,
                   const std::map<std::string, double>& constants, bool open = false)
      : text_(text), variables_(variables), constants_(constants), open_(open) {}
  const std::vector<std::string>& variables() const { return variables_; }

  Expression parse() {
    if (text_.at_end()) throw ExpressionError(text_.position(), "the expression is empty");
    conditional();
    if (!text_.at_end())
      text_.unexpected(text_.peek() == ')' ? "; no '(' is open" : text_.written_here("; expected an operator"));
    return Expression(std::make_shared<Expression::Program>(Expression::Program{code_.take(), variables_.size()}));
  }

 private:
  // condition ? a : b, right-associative, the weakest of all
  void conditional() {
    const Nesting guard(*this);
    comparison();
    if (!text_.accept("?")) return;
    const auto first = [&] {
      conditional();
      text_.expect(":", "of '? :'");
    };
    code_.choose(first, [&] { conditional(); });
  }

  void comparison() {
    sum();
    Operation operation;
    if (!accept_comparison(&operation)) return;
    sum();
    emit({operation});
    const std::size_t second = text_.position();
    if (accept_comparison(&operation)) {
      throw ExpressionError(second, "comparisons cannot be chained" + at_character(second) + "; use parentheses");
    }
  }

  bool accept_comparison(Operation* operation) {
    constexpr std::pair<const char*, Operation> table[] = {
        {"<=", Operation::less_equal}, {">=", Operation::greater_equal}, {"==", Operation::equal},
        {"!=", Operation::not_equal},  {"<", Operation::less},           {">", Operation::greater},
    };
    for (const auto& [sign, meaning] : table) {
      *operation = meaning;
      if (text_.accept(sign)) return true;
    }
    if (text_.peek() == '=') text_.unexpected("; equality is '=='");
    return false;
  }

  void sum() {
    product();
    while (true) {
      const Operation operation = text_.peek() == '+' ? Operation::add : Operation::subtract;
      if (!text_.accept("+") && !text_.accept("-")) return;
      product();
      emit({operation});
    }
  }

  void product() {
    unary();
    while (true) {
      const Operation operation = text_.peek() == '*' ? Operation::multiply : Operation::divide;
      if (!text_.accept("*") && !text_.accept("/")) return;
      if (text_.peek() == '*') text_.unexpected("; a power is written '^'");
      unary();
      emit({operation});
    }
  }

  void unary() {
    const Nesting guard(*this);
    if (text_.accept("-")) {
      unary();
      emit({Operation::negate});
    } else if (text_.accept("+")) {
      unary();
    } else {
      power();
    }
  }

  void power() {
    primary();
    if (!text_.accept("^")) return;
    unary();  // right-associative, and 2^-1 is allowed
    code_.emit_power();
  }

  void primary() {
    const std::size_t start = text_.position();
    if (text_.starts_number()) {
      emit({Operation::constant, 0, text_.number()});
    } else if (text_.starts_name()) {
      const std::string_view word = text_.name();
      if (text_.peek() == '(')
        call(word, start);
      else
        named_value(word, start);
    } else if (open_ && text_.peek() == '\'') {
      emit_variable(text_.quoted_name());
    } else if (text_.accept("(")) {
      conditional();
      text_.close(start);
    } else {
      text_.unexpected(text_.written_here("; expected a value"));
    }
  }

  void named_value(std::string_view word, std::size_t start) {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i] == word) return emit({Operation::variable, static_cast<int>(i)});
    }
    const auto known = constants_.find(std::string(word));
    if (known != constants_.end()) return emit({Operation::constant, 0, known->second});
    if (word == "pi") return emit({Operation::constant, 0, std::numbers::pi});
    if (word == "e") return emit({Operation::constant, 0, std::numbers::e});
    if (open_ && !is_function(word)) return emit_variable(std::string(word));
    std::vector<std::string> candidates = variables_;
    for (const auto& [candidate, value] : constants_) candidates.push_back(candidate);
    candidates.insert(candidates.end(), {"pi", "e"});
    for (const NamedFunction& function : kFunctions) {
      if (function.name == word) {
        throw ExpressionError(
            start, "the function " + quoted(word) + at_character(start) + " needs its argument in parentheses");
      }
    }
    unknown("name", word, start, candidates);
  }

  void call(std::string_view word, std::size_t start) {
    const std::size_t parenthesis = text_.position();
    text_.accept("(");
    if (word == "if") return call_if(parenthesis);
    if (open_ && word == "rate") {
      const std::string of = text_.peek() == '\'' ? text_.quoted_name() : std::string(text_.name());
      text_.close(parenthesis);
      if (of.empty()) throw ExpressionError(start, "'rate' takes the name of a signal" + at_character(start));
      return emit_variable("rate(" + of + ")");
    }
    std::vector<std::string> candidates = {"if"};
    for (const NamedFunction& function : kFunctions) {
      candidates.push_back(function.name);
      if (function.name == word) return arguments(function, start, parenthesis);
    }
    unknown("function", word, start, candidates);
  }

  // In YAML's braces and brackets a comma ends the value.
  static constexpr const char* kQuotes = "; an expression with commas is written in quotes";

  void arguments(const NamedFunction& function, std::size_t start, std::size_t parenthesis) {
    const bool pairwise = function.arguments == kTwoOrMore;
    int count = 0;
    if (text_.peek() != ')') {
      do {
        conditional();
        ++count;
        if (pairwise && count >= 2) emit({function.operation});
      } while (text_.accept(","));
    }
    text_.close(parenthesis, function.arguments == 1 ? "" : kQuotes);
    if (pairwise ? count < 2 : count != function.arguments) {
      const std::string wanted = pairwise                  ? "two or more arguments"
                                 : function.arguments == 1 ? "one argument"
                                                           : "two arguments";
      throw ExpressionError(start, "the function " + quoted(function.name) + at_character(start) + " takes " + wanted +
                                       ", not " + std::to_string(count) +
                                       (function.name == std::string_view("step") && count > 1
                                            ? "; a smooth one is the function {step: {from: [x0, y0], to: [x1, y1]}}"
                                            : ""));
    }
    if (!pairwise) emit({function.operation});
  }

  void call_if(std::size_t parenthesis) {
    conditional();
    text_.expect(",", "in 'if(condition, a, b)'");
    const auto first = [&] {
      conditional();
      text_.expect(",", "in 'if(condition, a, b)'");
    };
    code_.choose(first, [&] { conditional(); });
    text_.close(parenthesis);
  }

  static bool is_function(std::string_view word) {
    return std::any_of(std::begin(kFunctions), std::end(kFunctions),
                       [&](const NamedFunction& function) { return function.name == word; });
  }

  void emit_variable(const std::string& name) {
    const auto found = std::find(variables_.begin(), variables_.end(), name);
    emit({Operation::variable, static_cast<int>(found - variables_.begin())});
    if (found != variables_.end()) return;
    if (variables_.size() == Expression::kMostVariables) {
      throw ExpressionError(text_.position(),
                            "more than " + std::to_string(Expression::kMostVariables) + " signals in one expression");
    }
    variables_.push_back(name);
  }

  void emit(const Instruction& instruction) {
    code_.emit(instruction);
    if (!code_.fits_the_stack()) too_deep();
  }

  struct Nesting {
    explicit Nesting(ExpressionParser& parser) : parser(parser) {
      if (++parser.nesting_ > kDeepestNesting) parser.too_deep();
    }
    ~Nesting() { --parser.nesting_; }
    ExpressionParser& parser;
  };

  [[noreturn]] void too_deep() const {
    throw ExpressionError(text_.position(), "the expression is nested too deeply" + at_character(text_.position()));
  }

  [[noreturn]] static void unknown(const char* kind, std::string_view word, std::size_t start,
                                   const std::vector<std::string>& candidates) {
    const std::string near = nearest_name(word, candidates);
    throw ExpressionError(start, std::string("unknown ") + kind + " " + quoted(word) + at_character(start) +
                                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  ExpressionText text_;
  std::vector<std::string> variables_;
  const std::map<std::string, double>& constants_;
  bool open_;  // other names are variables
  ExpressionBuilder code_;
  int nesting_ = 0;
};

namespace {

void check_length(std::string_view text) {
  if (text.size() > kLongestText) {
    throw ExpressionError(kLongestText, "the expression has " + std::to_string(text.size()) + " characters; at most " +
                                            std::to_string(kLongestText) + " are allowed");
  }
}

}  // namespace

Expression Expression::compile(std::string_view text, const std::vector<std::string>& variables,
                               const std::map<std::string, double>& constants) {
  check_length(text);
  return ExpressionParser(text, variables, constants).parse();
}

Expression Expression::compile_open(std::string_view text, const std::map<std::string, double>& constants,
                                    std::vector<std::string>& variables) {
  check_length(text);
  ExpressionParser parser(text, {}, constants, true);
  Expression expression = parser.parse();
  variables = parser.variables();
  return expression;
}

}  // namespace cardan
