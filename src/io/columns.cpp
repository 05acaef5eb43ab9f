#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "mechanism/joint_types.hpp"
#include "mechanism/quantities.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
namespace {

std::string remedy_for(const std::vector<std::string>& columns, const std::string& wish) {
  const std::string nearest = nearest_name(wish, columns);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  const std::size_t dot = wish.rfind('.');
  // Signals of parts are called PART/NAME.
  if (dot != std::string::npos && wish.starts_with('*')) {
    const std::string of_parts = "*/" + wish.substr(dot + 1);
    if (!columns_like(columns, of_parts).empty()) return fmt::format("did you mean '{}'?", of_parts);
  }
  std::vector<std::string> own = columns_like(columns, wish + ".*");
  if (own.empty() && !wish.starts_with('*')) own = columns_like(columns, wish.substr(0, dot) + ".*");
  if (own.empty())
    return "columns are called ELEMENT.QUANTITY, as in trajectory.csv, inputs, states and signals by their own names";
  constexpr std::size_t kMost = 12;
  const std::size_t left_off = own.size() > kMost ? own.size() - kMost : 0;
  own.resize(own.size() - left_off);
  return fmt::format("there are {}{}", fmt::join(own, ", "), left_off > 0 ? fmt::format(" and {} more", left_off) : "");
}

}  // namespace

std::map<std::string, std::string> column_units(const Mechanism& mechanism) {
  std::map<std::string, std::string> units;
  for (const std::string& column : trajectory_columns(mechanism)) {
    const std::size_t dot = column.rfind('.');
    units[column] = dot == std::string::npos ? (column == "t" ? "s" : "") : unit_of_field(column.substr(dot + 1));
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
