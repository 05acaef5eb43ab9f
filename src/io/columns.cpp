#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "mechanism/joint_types.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

/// Of a force or torque on a coordinate of a joint.
const char* unit_of_effort(const Mechanism& mechanism, int joint, int coordinate) {
  if (joint < 0) return "N";
  const JointType type = mechanism.joints[static_cast<std::size_t>(joint)].type;
  return coordinate_direction(type, mechanism.planar, coordinate).angular ? "N m" : "N";
}

/// What the part behind the dot tells by itself.
const char* unit_of_suffix(const std::string& suffix) {
  static const std::map<std::string, const char*> units{
      {"x", "m"},      {"y", "m"},       {"z", "m"},      {"vx", "m/s"},   {"vy", "m/s"},
      {"vz", "m/s"},   {"angle", "rad"}, {"w", "rad/s"},  {"wx", "rad/s"}, {"wy", "rad/s"},
      {"wz", "rad/s"}, {"fx", "N"},      {"fy", "N"},     {"fz", "N"},     {"mx", "N m"},
      {"my", "N m"},   {"mz", "N m"},    {"length", "m"}, {"force", "N"},  {"load", "N"}};
  const auto found = units.find(suffix);
  return found == units.end() ? "" : found->second;
}

std::string remedy_for(const std::vector<std::string>& columns, const std::string& wish) {
  const std::string nearest = nearest_name(wish, columns);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  std::vector<std::string> own = columns_like(columns, wish + ".*");
  if (own.empty()) own = columns_like(columns, wish.substr(0, wish.rfind('.')) + ".*");
  if (own.empty()) return "columns are called ELEMENT.QUANTITY, as in trajectory.csv";
  return fmt::format("there are {}", fmt::join(own, ", "));
}

}  // namespace

std::map<std::string, std::string> column_units(const Mechanism& mechanism) {
  std::map<std::string, std::string> units;
  for (const std::string& column : trajectory_columns(mechanism)) {
    const std::size_t dot = column.rfind('.');
    units[column] = dot == std::string::npos ? (column == "t" ? "s" : "") : unit_of_suffix(column.substr(dot + 1));
  }
  for (const Joint& joint : mechanism.joints) {
    const int count = joint_coordinate_count(joint.type, mechanism.planar);
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      const std::string unit = coordinate_direction(joint.type, mechanism.planar, i).angular ? "rad" : "m";
      units[joint.name + ".q" + number] = unit;
      units[joint.name + ".v" + number] = unit + "/s";
    }
  }
  for (const Coupler& coupler : mechanism.couplers)
    units[coupler.name + ".effort"] = unit_of_effort(mechanism, coupler.joint2, coupler.coordinate2);
  for (const Driver& driver : mechanism.drivers)
    units[driver.name + ".effort"] = unit_of_effort(mechanism, driver.joint, driver.coordinate);
  for (const Actuator& actuator : mechanism.actuators)
    units[actuator.name + ".effort"] = unit_of_effort(mechanism, actuator.joint, actuator.coordinate);
  for (const LineForce& force : mechanism.line_forces) units[force.name + ".length"] = "m";
  for (const Input& input : mechanism.inputs) units[input.name] = input.unit;
  for (const StateVariable& state : mechanism.states) units[state.name] = state.unit;
  for (const Signal& signal : mechanism.signals)
    if (signal.shown) units[signal.name] = signal.unit;
  return units;
}

void find_plotted_columns(Mechanism& mechanism, Problems& problems) {
  if (mechanism.plots.empty()) return;
  const std::vector<std::string> columns = trajectory_columns(mechanism);
  for (Plot& plot : mechanism.plots) {
    std::vector<std::string> found;
    for (const std::string& wish : plot.columns) {
      const std::vector<std::string> own = columns_like(columns, wish);
      if (own.empty())
        problems.error(plot.where, element_label("plot", plot.title), fmt::format("there is no column '{}'", wish),
                       remedy_for(columns, wish));
      found.insert(found.end(), own.begin(), own.end());
    }
    plot.columns = std::move(found);
  }
}

std::vector<Plot> plots_asked_for(const Mechanism& mechanism, const std::vector<std::string>& lists) {
  const std::vector<std::string> columns = trajectory_columns(mechanism);
  std::vector<Plot> plots;
  for (const std::string& list : lists) {
    Plot plot;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string wish = list.substr(begin, end - begin);
      const std::vector<std::string> own = columns_like(columns, wish);
      if (own.empty())
        throw std::invalid_argument(
            fmt::format("--plot: there is no column '{}'; {}", wish, remedy_for(columns, wish)));
      plot.columns.insert(plot.columns.end(), own.begin(), own.end());
      begin = end + 1;
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace cardan
