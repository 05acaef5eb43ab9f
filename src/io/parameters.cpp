#include "io/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>

#include "math/expression.hpp"

namespace cardan {

namespace {

bool is_word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(char c) { return is_word_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> keys(const std::map<std::string, double>& parameters) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : parameters) names.push_back(name);
  return names;
}

/// Of `NAME: NUMBER` or `NAME: {value: NUMBER, unit: WORD}`.
const YamlNode& value_of(const YamlEntry& entry) {
  const YamlEntry* value = entry.value->kind == YamlNode::Kind::map ? entry.value->find("value") : nullptr;
  return value == nullptr ? *entry.value : *value->value;
}

/// The unit of the second form, whose fields are checked; empty for the first.
std::string read_unit(Reading& reading, const YamlEntry& entry) {
  if (entry.value->kind != YamlNode::Kind::map) return "";
  Fields fields(reading, *entry.value, element_label("parameter", entry.key), entry.where);
  constexpr std::string_view known[] = {"value", "unit"};
  fields.allow(known, "a parameter");
  fields.require("value", "add 'value: NUMBER'");
  const auto unit = fields.word("unit");
  return unit ? unit->value : "";
}

// Evaluates the parameters depth first, each after those that it uses.
class ParameterEvaluation {
 public:
  ParameterEvaluation(Reading& reading, const YamlNode& section) : reading_(reading), section_(section) {}

  void evaluate(const YamlEntry& entry) {
    if (reading_.parameters.count(entry.key) > 0 || reading_.broken_parameters.count(entry.key) > 0) return;
    const std::string element = element_label("parameter", entry.key);
    if (const auto begin = std::find(path_.begin(), path_.end(), entry.key); begin != path_.end()) {
      const std::vector<std::string> cycle(begin, path_.end());
      reading_.problems.error(entry.where, element,
                              cycle.size() == 1 ? "it is defined by itself"
                                                : fmt::format("it is defined by itself through {}",
                                                              fmt::join(cycle.begin() + 1, cycle.end(), ", ")),
                              cycle.size() == 1 ? "give it a number" : "give one of them a number");
      for (const std::string& name : cycle) reading_.broken_parameters.insert(name);
      return;
    }
    constexpr std::size_t kDeepest = 500;  // each level is a call on the stack
    if (path_.size() == kDeepest) {
      reading_.problems.error(entry.where, element,
                              fmt::format("more than {} parameters build on each other here", kDeepest));
      reading_.broken_parameters.insert(entry.key);
      return;
    }
    path_.push_back(entry.key);
    if (value_of(entry).kind == YamlNode::Kind::scalar)
      for (const std::string& name : names_in_expression(value_of(entry).text))
        if (const YamlEntry* used = section_.find(name)) evaluate(*used);
    path_.pop_back();
    if (reading_.broken_parameters.count(entry.key) > 0) return;
    const auto value = read_number(reading_, value_of(entry), element, "");
    if (value) {
      reading_.parameters[entry.key] = *value;
    } else {
      reading_.broken_parameters.insert(entry.key);
    }
  }

 private:
  Reading& reading_;
  const YamlNode& section_;
  std::vector<std::string> path_;
};

}  // namespace

bool follows_a_number(const std::string& text, const std::string& name) {
  static const std::set<std::string> units{"m",   "mm",  "cm", "km", "kg", "g",  "t", "s", "ms", "min", "rad",
                                           "deg", "rpm", "Hz", "N",  "kN", "Nm", "J", "W", "Pa", "MPa", "degrees"};
  std::size_t at = text.find(name);
  if (units.count(name) == 0 || at == std::string::npos) return false;
  while (at > 0 && text[at - 1] == ' ') --at;
  return at > 0 && (std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '.');
}

