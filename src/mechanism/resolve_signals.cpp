// Inputs, states and the signals that a model names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism/given_signal.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/trajectory_columns.hpp"

namespace cardan {
namespace {

constexpr const char* kTooLateForLaw =
    "what acts at every instant follows positions, velocities, states and inputs; others can be outputs";
constexpr const char* kTooLateForDriver =
    "a driver follows time and inputs; what follows the motion is the effort of an actuator";
constexpr const char* kTooLateToBeGiven = "this follows time and inputs, those that sampled signals hold too";

constexpr const char* kAxes[] = {"x", "y", "z"};

}  // namespace

void Resolver::resolve_inputs() {
  for (const InputSpec& spec : spec_.inputs) {
    if (noted(spec).incomplete) {
      signals_.miss_those_of(spec.name.value);
      continue;
    }
    const std::string element = element_label("input", spec.name.value);
    Input input;
    input.name = spec.name.value;
    input.where = spec.name.where;
    input.unit = spec.unit;
    for (const auto* number : {&spec.start, &spec.min, &spec.max, &spec.lag})
      if (*number) check_finite(**number, element, "a number of it");
    if (spec.min) input.min = spec.min->value;
    if (spec.max) input.max = spec.max->value;
    if (input.min > input.max)
      problems_.error(spec.min->where, element, fmt::format("min is {}, above max, {}", input.min, input.max),
                      "exchange them");
    input.start = spec.start ? spec.start->value : std::min(std::max(0.0, input.min), input.max);
    if (input.start < input.min || input.start > input.max)
      problems_.error(first_known(spec.start ? spec.start->where : SourceLocation{}, input.where), element,
                      fmt::format("it starts at {}, outside of {} to {}", input.start, input.min, input.max),
                      "start within min and max");
    if (spec.lag) input.lag = spec.lag->value;
    if (input.lag < 0) problems_.error(spec.lag->where, element, "the lag is negative", "give it as 0 or more, in s");
    Signal s;
    s.kind = Signal::Kind::input;
    s.index = static_cast<int>(result_.inputs.size());
    signals_.name(signals_.add(s), input.name, input.unit, input.where);
    result_.inputs.push_back(std::move(input));
  }
}

void Resolver::resolve_states() {
  for (const StateSpec& spec : spec_.states) {
    if (noted(spec).incomplete) {
      signals_.miss_those_of(spec.name.value);
      continue;
    }
    const std::string element = element_label("state", spec.name.value);
    StateVariable state;
    state.name = spec.name.value;
    state.where = spec.name.where;
    state.unit = spec.unit;
    if (!spec.start) {
      problems_.error(state.where, element, "it has no start", "add 'start: VALUE'");
    } else if (check_finite(*spec.start, element, "the start")) {
      state.start = spec.start->value;
    }
    state.scale = state.start != 0 ? std::abs(state.start) : 1;
    if (spec.scale) {
      state.scale = spec.scale->value;
      if (!(state.scale > 0) || !std::isfinite(state.scale))
        problems_.error(spec.scale->where, element, fmt::format("the scale is {}", state.scale),
                        "give its usual size, above 0");
    }
    const SourceLocation where = first_known(spec.rate.where, state.where);
    add_state(std::move(state), spec.rate.value, element, where);
  }
}

void Resolver::add_state(StateVariable state, const Varying& rate, const std::string& element,
                         const SourceLocation& where) {
  Signal s;
  s.kind = Signal::Kind::state;
  s.index = static_cast<int>(result_.states.size());
  signals_.name(signals_.add(s), state.name, state.unit, state.where);
  state.rate = signals_.signal(rate, element, where);
  signals_.require(state.rate, SignalLevel::velocity, element, where, kTooLateForLaw);
  result_.states.push_back(std::move(state));
}

bool Resolver::has_signal(const std::string& name) const {
  const auto sum = sums_.find(name);
  return signals_.has(name) || (sum != sums_.end() && sum->second.declared);
}

void Resolver::add_signal(const std::string& name, const char* unit, const Located<Varying>& value,
                          const std::string& element, const SourceLocation& where) {
  const SourceLocation& at = first_known(value.where, where);
  const int signal = signals_.signal(value.value, element, at);
  signals_.name(signal, name, unit, at);
  result_.signals[static_cast<std::size_t>(signal)].shown = true;
}

void Resolver::declare_sum(const std::string& name, const char* unit, const std::string& element,
                           const SourceLocation& where) {
  Sum& sum = sums_[name];
  sum = {std::move(sum.terms), unit, element, where, true};
}

void Resolver::add_term(const std::string& sum, const Varying& term, const std::string& element,
                        const SourceLocation& where) {
  Sum& to = sums_[sum];
  to.terms.push_back(term);
  if (!to.declared) to.element = element, to.where = where;
}

void Resolver::resolve_sums() {
  for (const auto& [name, sum] : sums_) {
    if (!sum.declared) {
      if (!signals_.misses(name))
        problems_.error(sum.where, sum.element, fmt::format("it adds to '{}', which is no sum of an element", name));
      continue;
    }
    const Varying all = Varying::combination(std::vector<double>(sum.terms.size(), 1.0), sum.terms);
    add_signal(name, sum.unit.c_str(), Located<Varying>(all, sum.where), sum.element, sum.where);
  }
}

void Resolver::resolve_signals() {
  for (const SignalSpec& spec : spec_.signals)
    if (noted(spec).incomplete) {
      signals_.miss_those_of(spec.name.value);
    } else {
      resolve_signal(spec);
    }
}

void Resolver::resolve_outputs() {
  for (const Name& output : spec_.outputs) {
    result_.outputs.push_back(output.value);
    if (output.value.find('*') == std::string::npos && output.value != "t" &&
        columns_like(trajectory_columns(result_), output.value + ".*").empty())
      signals_.show(output.value, "outputs", output.where);
  }
}

/// Of a name that has no column of its own but is the first part of some, all of those are meant.
void Resolver::expand_outputs() {
  if (result_.outputs.empty()) return;
  const std::vector<std::string> columns = trajectory_columns(result_);
  for (std::size_t i = 0; i < result_.outputs.size(); ++i) {
    std::string& wish = result_.outputs[i];
    if (wish == "t" || !columns_like(columns, wish).empty()) continue;
    if (columns_like(columns, wish + ".*").empty())
      problems_.error(spec_.outputs[i].where, "outputs", fmt::format("there is no column '{}'", wish),
                      suggestion(wish, columns, "there are"));
    wish += ".*";
  }
}

/// When all that follows signals is known.
void Resolver::finish_signals() {
  signals_.resolve();
  if (problems_.error_count() == 0) expand_outputs();
  if (problems_.error_count() > 0) return;
  if (std::none_of(result_.drivers.begin(), result_.drivers.end(), [](const Driver& d) { return d.signal >= 0; }))
    return;
  const auto signals = std::make_shared<const std::vector<Signal>>(result_.signals);
  std::vector<Function::Value> start;
  for (const Input& input : result_.inputs) start.push_back({input.start, 0, 0});
  for (Driver& driver : result_.drivers) {
    if (driver.signal < 0) continue;
    driver.position = Function::custom(
        [signals, start, signal = driver.signal](double t) { return given_signal(*signals, signal, t, start.data()); });
  }
}

void Resolver::resolve_signal(const SignalSpec& spec) {
  using Kind = SignalSpec::Kind;
  const std::string element = element_label("signal", spec.name.value);
  const SourceLocation& where = spec.name.where;
  const auto show = [&](int signal, const std::string& name, const char* unit) {
    signals_.name(signal, name, spec.unit.empty() ? unit : spec.unit, where);
    result_.signals[static_cast<std::size_t>(signal)].shown = true;
  };
  if (spec.period) return resolve_sampled(spec, element);
  if (spec.kind == Kind::value) {
    show(signals_.signal(spec.value.value, element, first_known(spec.value.where, where)), spec.name.value, "");
    return;
  }
  const auto body2 = find_body(spec.body2, element);
  const bool two = spec.kind == Kind::distance || spec.kind == Kind::angle;
  const auto body1 = find_body(two ? spec.body1 : spec.axes, element);
  if (!body1 || !body2 || (two && !check_two_bodies(*body1, *body2, element, where))) return;
  Signal s;
  s.body1 = *body1;
  s.body2 = *body2;
  s.point2 = *body2 == kGround ? Vec3(Vec3::Zero()) : result_.bodies[static_cast<std::size_t>(*body2)].center;
  for (const auto& [place, point] : {std::pair(&spec.at1, &s.point1), std::pair(&spec.at2, &s.point2)}) {
    if (!*place) continue;
    const auto found = find_place(**place, element);
    if (!found) return;
    *point = *found;
  }
  if (spec.kind == Kind::distance) {
    s.kind = Signal::Kind::distance;
    if (s.point1 == s.point2)
      problems_.error(where, element, "the two points coincide, so the distance has no direction", "draw them apart");
    show(signals_.add(s), spec.name.value, "m");
  } else if (spec.kind == Kind::angle) {
    resolve_angle(spec, s, element);
  } else {
    const bool turns = spec.kind == Kind::angular_velocity;
    s.kind = spec.kind == Kind::position       ? Signal::Kind::place
             : spec.kind == Kind::velocity     ? Signal::Kind::velocity
             : spec.kind == Kind::acceleration ? Signal::Kind::acceleration
                                               : Signal::Kind::spin;
    const char* unit = spec.kind == Kind::position       ? "m"
                       : spec.kind == Kind::velocity     ? "m/s"
                       : spec.kind == Kind::acceleration ? "m/s^2"
                                                         : "rad/s";
    const bool own_axes = *body1 != kGround;
    const Mat3 axes = own_axes ? result_.bodies[static_cast<std::size_t>(*body1)].axes : Mat3(Mat3::Identity());
    if (spec.kind == Kind::position && own_axes) s.point1 = result_.bodies[static_cast<std::size_t>(*body1)].center;
    if (result_.planar && turns) {
      show(signals_.add(s), spec.name.value, unit);
      return;
    }
    for (int i = 0; i < (result_.planar ? 2 : 3); ++i) {
      s.direction = axes.col(i);
      show(signals_.add(s), spec.name.value + "." + kAxes[i], unit);
    }
  }
}

/// What follows it sees an input, so that it may depend on itself and on what is known late.
void Resolver::resolve_sampled(const SignalSpec& spec, const std::string& element) {
  Input input;
  input.name = spec.name.value;
  input.where = spec.name.where;
  input.unit = spec.unit;
  input.period = spec.period->value;
  if (!check_finite(*spec.period, element, "'every'")) return;
  if (input.period <= 0)
    problems_.error(spec.period->where, element, fmt::format("it is sampled every {} s", input.period),
                    "give 'every' above 0, in s");
  if (spec.start && check_finite(*spec.start, element, "the start")) input.start = spec.start->value;
  Signal s;
  s.kind = Signal::Kind::input;
  s.index = static_cast<int>(result_.inputs.size());
  signals_.name(signals_.add(s), input.name, input.unit, input.where);
  input.source = signals_.signal(spec.value.value, element, first_known(spec.value.where, spec.name.where));
  result_.inputs.push_back(std::move(input));
}

/// Their outputs are seen as inputs, likewise.
void Resolver::resolve_companions() {
  for (const CompanionSpec& spec : spec_.companions) {
    if (noted(spec).incomplete) continue;
    const std::string element = element_label("fmu", spec.name.value);
    Companion companion{spec.name.value, spec.name.where, spec.period.value, {}, {}, spec.model};
    for (const CompanionSpec::InputOf& input : spec.inputs)
      companion.inputs.push_back(
          signals_.signal(input.value.value, element, first_known(input.value.where, spec.name.where)));
    for (const CompanionSpec::Output& output : spec.outputs) {
      Input input;
      input.name = spec.name.value + "." + output.variable.value;
      input.where = first_known(output.variable.where, spec.name.where);
      input.unit = output.unit;
      input.start = output.start;
      input.period = companion.period;
      input.companion = static_cast<int>(result_.companions.size());
      Signal s;
      s.kind = Signal::Kind::input;
      s.index = static_cast<int>(result_.inputs.size());
      signals_.name(signals_.add(s), input.name, input.unit, input.where);
      companion.outputs.push_back(s.index);
      result_.inputs.push_back(std::move(input));
    }
    result_.companions.push_back(std::move(companion));
  }
}

/// About a direction u carried by body 1, e and f at right angles to it and each other: atan2(f . e2, e . e2), e2 what
/// coincides with e in the drawing and is carried by body 2.
void Resolver::resolve_angle(const SignalSpec& spec, Signal leaf, const std::string& element) {
  leaf.kind = Signal::Kind::cosine;
  leaf.point1 = leaf.point2 = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  if (spec.about) {
    const auto found = find_direction(*spec.about, element, "the axis");
    if (!found) return;
    axis = *found;
  } else if (!result_.planar) {
    problems_.error(spec.name.where, element, "'about' is missing", "add 'about: AXIS'");
    return;
  }
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  const Vec3 e = result_.planar ? Vec3(Vec3::UnitX()) : Vec3(axis.cross(Vec3::Unit(smallest)).normalized());
  const Vec3 f = axis.cross(e);
  leaf.direction2 = e;
  leaf.direction = f;
  const int sine = signals_.add(leaf);
  leaf.direction = e;
  const int cosine = signals_.add(leaf);
  Signal angle;
  angle.kind = Signal::Kind::expression;
  angle.expression = SignalExpression::parse("atan2(sine, cosine)");
  angle.arguments = {sine, cosine};
  const int index = signals_.add(angle);
  signals_.name(index, spec.name.value, spec.unit.empty() ? "rad" : spec.unit, spec.name.where);
  result_.signals[static_cast<std::size_t>(index)].shown = true;
}

Law Resolver::law(const Located<Varying>& number, const std::string& element, const SourceLocation& where,
                  Follower follower) {
  const bool given = follower != Follower::load;
  const SourceLocation& at = first_known(number.where, where);
  const Law law = given && number.value.follows_signals() ? Law{Function(), signals_.signal(number.value, element, at)}
                                                          : signals_.law(number.value, element, at);
  signals_.require(law.signal, given ? SignalLevel::given : SignalLevel::velocity, element, at,
                   follower == Follower::driver ? kTooLateForDriver
                   : given                      ? kTooLateToBeGiven
                                                : kTooLateForLaw);
  return law;
}

}  // namespace cardan
