#include "io/kept_sections.hpp"

#include <algorithm>

#include "io/parameters.hpp"

namespace cardan {
namespace {

bool mentions(const YamlNode& node, const std::set<std::string>& names) {
  for (const std::string& name : names_in_expression(node.text))
    if (names.contains(name)) return true;
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const YamlPointer& item) { return mentions(*item, names); }) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const YamlEntry& entry) { return mentions(*entry.value, names); });
}

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

// Their elements stand in one list, in the order of the sections.
constexpr const char* kElements[] = {"joints", "loads", "couplers", "drivers", "constraints"};
constexpr const char* kOthers[] = {"points",  "bodies",  "markers", "roads",      "inputs", "states",
                                   "signals", "initial", "events",  "simulation", "plots"};

}  // namespace

KeptSections::KeptSections(const YamlNode& document, MechanismSpec spec, const std::set<std::string>& changing)
    : spec_(std::move(spec)) {
  if (document.find("subsystems") != nullptr) return;
  const std::set<std::string> all = with_followers(document, changing);
  const auto changes = [&](const char* section) {
    const YamlEntry* entry = document.find(section);
    return entry != nullptr && mentions(*entry->value, all);
  };
  for (const char* section : kOthers)
    if (!changes(section)) kept_.insert(section);
  if (std::none_of(std::begin(kElements), std::end(kElements), changes))
    kept_.insert(std::begin(kElements), std::end(kElements));
}

bool KeptSections::copy(const std::string& section, MechanismSpec& mechanism) const {
  if (!kept_.contains(section)) return false;
  if (section == "points") mechanism.points = spec_.points;
  if (section == "bodies") mechanism.bodies = spec_.bodies, mechanism.geometry = spec_.geometry;
  if (section == "markers") mechanism.markers = spec_.markers;
  if (section == "joints") mechanism.joints = spec_.joints, mechanism.elements = spec_.elements;
  if (section == "roads") mechanism.roads = spec_.roads;
  if (section == "inputs") mechanism.inputs = spec_.inputs;
  if (section == "states") mechanism.states = spec_.states;
  if (section == "signals") mechanism.signals = spec_.signals;
  if (section == "initial") mechanism.initial = spec_.initial;
  if (section == "events") mechanism.events = spec_.events;
  if (section == "simulation") mechanism.simulation = spec_.simulation;
  if (section == "plots") mechanism.plots = spec_.plots;
  return true;
}

}  // namespace cardan