bool evaluate_number(const std::string& text, const std::map<std::string, double>& parameters, double& value,
                     std::string& message, std::string& remedy) {
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (stop == end && !text.empty()) {
    if (status == std::errc::result_out_of_range)
      value = std::strtod(text.c_str(), nullptr);  // 0 when too small, else infinite
    if (std::isfinite(value)) return true;
    message = fmt::format("'{}' is not a finite number", text);
    return false;
  }
  if (text == ".nan" || text == ".NaN" || text == ".inf" || text == "-.inf" || text == "+.inf") {
    message = fmt::format("'{}' is not a finite number", text);
    return false;
  }
  if (const auto found = parameters.find(text); found != parameters.end() && std::isfinite(found->second)) {
    value = found->second;
    return true;
  }
  for (const std::string& name : names_in_expression(text)) {
    if (parameters.count(name) > 0 || name == "pi" || name == "e") continue;
    message = name == text ? fmt::format("'{}' is neither a number nor a parameter", text)
                           : fmt::format("no parameter is called '{}' in '{}'", name, text);
    remedy = follows_a_number(text, name) ? kNoUnits : suggestion(name, keys(parameters), "the parameters are");
    return false;
  }
  try {
    value = evaluate_constant(text, parameters);
    return true;
  } catch (const ExpressionError& e) {
    message = e.what();
    // Digits, a comma, digits.
    const std::size_t comma = text.find(',');
    const auto is_digit = [&](std::size_t i) {
      return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
    };
    if (comma != std::string::npos && comma > 0 && is_digit(comma - 1) && is_digit(comma + 1)) remedy = kDecimalPoint;
    return false;
  }
}

std::vector<std::string> names_in_expression(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word_start(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
      std::size_t next = end;
      while (next < text.size() && text[next] == ' ') ++next;
      if (next == text.size() || text[next] != '(') names.push_back(text.substr(i, end - i));
    } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.') {
      double ignored = 0;  // skips the exponent too: the e of 1e3 is no name
      const auto [stop, status] = std::from_chars(text.data() + i, text.data() + text.size(), ignored);
      end = std::max(end, static_cast<std::size_t>(stop - text.data()));
    }
    i = end;
  }
  return names;
}

void read_parameters(Reading& reading, const YamlNode* section, const std::map<std::string, double>& replacements) {
  const SourceLocation file{reading.file, 0, 0, reading.included_from};
  static const YamlNode nothing;
  if (section == nullptr) section = &nothing;
  std::vector<std::string> known;
  for (const YamlEntry& entry : section->entries) known.push_back(entry.key);
  for (const auto& [name, value] : replacements) {
    if (section->find(name) == nullptr) {
      reading.problems.error(file, "", fmt::format("the model has no parameter '{}' to set", name),
                             suggestion(name, known, "its parameters are"));
    } else if (!std::isfinite(value)) {
      reading.problems.error(file, "", fmt::format("parameter '{}' is set to {}", name, value), "give a finite number");
      reading.broken_parameters.insert(name);
    } else {
      reading.parameters[name] = value;
    }
  }
  std::map<std::string, std::string> units;
  for (const YamlEntry& entry : section->entries) {
    const std::size_t before = reading.failure_count();
    units[entry.key] = read_unit(reading, entry);
    if (reading.failure_count() > before) reading.broken_parameters.insert(entry.key);
    const bool word =
        !entry.key.empty() && is_word_start(entry.key[0]) && std::all_of(entry.key.begin(), entry.key.end(), is_word);
    if (!word) {
      reading.problems.error(entry.where, element_label("parameter", entry.key),
                             "the name cannot stand in an expression", "use letters, digits and '_', a letter first");
    } else if (entry.key == "t" || entry.key == "x" || entry.key == "y" || entry.key == "z") {
      reading.problems.error(entry.where, element_label("parameter", entry.key),
                             "t, x, y and z are the names of variables and axes", "choose another name");
    } else if (entry.key == "e" || entry.key == "pi") {
      reading.problems.warning(entry.where, element_label("parameter", entry.key),
                               fmt::format("it hides the constant {} in every expression of this file", entry.key),
                               "choose another name");
    }
  }
  ParameterEvaluation evaluation(reading, *section);
  for (const YamlEntry& entry : section->entries) evaluation.evaluate(entry);
  if (reading.listed == nullptr) return;
  for (const YamlEntry& entry : section->entries) {
    const auto found = reading.parameters.find(entry.key);
    if (found == reading.parameters.end()) continue;
    const std::vector<std::string> names = names_in_expression(value_of(entry).text);
    const bool follows = replacements.count(entry.key) == 0 &&
                         std::any_of(names.begin(), names.end(),
                                     [&](const std::string& name) { return section->find(name) != nullptr; });
    reading.listed->push_back({entry.key, found->second, follows, units[entry.key]});
  }
}

}  // namespace cardan
