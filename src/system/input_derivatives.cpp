#include "system/input_derivatives.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "math/expression.hpp"

namespace cardan {
namespace {

using Kind = Signal::Kind;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What is known of the columns of a mechanism by their names.
class ColumnNames {
 public:
  explicit ColumnNames(const Mechanism& mechanism) {
    for (const auto& body : mechanism.bodies) bodies_.insert(body.name);
    for (const auto& joint : mechanism.joints) joints_.insert(joint.name);
    for (const auto& state : mechanism.states) states_.insert(state.name);
    for (const auto& sensor : mechanism.sensors) states_.insert(sensor.name);
    for (const auto& spring : mechanism.springs) states_.insert(spring.name + ".length");
    for (const auto& force : mechanism.line_forces) states_.insert(force.name + ".length");
  }

  /// Time, states, and what bodies, joints, sensors and lengths show of the motion: as it is before a step.
  bool is_state(const std::string& column) const {
    static const std::set<std::string_view> of_bodies{"x",  "y",  "z",  "angle", "qw", "qx", "qy", "qz",
                                                      "vx", "vy", "vz", "w",     "wx", "wy", "wz"};
    if (column == "t" || states_.count(column) > 0) return true;
    const std::size_t dot = column.rfind('.');
    if (dot == std::string::npos || dot + 1 == column.size()) return false;
    const std::string name = column.substr(0, dot), quantity = column.substr(dot + 1);
    if (bodies_.count(name) > 0 && of_bodies.count(quantity) > 0) return true;
    return joints_.count(name) > 0 && (quantity[0] == 'q' || quantity[0] == 'v') &&
           std::all_of(quantity.begin() + 1, quantity.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
  }

 private:
  std::set<std::string> bodies_, joints_, states_;
};

}  // namespace

InputDerivatives::InputDerivatives(const Mechanism& mechanism, const std::vector<std::string>& columns)
    : inputs_(mechanism.inputs),
      signals_(mechanism.signals),
      actuators_(mechanism.actuators),
      line_forces_(mechanism.line_forces),
      follows_(signals_.size(), FollowsInput::unknown),
      slopes_(signals_.size(), 0) {
  std::vector<char> visited(signals_.size(), 0);
  for (std::size_t i = 0; i < signals_.size(); ++i) visit(static_cast<int>(i), visited);
  std::map<std::string, Source> named;
  for (std::size_t i = 0; i < actuators_.size(); ++i)
    named[actuators_[i].name + ".effort"] = {Source::Of::actuator, static_cast<int>(i)};
  for (std::size_t i = 0; i < line_forces_.size(); ++i)
    named[line_forces_[i].name + ".force"] = {Source::Of::line_force, static_cast<int>(i)};
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].is_given()) named[inputs_[i].name] = {Source::Of::input, static_cast<int>(i)};
  for (std::size_t i = 0; i < signals_.size(); ++i)
    if (signals_[i].shown) named[signals_[i].name] = {Source::Of::signal, static_cast<int>(i)};
  const ColumnNames names(mechanism);
  for (const std::string& column : columns) {
    const auto found = named.find(column);
    sources_.push_back(found != named.end()
                           ? found->second
                           : Source{names.is_state(column) ? Source::Of::motion : Source::Of::unknown});
  }
}

void InputDerivatives::visit(int signal, std::vector<char>& visited) {
  if (visited[static_cast<std::size_t>(signal)]++ != 0) return;
  for (const int argument : signals_[static_cast<std::size_t>(signal)].arguments) visit(argument, visited);
  order_.push_back(signal);
}

void InputDerivatives::look_at_all(const std::vector<Signal>& signals, int input) {
  for (const int i : order_) follows_[static_cast<std::size_t>(i)] = look(signals[static_cast<std::size_t>(i)], input);
}

/// The signal that a column follows, or -1.
int InputDerivatives::signal_of(const Source& source) const {
  const auto index = static_cast<std::size_t>(source.index);
  if (source.of == Source::Of::actuator) return actuators_[index].effort.signal;
  if (source.of == Source::Of::line_force) return line_forces_[index].pull.signal;
  return source.of == Source::Of::signal ? source.index : -1;
}

/// An element that an event has switched off does nothing.
bool InputDerivatives::is_on(const Source& source, const Mechanism& phase) const {
  const auto has = [](const auto& elements, const std::string& name) {
    return std::any_of(elements.begin(), elements.end(), [&](const auto& element) { return element.name == name; });
  };
  const auto index = static_cast<std::size_t>(source.index);
  if (source.of == Source::Of::actuator) return has(phase.actuators, actuators_[index].name);
  if (source.of == Source::Of::line_force) return has(phase.line_forces, line_forces_[index].name);
  return true;
}

