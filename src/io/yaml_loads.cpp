// loads; docs/model-file.md is the reference. F(v) stands for a function of v.
//
//   L: {spring: [B1, B2], at: [P, Q], stiffness: k | force: F(x), free_length: l, damping: c | damping_force: F(x)}
//                           along: DIRECTION
//   L: {tyre: B, road: R, at: P, axis: D, radius: r, stiffness: k, damping: c, lateral: {calspan: {...}}}
//   L: {torsion: J, coordinate: 1, stiffness: k | torque: F(x), free_angle: a, damping: c | damping_torque: F(x)}
//   L: {joint_spring: J, coordinate: 1, stiffness: k | force: F(x), free_position: q, damping: c | damping_force: F(x)}
//   L: {bushing: [B1, B2], at: P | [P1, P2], axes: A, stiffness: k | [kx, ky, kz]}
//                           likewise damping, rotational_stiffness, rotational_damping
//   L: {friction: J, coordinate: 1, viscous: B, coulomb: Tc | [Tc+, Tc-], gear: G, velocity: v}
//   L: {rotor: J, coordinate: 1, inertia: J, gear: G}
//   L: {force: B, at: P, components: [F(t), ...], frame: inertial | body}
//   L: {torque: B | [B1, B2], components: [F(t), ...] (planar: value: F(t)), frame: inertial | body}
//   L: {actuator: J, coordinate: 1, effort: F(t)}
//
// x is the elongation, s - l or q - a, and in dampers its rate.
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

// `force` and `torque` are also laws of springs, so that the springs are looked for first.
constexpr std::string_view kLoadKinds[] = {"spring", "torsion",  "joint_spring", "bushing", "friction",
                                           "rotor",  "actuator", "tyre",         "force",   "torque"};
constexpr std::string_view kLoadFields[] = {"at",
                                            "stiffness",
                                            "damping",
                                            "free_length",
                                            "free_angle",
                                            "free_position",
                                            "damping_force",
                                            "damping_torque",
                                            "coordinate",
                                            "components",
                                            "value",
                                            "frame",
                                            "effort",
                                            "axes",
                                            "rotational_stiffness",
                                            "rotational_damping",
                                            "viscous",
                                            "coulomb",
                                            "gear",
                                            "velocity",
                                            "inertia",
                                            "along",
                                            "road",
                                            "radius",
                                            "axis",
                                            "lateral"};

SpringSpec read_spring(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"spring",  "at",          "along", "stiffness",
                                        "damping", "free_length", "force", "damping_force"};
  fields.allow(known, "a spring");
  SpringSpec load;
  load.name = std::move(name);
  if (const auto bodies = fields.two_names("spring", "[ground, BODY]")) {
    load.body1 = bodies->first;
    load.body2 = bodies->second;
  }
  if (const auto places = fields.two_places("at")) {
    load.at1 = places->first;
    load.at2 = places->second;
  }
  load.along = fields.direction("along");
  load.stiffness = fields.number("stiffness");
  load.damping = fields.number("damping");
  load.free_length = fields.number("free_length");
  load.force = fields.function("force", "x");
  load.damping_force = fields.function("damping_force", "x");
  load.incomplete = fields.failed();
  return load;
}

JointSpringSpec read_joint_spring(Fields& fields, Name name, bool torsion) {
  const char* head = torsion ? "torsion" : "joint_spring";
  const char* free = torsion ? "free_angle" : "free_position";
  const char* law = torsion ? "torque" : "force";
  const char* damping_law = torsion ? "damping_torque" : "damping_force";
  const std::string_view known[] = {head, "coordinate", "stiffness", "damping", free, law, damping_law};
  fields.allow(known, torsion ? "a torsion spring" : "a joint spring");
  JointSpringSpec load;
  load.name = std::move(name);
  load.torsion = torsion;
  if (const auto joint = fields.word(head)) load.joint = *joint;
  load.coordinate = fields.integer("coordinate");
  load.stiffness = fields.number("stiffness");
  load.damping = fields.number("damping");
  load.free_position = fields.number(free);
  load.force = fields.function(law, "x");
  load.damping_force = fields.function(damping_law, "x");
  load.incomplete = fields.failed();
  return load;
}

