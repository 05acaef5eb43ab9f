// roads and tyres; docs/model-file.md is the reference. F(x) stands for a function of x.
//
//   R: {profile: [[x, z], ...]}           R: {profile: {file: PATH, columns: [A, B]}}
//   R: {height: F(x), from: a, to: b, deviation: e}
//   L: {tyre: B, road: R, at: P, axis: D, radius: r, stiffness: k, damping: c,
//       lateral: {calspan: {a0: .., a1: .., a2: .., a3: .., a4: .., b1: .., b3: .., b4: .., skid: .., m1: .., m2: ..,
//                           low_speed: ..}}}
#include <fmt/format.h>

#include "io/csv_pairs.hpp"
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

std::optional<Located<CalspanTyre>> read_lateral(Fields& fields) {
  const YamlNode* node = fields.node("lateral");
  if (node == nullptr) return std::nullopt;
  Fields outer(fields.reading(), *node, fields.element(), fields.where_of("lateral"));
  constexpr std::string_view models[] = {"calspan"};
  outer.allow(models, "'lateral'");
  const YamlNode* calspan = outer.node("calspan");
  if (calspan == nullptr) {
    outer.require("calspan", "add 'calspan: {...}'");
    return std::nullopt;
  }
  CalspanTyre p;
  const std::pair<std::string_view, double*> entries[] = {
      {"a0", &p.a0}, {"a1", &p.a1}, {"a2", &p.a2},     {"a3", &p.a3}, {"a4", &p.a4}, {"b1", &p.b1},
      {"b3", &p.b3}, {"b4", &p.b4}, {"skid", &p.skid}, {"m1", &p.m1}, {"m2", &p.m2}, {"low_speed", &p.low_speed}};
  std::vector<std::string_view> known;
  for (const auto& [key, unused] : entries) known.push_back(key);
  Fields inner(fields.reading(), *calspan, fields.element(), outer.where_of("calspan"));
  inner.allow(known, "'calspan'");
  for (const auto& [key, value] : entries)
    if (const auto number = inner.number(std::string(key).c_str())) *value = number->value;
  return Located<CalspanTyre>(p, calspan->where);
}

}  // namespace

TyreSpec read_tyre(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"tyre", "road", "at", "axis", "radius", "stiffness", "damping", "lateral"};
  fields.allow(known, "a tyre");
  for (const char* key : {"road", "radius", "stiffness"}) fields.require(key, fmt::format("add '{}'", key));
  TyreSpec tyre;
  tyre.name = std::move(name);
  if (const auto body = fields.word("tyre")) tyre.body = *body;
  if (const auto road = fields.word("road")) tyre.road = *road;
  tyre.at = fields.place("at");
  tyre.axis = fields.direction("axis");
  tyre.radius = fields.number("radius");
  tyre.stiffness = fields.number("stiffness");
  tyre.damping = fields.number("damping");
  tyre.lateral = read_lateral(fields);
  tyre.incomplete = fields.failed();
  return tyre;
}

void read_roads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("road", entry.key), entry.where);
    constexpr std::string_view known[] = {"profile", "height", "from", "to", "deviation"};
    fields.allow(known, "a road");
    RoadSpec road;
    road.name = Name(entry.key, entry.where);
    road.profile = read_profile(fields);
    road.height = fields.function("height", "x");
    road.from = fields.number("from");
    road.to = fields.number("to");
    road.deviation = fields.number("deviation");
    road.incomplete = fields.failed();
    mechanism.roads.push_back(std::move(road));
  }
}

}  // namespace cardan
