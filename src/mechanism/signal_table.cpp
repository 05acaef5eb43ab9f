#include "mechanism/signal_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "math/expression.hpp"
#include "mechanism/quantities.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

using Kind = Signal::Kind;

const char* level_name(SignalLevel level) {
  switch (level) {
    case SignalLevel::given:
      return "time and inputs";
    case SignalLevel::position:
      return "positions";
    case SignalLevel::velocity:
      return "velocities";
    case SignalLevel::sampled:
      break;
  }
  return "accelerations or reactions";
}

}  // namespace

int SignalTable::add(Signal signal) {
  m_.signals.push_back(std::move(signal));
  return static_cast<int>(m_.signals.size()) - 1;
}

void SignalTable::name(int signal, const std::string& name, const std::string& unit, const SourceLocation& where) {
  Signal& s = m_.signals[static_cast<std::size_t>(signal)];
  s.name = name;
  s.unit = unit;
  s.where = where;
  // In expressions these are something else, whatever is called so.
  constexpr std::pair<const char*, const char*> kTaken[] = {{"t", "the time"}, {"pi", "a number"}, {"e", "a number"}};
  for (const auto& [taken, meaning] : kTaken) {
    if (name.substr(name.rfind('/') + 1) != taken) continue;
    return problems_.error(where, fmt::format("signal '{}'", name), fmt::format("'{}' is {}", taken, meaning),
                           "choose another name");
  }
  named_.emplace(name, signal);
}

int SignalTable::time() {
  const auto [found, is_new] = named_.emplace("t", -1);
  if (is_new) {
    Signal t;
    t.name = "t";
    found->second = add(t);
  }
  return found->second;
}

int SignalTable::expression_signal(const SignalExpression& expression, const std::string& element,
                                   const SourceLocation& where) {
  Signal s;
  s.kind = Kind::expression;
  s.expression = expression;
  s.where = where;
  const int index = add(std::move(s));
  pending_.push_back({index, element, where});
  return index;
}

Law SignalTable::law(const Varying& number, const std::string& element, const SourceLocation& where) {
  if (!number.follows_signals()) return number.function;
  Varying terms = number;
  terms.function = Function();
  return {number.function, signal(terms, element, where)};
}

int SignalTable::signal(const Varying& number, const std::string& element, const SourceLocation& where) {
  std::vector<int> parts;
  std::vector<double> factors;
  const auto plus = [&](double factor, int part) {
    factors.push_back(factor);
    parts.push_back(part);
  };
  const auto behind = [&](const Function& function, int argument) {
    Signal s;
    s.kind = Kind::function;
    s.of = function;
    s.where = where;
    s.arguments = {argument};
    return add(std::move(s));
  };
  if (number.terms.empty() || !number.function.is_zero()) plus(1, behind(number.function, time()));
  for (const Varying::Term& term : number.terms) {
    const int inner = expression_signal(term.expression, element, where);
    plus(term.factor, term.of ? behind(*term.of, inner) : inner);
  }
  if (parts.size() == 1 && factors[0] == 1) return parts[0];
  std::string sum;
  for (std::size_t i = 0; i < parts.size(); ++i)
    sum += fmt::format("{}{:.17g}*s{}", i == 0 ? "" : " + ", factors[i], i);
  Signal s;
  s.kind = Kind::expression;
  s.expression = SignalExpression::parse(sum);
  s.where = where;
  s.arguments = parts;
  return add(std::move(s));
}

void SignalTable::show(const std::string& name, const std::string& element, const SourceLocation& where) {
  // What cannot be written between quotes (a quote, nothing, a page of text) names no signal: the list of columns
  // refuses it.
  try {
    shown_.push_back(expression_signal(SignalExpression::parse("'" + name + "'"), element, where));
  } catch (const ExpressionError&) {
  }
}

void SignalTable::require(int signal, SignalLevel most, const std::string& element, const SourceLocation& where,
                          const char* why) {
  if (signal >= 0) required_.push_back({signal, most, element, where, why});
}

