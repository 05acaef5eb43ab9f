// loads: the kinds that the list of loads has (src/elements/list.cpp), each with its fields.
#include <fmt/format.h>

#include <algorithm>

#include "io/field_reader.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {
namespace {

/// The load whose kind is given. `force` and the like are kinds and also laws of other loads: the load counts that has
/// the others as its fields.
const Load* find_kind(const std::vector<Load>& loads, const Fields& fields) {
  std::vector<const Load*> given;
  for (const Load& load : loads)
    if (fields.has(load.kind().name)) given.push_back(&load);
  for (const Load* load : given) {
    FieldNames own(fields.reading().planar);
    Load(*load).fields(own);
    const bool has_all = std::all_of(given.begin(), given.end(), [&](const Load* other) {
      return std::find(own.names.begin(), own.names.end(), other->kind().name) != own.names.end();
    });
    if (has_all) return load;
  }
  return given.empty() ? nullptr : given.front();
}

void report_no_kind(const std::vector<Load>& loads, Fields& fields) {
  std::vector<std::string_view> kinds;
  FieldNames all(fields.reading().planar);
  for (Load load : loads) {
    kinds.emplace_back(load.kind().name);
    load.fields(all);
  }
  fields.kind(kinds, all.names);
}

/// Reports fields that the load does not have; it may have others in a planar model than in space.
void allow_fields_of(Load& load, Fields& fields) {
  const bool planar = fields.reading().planar;
  FieldNames known(planar), elsewhere(!planar);
  load.fields(known);
  load.fields(elsewhere);
  fields.allow(known.names,
               load.kind().called + std::string(planar && known.names != elsewhere.names ? " of a planar model" : ""));
}

}  // namespace

void read_loads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  const std::vector<Load> loads = known_loads();
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("load", entry.key), entry.where);
    const Load* prototype = find_kind(loads, fields);
    if (prototype == nullptr) {
      report_no_kind(loads, fields);
      continue;
    }
    Load load = *prototype;
    load.name() = Name(entry.key, entry.where);
    allow_fields_of(load, fields);
    FieldReader reader(fields);
    load.fields(reader);
    load.incomplete() = fields.failed();
    mechanism.loads.push_back(std::move(load));
  }
}

}  // namespace cardan
