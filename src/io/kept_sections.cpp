#include "io/kept_sections.hpp"

#include <algorithm>

#include "io/parameters.hpp"

namespace cardan {

bool mentions(const YamlNode& node, const std::set<std::string>& names) {
  for (const std::string& name : names_in_expression(node.text))
    if (names.contains(name)) return true;
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const YamlPointer& item) { return mentions(*item, names); }) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const YamlEntry& entry) { return mentions(*entry.value, names); });
}

namespace {

/// Those that change because others do, too.
std::set<std::string> with_followers(const YamlNode& document, std::set<std::string> changing) {
  const YamlEntry* parameters = document.find("parameters");
  for (std::size_t before = 0; parameters != nullptr && before != changing.size();) {
    before = changing.size();
    for (const YamlEntry& entry : parameters->value->entries)
      if (mentions(*entry.value, changing)) changing.insert(entry.key);
  }
  return changing;
}

// Their elements stand in one list, in the order of the sections: they are kept together, as `joints`.
constexpr std::string_view kElements[] = {"joints", "loads", "couplers", "drivers", "constraints"};

using Copy = void (*)(const MechanismSpec& from, MechanismSpec& to);
constexpr std::pair<std::string_view, Copy> kOthers[] = {
    {"points", [](const MechanismSpec& from, MechanismSpec& to) { to.points = from.points; }},
    {"bodies",
     [](const MechanismSpec& from, MechanismSpec& to) { to.bodies = from.bodies, to.geometry = from.geometry; }},
    {"markers", [](const MechanismSpec& from, MechanismSpec& to) { to.markers = from.markers; }},
    {"roads", [](const MechanismSpec& from, MechanismSpec& to) { to.roads = from.roads; }},
    {"inputs", [](const MechanismSpec& from, MechanismSpec& to) { to.inputs = from.inputs; }},
    {"states", [](const MechanismSpec& from, MechanismSpec& to) { to.states = from.states; }},
    {"signals", [](const MechanismSpec& from, MechanismSpec& to) { to.signals = from.signals; }},
    {"initial", [](const MechanismSpec& from, MechanismSpec& to) { to.initial = from.initial; }},
    {"events", [](const MechanismSpec& from, MechanismSpec& to) { to.events = from.events; }},
    {"simulation", [](const MechanismSpec& from, MechanismSpec& to) { to.simulation = from.simulation; }},
    {"plots", [](const MechanismSpec& from, MechanismSpec& to) { to.plots = from.plots; }}};

}  // namespace

KeptSections::KeptSections(const YamlNode& document, MechanismSpec spec, const std::set<std::string>& changing)
    : spec_(std::move(spec)) {
  if (document.find("subsystems") != nullptr) return;
  const std::set<std::string> all = with_followers(document, changing);
  const auto changes = [&](std::string_view section) {
    const YamlEntry* entry = document.find(std::string(section));
    return entry != nullptr && mentions(*entry->value, all);
  };
  for (const auto& [section, copy] : kOthers)
    if (!changes(section)) kept_.push_back(section);
  if (std::none_of(std::begin(kElements), std::end(kElements), changes))
    kept_.insert(kept_.end(), std::begin(kElements), std::end(kElements));
}

bool KeptSections::copy(std::string_view section, MechanismSpec& mechanism) const {
  if (std::find(kept_.begin(), kept_.end(), section) == kept_.end()) return false;
  if (section == "joints") mechanism.joints = spec_.joints, mechanism.elements = spec_.elements;
  for (const auto& [name, copy] : kOthers)
    if (name == section) copy(spec_, mechanism);
  return true;
}

}  // namespace cardan