FollowsInput InputDerivatives::follows(int column, int input) {
  look_at_all(signals_, input);
  const Source& source = sources_[static_cast<std::size_t>(column)];
  if (const int signal = signal_of(source); signal >= 0) return follows_[static_cast<std::size_t>(signal)];
  if (source.of == Source::Of::input) return source.index == input ? FollowsInput::yes : FollowsInput::no;
  return source.of == Source::Of::unknown ? FollowsInput::unknown : FollowsInput::no;
}

/// With what its arguments follow known.
FollowsInput InputDerivatives::look(const Signal& signal, int input) const {
  switch (signal.kind) {
    case Kind::time:
    case Kind::state:
    case Kind::coordinate:
    case Kind::distance:
    case Kind::place:
    case Kind::cosine:
    case Kind::plane_angle:
    case Kind::velocity:
    case Kind::spin:
      return FollowsInput::no;
    case Kind::input:
      if (!inputs_[static_cast<std::size_t>(signal.index)].is_given()) return FollowsInput::unknown;  // of whatever
      return signal.index == input ? FollowsInput::yes : FollowsInput::no;
    case Kind::expression:
    case Kind::function:
    case Kind::rate: {
      FollowsInput most = FollowsInput::no;
      for (const int argument : signal.arguments) most = std::max(most, follows_[static_cast<std::size_t>(argument)]);
      return most;
    }
    default:
      return FollowsInput::unknown;
  }
}

void InputDerivatives::find(const Mechanism& phase, const VecX& values, int input, double* row) {
  look_at_all(phase.signals, input);
  for (const int i : order_) {
    const Signal& signal = phase.signals[static_cast<std::size_t>(i)];
    slopes_[static_cast<std::size_t>(i)] = signal.kind == Kind::rate
                                               ? by_rate_of(phase.signals, signal.arguments[0], input)
                                               : derivative(signal, values, input);
  }
  // A lag makes what is seen of an input begin where it was.
  const bool at_once = !(inputs_[static_cast<std::size_t>(input)].lag > 0);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    const int signal = signal_of(source);
    row[i] = source.of == Source::Of::unknown ? kUnknown : 0;
    if (source.of == Source::Of::input && source.index == input && at_once) row[i] = 1;
    if (signal >= 0 && is_on(source, phase)) row[i] = slopes_[static_cast<std::size_t>(signal)];
  }
}

double InputDerivatives::derivative(const Signal& signal, const VecX& values, int input) const {
  const FollowsInput here = look(signal, input);
  if (signal.kind == Kind::input) {
    if (here != FollowsInput::yes) return here == FollowsInput::no ? 0 : kUnknown;
    return inputs_[static_cast<std::size_t>(input)].lag > 0 ? 0 : 1;
  }
  if (signal.kind == Kind::function) {
    const double slope = slopes_[static_cast<std::size_t>(signal.arguments[0])];
    return slope == 0 ? 0 : slope * signal.of.evaluate(values[signal.arguments[0]]).d1;
  }
  if (signal.kind != Kind::expression) return here == FollowsInput::no ? 0 : kUnknown;
  double given[Expression::kMostVariables], gradient[Expression::kMostVariables];
  for (std::size_t j = 0; j < signal.arguments.size(); ++j) given[j] = values[signal.arguments[j]];
  signal.expression.evaluate(given, gradient);
  double sum = 0;
  for (std::size_t j = 0; j < signal.arguments.size(); ++j) {
    const double slope = slopes_[static_cast<std::size_t>(signal.arguments[j])];
    if (slope != 0) sum += gradient[j] * slope;
  }
  return sum;
}

/// Of positions and velocities it follows none. What is seen of an input with a lag L goes with (u - y) / L, without
/// one it is held; rates of what is made of inputs take second derivatives, which laws do not give.
double InputDerivatives::by_rate_of(const std::vector<Signal>& signals, int argument, int input) const {
  const Signal& of = signals[static_cast<std::size_t>(argument)];
  const FollowsInput here = look(of, input);
  if (here == FollowsInput::no) return 0;
  if (of.kind != Kind::input || here == FollowsInput::unknown) return kUnknown;
  const double lag = inputs_[static_cast<std::size_t>(input)].lag;
  return lag > 0 ? 1 / lag : 0;
}

}  // namespace cardan
