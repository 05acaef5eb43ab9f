#include "mechanism/signal_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mechanism/joint_types.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

using Kind = Signal::Kind;

template <class List>
int index_of(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

/// "q2" as a number: 2; a field without one: `alone`.
std::optional<int> number_behind(const std::string& field, char letter, int alone) {
  if (field.empty() || field[0] != letter) return std::nullopt;
  if (field.size() == 1) return alone;
  if (field.size() > 2 || field[1] < '1' || field[1] > '9') return std::nullopt;
  return field[1] - '0';
}

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
  std::string sum;
  const auto plus = [&](double factor, int part) {
    sum += fmt::format("{}{:.17g}*s{}", sum.empty() ? "" : " + ", factor, parts.size());
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
  if (parts.size() == 1 && (number.terms.empty() || number.terms[0].factor == 1)) return parts[0];
  Signal s;
  s.kind = Kind::expression;
  s.expression = SignalExpression::parse(sum);
  s.where = where;
  s.arguments = parts;
  return add(std::move(s));
}

void SignalTable::show(const std::string& name, const std::string& element, const SourceLocation& where) {
  shown_.push_back(expression_signal(SignalExpression::parse("'" + name + "'"), element, where));
}

void SignalTable::require(int signal, SignalLevel most, const std::string& element, const SourceLocation& where,
                          const char* why) {
  if (signal >= 0) required_.push_back({signal, most, element, where, why});
}

std::optional<Signal> SignalTable::of_body(int body, const std::string& field) const {
  const Body& b = m_.bodies[static_cast<std::size_t>(body)];
  const bool planar = m_.planar;
  Signal s;
  s.kind = Kind::place;
  s.body2 = body;
  s.point2 = b.center;
  if (planar && (field == "angle" || field == "w")) {
    s.kind = Kind::plane_angle;
    s.rate = field == "w";
    return s;
  }
  const bool velocity = field.size() == 2 && field[0] == 'v', spin = field.size() == 2 && field[0] == 'w';
  const char axis = velocity || spin ? field[1] : field.size() == 1 ? field[0] : '\0';
  if (axis < 'x' || axis > (planar ? 'y' : 'z') || (planar && spin)) return std::nullopt;
  s.direction = Vec3::Unit(axis - 'x');
  s.rate = velocity;
  if (spin) s.kind = Kind::spin;
  return s;
}

std::optional<Signal> SignalTable::of_joint(int joint, const std::string& field) const {
  const Joint& j = m_.joints[static_cast<std::size_t>(joint)];
  const int count = joint_coordinate_count(j.type, m_.planar);
  for (const char letter : {'q', 'v'}) {
    const auto number = number_behind(field, letter, count == 1 ? 1 : 0);
    if (!number || *number < 1 || *number > count || (count == 1) != (field.size() == 1)) continue;
    if (is_rotation_vector(j.type, m_.planar, *number - 1)) return std::nullopt;
    Signal s;
    s.kind = Kind::coordinate;
    s.index = joint;
    s.component = *number - 1;
    s.rate = letter == 'v';
    return s;
  }
  return std::nullopt;
}

/// Of a load that follows a law; nothing where only its column tells it.
std::optional<int> SignalTable::value_of(const Law& law) {
  if (law.function.is_zero() && law.signal >= 0) return law.signal;
  if (law.signal >= 0) return std::nullopt;
  Signal s;
  s.kind = Kind::function;
  s.of = law.function;
  s.arguments = {time()};
  return add(std::move(s));
}

/// ELEMENT.QUANTITY at the level of velocities.
std::optional<int> SignalTable::find_field(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string element = name.substr(0, dot), field = name.substr(dot + 1);
  std::optional<Signal> found;
  const auto line = [&](int body1, const Vec3& point1, int body2, const Vec3& point2, bool rate) {
    found.emplace();
    found->kind = Kind::distance;
    found->body1 = body1, found->body2 = body2;
    found->point1 = point1, found->point2 = point2;
    found->rate = rate;
  };
  const bool is_length = field == "length" || field == "rate";
  if (const int body = index_of(m_.bodies, element); body >= 0) found = of_body(body, field);
  if (const int joint = index_of(m_.joints, element); joint >= 0) found = of_joint(joint, field);
  if (const int i = index_of(m_.springs, element); i >= 0) {
    const SpringDamper& spring = m_.springs[static_cast<std::size_t>(i)];
    if (is_length) {
      line(spring.body1, spring.point1, spring.body2, spring.point2, field == "rate");
      if (spring.axis) found->kind = Kind::place, found->direction = *spring.axis;
    } else if (field == "force") {
      found.emplace();
      found->kind = Kind::tension;
      found->index = i;
    }
  }
  if (const int i = index_of(m_.line_forces, element); i >= 0) {
    const LineForce& force = m_.line_forces[static_cast<std::size_t>(i)];
    if (is_length) line(force.body1, force.point1, force.body2, force.point2, field == "rate");
    if (field == "force") return value_of(force.pull);
  }
  if (const int i = index_of(m_.actuators, element); i >= 0 && field == "effort")
    return value_of(m_.actuators[static_cast<std::size_t>(i)].effort);
  if (!found) return std::nullopt;
  found->name = name;
  return add(std::move(*found));
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
  auto found = find_field(name);
  if (!found) {
    const std::vector<std::string> columns = trajectory_columns(m_);
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) {
      Signal s;
      s.kind = Kind::column;
      s.name = name;
      found = add(std::move(s));
    }
  }
  if (!found) {
    unknown(name, from);
    return std::nullopt;
  }
  named_.emplace(name, *found);
  return found;
}