/// A number for every axis, or a list; rotational values of planar models are about z.
std::optional<Located<Vec3>> read_along_axes(Fields& fields, const char* key, bool rotational) {
  const YamlNode* node = fields.node(key);
  if (node == nullptr) return std::nullopt;
  const bool planar = fields.reading().planar;
  if (node->kind == Kind::sequence && !(planar && rotational)) return fields.vector(key);
  const auto value = fields.number(key);
  if (!value) return std::nullopt;
  const Vec3 about_z(0, 0, value->value), in_plane(value->value, value->value, 0);
  return Located<Vec3>(!planar ? Vec3::Constant(value->value) : rotational ? about_z : in_plane, value->where);
}

BushingSpec read_bushing(Fields& fields, Name name) {
  constexpr std::string_view known[] = {
      "bushing", "at", "axes", "stiffness", "damping", "rotational_stiffness", "rotational_damping"};
  fields.allow(known, "a bushing");
  BushingSpec load;
  load.name = std::move(name);
  if (const auto bodies = fields.two_names("bushing", "[ground, BODY]")) {
    load.body1 = bodies->first;
    load.body2 = bodies->second;
  }
  if (const YamlNode* at = fields.node("at")) {
    if (is_pair(fields.reading(), *at)) {
      if (const auto places = fields.two_places("at")) {
        load.at1 = places->first;
        load.at2 = places->second;
      }
    } else {
      load.at1 = fields.place("at");
    }
  }
  load.axes = fields.axes("axes");
  load.stiffness = read_along_axes(fields, "stiffness", false);
  load.damping = read_along_axes(fields, "damping", false);
  load.rotational_stiffness = read_along_axes(fields, "rotational_stiffness", true);
  load.rotational_damping = read_along_axes(fields, "rotational_damping", true);
  load.incomplete = fields.failed();
  return load;
}

FrictionSpec read_friction(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"friction", "coordinate", "viscous", "coulomb", "gear", "velocity"};
  fields.allow(known, "friction");
  FrictionSpec load;
  load.name = std::move(name);
  if (const auto joint = fields.word("friction")) load.joint = *joint;
  load.coordinate = fields.integer("coordinate");
  load.viscous = fields.number("viscous");
  if (const YamlNode* node = fields.node("coulomb"); node != nullptr && node->kind == Kind::sequence) {
    const auto levels = read_numbers(fields.reading(), *node, fields.element(), "'coulomb'");
    if (levels && levels->size() == 2) {
      load.coulomb = Number((*levels)[0], node->where);
      load.coulomb_backward = Number((*levels)[1], node->where);
    } else if (levels) {
      wrong_kind(fields.reading(), *node, fields.element(), "'coulomb'", "one number, or two: [Tc+, Tc-]");
    }
  } else {
    load.coulomb = fields.number("coulomb");
  }
  load.gear = fields.number("gear");
  load.velocity = fields.number("velocity");
  load.incomplete = fields.failed();
  return load;
}

RotorSpec read_rotor(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"rotor", "coordinate", "inertia", "gear"};
  fields.allow(known, "a rotor");
  fields.require("inertia", "add 'inertia', kg m^2");
  RotorSpec load;
  load.name = std::move(name);
  if (const auto joint = fields.word("rotor")) load.joint = *joint;
  load.coordinate = fields.integer("coordinate");
  if (const auto inertia = fields.number("inertia")) load.inertia = *inertia;
  load.gear = fields.number("gear");
  load.incomplete = fields.failed();
  return load;
}

bool read_body_axes(Fields& fields) {
  const auto frame = fields.word("frame");
  if (!frame || frame->value == "inertial") return false;
  if (frame->value == "body") return true;
  fields.error(frame->where, fmt::format("no frame is called '{}'", frame->value),
               suggestion(frame->value, {"inertial", "body"}, "give"));
  return false;
}

