// Functions of one variable as model files write them, v the variable (t for functions of time, x for laws of springs):
//
//   3*L, "2*sin(v)"                                        a number or an expression
//   {constant: c}                  {expression: "2*sin(v)"}
//   {polynomial: [c0, c1, ...]}                            c0 + c1 v + ...
//   {table: [[v, f], ...], interpolation: linear | cubic, beyond: hold | linear | error}   linear and hold unless said
//                                                          otherwise
//   {table: {file: PATH, columns: [A, B]}, ...}            two columns of a CSV file
//   {sine: {amplitude: a, omega: w | frequency: f, phase: p, offset: o}}
//   {step: {from: [v0, f0], to: [v1, f1]}}                 smooth
//   {piecewise: [{below: v1, ...a function...}, {below: v2, ...}, {...}]}   the last piece without `below`
//
// Where a number may follow signals, an expression may name them, and `of: EXPRESSION` beside any of the others gives
// its argument in place of t.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numbers>
#include <stdexcept>

#include "io/csv_pairs.hpp"
#include "io/parameters.hpp"
#include "io/yaml_fields.hpp"
#include "math/expression.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;
constexpr std::string_view kFunctionKinds[] = {"constant", "expression", "polynomial", "table",
                                               "sine",     "step",       "piecewise"};

class FunctionReader {
 public:
  FunctionReader(Reading& reading, const std::string& element, const std::string& what, const std::string& variable)
      : reading_(reading), element_(element), what_(what), variable_(variable) {}

  /// A function of time, or one that follows signals.
  std::optional<Varying> read_varying(const YamlNode& node) {
    if (node.kind == Kind::scalar) return follow(node);
    const YamlEntry* of = node.kind == Kind::map ? node.find("of") : nullptr;
    const YamlEntry* text = node.kind == Kind::map ? node.find("expression") : nullptr;
    if (of == nullptr && text != nullptr && node.entries.size() == 1) return follow(*text->value);
    of_allowed_ = true;
    const auto function = read(node, false);
    if (!function || of == nullptr) return function ? std::optional(Varying(*function)) : std::nullopt;
    const auto argument = follow(*of->value);
    if (!argument) return std::nullopt;
    if (!argument->follows_signals()) {
      reading_.problems.error(of->value->where, element_, fmt::format("{}: 'of' names no signal", what_),
                              "leave it out: the function is then one of t");
      return std::nullopt;
    }
    Varying varying(argument->terms[0].expression);
    varying.terms[0].of = *function;
    return varying;
  }

  std::optional<Function> read(const YamlNode& node, bool piece) {
    if (node.kind == Kind::scalar) return expression(node);
    if (node.kind != Kind::map) {
      wrong_kind(reading_, node, element_, what_,
                 "a function: a number, an expression or {polynomial: [...]} and so on");
      return std::nullopt;
    }
    Fields fields(reading_, node, element_, node.where);
    constexpr std::string_view extra[] = {"interpolation", "beyond", "of", "below"};
    const auto kind = fields.kind(kFunctionKinds, std::span(extra, piece ? 4 : 3));
    if (!kind) return std::nullopt;
    std::vector<std::string_view> known{*kind};
    if (*kind == "table") known.insert(known.end(), {"interpolation", "beyond"});
    if (piece) known.push_back("below");
    if (!piece && of_allowed_) known.push_back("of");
    fields.allow(known, fmt::format("a function given by '{}'", *kind));
    const YamlNode& value = *fields.node(kind->c_str());
    try {
      if (*kind == "constant") return constant(value);
      if (*kind == "expression") return expression(value);
      if (*kind == "polynomial") return polynomial(value);
      if (*kind == "table") return table(value, fields);
      if (*kind == "sine") return sine(value);
      if (*kind == "step") return step(value);
      if (!piece) return piecewise(value);
      reading_.problems.error(value.where, element_, "a piece must not be piecewise itself",
                              "write all pieces in one list");
    } catch (const std::invalid_argument& e) {
      reading_.problems.error(value.where, element_, fmt::format("{}: {}", what_, e.what()));
    }
    return std::nullopt;
  }

 private:
  /// An expression: of t alone a function, with any other name that is no parameter of signals.
  std::optional<Varying> follow(const YamlNode& node) {
    const auto is_known = [&](const std::string& name) {
      return name == "t" || name == "x" || name == "pi" || name == "e" || reading_.parameters.count(name) > 0 ||
             reading_.broken_parameters.count(name) > 0 || follows_a_number(node.text, name);
    };
    const auto names = names_in_expression(node.text);
    // Parameters have no dots, nor a name in quotes.
    bool dotted = node.kind == Kind::scalar && node.text.find('\'') != std::string::npos;
    for (std::size_t i = 1; node.kind == Kind::scalar && i + 1 < node.text.size(); ++i) {
      const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      dotted = dotted || (node.text[i] == '.' && letter(node.text[i + 1]) && !std::isspace(node.text[i - 1]));
    }
    if (node.kind != Kind::scalar || (!dotted && std::all_of(names.begin(), names.end(), is_known))) {
      const auto function = expression(node);
      return function ? std::optional(Varying(*function)) : std::nullopt;
    }
    for (const std::string& name : names) {
      if (reading_.broken_parameters.count(name) == 0) continue;
      ++reading_.silent_failures;
      return std::nullopt;
    }
    try {
      return Varying(SignalExpression::parse(node.text, reading_.parameters));
    } catch (const ExpressionError& e) {
      reading_.problems.error(node.where, element_, fmt::format("{}: {}", what_, e.what()));
      return std::nullopt;
    }
  }

