#include "io/adams/adams_expression.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "io/adams/adams_statements.hpp"
#include "io/formats/model_tree.hpp"

namespace cardan {

namespace {

constexpr int kDeepest = 60;

/// How firmly an expression holds together.
enum class Binding { sum, product, power, atom };

struct Term {
  std::string text;
  Binding binding = Binding::atom;
};

struct NotUnderstood : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In brackets unless it holds together at least as firmly.
std::string in(const Term& term, Binding least) { return term.binding < least ? "(" + term.text + ")" : term.text; }

constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
    {"ABS", "abs"}, {"ACOS", "acos"}, {"ASIN", "asin"},   {"ATAN", "atan"},  {"COS", "cos"},   {"COSH", "cosh"},
    {"EXP", "exp"}, {"LOG", "log"},   {"LOG10", "log10"}, {"SIN", "sin"},    {"SINH", "sinh"}, {"SQRT", "sqrt"},
    {"TAN", "tan"}, {"TANH", "tanh"}, {"CEIL", "ceil"},   {"FLOOR", "floor"}};

class Translator {
 public:
  Translator(std::string_view text, AdamsMeasures& measures) : text_(text), measures_(measures) {}

  std::string translate() {
    const Term term = sum();
    skip();
    if (at_ < text_.size()) fail(fmt::format("'{}' is not expected here", text_.substr(at_, 12)));
    return term.text;
  }

 private:
  [[noreturn]] static void fail(const std::string& message) { throw NotUnderstood(message); }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  /// Behind the ** of a power, whose stars may stand apart; 0: there is none.
  std::size_t behind_power() {
    skip();
    if (at_ >= text_.size() || text_[at_] != '*') return 0;
    const std::size_t next = text_.find_first_not_of(" \t", at_ + 1);
    return next < text_.size() && text_[next] == '*' ? next + 1 : 0;
  }
  bool at_power() { return behind_power() > 0; }

  Term sum() {
    if (++depth_ > kDeepest) fail("it is nested too deep");
    Term left = product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      const Term right = product();
      left = {fmt::format("{} {} {}", left.text, c, c == '-' ? in(right, Binding::product) : right.text), Binding::sum};
    }
    --depth_;
    return left;
  }

  Term product() {
    Term left = signed_term();
    for (char c = peek(); (c == '*' && !at_power()) || c == '/'; c = peek()) {
      ++at_;
      const Term right = signed_term();
      left = {fmt::format("{}{}{}", in(left, Binding::product), c, in(right, Binding::power)), Binding::product};
    }
    return left;
  }

  Term signed_term() {
    if (++depth_ > kDeepest) fail("it is nested too deep");
    Term term;
    if (accept("-")) {
      term = {"-" + in(signed_term(), Binding::power), Binding::sum};
    } else if (accept("+")) {
      term = signed_term();
    } else {
      term = power();
    }
    --depth_;
    return term;
  }

  Term power() {
    const Term base = primary();
    if (!at_power()) return base;
    at_ = behind_power();
    return {fmt::format("{}^{}", in(base, Binding::atom), in(signed_term(), Binding::atom)), Binding::power};
  }

  Term primary() {
    const char c = peek();
    if ((c >= '0' && c <= '9') || c == '.') return number();
    if (accept("(")) {
      const Term inside = sum();
      if (!accept(")")) fail("a ')' is missing");
      return {"(" + inside.text + ")", Binding::atom};
    }
    return named();
  }

  // 1.5, 1.5E-3, 1.5D3, and 30D for degrees; the D of 30D-5 is degrees, and 5 is taken away.
  Term number() {
    const std::size_t from = at_;
    const auto digit = [&](std::size_t i) { return i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; };
    const auto digits = [&] {
      while (digit(at_) || (at_ < text_.size() && text_[at_] == '.')) ++at_;
    };
    digits();
    const char letter = at_ < text_.size() ? static_cast<char>(text_[at_] | 0x20) : '\0';
    const bool sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-');
    bool degrees = false;
    if (letter == 'e' && digit(at_ + (sign ? 2 : 1))) {
      at_ += sign ? 2 : 1;
      digits();
    } else if (letter == 'd') {
      degrees = !digit(at_ + 1);
      ++at_;
      digits();
    }
    double value = 0;
    std::string_view word = text_.substr(from, at_ - from);
    if (degrees) word.remove_suffix(1);
    if (!parse_adams_number(word, value)) fail(fmt::format("'{}' is no number", word));
    if (degrees) return {fmt::format("{}*pi/180", number_text(value)), Binding::product};
    return {number_text(value), Binding::atom};
  }

  Term named() {
    const std::size_t from = at_;
    const auto letter = [&](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && letter(text_[at_])) ++at_;
    const std::string name = upper_case(text_.substr(from, at_ - from));
    if (name.empty())
      fail(at_ < text_.size() ? fmt::format("'{}' is not expected here", text_.substr(at_, 1)) : "it ends too early");
    if (!accept("(")) return constant(name);
    std::vector<Term> arguments;
    if (!accept(")")) {
      do {
        arguments.push_back(sum());
      } while (accept(",") || (name == "IF" && accept(":")));
      if (!accept(")")) fail(fmt::format("the ')' of {} is missing", name));
    }
    return call(name, arguments);
  }

