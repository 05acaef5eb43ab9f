#include "mechanism/quantities.hpp"

#include <algorithm>
#include <map>

#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

// as Signal::component counts them
constexpr const char* kEnergies[] = {"kinetic", "potential", "total", "power", "work", "error"};

/// Where `element` is one of `list` and `field` its effort.
template <class List, class Unit>
bool is_effort_of(const List& list, const std::string& element, std::string field, std::string& unit, const Unit& of) {
  const int index = find_primitive(list, element, field);
  if (index < 0 || field != "effort") return false;
  unit = of(list[static_cast<std::size_t>(index)]);
  return true;
}

/// Of "q", "v2" and "a1".
std::string unit_of_coordinate(const Mechanism& m, const Joint& joint, const std::string& field) {
  const int index = field.size() == 1 ? 0 : field[1] - '1';
  if (field.size() > 2 || index < 0 || index >= joint_coordinate_count(joint.type, m.planar)) return "";
  const std::string unit = coordinate_direction(joint.type, m.planar, index).angular ? "rad" : "m";
  return field[0] == 'q' ? unit : field[0] == 'v' ? unit + "/s" : field[0] == 'a' ? unit + "/s^2" : "";
}

void add_fields(std::vector<std::string>& names, const std::string& element, const std::vector<const char*>& fields) {
  for (const char* field : fields) names.push_back(element + "." + field);
}

/// With a number behind the field where an element has several.
template <class List>
void add_numbered(std::vector<std::string>& names, const List& list, const std::vector<const char*>& fields) {
  std::map<std::string, int> count, seen;
  for (const auto& item : list) ++count[item.name];
  for (const auto& item : list) {
    const std::string number = count[item.name] == 1 ? "" : std::to_string(++seen[item.name]);
    for (const char* field : fields) names.push_back(item.name + "." + field + number);
  }
}

}  // namespace

std::string unit_of_field(const std::string& field) {
  static const std::map<std::string, const char*> units{{"x", "m"},
                                                        {"y", "m"},
                                                        {"z", "m"},
                                                        {"vx", "m/s"},
                                                        {"vy", "m/s"},
                                                        {"vz", "m/s"},
                                                        {"ax", "m/s^2"},
                                                        {"ay", "m/s^2"},
                                                        {"az", "m/s^2"},
                                                        {"angle", "rad"},
                                                        {"w", "rad/s"},
                                                        {"wx", "rad/s"},
                                                        {"wy", "rad/s"},
                                                        {"wz", "rad/s"},
                                                        {"alpha", "rad/s^2"},
                                                        {"alphax", "rad/s^2"},
                                                        {"alphay", "rad/s^2"},
                                                        {"alphaz", "rad/s^2"},
                                                        {"fx", "N"},
                                                        {"fy", "N"},
                                                        {"fz", "N"},
                                                        {"mx", "N m"},
                                                        {"my", "N m"},
                                                        {"mz", "N m"},
                                                        {"length", "m"},
                                                        {"rate", "m/s"},
                                                        {"force", "N"},
                                                        {"load", "N"},
                                                        {"longitudinal", "N"},
                                                        {"lateral", "N"}};
  const std::string component = field.starts_with("inertial_") ? field.substr(9) : field;
  const auto found = units.find(component);
  return found == units.end() ? "" : found->second;
}

std::string unit_of_effort(const Mechanism& m, int joint, int coordinate) {
  if (joint < 0) return "N";
  return coordinate_direction(m.joints[static_cast<std::size_t>(joint)].type, m.planar, coordinate).angular ? "N m"
                                                                                                            : "N";
}

std::span<const char* const> energy_quantities() { return kEnergies; }

