// subsystems and connections; docs/model-file.md is the reference.
//
//   connections: {NAME: body | joint | point | road | load | signal}   names that the including model gives a meaning
//   subsystems:  S: {file: PATH,                              beside the including file
//                    parameters: {NAME: NUMBER},              in the parameters of the including model
//                    mirror: x | y | z | [x, y],              about planes through the part's origin, then
//                    place: {at: [x, y, z], turn: {axis: D, angle: a}},   planar: turn: a
//                    connect: {NAME: ELEMENT}, rename: {ELEMENT: NAME}}
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/yaml_sections.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

// Files that include each other twice at every level would fill the memory.
constexpr int kMostSubsystems = 10000;

int axis_number(const std::string& text) { return text == "x" ? 0 : text == "y" ? 1 : text == "z" ? 2 : -1; }

Mat3 rotation_in_plane(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return (Mat3() << c, -s, 0, s, c, 0, 0, 0, 1).finished();
}

void read_turn(Fields& place, Placement& placement) {
  const YamlNode* node = place.node("turn");
  if (node == nullptr) return;
  Reading& reading = place.reading();
  if (reading.planar) {
    if (const auto angle = place.number("turn")) placement.turn = rotation_in_plane(angle->value);
    return;
  }
  if (node->kind != Kind::map) {
    wrong_kind(reading, *node, place.element(), "'turn'", "an axis and an angle, as {axis: z, angle: pi/2}");
    return;
  }
  Fields turn(reading, *node, place.element(), place.where_of("turn"));
  constexpr std::string_view known[] = {"axis", "angle"};
  turn.allow(known, "a turn");
  turn.require("axis", "add 'axis: z' or [x, y, z]");
  turn.require("angle", "add 'angle', in rad");
  const auto angle = turn.number("angle");
  const YamlNode* axis_node = turn.node("axis");
  if (axis_node == nullptr) return;
  Vec3 axis = Vec3::Zero();
  if (axis_node->kind == Kind::scalar && axis_number(axis_node->text) >= 0) {
    axis = Vec3::Unit(axis_number(axis_node->text));
  } else if (axis_node->kind == Kind::scalar) {
    wrong_kind(reading, *axis_node, place.element(), "'axis'", "x, y, z or a list of 3 numbers");
    return;
  } else if (const auto components = turn.vector("axis")) {
    axis = components->value;
    if (!(axis.norm() > 0)) turn.error(axis_node->where, "'axis' has no length", "give a direction other than zero");
  }
  if (!turn.failed()) placement.turn = Eigen::AngleAxisd(angle->value, axis.normalized()).toRotationMatrix();
}

Placement read_placement(Fields& fields) {
  Placement placement;
  Reading& reading = fields.reading();
  if (const YamlNode* node = fields.node("place")) {
    if (node->kind == Kind::map) {
      Fields place(reading, *node, fields.element(), fields.where_of("place"));
      constexpr std::string_view known[] = {"at", "turn"};
      place.allow(known, "a place");
      if (const auto at = place.vector("at")) placement.at = at->value;
      read_turn(place, placement);
    } else {
      wrong_kind(reading, *node, fields.element(), "'place'", "a block, as {at: [1, 0, 0]}");
    }
  }
  if (const YamlNode* node = fields.node("mirror")) {
    const auto add = [&](const YamlNode& item) {
      const int axis = item.kind == Kind::scalar ? axis_number(item.text) : -1;
      if (axis < 0) {
        wrong_kind(reading, item, fields.element(), "'mirror'", "x, y or z, or a list of them");
      } else if (reading.planar && axis == 2) {
        fields.error(item.where, "a planar model has no mirror image about z", "mirror it about x or y");
      } else if (placement.mirror[static_cast<std::size_t>(axis)]) {
        fields.error(item.where, fmt::format("it is mirrored about {} twice", item.text), "mirror it once");
      } else {
        placement.mirror[static_cast<std::size_t>(axis)] = true;
      }
    };
    if (node->kind == Kind::sequence) {
      for (const YamlPointer& item : node->items) add(*item);
    } else {
      add(*node);
    }
  }
  return placement;
}

// A block of NAME: WORD.
std::map<std::string, Name> read_names(Fields& fields, const char* key, const char* example) {
  std::map<std::string, Name> names;
  const YamlNode* node = fields.node(key);
  if (node == nullptr || node->kind == Kind::null) return names;
  if (node->kind != Kind::map) {
    wrong_kind(fields.reading(), *node, fields.element(), fmt::format("'{}'", key),
               fmt::format("names, as {}", example));
    return names;
  }
  for (const YamlEntry& entry : node->entries)
    if (const auto word =
            read_word(fields.reading(), *entry.value, fields.element(), fmt::format("'{}' of '{}'", entry.key, key)))
      names.emplace(entry.key, Name(*word, entry.value->where));
  return names;
}

// In the parameters of the including model.
std::map<std::string, Number> read_given_parameters(Fields& fields) {
  std::map<std::string, Number> given;
  const YamlNode* node = fields.node("parameters");
  if (node == nullptr || node->kind == Kind::null) return given;
  if (node->kind != Kind::map) {
    wrong_kind(fields.reading(), *node, fields.element(), "'parameters'", "a block of names, as {L: 0.5}");
    return given;
  }
  for (const YamlEntry& entry : node->entries)
    if (const auto value =
            read_number(fields.reading(), *entry.value, fields.element(), fmt::format("parameter '{}'", entry.key)))
      given.emplace(entry.key, Number(*value, entry.where));
  return given;
}

