// initial and simulation; docs/model-file.md is the reference.
//
//   initial:    B: {velocity: [vx, vy, vz], angular_velocity: [wx, wy, wz]}   planar: [vx, vy] and a number
//                  `free` in a list leaves a component open
//               J: {position: q, velocity: v}                                 joints with one coordinate
//               all: {velocity: [vx, vy, vz]}                                 what moves along with that
//   simulation: {OPTION: value, ..., cut: [J, ...]}                           options/option_list.hpp has them
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "io/yaml_sections.hpp"
#include "options/option_list.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;
constexpr double kOpen = std::numeric_limits<double>::quiet_NaN();

std::optional<double> read_component(Fields& fields, const YamlNode& node, const std::string& what) {
  if (node.kind == Kind::scalar && node.text == "free") return kOpen;
  return read_number(fields.reading(), node, fields.element(), what);
}

std::optional<Located<Vec3>> read_velocity(Fields& fields, const char* key, std::size_t count) {
  const YamlNode* node = fields.node(key);
  if (node == nullptr) return std::nullopt;
  if (node->kind != Kind::sequence || node->items.size() != count) {
    wrong_kind(fields.reading(), *node, fields.element(), fmt::format("'{}'", key),
               fmt::format("a list of {} numbers", count));
    return std::nullopt;
  }
  Vec3 velocity = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = read_component(fields, *node->items[i], fmt::format("an item of '{}'", key));
    if (!value) return std::nullopt;
    velocity[static_cast<int>(i)] = *value;
  }
  return Located<Vec3>(velocity, node->where);
}

void read_body_start(Fields& fields, InitialSpec& initial) {
  constexpr std::string_view known[] = {"velocity", "angular_velocity"};
  fields.allow(known, "the start of a body");
  const bool planar = fields.reading().planar;
  initial.velocity = read_velocity(fields, "velocity", planar ? 2 : 3);
  if (!planar) {
    initial.angular_velocity = read_velocity(fields, "angular_velocity", 3);
  } else if (const auto speed = fields.number("angular_velocity")) {
    initial.angular_velocity = Located<Vec3>(Vec3(0, 0, speed->value), speed->where);
  }
}

void read_joint_start(Fields& fields, InitialSpec& initial) {
  constexpr std::string_view known[] = {"position", "velocity"};
  fields.allow(known, "the start of a joint");
  initial.joint_position = fields.number("position");
  initial.joint_velocity = fields.number("velocity");
}

}  // namespace

void read_initial(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  std::unordered_set<std::string> bodies, joints;
  for (const BodySpec& spec : mechanism.bodies) bodies.insert(spec.name.value);
  for (const JointSpec& spec : mechanism.joints) joints.insert(spec.name.value);
  const auto connected = [&mechanism](const std::string& name, const char* kind) {
    return std::any_of(mechanism.connections.begin(), mechanism.connections.end(),
                       [&](const ConnectionSpec& spec) { return spec.name.value == name && spec.kind == kind; });
  };
  for (const YamlEntry& entry : section.entries) {
    InitialSpec initial;
    initial.name = Name(entry.key, entry.where);
    const bool body = bodies.count(entry.key) > 0 || connected(entry.key, "body");
    const bool joint = joints.count(entry.key) > 0 || connected(entry.key, "joint");
    if (!body && !joint && entry.key == InitialSpec::kWhole) {
      Fields fields(reading, *entry.value, element_label("initial", entry.key), entry.where);
      constexpr std::string_view known[] = {"velocity"};
      fields.allow(known, "the start of the whole");
      fields.require("velocity", "add 'velocity: [vx, vy, vz]'");
      initial.velocity = read_velocity(fields, "velocity", reading.planar ? 2 : 3);
      noted(initial).incomplete = fields.failed();
    } else if (body || joint) {
      Fields fields(reading, *entry.value, element_label("initial", entry.key), entry.where);
      body ? read_body_start(fields, initial) : read_joint_start(fields, initial);
      noted(initial).incomplete = fields.failed();
    }
    mechanism.initial.push_back(std::move(initial));
  }
}

void read_simulation(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  Fields fields(reading, section, "simulation", section.where);
  SimulationSpec& wish = mechanism.simulation;
  std::vector<std::string_view> known{"cut"};
  visit_options([&known](const RunOption& option, auto&) { known.emplace_back(option.name); }, wish);
  fields.allow(known);
  const auto read = [&fields](const RunOption& option, auto& value) {
    using Value = typename std::remove_reference_t<decltype(value)>::value_type;
    if constexpr (std::is_same_v<Value, Number>) value = fields.number(option.name);
    if constexpr (std::is_same_v<Value, Name>) value = fields.word(option.name);
    if constexpr (std::is_same_v<Value, Located<int>>) value = fields.integer(option.name);
    if constexpr (std::is_same_v<Value, Located<bool>>) {
      if (fields.has(option.name)) value = fields.flag(option.name, false);
    }
  };
  visit_options(read, wish);
  const YamlNode* cut = fields.node("cut");
  if (cut == nullptr) return;
  if (cut->kind != Kind::sequence) {
    wrong_kind(reading, *cut, fields.element(), "'cut'", "a list of joints");
    return;
  }
  for (const YamlPointer& item : cut->items)
    if (const auto joint = read_word(reading, *item, fields.element(), "an item of 'cut'"))
      wish.cut.emplace_back(*joint, item->where);
}

}  // namespace cardan