std::vector<std::string> further_signals(const Mechanism& m) {
  std::vector<std::string> names;
  for (const Body& body : m.bodies) {
    if (m.planar) {
      add_fields(names, body.name, {"ax", "ay", "alpha"});
    } else {
      add_fields(names, body.name, {"ax", "ay", "az", "alphax", "alphay", "alphaz"});
    }
  }
  for (const Marker& marker : m.markers) {
    if (m.planar) {
      add_fields(names, marker.name, {"x", "y", "vx", "vy", "ax", "ay"});
    } else {
      add_fields(names, marker.name, {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"});
    }
  }
  for (const Joint& joint : m.joints) {
    const int count = joint_coordinate_count(joint.type, m.planar);
    for (int i = 0; i < count; ++i) {
      if (is_rotation_vector(joint.type, m.planar, i)) continue;
      names.push_back(joint.name + ".a" + (count == 1 ? "" : std::to_string(i + 1)));
    }
    if (m.planar) {
      add_fields(names, joint.name, {"inertial_fx", "inertial_fy", "inertial_mz"});
    } else {
      add_fields(names, joint.name,
                 {"inertial_fx", "inertial_fy", "inertial_fz", "inertial_mx", "inertial_my", "inertial_mz"});
    }
  }
  for (const SpringDamper& spring : m.springs) add_fields(names, spring.name, {"rate"});
  for (const LineForce& force : m.line_forces) add_fields(names, force.name, {"rate"});
  std::vector<JointSpringDamper> alone = m.joint_springs;
  std::erase_if(alone, [&](const JointSpringDamper& spring) {
    return std::any_of(m.actuators.begin(), m.actuators.end(), [&](const auto& a) { return a.name == spring.name; });
  });
  add_numbered(names, alone, {"effort"});
  if (m.planar) {
    add_numbered(names, m.bushings, {"fx", "fy", "mz"});
  } else {
    add_numbered(names, m.bushings, {"fx", "fy", "fz", "mx", "my", "mz"});
  }
  add_numbered(names, m.rotors, {"effort"});
  for (const char* quantity : kEnergies) names.push_back(std::string("energy.") + quantity);
  return names;
}

std::vector<int> springs_beside(const Mechanism& m, const Actuator& actuator) {
  std::vector<int> found;
  for (std::size_t i = 0; i < m.joint_springs.size(); ++i) {
    const JointSpringDamper& spring = m.joint_springs[i];
    if (spring.name == actuator.name && spring.joint == actuator.joint && spring.coordinate == actuator.coordinate)
      found.push_back(static_cast<int>(i));
  }
  return found;
}

std::string unit_of_quantity(const Mechanism& m, const std::string& name) {
  if (name == "t") return "s";
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string element = name.substr(0, dot), field = name.substr(dot + 1);
  if (element == "energy" && std::count(std::begin(kEnergies), std::end(kEnergies), std::string_view(field)) > 0)
    return field == "power" ? "W" : "J";
  for (const Joint& joint : m.joints) {
    if (joint.name != element) continue;
    const std::string of_coordinate = unit_of_coordinate(m, joint, field);
    if (!of_coordinate.empty()) return of_coordinate;
  }
  const auto own = [&](const auto& load) { return unit_of_effort(m, load.joint, load.coordinate); };
  const auto second = [&](const Coupler& c) { return unit_of_effort(m, c.joint2, c.coordinate2); };
  std::string unit;
  if (is_effort_of(m.couplers, element, field, unit, second) || is_effort_of(m.drivers, element, field, unit, own) ||
      is_effort_of(m.actuators, element, field, unit, own) ||
      is_effort_of(m.joint_springs, element, field, unit, own) || is_effort_of(m.rotors, element, field, unit, own))
    return unit;
  for (const CustomWrench& wrench : m.custom_wrenches) {
    if (wrench.name != element) continue;
    for (const WrenchReading& reading : wrench.readings)
      if (reading.quantity == field) return reading.unit;
  }
  std::string bushing_field = field;
  return unit_of_field(find_primitive(m.bushings, element, bushing_field) >= 0 ? bushing_field : field);
}

}  // namespace cardan
