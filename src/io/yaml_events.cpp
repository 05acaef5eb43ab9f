// events; docs/model-file.md is the reference.
//
//   E: {at: t, attach: J | release: J | on: L | [L, ...] | off: L | [L, ...] | drop: {road: R, by: h} |
//       set: {S: EXPRESSION, ...} | end: true}
//   E: {when: EXPRESSION > EXPRESSION, hysteresis: d, once: true, and nothing or one of these}
//
// L are loads and drivers, S states and inputs.
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {

std::optional<std::string> guard_of(const std::string& condition) {
  std::size_t at = std::string::npos;
  int open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    const char c = condition[i];
    if (c == '\'') quoted = !quoted;
    if (quoted) continue;
    if (c == '(') ++open;
    if (c == ')') --open;
    if (open > 0 || (c != '<' && c != '>')) continue;
    if (at != std::string::npos) return std::nullopt;
    at = i;
  }
  if (at == std::string::npos) return std::nullopt;
  const bool equal = at + 1 < condition.size() && condition[at + 1] == '=';
  const std::string left = condition.substr(0, at), right = condition.substr(at + (equal ? 2 : 1));
  if (left.find_first_not_of(' ') == std::string::npos || right.find_first_not_of(' ') == std::string::npos)
    return std::nullopt;
  return condition[at] == '>' ? fmt::format("({}) - ({})", left, right) : fmt::format("({}) - ({})", right, left);
}

namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kActions[] = {"attach", "release", "on", "off", "drop", "set", "end"};
constexpr Event::Action kMeaning[] = {Event::Action::attach, Event::Action::release, Event::Action::on,
                                      Event::Action::off,    Event::Action::drop,    Event::Action::set,
                                      Event::Action::end};

void read_switched(Fields& fields, const char* key, std::vector<Name>& targets) {
  const YamlNode& node = *fields.node(key);
  if (node.kind != Kind::sequence) {
    if (const auto name = fields.word(key)) targets.push_back(*name);
    return;
  }
  if (node.items.empty()) fields.error(node.where, fmt::format("'{}' is an empty list", key), "name a load or driver");
  for (const YamlPointer& item : node.items) {
    const auto name = read_word(fields.reading(), *item, fields.element(), fmt::format("an item of '{}'", key));
    if (name) targets.emplace_back(*name, item->where);
  }
}

void read_drop(Fields& event_fields, EventSpec& event) {
  Fields fields(event_fields.reading(), *event_fields.node("drop"), event_fields.element(),
                event_fields.where_of("drop"));
  constexpr std::string_view known[] = {"road", "by"};
  fields.allow(known, "'drop'");
  fields.require("road", "write 'drop: {road: NAME, by: HEIGHT}'");
  fields.require("by", "write 'drop: {road: NAME, by: HEIGHT}'");
  if (const auto road = fields.word("road")) event.targets.push_back(*road);
  if (const auto by = fields.number("by")) event.by = *by;
}

void read_condition(Fields& fields, EventSpec& event) {
  const YamlNode& node = *fields.node("when");
  const auto guard = node.kind == Kind::scalar ? guard_of(node.text) : std::nullopt;
  if (!guard) {
    fields.error(node.where, "'when' should be one comparison",
                 "write 'when: SIGNAL > VALUE' or '<'; a > 1 and b > 2 together are 'min(a - 1, b - 2) > 0'");
    return;
  }
  event.condition = node.text;
  YamlNode difference;
  difference.kind = Kind::scalar;
  difference.where = node.where;
  difference.text = *guard;
  if (const auto value = read_varying(fields.reading(), difference, fields.element(), "'when'"))
    event.guard = Located<Varying>(*value, node.where);
  if (const auto band = fields.number("hysteresis")) event.hysteresis = *band;
  event.once = fields.flag("once", false);
}

void read_assignments(Fields& event_fields, EventSpec& event) {
  const YamlNode& node = *event_fields.node("set");
  if (node.kind != Kind::map || node.entries.empty()) {
    event_fields.error(node.where, "'set' says nothing", "write 'set: {STATE: VALUE}'");
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    const auto value =
        read_varying(event_fields.reading(), *entry.value, event_fields.element(), fmt::format("'{}'", entry.key));
    if (value)
      event.assignments.push_back({Name(entry.key, entry.where), Located<Varying>(*value, entry.value->where)});
  }
}

}  // namespace

void read_events(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("event", entry.key), entry.where);
    EventSpec event;
    event.name = Name(entry.key, entry.where);
    const bool conditional = fields.has("when");
    std::vector<std::string_view> known{conditional ? "when" : "at"};
    known.insert(known.end(), std::begin(kActions), std::end(kActions));
    if (conditional) known.insert(known.end(), {"hysteresis", "once"});
    if (conditional && fields.has("at")) {
      fields.error(fields.where_of("at"), "'at' and 'when' contradict each other", "give one of them");
    } else {
      fields.allow(known, conditional ? "an event with a condition" : "an event");
    }
    if (conditional) {
      read_condition(fields, event);
    } else {
      fields.require("at", "add 'at: TIME', or 'when: CONDITION'");
      if (const auto time = fields.number("at")) event.time = *time;
    }
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < std::size(kActions); ++i)
      if (fields.has(kActions[i].data())) given.push_back(i);
    if (given.empty() && conditional) {
      event.action = Event::Action::note;
    } else if (given.empty() && !fields.failed()) {
      fields.error(entry.where, "the event does nothing", "add one of attach, release, on, off, drop, set and end");
    } else if (given.size() > 1) {
      fields.error(entry.where, fmt::format("'{}' and '{}' are two events", kActions[given[0]], kActions[given[1]]),
                   "write one event for each, at the same time if need be");
    } else if (given.size() == 1) {
      event.action = kMeaning[given[0]];
      const char* key = kActions[given[0]].data();
      if (event.action == Event::Action::drop) {
        read_drop(fields, event);
      } else if (event.action == Event::Action::on || event.action == Event::Action::off) {
        read_switched(fields, key, event.targets);
      } else if (event.action == Event::Action::set) {
        read_assignments(fields, event);
      } else if (event.action == Event::Action::end) {
        if (!fields.flag(key, true))
          fields.error(fields.where_of(key), "'end: false' ends nothing", "write 'end: true', or leave the event out");
      } else if (const auto joint = fields.word(key)) {
        event.targets.push_back(*joint);
      }
    }
    noted(event).incomplete = fields.failed();
    mechanism.events.push_back(std::move(event));
  }
}

}  // namespace cardan
