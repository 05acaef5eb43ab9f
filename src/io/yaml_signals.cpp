// inputs, states, signals; docs/signals.md is the reference.
//
//   inputs:   U: {start: u0, min: a, max: b, lag: s, unit: WORD}    or   U: u0
//   states:   Z: {start: z0, rate: EXPRESSION, scale: z, unit: WORD}
//   signals:  S: EXPRESSION
//             S: {value: EXPRESSION, unit: WORD}
//             S: {value: EXPRESSION, every: s, start: v, unit: WORD}                 sampled and held
//             S: {angle: BODY | [BODY1, BODY2], about: AXIS}
//             S: {distance: [BODY1, BODY2], at: [P1, P2]}
//             S: {position | velocity | acceleration: BODY, at: POINT, axes: BODY}
//             S: {angular_velocity: BODY, axes: BODY}
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

std::string unit_of(Fields& fields) {
  const auto unit = fields.word("unit");
  return unit ? unit->value : "";
}

/// In the expressions of a file x is what the law of a spring depends on.
void refuse_variable(Reading& reading, const YamlEntry& entry, const std::string& element) {
  if (entry.key != "x") return;
  reading.problems.error(entry.where, element, "'x' is what the laws of springs depend on", "choose another name");
}

void read_quantity(Fields& fields, const std::string& kind, SignalSpec& signal) {
  const YamlNode& node = *fields.node(kind.c_str());
  const bool two = signal.kind == SignalSpec::Kind::distance;
  const bool may_be_two = two || signal.kind == SignalSpec::Kind::angle;
  if (two || (may_be_two && node.kind == Kind::sequence)) {
    if (const auto bodies = fields.two_names(kind.c_str(), "[BODY1, BODY2]"))
      std::tie(signal.body1, signal.body2) = *bodies;
  } else if (const auto body = fields.word(kind.c_str())) {
    signal.body2 = *body;
  }
  if (two) {
    fields.require("at", "write 'at: [POINT, POINT]'", "a distance needs two points");
    if (const auto places = fields.two_places("at")) std::tie(signal.at1, signal.at2) = *places;
  } else if (fields.has("at")) {
    signal.at2 = fields.place("at");
  }
  signal.about = fields.direction("about");
  if (const auto axes = fields.word("axes")) signal.axes = *axes;
}

}  // namespace

void read_inputs(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("input", entry.key);
    refuse_variable(reading, entry, element);
    InputSpec input;
    input.name = Name(entry.key, entry.where);
    const std::size_t before = reading.failure_count();
    if (entry.value->kind == Kind::scalar) {
      if (const auto start = read_number(reading, *entry.value, element, "the start"))
        input.start = Number(*start, entry.value->where);
    } else if (entry.value->kind != Kind::null) {
      Fields fields(reading, *entry.value, element, entry.where);
      constexpr std::string_view known[] = {"start", "min", "max", "lag", "unit"};
      fields.allow(known, "an input");
      input.start = fields.number("start");
      input.min = fields.number("min");
      input.max = fields.number("max");
      input.lag = fields.number("lag");
      input.unit = unit_of(fields);
    }
    noted(input).incomplete = reading.failure_count() > before;
    mechanism.inputs.push_back(std::move(input));
  }
}

void read_states(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("state", entry.key);
    refuse_variable(reading, entry, element);
    Fields fields(reading, *entry.value, element, entry.where);
    StateSpec state;
    state.name = Name(entry.key, entry.where);
    constexpr std::string_view known[] = {"start", "rate", "scale", "unit"};
    fields.allow(known, "a state");
    fields.require("start", "add 'start: VALUE'", "it has no start");
    fields.require("rate", "add 'rate: EXPRESSION', its derivative in time", "it has no rate");
    state.start = fields.number("start");
    state.scale = fields.number("scale");
    if (const auto rate = fields.varying("rate")) state.rate = *rate;
    state.unit = unit_of(fields);
    noted(state).incomplete = fields.failed();
    mechanism.states.push_back(std::move(state));
  }
}

void read_signals(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  using Of = SignalSpec::Kind;
  constexpr std::pair<std::string_view, Of> kinds[] = {
      {"angle", Of::angle},       {"distance", Of::distance},         {"position", Of::position},
      {"velocity", Of::velocity}, {"acceleration", Of::acceleration}, {"angular_velocity", Of::angular_velocity}};
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("signal", entry.key);
    refuse_variable(reading, entry, element);
    SignalSpec signal;
    signal.name = Name(entry.key, entry.where);
    const std::size_t before = reading.failure_count();
    const YamlNode& node = *entry.value;
    const auto given = [&]() -> const std::pair<std::string_view, Of>* {
      if (node.kind != Kind::map) return nullptr;
      for (const auto& kind : kinds)
        if (node.find(std::string(kind.first).c_str()) != nullptr) return &kind;
      return nullptr;
    }();
    if (given != nullptr) {
      Fields fields(reading, node, element, entry.where);
      signal.kind = given->second;
      std::vector<std::string_view> known{given->first, "unit"};
      if (signal.kind == Of::angle) known.push_back("about");
      if (signal.kind != Of::angle && signal.kind != Of::angular_velocity) known.push_back("at");
      if (signal.kind != Of::angle && signal.kind != Of::distance) known.push_back("axes");
      fields.allow(known, fmt::format("a signal given by '{}'", given->first));
      read_quantity(fields, std::string(given->first), signal);
      signal.unit = unit_of(fields);
    } else if (node.kind == Kind::map && node.find("value") != nullptr) {
      Fields fields(reading, node, element, entry.where);
      std::vector<std::string_view> known{"value", "unit", "every"};
      if (fields.has("every")) known.push_back("start");
      fields.allow(known, "a signal");
      if (const auto value = fields.varying("value")) signal.value = *value;
      signal.period = fields.number("every");
      signal.start = fields.number("start");
      signal.unit = unit_of(fields);
    } else if (const auto value = read_varying(reading, node, element, "its value")) {
      signal.value = Located<Varying>(*value, node.where);
    }
    noted(signal).incomplete = reading.failure_count() > before;
    mechanism.signals.push_back(std::move(signal));
  }
}

}  // namespace cardan