void SignalTable::unknown(const std::string& name, const Pending& from) {
  const SignalExpression& expression = m_.signals[static_cast<std::size_t>(from.signal)].expression;
  std::vector<std::string> known = trajectory_columns(m_);
  for (const auto& [other, signal] : named_) known.push_back(other);
  known.insert(known.end(), expression.constants().begin(), expression.constants().end());
  const std::string near = nearest_name(name, known);
  std::vector<std::string> own;
  const std::string element = name.substr(0, name.rfind('.')) + ".";
  for (const std::string& other : known)
    if (other.starts_with(element)) own.push_back(other);
  problems_.error(
      from.where, from.element, fmt::format("no parameter or signal is called '{}' in '{}'", name, expression.text()),
      !near.empty() ? fmt::format("did you mean '{}'?", near)
      : !own.empty() && own.size() <= 12
          ? fmt::format("there are {}", fmt::join(own, ", "))
          : fmt::format("{}signals are t, inputs, states, those of 'signals' and the columns of trajectory.csv",
                        expression.constants().empty() || expression.constants().size() > 12
                            ? ""
                            : fmt::format("the parameters are {}; ", fmt::join(expression.constants(), ", "))));
}

std::string SignalTable::label(int signal) const {
  const Signal& s = m_.signals[static_cast<std::size_t>(signal)];
  if (!s.name.empty()) return fmt::format("'{}'", s.name);
  return s.kind == Kind::rate ? fmt::format("rate({})", label(s.arguments[0])) : "an expression";
}

/// Depth first; false after reporting a cycle.
bool SignalTable::find_level(int signal, std::vector<int>& path) {
  Signal& s = m_.signals[static_cast<std::size_t>(signal)];
  char& visited = visited_[static_cast<std::size_t>(signal)];
  if (visited == 2) return true;
  if (visited == 1) {
    std::string cycle;
    for (auto at = std::find(path.begin(), path.end(), signal); at != path.end(); ++at)
      if (!m_.signals[static_cast<std::size_t>(*at)].name.empty()) cycle += label(*at) + " -> ";
    problems_.error(s.where, "", fmt::format("signals depend on each other in a circle: {}{}", cycle, label(signal)),
                    "a state, or an input with a lag, breaks the circle");
    return false;
  }
  visited = 1;
  path.push_back(signal);
  switch (s.kind) {
    case Kind::coordinate:
    case Kind::distance:
    case Kind::place:
    case Kind::plane_angle:
      s.level = s.rate ? SignalLevel::velocity : SignalLevel::position;
      break;
    case Kind::cosine:
      s.level = SignalLevel::position;
      break;
    case Kind::velocity:
    case Kind::spin:
    case Kind::tension:
    case Kind::state:
      s.level = SignalLevel::velocity;
      break;
    case Kind::acceleration:
    case Kind::column:
      s.level = SignalLevel::sampled;
      break;
    default:
      s.level = SignalLevel::given;
  }
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

void SignalTable::resolve() {
  const std::size_t before = problems_.error_count();
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending from = pending_[i];
    std::vector<int> arguments;
    const std::vector<std::string> names = m_.signals[static_cast<std::size_t>(from.signal)].expression.names();
    for (const std::string& name : names)
      if (const auto found = find(name, from)) arguments.push_back(*found);
    m_.signals[static_cast<std::size_t>(from.signal)].arguments = std::move(arguments);
  }
  if (problems_.error_count() > before) return;
  const std::vector<std::string> columns = trajectory_columns(m_);
  for (const int expression : shown_) {
    Signal& s = m_.signals[static_cast<std::size_t>(m_.signals[static_cast<std::size_t>(expression)].arguments[0])];
    s.shown = s.shown || std::find(columns.begin(), columns.end(), s.name) == columns.end();
  }
  visited_.assign(m_.signals.size(), 0);
  std::vector<int> path;
  for (int i = 0; i < static_cast<int>(m_.signals.size()); ++i)
    if (!find_level(i, path)) return;
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