  std::optional<Function> constant(const YamlNode& node) {
    const auto value = read_number(reading_, node, element_, what_);
    return value ? std::optional(Function::constant(*value)) : std::nullopt;
  }

  std::optional<Function> expression(const YamlNode& node) {
    if (node.kind != Kind::scalar) {
      wrong_kind(reading_, node, element_, what_, "an expression");
      return std::nullopt;
    }
    const auto names = names_in_expression(node.text);
    const auto uses = [&names](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const std::string other = variable_ == "t" ? "x" : "t";
    if (uses(other)) {
      reading_.problems.error(node.where, element_,
                              fmt::format("{}: '{}' is not known in '{}'", what_, other, node.text),
                              fmt::format("the variable is {} here", variable_));
      return std::nullopt;
    }
    for (const std::string& name : names) {
      if (reading_.broken_parameters.count(name) > 0) {
        ++reading_.silent_failures;
        return std::nullopt;
      }
      if (name == variable_ || name == "pi" || name == "e" || reading_.parameters.count(name) > 0) continue;
      std::vector<std::string> known{variable_};
      for (const auto& [parameter, unused] : reading_.parameters) known.push_back(parameter);
      reading_.problems.error(node.where, element_,
                              fmt::format("{}: no parameter is called '{}' in '{}'", what_, name, node.text),
                              follows_a_number(node.text, name) ? kNoUnits : suggestion(name, known, "the names are"));
      return std::nullopt;
    }
    if (!uses(variable_)) return constant(node);
    try {
      return Function::expression(node.text, variable_, reading_.parameters);
    } catch (const ExpressionError& e) {
      reading_.problems.error(node.where, element_, fmt::format("{}: {}", what_, e.what()));
      return std::nullopt;
    }
  }

  std::optional<Function> polynomial(const YamlNode& node) {
    auto coefficients = read_numbers(reading_, node, element_, what_);
    if (!coefficients) return std::nullopt;
    if (coefficients->empty()) {
      reading_.problems.error(node.where, element_, fmt::format("{}: the polynomial has no coefficients", what_),
                              "give [c0, c1, ...]");
      return std::nullopt;
    }
    return Function::polynomial(std::move(*coefficients));
  }

  /// The one of `choices` that the field names, the first when it is not given.
  template <class Choice>
  Choice choose(Fields& fields, const char* key, const char* what,
                std::initializer_list<std::pair<const char*, Choice>> choices) {
    const auto word = fields.word(key);
    if (!word) return choices.begin()->second;
    std::vector<std::string> names;
    for (const auto& [name, choice] : choices) {
      if (word->value == name) return choice;
      names.emplace_back(name);
    }
    fields.error(word->where, fmt::format("{} is called '{}'", what, word->value),
                 suggestion(word->value, names, "give"));
    return choices.begin()->second;
  }

  std::optional<Function> table(const YamlNode& node, Fields& fields) {
    using Interpolation = Function::Interpolation;
    using Beyond = Function::Beyond;
    const auto interpolation =
        choose<Interpolation>(fields, "interpolation", "no interpolation",
                              {{"linear", Interpolation::linear}, {"cubic", Interpolation::cubic}});
    const auto beyond = choose<Beyond>(fields, "beyond", "no choice of 'beyond'",
                                       {{"hold", Beyond::hold}, {"linear", Beyond::linear}, {"error", Beyond::error}});
    std::vector<CsvPair> rows;
    if (node.kind == Kind::map) {
      auto read = read_csv_pairs(reading_, node, element_, "a table");
      if (!read) return std::nullopt;
      rows = std::move(*read);
    } else if (node.kind == Kind::sequence) {
      for (const YamlPointer& row : node.items)
        if (const auto pair = two_numbers(*row, "a row of the table"))
          rows.push_back({Vec2(pair->first, pair->second), row->where});
    }
    if (fields.failed()) return std::nullopt;
    if (rows.size() < 2) {
      fields.error(node.where, fmt::format("{}: a table needs two rows or more", what_),
                   "give [[x, y], [x, y], ...] or {file: PATH, columns: [A, B]}");
      return std::nullopt;
    }
    std::vector<double> x, y;
    for (const CsvPair& row : rows) {
      if (!x.empty() && row.value.x() <= x.back()) {
        fields.error(row.where,
                     fmt::format("{}: the table does not rise from {} to {}", what_, x.back(), row.value.x()),
                     "order the rows by their first number");
        return std::nullopt;
      }
      x.push_back(row.value.x());
      y.push_back(row.value.y());
    }
    return Function::table(std::move(x), std::move(y), interpolation, beyond);
  }

  std::optional<std::pair<double, double>> two_numbers(const YamlNode& node, const std::string& what) {
    if (node.kind != Kind::sequence || node.items.size() != 2) {
      wrong_kind(reading_, node, element_, what, "two numbers");
      return std::nullopt;
    }
    const auto values = read_numbers(reading_, node, element_, what);
    if (!values) return std::nullopt;
    return std::pair((*values)[0], (*values)[1]);
  }

  std::optional<Function> sine(const YamlNode& node) {
    Fields fields(reading_, node, element_, node.where);
    constexpr std::string_view known[] = {"amplitude", "omega", "frequency", "phase", "offset"};
    fields.allow(known, "a sine");
    fields.require("amplitude", "add it");
    if (node.kind == Kind::map && fields.has("omega") == fields.has("frequency"))
      fields.error(node.where, "a sine needs 'omega' (rad per unit) or 'frequency' (cycles per unit)",
                   "give one of them");
    const auto amplitude = fields.number("amplitude"), omega = fields.number("omega"),
               frequency = fields.number("frequency");
    const auto phase = fields.number("phase"), offset = fields.number("offset");
    if (fields.failed()) return std::nullopt;
    return Function::sine(amplitude->value, omega ? omega->value : 2 * std::numbers::pi * frequency->value,
                          phase ? phase->value : 0, offset ? offset->value : 0);
  }

  std::optional<Function> step(const YamlNode& node) {
    Fields fields(reading_, node, element_, node.where);
    constexpr std::string_view known[] = {"from", "to"};
    fields.allow(known, "a step");
    fields.require("from", "add 'from: [x, y]'");
    fields.require("to", "add 'to: [x, y]'");
    if (fields.failed()) return std::nullopt;
    const auto from = two_numbers(*fields.node("from"), "'from'"), to = two_numbers(*fields.node("to"), "'to'");
    if (!from || !to) return std::nullopt;
    if (to->first <= from->first) {
      fields.error(node.where, fmt::format("the step does not rise from {} to {}", from->first, to->first),
                   "put the smaller argument into 'from'");
      return std::nullopt;
    }
    return Function::smooth_step(from->first, from->second, to->first, to->second);
  }

  std::optional<Function> piecewise(const YamlNode& node) {
    if (node.kind != Kind::sequence || node.items.empty()) {
      wrong_kind(reading_, node, element_, "'piecewise'",
                 "a list of pieces, as [{below: 0, constant: 1}, {constant: 2}]");
      return std::nullopt;
    }
    const std::size_t before = reading_.failure_count();
    std::vector<double> breaks;
    std::vector<Function> pieces;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const YamlNode& item = *node.items[i];
      const bool last = i + 1 == node.items.size();
      const YamlEntry* below = item.kind == Kind::map ? item.find("below") : nullptr;
      if (!last && below == nullptr) {
        reading_.problems.error(item.where, element_, "'below' is missing",
                                "every piece but the last says up to where it holds");
      } else if (last && below != nullptr) {
        reading_.problems.error(below->where, element_, "the last piece holds for all above",
                                "leave its 'below' out, or add a piece");
      } else if (below != nullptr) {
        const auto limit = read_number(reading_, *below->value, element_, "'below'");
        if (limit && !breaks.empty() && *limit <= breaks.back())
          reading_.problems.error(below->value->where, element_,
                                  fmt::format("'below' does not rise from {} to {}", breaks.back(), *limit),
                                  "order the pieces");
        breaks.push_back(limit.value_or(0));
      }
      const auto piece = read(item, true);
      pieces.push_back(piece.value_or(Function()));
    }
    if (reading_.failure_count() > before) return std::nullopt;
    return Function::piecewise(std::move(breaks), std::move(pieces));
  }

  Reading& reading_;
  const std::string& element_;
  const std::string& what_;
  const std::string& variable_;
  bool of_allowed_ = false;
};

}  // namespace

std::optional<Function> read_function(Reading& reading, const YamlNode& node, const std::string& element,
                                      const std::string& what, const std::string& variable) {
  return FunctionReader(reading, element, what, variable).read(node, false);
}

std::optional<Varying> read_varying(Reading& reading, const YamlNode& node, const std::string& element,
                                    const std::string& what) {
  static const std::string t = "t";
  return FunctionReader(reading, element, what, t).read_varying(node);
}

}  // namespace cardan
