// events; docs/model-file.md is the reference.
//
//   E: {at: t, attach: J | release: J | on: L | [L, ...] | off: L | [L, ...] | drop: {road: R, by: h}}
//
// L are loads and drivers.
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kActions[] = {"attach", "release", "on", "off", "drop"};
constexpr Event::Action kMeaning[] = {Event::Action::attach, Event::Action::release, Event::Action::on,
                                      Event::Action::off, Event::Action::drop};

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

}  // namespace

void read_events(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("event", entry.key), entry.where);
    EventSpec event;
    event.name = Name(entry.key, entry.where);
    constexpr std::string_view known[] = {"at", "attach", "release", "on", "off", "drop"};
    fields.allow(known, "an event");
    fields.require("at", "add 'at: TIME'");
    if (const auto time = fields.number("at")) event.time = *time;
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < std::size(kActions); ++i)
      if (fields.has(kActions[i].data())) given.push_back(i);
    if (given.empty() && !fields.failed()) {
      fields.error(entry.where, "the event does nothing", "add one of attach, release, on, off and drop");
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
      } else if (const auto joint = fields.word(key)) {
        event.targets.push_back(*joint);
      }
    }
    noted(event).incomplete = fields.failed();
    mechanism.events.push_back(std::move(event));
  }
}

}  // namespace cardan
