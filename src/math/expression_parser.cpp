// Recursive descent over the grammar of expression.hpp, emitting the flat program as it goes and folding constants.
// Nesting, length and stack are bounded, so that any text whatever ends in a program or an ExpressionError.
#include <charconv>
#include <numbers>

#include "mechanism/nearest_name.hpp"
#include "math/expression_program.hpp"

namespace cardan {
namespace {

constexpr std::size_t kLongestText = 10000;
constexpr int kDeepestNesting = 200;
constexpr int kLargestProductPower = 8;  // powers up to this by multiplication

struct NamedFunction {
  const char* name;
  int arguments;  // kTwoOrMore: applied pairwise
  Operation operation;
};
constexpr int kTwoOrMore = -2;
constexpr NamedFunction kFunctions[] = {
    {"sin", 1, Operation::sin},     {"cos", 1, Operation::cos},     {"tan", 1, Operation::tan},
    {"asin", 1, Operation::asin},   {"acos", 1, Operation::acos},   {"atan", 1, Operation::atan},
    {"atan2", 2, Operation::atan2}, {"sinh", 1, Operation::sinh},   {"cosh", 1, Operation::cosh},
    {"tanh", 1, Operation::tanh},   {"exp", 1, Operation::exp},     {"log", 1, Operation::log},
    {"log10", 1, Operation::log10}, {"sqrt", 1, Operation::sqrt},   {"abs", 1, Operation::abs},
    {"sign", 1, Operation::sign},   {"floor", 1, Operation::floor}, {"ceil", 1, Operation::ceil},
    {"step", 1, Operation::step},   {"mod", 2, Operation::mod},     {"min", kTwoOrMore, Operation::min},
    {"max", kTwoOrMore, Operation::max},
};

// Locale-free; bytes of UTF-8 sequences count as letters, so that names may be Greek.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string at_character(std::size_t position) { return " at character " + std::to_string(position + 1); }

std::string quoted(std::string_view word) {
  constexpr std::size_t shown = 60;
  std::string result(1, '\'');
  result += word.substr(0, shown);
  if (word.size() > shown) result += "...";
  result += '\'';
  return result;
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::vector<std::string>& variables,
                   const std::map<std::string, double>& constants)
      : text_(text), variables_(variables), constants_(constants) {}

  Expression parse() {
    if (text_.size() > kLongestText) {
      throw ExpressionError(kLongestText, "the expression has " + std::to_string(text_.size()) + " characters; at most " +
                                              std::to_string(kLongestText) + " are allowed");
    }
    skip_space();
    if (position_ == text_.size()) throw ExpressionError(position_, "the expression is empty");
    conditional();
    if (position_ < text_.size()) unexpected(text_[position_] == ')' ? "; no '(' is open" : "; expected an operator");
    return Expression(std::make_shared<Expression::Program>(Expression::Program{std::move(code_), variables_.size()}));
  }

 private:
  // condition ? a : b, right-associative, the weakest of all
  void conditional() {
    const Nesting guard(*this);
    comparison();
    if (!accept("?")) return;
    choose([&] {
      conditional();
      expect(":", "of '? :'");
    });
  }

  // After the condition's code: code for both branches; `first` also consumes what stands between them.
  template <class First>
  void choose(const First& first) {
    const int to_second = emit_jump(Operation::jump_if_zero);
    first();
    const int to_end = emit_jump(Operation::jump);
    --depth_;  // only one of the two branches leaves its value
    set_target(to_second);
    conditional();
    set_target(to_end);
  }

  void comparison() {
    sum();
    Operation operation;
    if (!accept_comparison(&operation)) return;
    sum();
    emit({operation});
    const std::size_t second = position_;
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
      if (accept(sign)) return true;
    }
    if (peek() == '=') unexpected("; equality is '=='");
    return false;
  }

  void sum() {
    product();
    while (true) {
      const Operation operation = peek() == '+' ? Operation::add : Operation::subtract;
      if (!accept("+") && !accept("-")) return;
      product();
      emit({operation});
    }
  }

  void product() {
    unary();
    while (true) {
      const Operation operation = peek() == '*' ? Operation::multiply : Operation::divide;
      if (!accept("*") && !accept("/")) return;
      if (peek() == '*') unexpected("; a power is written '^'");
      unary();
      emit({operation});
    }
  }

  void unary() {
    const Nesting guard(*this);
    if (accept("-")) {
      unary();
      emit({Operation::negate});
    } else if (accept("+")) {
      unary();
    } else {
      power();
    }
  }

  void power() {
    primary();
    if (!accept("^")) return;
    unary();  // right-associative, and 2^-1 is allowed
    const Instruction& exponent = code_.back();
    if (operands_are_constant(1) && exponent.number == std::floor(exponent.number) &&
        std::abs(exponent.number) <= kLargestProductPower) {
      const int n = static_cast<int>(exponent.number);
      code_.pop_back();
      --depth_;
      emit({Operation::integer_power, n});
    } else {
      emit({Operation::power});
    }
  }

  void primary() {
    const char c = peek();
    const std::size_t start = position_;
    if (is_digit(c) || (c == '.' && start + 1 < text_.size() && is_digit(text_[start + 1]))) {
      number();
    } else if (is_letter(c)) {
      const std::string_view word = name();
      if (peek() == '(') call(word, start);
      else named_value(word, start);
    } else if (accept("(")) {
      conditional();
      close(start);
    } else {
      unexpected("; expected a value");
    }
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const std::string_view digits(begin, end - begin);
    if (error != std::errc()) {
      throw ExpressionError(position_, "the number " + quoted(digits) + at_character(position_) + " is out of range");
    }
    position_ += digits.size();
    if (position_ < text_.size() && (is_letter(text_[position_]) || text_[position_] == '.')) {
      unexpected("; expected an operator after a number");
    }
    skip_space();
    emit({Operation::constant, 0, value});
  }

