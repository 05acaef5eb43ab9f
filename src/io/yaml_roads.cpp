// roads; docs/model-file.md is the reference. F(x) stands for a function of x.
//
//   R: {profile: [[x, z], ...]}           R: {profile: {file: PATH, columns: [A, B]}}
//   R: {height: F(x), from: a, to: b, deviation: e}
//   R: {plane: P, normal: D, body: B}     R: {grid: PATH, at: [x, y], spacing: d | [dx, dy], range: [low, high]}
#include <fmt/format.h>

#include "io/csv_pairs.hpp"
#include "io/height_map_file.hpp"
#include "io/yaml_sections.hpp"
#include "mechanism/checks.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

std::optional<Located<std::vector<Vec2>>> read_profile(Fields& fields) {
  const YamlNode* node = fields.node("profile");
  if (node == nullptr) return std::nullopt;
  Located<std::vector<Vec2>> profile({}, node->where);
  if (node->kind == Kind::map) {
    const auto pairs = read_csv_pairs(fields.reading(), *node, fields.element(), "a profile");
    if (!pairs) return std::nullopt;
    for (const CsvPair& pair : *pairs) {
      if (!profile.value.empty() && pair.value.x() < profile.value.back().x()) {
        report_backward_profile(fields.reading().problems, pair.where, fields.element(), profile.value.back().x(),
                                pair.value.x());
        return std::nullopt;
      }
      profile.value.push_back(pair.value);
    }
    return profile;
  }
  if (node->kind != Kind::sequence) {
    wrong_kind(fields.reading(), *node, fields.element(), "'profile'",
               "a list of points [x, height] or a CSV file {file: PATH, columns: [A, B]}");
    return std::nullopt;
  }
  for (const YamlPointer& item : node->items) {
    const auto pair = read_numbers(fields.reading(), *item, fields.element(), "a point of 'profile'");
    if (!pair) continue;
    if (pair->size() != 2) {
      fields.error(item->where, fmt::format("a point of 'profile' has {} numbers", pair->size()), "give [x, height]");
      continue;
    }
    profile.value.emplace_back((*pair)[0], (*pair)[1]);
  }
  return profile;
}

}  // namespace

void read_roads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("road", entry.key), entry.where);
    constexpr std::string_view known[] = {"profile", "height", "from", "to", "deviation", "plane",
                                          "normal",  "body",   "grid", "at", "spacing",   "range"};
    fields.allow(known, "a road");
    RoadSpec road;
    road.name = Name(entry.key, entry.where);
    road.profile = read_profile(fields);
    road.height = fields.function("height", "x");
    road.from = fields.number("from");
    road.to = fields.number("to");
    road.deviation = fields.number("deviation");
    road.plane = fields.place("plane");
    road.normal = fields.direction("normal");
    road.body = fields.word("body");
    if (fields.has("grid")) road.grid = read_height_map(fields);
    for (const char* key : {"at", "spacing", "range"})
      if (fields.has(key) && !fields.has("grid"))
        fields.error(fields.where_of(key), fmt::format("'{}' belongs to 'grid'", key), "leave it out");
    noted(road).incomplete = fields.failed();
    mechanism.roads.push_back(std::move(road));
  }
}

}  // namespace cardan