void read_components(Fields& fields, std::size_t count, std::array<Located<Function>, 3>& components) {
  fields.require("components", count == 2 ? "add 'components: [Fx, Fy]'" : "add 'components: [x, y, z]'");
  const YamlNode* node = fields.node("components");
  if (node == nullptr) return;
  if (node->kind != Kind::sequence || node->items.size() != count) {
    wrong_kind(fields.reading(), *node, fields.element(), "'components'",
               fmt::format("a list of {} functions of t", count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto function =
        read_function(fields.reading(), *node->items[i], fields.element(), "an item of 'components'", "t");
    if (function) components[i] = Located<Function>(*function, node->items[i]->where);
  }
}

ForceSpec read_force(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"force", "at", "components", "frame"};
  fields.allow(known, "a force");
  ForceSpec load;
  load.name = std::move(name);
  if (const auto body = fields.word("force")) load.body = *body;
  load.at = fields.place("at");
  load.body_axes = read_body_axes(fields);
  read_components(fields, static_cast<std::size_t>(fields.reading().dimension()), load.components);
  load.incomplete = fields.failed();
  return load;
}

TorqueSpec read_torque(Fields& fields, Name name) {
  const bool planar = fields.reading().planar;
  const std::string_view known[] = {"torque", planar ? "value" : "components", "frame"};
  fields.allow(known, planar ? "a torque of a planar model" : "a torque");
  TorqueSpec load;
  load.name = std::move(name);
  if (fields.node("torque")->kind == Kind::sequence) {
    if (const auto bodies = fields.two_names("torque", "[BODY, BODY]")) {
      load.body1 = bodies->first;
      load.body2 = bodies->second;
    }
  } else if (const auto body = fields.word("torque")) {
    load.body2 = *body;
  }
  load.body_axes = read_body_axes(fields);
  if (planar) {
    fields.require("value", "add 'value: FUNCTION of t'");
    if (const auto value = fields.function("value", "t")) load.components[2] = *value;
  } else {
    read_components(fields, 3, load.components);
  }
  load.incomplete = fields.failed();
  return load;
}

ActuatorSpec read_actuator(Fields& fields, Name name) {
  constexpr std::string_view known[] = {"actuator", "coordinate", "effort"};
  fields.allow(known, "an actuator");
  fields.require("effort", "add 'effort: FUNCTION of t'");
  ActuatorSpec load;
  load.name = std::move(name);
  if (const auto joint = fields.word("actuator")) load.joint = *joint;
  load.coordinate = fields.integer("coordinate");
  if (const auto effort = fields.function("effort", "t")) load.effort = *effort;
  load.incomplete = fields.failed();
  return load;
}

}  // namespace

void read_loads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("load", entry.key), entry.where);
    const Name name(entry.key, entry.where);
    const auto kind = fields.kind(kLoadKinds, kLoadFields);
    if (!kind) continue;
    if (*kind == "spring") mechanism.springs.push_back(read_spring(fields, name));
    if (*kind == "torsion" || *kind == "joint_spring")
      mechanism.joint_springs.push_back(read_joint_spring(fields, name, *kind == "torsion"));
    if (*kind == "bushing") mechanism.bushings.push_back(read_bushing(fields, name));
    if (*kind == "friction") mechanism.frictions.push_back(read_friction(fields, name));
    if (*kind == "rotor") mechanism.rotors.push_back(read_rotor(fields, name));
    if (*kind == "force") mechanism.forces.push_back(read_force(fields, name));
    if (*kind == "torque") mechanism.torques.push_back(read_torque(fields, name));
    if (*kind == "tyre") mechanism.tyres.push_back(read_tyre(fields, name));
    if (*kind == "actuator") mechanism.actuators.push_back(read_actuator(fields, name));
  }
}

}  // namespace cardan