  Term constant(const std::string& name) {
    if (name == "TIME") {
      const std::string time = measures_.time();
      return {time, time == "t" ? Binding::atom : Binding::product};
    }
    if (name == "PI") return {"pi"};
    if (name == "DTOR") return {"pi/180", Binding::product};
    if (name == "RTOD") return {"180/pi", Binding::product};
    fail(fmt::format("'{}' is not known", name));
  }

  Term call(const std::string& name, const std::vector<Term>& a) {
    for (const auto& [there, here] : kPlain)
      if (name == there) return plain(name, here, a, 1);
    if (name == "ATAN2") return plain(name, "atan2", a, 2);
    if (name == "MIN" || name == "MAX") return plain(name, name == "MIN" ? "min" : "max", a, 2);
    if (name == "MOD" || name == "SIGN" || name == "DIM" || name == "AINT" || name == "ANINT" || name == "INT" ||
        name == "NINT")
      return rounded(name, a);
    if (name == "STEP" || name == "STEP5" || name == "HAVSIN") return step(name, a);
    if (name == "IMPACT") return impact(a);
    if (name == "BISTOP") return bistop(a);
    if (name == "IF") return choice(a);
    if (name == "AKISPL" || name == "CUBSPL") return spline(name, a);
    if (name == "POLY" || name == "FORCOS" || name == "FORSIN") return series(name, a);
    if (name == "SHF") {
      count(name, a, 6, 6);
      return {fmt::format("{}*sin({}*({} - {}) - {}) + {}", in(a[2], Binding::product), in(a[3], Binding::product),
                          a[0].text, in(a[1], Binding::product), in(a[4], Binding::product), a[5].text),
              Binding::sum};
    }
    return measured(name, a);
  }

  static void count(const std::string& name, const std::vector<Term>& a, std::size_t least, std::size_t most) {
    if (a.size() < least || a.size() > most)
      fail(least == most ? fmt::format("{} has {} arguments, but takes {}", name, a.size(), least)
                         : fmt::format("{} has {} arguments", name, a.size()));
  }

  static Term plain(const std::string& name, std::string_view here, const std::vector<Term>& a, std::size_t arguments) {
    count(name, a, arguments, arguments);
    std::string inside = a[0].text;
    for (std::size_t i = 1; i < a.size(); ++i) inside += ", " + a[i].text;
    return {fmt::format("{}({})", here, inside)};
  }

  /// A name or number that may be written several times.
  std::string again(const Term& term) {
    if (term.text.size() <= 24) return in(term, Binding::atom);
    return measures_.shared(term.text);
  }

  Term rounded(const std::string& name, const std::vector<Term>& a) {
    const bool two = name == "MOD" || name == "SIGN" || name == "DIM";
    count(name, a, two ? 2 : 1, two ? 2 : 1);
    const std::string x = again(a[0]);
    if (name == "DIM") return {fmt::format("max(0, {} - {})", a[0].text, in(a[1], Binding::product))};
    if (name == "SIGN") return {fmt::format("({} >= 0 ? abs({}) : -abs({}))", a[1].text, x, x)};
    if (name == "AINT" || name == "INT") return {fmt::format("({} >= 0 ? floor({}) : ceil({}))", x, x, x)};
    if (name == "ANINT" || name == "NINT")
      return {fmt::format("({} >= 0 ? floor({} + 0.5) : ceil({} - 0.5))", x, x, x)};
    // As in Fortran: with the sign of the first.
    const std::string y = again(a[1]);
    return {fmt::format("({} - {}*({}/{} >= 0 ? floor({}/{}) : ceil({}/{})))", x, y, x, y, x, y, x, y)};
  }

  /// From 0 at x0 to 1 at x1, held outside.
  std::string way(const Term& x, const Term& x0, const Term& x1) {
    const std::string ratio = x0.text == "0" ? fmt::format("{}/{}", in(x, Binding::product), in(x1, Binding::power))
                                             : fmt::format("({} - {})/({} - {})", x.text, in(x0, Binding::product),
                                                           x1.text, in(x0, Binding::product));
    return measures_.shared(fmt::format("min(1, max(0, {}))", ratio));
  }

  Term step(const std::string& name, const std::vector<Term>& a) {
    count(name, a, 5, 5);
    const std::string s = way(a[0], a[1], a[3]);
    const std::string shape = name == "STEP"    ? fmt::format("{}^2*(3 - 2*{})", s, s)
                              : name == "STEP5" ? fmt::format("{}^3*(10 - 15*{} + 6*{}^2)", s, s, s)
                                                : fmt::format("(1 - cos(pi*{}))/2", s);
    if (a[2].text == "0") return {fmt::format("{}*{}", in(a[4], Binding::product), shape), Binding::product};
    return {fmt::format("{} + ({} - {})*{}", a[2].text, a[4].text, in(a[2], Binding::product), shape), Binding::sum};
  }

