// Recursive descent over the grammar of expression.hpp, emitting the flat program as it goes and folding constants.
// Nesting, length and stack are bounded, so that any text whatever ends in a program or an ExpressionError.
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
                   const std::map<std::string, double>& constants)
      : text_(text), variables_(variables), constants_(constants) {}

  Expression parse() {
    if (text_.at_end()) throw ExpressionError(text_.position(), "the expression is empty");
    conditional();
    if (!text_.at_end()) text_.unexpected(text_.peek() == ')' ? "; no '(' is open" : "; expected an operator");
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
    } else if (text_.accept("(")) {
      conditional();
      text_.close(start);
    } else {
      text_.unexpected("; expected a value");
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
  const std::vector<std::string>& variables_;
  const std::map<std::string, double>& constants_;
  ExpressionBuilder code_;
  int nesting_ = 0;
};

Expression Expression::compile(std::string_view text, const std::vector<std::string>& variables,
                               const std::map<std::string, double>& constants) {
  if (text.size() > kLongestText) {
    throw ExpressionError(kLongestText, "the expression has " + std::to_string(text.size()) + " characters; at most " +
                                            std::to_string(kLongestText) + " are allowed");
  }
  return ExpressionParser(text, variables, constants).parse();
}

}  // namespace cardan