std::optional<int> SignalTable::find(const std::string& name, const Pending& from) {
  if (name == "t") return time();
  if (const auto found = named_.find(name); found != named_.end()) return found->second;
  if (name.starts_with("rate(")) {
    const auto of = find(name.substr(5, name.size() - 6), from);
    if (!of) return std::nullopt;
    Signal s;
    s.kind = Kind::rate;
    s.arguments = {*of};
    s.where = from.where;
    return named_.emplace(name, add(std::move(s))).first->second;
  }
  const auto found = find_quantity(name);
  if (!found) {
    if (!misses(name)) unknown(name, from);
    return std::nullopt;
  }
  Signal& s = m_.signals[static_cast<std::size_t>(*found)];
  s.name = name;
  s.unit = unit_of_quantity(m_, name);
  named_.emplace(name, *found);
  return found;
}

void SignalTable::unknown(const std::string& name, const Pending& from) {
  const SignalExpression& expression = m_.signals[static_cast<std::size_t>(from.signal)].expression;
  std::vector<std::string> known = trajectory_columns(m_);
  const std::vector<std::string> further = further_signals(m_);
  known.insert(known.end(), further.begin(), further.end());
  for (const auto& [other, signal] : named_) known.push_back(other);
  known.insert(known.end(), expression.constants().begin(), expression.constants().end());
  const std::string near = nearest_name(name, known);
  // All that the element has, its own name included where that is a signal, as of a controller.
  std::vector<std::string> own;
  const std::string element = name.substr(0, name.rfind('.'));
  for (const std::string& other : known)
    if ((other == element || other.starts_with(element + ".")) && std::find(own.begin(), own.end(), other) == own.end())
      own.push_back(other);
  constexpr std::size_t kMost = 12;
  const std::size_t left_off = own.size() > kMost ? own.size() - kMost : 0;
  own.resize(own.size() - left_off);
  std::string advice =
      fmt::format("there are {}{}", fmt::join(own, ", "), left_off > 0 ? fmt::format(" and {} more", left_off) : "");
  if (own.empty()) {
    const std::vector<std::string>& parameters = expression.constants();
    if (!parameters.empty() && parameters.size() <= kMost)
      advice = fmt::format("the parameters are {}; ", fmt::join(parameters, ", "));
    else
      advice.clear();
    advice += "signals are t, inputs, states, those of 'signals' and the columns of trajectory.csv";
    if (from.where.included_from)
      advice += fmt::format("; one outside of the part is declared by 'connections: {{{}: signal}}'", name);
  }
  if (!near.empty()) {
    // Of a letter or two, as in pin.ax, another quantity may be no slip of the fingers.
    const bool short_quantity = !own.empty() && name.size() < element.size() + 4;
    advice = fmt::format("did you mean '{}'?{}", near, short_quantity ? " T" + advice.substr(1) : "");
  }
  problems_.error(from.where, from.element,
                  fmt::format("no parameter or signal is called '{}' in '{}'", name, expression.text()), advice);
}

std::string SignalTable::label(int signal) const {
  const Signal& s = m_.signals[static_cast<std::size_t>(signal)];
  if (!s.name.empty()) return fmt::format("'{}'", s.name);
  return s.kind == Kind::rate ? fmt::format("rate({})", label(s.arguments[0])) : "an expression";
}

/// Without its arguments.
static SignalLevel own_level(const Signal& s) {
  using Kind = Signal::Kind;
  switch (s.kind) {
    case Kind::coordinate:
    case Kind::distance:
    case Kind::place:
    case Kind::plane_angle:
      return s.rate ? SignalLevel::velocity : SignalLevel::position;
    case Kind::cosine:
      return SignalLevel::position;
    case Kind::velocity:
    case Kind::spin:
    case Kind::tension:
    case Kind::joint_pull:
    case Kind::bushing_pull:
    case Kind::tyre:
    case Kind::contact:
    case Kind::state:
      return SignalLevel::velocity;
    case Kind::acceleration:
    case Kind::angular_acceleration:
    case Kind::coordinate_acceleration:
    case Kind::reaction:
    case Kind::rotor:
    case Kind::energy:
    case Kind::column:
      return SignalLevel::sampled;
    default:
      return SignalLevel::given;
  }
}