// The file as the file system knows it, or nothing after a report: it must exist and not be one of those that include
// it.
std::optional<std::string> check_inclusion(Fields& fields, const SourceLocation& where, const std::string& path) {
  const std::string known = fields.reading().canonical(path);
  const auto& chain = fields.reading().including_files;
  const auto first = std::find(chain.begin(), chain.end(), known);
  if (first == chain.end()) return known;
  std::string through;
  for (auto file = first + 1; file != chain.end(); ++file)
    through +=
        fmt::format("{}'{}'", through.empty() ? " through " : ", ", std::filesystem::path(*file).filename().string());
  fields.error(where, fmt::format("'{}' includes itself{}", path, through), "a part cannot hold the whole");
  return std::nullopt;
}

std::optional<Subsystem> read_subsystem(Reading& reading, const YamlEntry& entry,
                                        const std::map<std::string, double>& replacements) {
  Fields fields(reading, *entry.value, element_label("subsystem", entry.key), entry.where);
  constexpr std::string_view known[] = {"file", "parameters", "place", "mirror", "connect", "rename"};
  fields.allow(known, "a subsystem");
  fields.require("file", "add 'file: PATH', the model to include");
  if (entry.key.empty() || entry.key.find_first_of("/., \t\"'") != std::string::npos)
    fields.error(entry.where, "its name cannot be the beginning of a name", "use letters, digits, '_' and '-'");
  Subsystem subsystem;
  subsystem.use.name = Name(entry.key, entry.where);
  subsystem.use.placement = read_placement(fields);
  subsystem.use.connect = read_names(fields, "connect", "{chassis: BODY}");
  subsystem.use.rename = read_names(fields, "rename", "{arm: left_arm}");
  auto given = read_given_parameters(fields);
  const auto file = fields.word("file");
  if (fields.failed() || !file) return std::nullopt;
  if (++*reading.subsystem_count > kMostSubsystems) {
    fields.error(file->where, fmt::format("the model has more than {} subsystems", kMostSubsystems));
    reading.problems.throw_errors();  // there would be as many messages
  }

  const std::string path =
      (std::filesystem::path(reading.file).parent_path() / file->value).lexically_normal().string();
  const auto canonical = check_inclusion(fields, file->where, path);
  if (!canonical) return std::nullopt;
  std::string why_not;
  const auto text = reading.text_of(path, why_not);
  if (!text) {
    fields.error(file->where, fmt::format("'{}': {}", path, why_not), "paths are relative to the including file");
    return std::nullopt;
  }
  reading.note(path);
  Reading inner{.problems = reading.problems,
                .parameters = {},
                .broken_parameters = {},
                .places = {},
                .file = path,
                .included_from = std::make_shared<const SourceLocation>(entry.where),
                .including_files = reading.including_files,
                .given_parameters = std::move(given),
                .subsystem_count = reading.subsystem_count,
                .files = reading.files,
                .documents = reading.documents};
  inner.including_files.push_back(*canonical);
  auto part = read_model(inner, *text, replacements);
  if (!part || fields.failed()) return std::nullopt;
  subsystem.part = std::move(*part);
  return subsystem;
}

}  // namespace

void read_connections(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  const std::vector<std::string> kinds = connection_kinds();
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("connection", entry.key);
    const auto kind = read_word(reading, *entry.value, element, "its kind");
    if (!kind) continue;
    if (std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) {
      reading.problems.error(entry.value->where, element,
                             fmt::format("nothing of the kind '{}' can be connected", *kind),
                             fmt::format("give {}", one_of(kinds)));
      continue;
    }
    if (entry.key == "ground")
      reading.problems.error(entry.where, element, "ground is ground everywhere", "leave it out");
    if (*kind == "point") reading.places.insert(entry.key);
    mechanism.connections.push_back({Name(entry.key, entry.where), *kind});
  }
}

std::vector<Subsystem> read_subsystems(Reading& reading, const YamlNode& section,
                                       const std::map<std::string, double>& parameters, MechanismSpec& mechanism) {
  std::vector<std::string> names;
  for (const YamlEntry& entry : section.entries) names.push_back(entry.key);
  std::map<std::string, std::map<std::string, double>> replacements;
  for (const auto& [name, value] : parameters) {
    const std::size_t slash = name.find('/');
    const std::string owner = name.substr(0, slash);
    if (section.find(owner) == nullptr)
      reading.problems.error({reading.file, 0, 0, reading.included_from}, "",
                             fmt::format("the model has no subsystem '{}' for the parameter '{}'", owner, name),
                             suggestion(owner, names, "its subsystems are"));
    replacements[owner].emplace(name.substr(slash + 1), value);
  }
  std::vector<Subsystem> subsystems;
  for (const YamlEntry& entry : section.entries) {
    auto subsystem = read_subsystem(reading, entry, replacements[entry.key]);
    if (!subsystem) {
      noted(mechanism).part_missing = true;
      continue;
    }
    for (const std::string& place : names_of_kind(subsystem->part, "point"))
      reading.places.insert(outer_name(subsystem->use, place));
    subsystems.push_back(std::move(*subsystem));
  }
  return subsystems;
}

}  // namespace cardan