  // k (x1 - x)^e - c x' STEP(x, x1 - d, 1, x1, 0), never below 0, while x is below x1.
  Term impact(const std::vector<Term>& a) {
    count("IMPACT", a, 7, 7);
    const std::string depth = measures_.shared(fmt::format("max(0, {} - {})", a[2].text, in(a[0], Binding::product)));
    return {wall(depth, a[1], a[3], a[4], a[5], a[6], "-")};
  }

  std::string wall(const std::string& depth, const Term& rate, const Term& k, const Term& e, const Term& c,
                   const Term& d, const char* sign) {
    const std::string s = measures_.shared(fmt::format("min(1, {}/{})", depth, in(d, Binding::power)));
    return fmt::format("({} > 0 ? max(0, {}*{}^{} {} {}*{}*{}^2*(3 - 2*{})) : 0)", depth, in(k, Binding::product),
                       depth, in(e, Binding::atom), sign, in(c, Binding::product), in(rate, Binding::power), s, s);
  }

  Term bistop(const std::vector<Term>& a) {
    count("BISTOP", a, 8, 8);
    const std::string low = measures_.shared(fmt::format("max(0, {} - {})", a[2].text, in(a[0], Binding::product)));
    const std::string high = measures_.shared(fmt::format("max(0, {} - {})", a[0].text, in(a[3], Binding::product)));
    return {fmt::format("({} - {})", wall(low, a[1], a[4], a[5], a[6], a[7], "-"),
                        wall(high, a[1], a[4], a[5], a[6], a[7], "+"))};
  }

  Term choice(const std::vector<Term>& a) {
    count("IF", a, 4, 4);
    const std::string x = again(a[0]);
    if (a[1].text == a[2].text) return {fmt::format("({} <= 0 ? {} : {})", x, a[1].text, a[3].text)};
    if (a[2].text == a[3].text) return {fmt::format("({} < 0 ? {} : {})", x, a[1].text, a[3].text)};
    return {fmt::format("({} < 0 ? {} : {} == 0 ? {} : {})", x, a[1].text, x, a[2].text, a[3].text)};
  }

  Term series(const std::string& name, const std::vector<Term>& a) {
    const bool poly = name == "POLY";
    count(name, a, poly ? 3 : 4, 33);
    const std::string x = again({fmt::format("{} - {}", a[0].text, in(a[1], Binding::product)), Binding::sum});
    const std::size_t first = poly ? 2 : 3;
    std::string text = a[first].text;
    for (std::size_t i = first + 1; i < a.size(); ++i) {
      const std::size_t n = i - first;
      if (poly) {
        text += fmt::format(" + {}*{}{}", in(a[i], Binding::product), x, n == 1 ? "" : fmt::format("^{}", n));
      } else {
        text += fmt::format(" + {}*{}({}*{}*{})", in(a[i], Binding::product), name == "FORCOS" ? "cos" : "sin", n,
                            in(a[2], Binding::power), x);
      }
    }
    return {text, Binding::sum};
  }

  Term spline(const std::string& name, const std::vector<Term>& a) {
    count(name, a, 3, 4);
    double id = -1, order = 0;
    const bool numbers = parse_adams_number(a[2].text, id) && (a.size() < 4 || parse_adams_number(a[3].text, order));
    if (a[1].text != "0") fail(fmt::format("{} over two variables is not understood", name));
    if (!numbers || id < 0 || id > 2e9) fail(fmt::format("'{}' of {} is no identifier", a[2].text, name));
    if (order != 0 && order != 1 && order != 2) fail(fmt::format("{} has no derivative {}", name, order));
    std::string why_not;
    const auto text =
        measures_.spline({a[0].text, static_cast<int>(id), name == "CUBSPL", static_cast<int>(order)}, why_not);
    if (!text) fail(why_not);
    return {*text};
  }

  Term measured(const std::string& name, const std::vector<Term>& a) {
    std::vector<int> ids;
    for (const Term& term : a) {
      double value = -1;
      if (!parse_adams_number(term.text, value) || value < 0 || value > 2e9 || value != static_cast<int>(value))
        fail(fmt::format("{}: it is no function of numbers that is known, and '{}' is no identifier", name, term.text));
      ids.push_back(static_cast<int>(value));
    }
    std::string why_not;
    const auto text = measures_.measure(name, ids, why_not);
    if (!text) fail(why_not);
    return {*text, text->find_first_of(" +-*/^") == std::string::npos ? Binding::atom : Binding::sum};
  }

  std::string_view text_;
  AdamsMeasures& measures_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string> translate_adams_expression(std::string_view text, AdamsMeasures& measures,
                                                      std::string& why_not) {
  try {
    return Translator(text, measures).translate();
  } catch (const NotUnderstood& error) {
    why_not = error.what();
    return std::nullopt;
  }
}

}  // namespace cardan