/// Depth first; false after reporting a cycle.
bool SignalTable::find_level(int signal, std::vector<int>& path) {
  Signal& s = m_.signals[static_cast<std::size_t>(signal)];
  char& visited = visited_[static_cast<std::size_t>(signal)];
  if (visited == 2) return true;
  if (visited == 1) {
    std::vector<std::string> cycle;
    for (auto at = std::find(path.begin(), path.end(), signal); at != path.end(); ++at)
      if (!m_.signals[static_cast<std::size_t>(*at)].name.empty()) cycle.push_back(label(*at));
    cycle.push_back(cycle.empty() ? label(signal) : cycle.front());
    problems_.error(s.where, "", fmt::format("signals depend on each other in a circle: {}", fmt::join(cycle, " -> ")),
                    "a state, or an input with a lag, breaks the circle");
    return false;
  }
  visited = 1;
  path.push_back(signal);
  s.level = own_level(s);
  bool sound = true;
  for (const int argument : s.arguments) {
    sound = sound && find_level(argument, path);
    s.level = std::max(s.level, m_.signals[static_cast<std::size_t>(argument)].level);
  }
  if (s.kind == Kind::rate) {
    if (s.level > SignalLevel::position) {
      problems_.error(
          s.where, "",
          fmt::format("rate() of {}, which is known only with {}", label(s.arguments[0]), level_name(s.level)),
          "rates are taken of positions, time and inputs");
      sound = false;
    } else if (s.level == SignalLevel::position) {
      s.level = SignalLevel::velocity;
    }
  }
  path.pop_back();
  visited_[static_cast<std::size_t>(signal)] = 2;
  return sound;
}

/// A signal that is but another name for one has its unit.
void SignalTable::take_over_units() {
  for (Signal& s : m_.signals) {
    if (!s.shown || !s.unit.empty() || s.kind != Kind::expression || s.arguments.size() != 1) continue;
    const std::string &text = s.expression.text(), &name = s.expression.names()[0];
    if (text == name || text == "'" + name + "'") s.unit = m_.signals[static_cast<std::size_t>(s.arguments[0])].unit;
  }
}

void SignalTable::resolve() {
  bool all_found = true;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending from = pending_[i];
    std::vector<int> arguments;
    const std::vector<std::string> names = m_.signals[static_cast<std::size_t>(from.signal)].expression.names();
    for (const std::string& name : names) {
      const auto found = find(name, from);
      if (found) arguments.push_back(*found);
      all_found = all_found && found;
    }
    m_.signals[static_cast<std::size_t>(from.signal)].arguments = std::move(arguments);
  }
  if (!all_found) return;
  const std::vector<std::string> columns = shown_.empty() ? std::vector<std::string>() : trajectory_columns(m_);
  for (const int expression : shown_) {
    Signal& s = m_.signals[static_cast<std::size_t>(m_.signals[static_cast<std::size_t>(expression)].arguments[0])];
    s.shown = s.shown || std::find(columns.begin(), columns.end(), s.name) == columns.end();
  }
  visited_.assign(m_.signals.size(), 0);
  std::vector<int> path;
  for (int i = 0; i < static_cast<int>(m_.signals.size()); ++i)
    if (!find_level(i, path)) return;
  take_over_units();
  for (const Requirement& r : required_) {
    const Signal& s = m_.signals[static_cast<std::size_t>(r.signal)];
    if (s.level <= r.most) continue;
    // Which of its arguments is to blame.
    int blamed = r.signal;
    for (bool deeper = true; deeper;) {
      deeper = false;
      for (const int argument : m_.signals[static_cast<std::size_t>(blamed)].arguments)
        if (m_.signals[static_cast<std::size_t>(argument)].level == s.level) blamed = argument, deeper = true;
    }
    problems_.error(r.where, r.element, fmt::format("{} is known only with {}", label(blamed), level_name(s.level)),
                    r.why);
  }
}

}  // namespace cardan
