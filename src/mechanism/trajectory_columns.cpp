#include "mechanism/trajectory_columns.hpp"

#include <algorithm>

namespace cardan {
namespace {

/// `*` stands for any characters.
bool matches(const char* pattern, const char* text) {
  if (*pattern == '*') return matches(pattern + 1, text) || (*text != '\0' && matches(pattern, text + 1));
  if (*pattern == '\0' || *text == '\0') return *pattern == *text;
  return *pattern == *text && matches(pattern + 1, text + 1);
}

}  // namespace

std::vector<std::string> columns_like(const std::vector<std::string>& columns, const std::string& wish) {
  std::vector<std::string> found;
  for (const std::string& column : columns)
    if (column != "t" && matches(wish.c_str(), column.c_str())) found.push_back(column);
  return found;
}

/// Pictures need the poses, plots what they show.
std::vector<std::string> result_columns(const Mechanism& mechanism) {
  const std::vector<std::string> all = trajectory_columns(mechanism);
  if (mechanism.outputs.empty()) return all;
  std::vector<std::string> chosen{"t"};
  const auto add = [&](const std::string& wish) {
    for (const std::string& column : columns_like(all, wish))
      if (std::find(chosen.begin(), chosen.end(), column) == chosen.end()) chosen.push_back(column);
  };
  for (const std::string& wish : mechanism.outputs) add(wish);
  for (const Plot& plot : mechanism.plots)
    for (const std::string& wish : plot.columns) add(wish);
  for (const Body& body : mechanism.bodies) {
    for (const char* field : {"x", "y", "z", "angle", "qw", "qx", "qy", "qz"}) add(body.name + "." + field);
  }
  return chosen;
}

std::vector<std::string> trajectory_columns(const Mechanism& mechanism) {
  std::vector<std::string> columns{"t"};
  const bool planar = mechanism.planar;
  using Fields = std::initializer_list<const char*>;
  const auto add = [&](const std::string& name, Fields fields) {
    for (const char* field : fields) columns.push_back(name + "." + field);
  };
  const auto add_one_of = [&](const std::string& name, Fields in_plane, Fields in_space) {
    add(name, planar ? in_plane : in_space);
  };
  const auto add_wrench = [&](const std::string& name) {
    add_one_of(name, {"fx", "fy", "mz"}, {"fx", "fy", "fz", "mx", "my", "mz"});
  };
  for (const Body& body : mechanism.bodies)
    add_one_of(body.name, {"x", "y", "angle", "vx", "vy", "w"},
               {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"});
  for (const Joint& joint : mechanism.joints) {
    const int count = joint_coordinate_count(joint.type, planar);
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      columns.push_back(joint.name + ".q" + number);
      columns.push_back(joint.name + ".v" + number);
    }
    add_wrench(joint.name);
  }
  for (const Coupler& coupler : mechanism.couplers) add(coupler.name, {"effort"});
  for (const Driver& driver : mechanism.drivers) add(driver.name, {"effort"});
  for (const KnifeEdge& edge : mechanism.knife_edges) add(edge.name, {"force"});
  for (const RollingDisc& disc : mechanism.rolling_discs)
    add_one_of(disc.name, {"load", "longitudinal"}, {"load", "longitudinal", "lateral"});
  for (const SpringDamper& spring : mechanism.springs) add(spring.name, {"length", "force"});
  for (const Tyre& tyre : mechanism.tyres) add_one_of(tyre.name, {"load", "fx", "fy"}, {"load", "fx", "fy", "fz"});
  for (const Contact& contact : mechanism.contacts)
    add_one_of(contact.name, {"load", "depth", "fx", "fy"}, {"load", "depth", "fx", "fy", "fz"});
  for (const Actuator& actuator : mechanism.actuators) add(actuator.name, {"effort"});
  for (const PointForce& force : mechanism.forces) add_one_of(force.name, {"fx", "fy"}, {"fx", "fy", "fz"});
  for (const Torque& torque : mechanism.torques) add_one_of(torque.name, {"mz"}, {"mx", "my", "mz"});
  for (const CustomWrench& wrench : mechanism.custom_wrenches) {
    add_wrench(wrench.name);
    for (const WrenchReading& reading : wrench.readings) columns.push_back(wrench.name + "." + reading.quantity);
  }
  for (const Sensor& sensor : mechanism.sensors) columns.push_back(sensor.name);
  for (const LineForce& force : mechanism.line_forces) add(force.name, {"length", "force"});
  for (const Input& input : mechanism.inputs) columns.push_back(input.name);
  for (const StateVariable& state : mechanism.states) columns.push_back(state.name);
  for (const Signal& signal : mechanism.signals)
    if (signal.shown) columns.push_back(signal.name);
  return columns;
}

}  // namespace cardan