  // A letter, then letters, digits and single dots inside: front.left.k
  std::string_view name() {
    const std::string_view word = peek_name();
    position_ += word.size();
    skip_space();
    return word;
  }

  std::string_view peek_name() const {
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) ||
                                  (text_[end] == '.' && end + 1 < text_.size() && is_letter(text_[end + 1])))) {
      ++end;
    }
    return text_.substr(position_, end - position_);
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
        throw ExpressionError(start, "the function " + quoted(word) + at_character(start) + " needs its argument in parentheses");
      }
    }
    unknown("name", word, start, candidates);
  }

  void call(std::string_view word, std::size_t start) {
    const std::size_t parenthesis = position_;
    accept("(");
    if (word == "if") return call_if(parenthesis);
    std::vector<std::string> candidates = {"if"};
    for (const NamedFunction& function : kFunctions) {
      candidates.push_back(function.name);
      if (function.name == word) return arguments(function, start, parenthesis);
    }
    unknown("function", word, start, candidates);
  }

  void arguments(const NamedFunction& function, std::size_t start, std::size_t parenthesis) {
    const bool pairwise = function.arguments == kTwoOrMore;
    int count = 0;
    if (peek() != ')') {
      do {
        conditional();
        ++count;
        if (pairwise && count >= 2) emit({function.operation});
      } while (accept(","));
    }
    close(parenthesis);
    if (pairwise ? count < 2 : count != function.arguments) {
      const std::string wanted = pairwise ? "two or more arguments" : function.arguments == 1 ? "one argument" : "two arguments";
      throw ExpressionError(start, "the function " + quoted(function.name) + at_character(start) + " takes " + wanted + ", not " +
                                       std::to_string(count));
    }
    if (!pairwise) emit({function.operation});
  }

  void call_if(std::size_t parenthesis) {
    conditional();
    expect(",", "in 'if(condition, a, b)'");
    choose([&] {
      conditional();
      expect(",", "in 'if(condition, a, b)'");
    });
    close(parenthesis);
  }

  // ---- the program -------------------------------------------------------------------------------------------------

  // The last `count` operands are numbers known now. Code before a jump's target belongs to another path: never folded over.
  bool operands_are_constant(int count) const {
    if (static_cast<int>(code_.size()) < last_target_ + count) return false;
    for (int i = 1; i <= count; ++i) {
      if (code_[code_.size() - i].operation != Operation::constant) return false;
    }
    return true;
  }

  void emit(const Instruction& instruction) {
    const int operands = expression_program::operand_count(instruction.operation);
    const bool foldable = operands > 0 && operands_are_constant(operands);
    code_.push_back(instruction);
    depth_ += 1 - operands;
    if (depth_ > expression_program::kStackSize) too_deep();
    if (!foldable) return;
    const double value = expression_program::run<double>(std::span(code_).last(operands + 1), nullptr);
    code_.resize(code_.size() - operands - 1);
    code_.push_back({Operation::constant, 0, value});
  }

  int emit_jump(Operation operation) {
    if (operation == Operation::jump_if_zero) --depth_;
    code_.push_back({operation});
    return static_cast<int>(code_.size()) - 1;
  }

  void set_target(int jump) { code_[jump].index = last_target_ = static_cast<int>(code_.size()); }

  // ---- the text ----------------------------------------------------------------------------------------------------

  void skip_space() {
    while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) ++position_;
  }

  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  bool accept(std::string_view sign) {
    if (!text_.substr(position_).starts_with(sign)) return false;
    position_ += sign.size();
    skip_space();
    return true;
  }

  void expect(std::string_view sign, const std::string& where) {
    if (!accept(sign)) throw ExpressionError(position_, "missing " + quoted(sign) + " " + where + at_character(position_));
  }

  void close(std::size_t parenthesis) {
    if (accept(")")) return;
    throw ExpressionError(position_, "missing ')'" + at_character(position_) + " to close '('" + at_character(parenthesis));
  }

  struct Nesting {
    explicit Nesting(ExpressionParser& parser) : parser(parser) {
      if (++parser.nesting_ > kDeepestNesting) parser.too_deep();
    }
    ~Nesting() { --parser.nesting_; }
    ExpressionParser& parser;
  };

  [[noreturn]] void too_deep() const {
    throw ExpressionError(position_, "the expression is nested too deeply" + at_character(position_));
  }

  [[noreturn]] void unexpected(const std::string& advice) const {
    if (position_ == text_.size()) throw ExpressionError(position_, "unexpected end of the expression" + at_character(position_));
    const char c = text_[position_];
    std::string what = quoted(is_letter(c) ? peek_name() : text_.substr(position_, 1));
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) what = "control character " + std::to_string(static_cast<int>(c));
    throw ExpressionError(position_, "unexpected " + what + at_character(position_) + advice);
  }

  [[noreturn]] static void unknown(const char* kind, std::string_view word, std::size_t start,
                                   const std::vector<std::string>& candidates) {
    const std::string near = nearest_name(word, candidates);
    throw ExpressionError(start, std::string("unknown ") + kind + " " + quoted(word) + at_character(start) +
                                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  const std::map<std::string, double>& constants_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  std::vector<Instruction> code_;
  int depth_ = 0;        // values on the stack after the code so far
  int last_target_ = 0;  // the latest jump target: where folding has to stop
};

Expression Expression::compile(std::string_view text, const std::vector<std::string>& variables,
                               const std::map<std::string, double>& constants) {
  return ExpressionParser(text, variables, constants).parse();
}

}  // namespace cardan
