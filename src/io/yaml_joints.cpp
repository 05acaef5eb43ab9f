// joints; docs/model-file.md is the reference.
//
//   joints:  J: {revolute: [B1, B2], at: P | [P1, P2], axis: D | [D1, D2], x_axis: D, drawn: q}
//               likewise prismatic, cylindrical, planar (axis: the normal); planar models: revolute without axis
//            J: {spherical: [B1, B2], at: P}   likewise fixed and free, which need no place
//            J: {universal: [B1, B2], at: P, axes: [D1, D2]}
//            J: {screw: [B1, B2], at: P, axis: D, pitch: p, x_axis: D, drawn: q}
//            J: {distance: [B1, B2], at: [P, Q], length: l}
//            J: {point_on_line: [B1, B2], at: P | [P1, P2], axis: D, x_axis: D}   likewise point_on_plane (the normal)
//            J: {parallel: [B1, B2], axis: D | [D1, D2]}
//            J: {perpendicular: [B1, B2], axes: [D1, D2]}
//            J: {revolute_spherical: [B1, B2], at: [P, Q], axis: D, length: l}
//            joints with coordinates: stops: {min: a, max: b, stiffness: k, damping: c, soft: w, coordinate: n}, or a
//            list a direction D is x, y, z, components, or two points [P, Q]; `drawn` may be a list, one for each
//            coordinate
#include <fmt/format.h>

#include <algorithm>

#include "io/yaml_sections.hpp"
#include "mechanism/frames.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

constexpr Fields::Synonym kSynonyms[] = {
    {"hinge", "revolute"},       {"pin", "revolute"},           {"translational", "prismatic"},
    {"slide", "prismatic"},      {"slider", "prismatic"},       {"ball", "spherical"},
    {"hooke", "universal"},      {"cardan", "universal"},       {"weld", "fixed"},
    {"floating", "free"},        {"rod", "distance"},           {"link", "distance"},
    {"inline", "point_on_line"}, {"inplane", "point_on_plane"}, {"helical", "screw"}};

void read_joint_places(Fields& fields, JointSpec& joint) {
  const YamlNode* at = fields.node("at");
  if (at == nullptr) return;
  if (traits(joint.type).has_field("length") || is_pair(fields.reading(), *at)) {
    if (const auto places = fields.two_places("at")) {
      joint.at1 = places->first;
      joint.at2 = places->second;
    }
  } else {
    joint.at1 = fields.place("at");
  }
}

bool is_direction_alone(const YamlNode& item) {
  return item.kind == Kind::sequence || inertial_axis(item.text).has_value();
}

void read_two_directions(Fields& fields, const YamlNode& node, const std::string& what, JointSpec& joint) {
  joint.axis1 = read_direction(fields.reading(), *node.items[0], fields.element(), "an item of " + what);
  joint.axis2 = read_direction(fields.reading(), *node.items[1], fields.element(), "an item of " + what);
}

void read_joint_axes(Fields& fields, JointSpec& joint) {
  if (traits(joint.type).has_field("axes")) {
    const YamlNode* axes = fields.node("axes");
    if (axes == nullptr) return;
    if (axes->kind == Kind::sequence && axes->items.size() == 2) {
      read_two_directions(fields, *axes, "'axes'", joint);
    } else {
      wrong_kind(fields.reading(), *axes, fields.element(), "'axes'", "two directions, as [x, y]");
    }
    return;
  }
  joint.x_axis = fields.direction("x_axis");
  const YamlNode* axis = fields.node("axis");
  if (axis == nullptr) return;
  if (axis->kind == Kind::sequence && axis->items.size() == 2 &&
      (is_direction_alone(*axis->items[0]) || is_direction_alone(*axis->items[1]))) {
    read_two_directions(fields, *axis, "'axis'", joint);
  } else {
    joint.axis1 = fields.direction("axis");
  }
}

/// As loads of their own: JOINT_stop, or JOINT_stop1, JOINT_stop2, ... of a list.
void read_stops(Fields& fields, const JointSpec& joint, std::vector<Element>& elements) {
  const YamlNode* stops = fields.node("stops");
  if (stops == nullptr) return;
  const bool several = stops->kind == Kind::sequence;
  const std::size_t count = several ? stops->items.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode& node = several ? *stops->items[i] : *stops;
    const std::string name = joint.name.value + "_stop" + (several ? std::to_string(i + 1) : "");
    StopSpec stop;
    stop.name = Name(name, node.where);
    stop.joint = joint.name;
    Fields own(fields.reading(), node, element_label("joint", joint.name.value), node.where);
    constexpr std::string_view known[] = {"coordinate", "min", "max", "stiffness", "damping", "soft"};
    own.allow(known, "a stop");
    own.require("stiffness", "add 'stiffness', N m/rad or N/m", "a stop has no stiffness");
    stop.coordinate = own.integer("coordinate");
    stop.min = own.number("min");
    stop.max = own.number("max");
    if (const auto stiffness = own.number("stiffness")) stop.stiffness = *stiffness;
    stop.damping = own.number("damping");
    stop.soft = own.number("soft");
    Element element(stop);
    noted(element).incomplete = own.failed();
    elements.push_back(std::move(element));
  }
}

/// The types, and what may stand beside them.
struct JointWords {
  std::vector<std::string_view> names, others;
};
const JointWords& joint_words() {
  static const JointWords words = [] {
    JointWords all;
    for (const JointTraits& type : joint_types()) {
      all.names.push_back(type.name);
      for (const std::string_view field : type.all_fields()) all.others.push_back(field);
    }
    return all;
  }();
  return words;
}

JointSpec read_joint(Reading& reading, const YamlEntry& entry, std::vector<Element>& elements) {
  Fields fields(reading, *entry.value, element_label("joint", entry.key), entry.where);
  JointSpec joint;
  joint.name = Name(entry.key, entry.where);
  const auto& [names, others] = joint_words();
  const auto kind = fields.kind(names, others, kSynonyms);
  if (!kind) {
    noted(joint).incomplete = true;
    return joint;
  }
  joint.type = static_cast<JointType>(std::find(names.begin(), names.end(), *kind) - names.begin());
  fields.allow(traits(joint.type).all_fields(), fmt::format("a {} joint", *kind));
  if (const auto bodies = fields.two_names(kind->c_str(), "[ground, BODY]")) {
    joint.body1 = bodies->first;
    joint.body2 = bodies->second;
  }
  read_joint_places(fields, joint);
  read_joint_axes(fields, joint);
  joint.length = fields.number("length");
  joint.pitch = fields.number("pitch");
  if (const YamlNode* drawn = fields.node("drawn")) {
    if (drawn->kind == Kind::sequence) {
      if (auto values = read_numbers(reading, *drawn, fields.element(), "'drawn'"))
        joint.drawn = {std::move(*values), drawn->where};
    } else if (const auto value = fields.number("drawn")) {
      joint.drawn = {{value->value}, drawn->where};
    }
  }
  read_stops(fields, joint, elements);
  noted(joint).incomplete = fields.failed();
  return joint;
}

}  // namespace

void read_joints(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  mechanism.joints.reserve(mechanism.joints.size() + section.entries.size());
  for (const YamlEntry& entry : section.entries)
    mechanism.joints.push_back(read_joint(reading, entry, mechanism.elements));
}

}  // namespace cardan
