// `cardan equilibrium MODEL`: the position of rest near the drawn one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "cardan/analysis.hpp"
#include "cardan/csv_sink.hpp"
#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "commands.hpp"
#include "io/columns.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"

namespace cardan {
namespace {

std::string cell(double value) { return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value); }

/// Roll, pitch and yaw of the body's axes, degrees: R = Rz(yaw) Ry(pitch) Rx(roll).
Vec3 angles_of(const Mat3& R) {
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2)));
  return Vec3(std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))) * (180 / M_PI);
}

std::string bodies_table(const Mechanism& mechanism, const Equilibrium& e) {
  using Column = TextTable::Column;
  std::vector<Column> columns{{"body", TextTable::Align::left}, {"x"}, {"y"}};
  if (mechanism.planar) {
    columns.push_back({"angle"});
  } else {
    for (const char* title : {"z", "roll", "pitch", "yaw"}) columns.push_back({title});
  }
  TextTable table(columns);
  for (std::size_t b = 0; b < e.bodies.size(); ++b) {
    const Vec3& p = e.bodies[b].position;
    const std::string& name = mechanism.bodies[b].name;
    const Vec3 angles = angles_of(e.bodies[b].rotation);
    if (mechanism.planar) {
      table.add({name, cell(p.x()), cell(p.y()), cell(e.value(name + ".angle") * (180 / M_PI))});
    } else {
      table.add({name, cell(p.x()), cell(p.y()), cell(p.z()), cell(angles.x()), cell(angles.y()), cell(angles.z())});
    }
  }
  return "\npositions of mass centres, m, and angles, degrees\n" + table.text(2);
}

std::string joints_table(const Mechanism& mechanism, const Equilibrium& e) {
  if (mechanism.joints.empty()) return "";
  std::vector<TextTable::Column> columns{{"joint", TextTable::Align::left}, {"coordinates"}};
  const std::vector<std::string> fields = mechanism.planar
                                              ? std::vector<std::string>{"fx", "fy", "mz"}
                                              : std::vector<std::string>{"fx", "fy", "fz", "mx", "my", "mz"};
  for (const std::string& field : fields) columns.push_back({field});
  TextTable table(columns);
  for (const Joint& joint : mechanism.joints) {
    const int count = joint_coordinate_count(joint.type, mechanism.planar);
    std::string coordinates;
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      coordinates += (i > 0 ? " " : "") + cell(e.value(joint.name + ".q" + number));
    }
    std::vector<std::string> row{joint.name, coordinates};
    for (const std::string& field : fields) row.push_back(cell(e.value(joint.name + "." + field)));
    table.add(row);
  }
  return "\njoint coordinates, m and rad, and reactions on the second body, N and N m\n" + table.text(2);
}

std::string loads_table(const Mechanism& mechanism, const Equilibrium& e) {
  std::string text;
  if (!e.loads.empty()) {
    TextTable table({{"load", TextTable::Align::left}, {"length"}, {"force"}});
    for (const LoadValue& load : e.loads) table.add({load.name, cell(load.length), cell(load.force)});
    text +=
        "\nlengths of springs and cylinders (joint coordinates, loaded radii of tyres), m and rad, and their forces, N "
        "and N m\n";
    text += table.text(2);
  }
  if (!mechanism.drivers.empty()) {
    TextTable table({{"driver", TextTable::Align::left}, {"effort"}});
    for (const Driver& driver : mechanism.drivers) {
      const std::string effort = driver.name + ".effort";
      const bool on = std::find(e.columns.begin(), e.columns.end(), effort) != e.columns.end();
      table.add({driver.name, on ? cell(e.value(effort)) : "off"});
    }
    text += "\nefforts that hold the drivers, N and N m\n" + table.text(2);
  }
  return text;
}

/// What else rests somewhere: pressures and other states, inputs, forces of tyres and contacts, signals. Powers and
/// energies, and rates of motions, which are 0, are left to the JSON.
std::string others_table(const Mechanism& mechanism, const Equilibrium& e) {
  std::set<std::string> shown;
  for (const Body& body : mechanism.bodies) shown.insert(body.name);
  for (const Joint& joint : mechanism.joints) shown.insert(joint.name);
  for (const Driver& driver : mechanism.drivers) shown.insert(driver.name);
  std::set<std::string> loads;
  for (const LoadValue& load : e.loads) loads.insert(load.name);
  const std::map<std::string, std::string> units = column_units(mechanism);
  TextTable table({{"quantity", TextTable::Align::left}, {"value"}, {"unit", TextTable::Align::left}});
  bool any = false;
  for (std::size_t i = 0; i < e.columns.size(); ++i) {
    const std::string& column = e.columns[i];
    const std::size_t dot = column.rfind('.');
    const std::string owner = column.substr(0, dot), quantity = dot == std::string::npos ? "" : column.substr(dot + 1);
    const auto found = units.find(column);
    const std::string unit = found == units.end() ? "" : found->second;
    if (column == "t" || (dot != std::string::npos && shown.contains(owner))) continue;
    if (loads.contains(owner) && (quantity == "length" || quantity == "force")) continue;
    if (unit == "W" || unit == "J" || unit == "m/s" || unit == "rad/s") continue;
    table.add({column, cell(e.values[i]), unit});
    any = true;
  }
  return any ? "\nstates, forces of other loads, inputs and signals\n" + table.text(2) : "";
}

/// A folder that `cardan view` shows: the position of rest as a trajectory of one sample.
void write_folder(const Mechanism& mechanism, const std::vector<std::string>& inputs, const Equilibrium& e,
                  const EquilibriumRequest& request) {
  const ResultFolder folder(request.out);
  if (!request.overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  refuse_to_replace(
      inputs, {folder / "trajectory.csv", folder / "equilibrium.json", folder / "scene.json", folder / "summary.json"});
  std::filesystem::remove(folder / "summary.json");
  CsvSink trajectory(folder / "trajectory.csv");
  trajectory.start(e.columns);
  trajectory.sample(e.values.data(), e.values.size());
  trajectory.finish();
  if (!trajectory.error().empty()) throw std::runtime_error(folder.path().string() + ": " + trajectory.error());
  write_file(folder / "scene.json", scene_json(mechanism));
  write_file(folder / "equilibrium.json", e.json());
  const nlohmann::ordered_json summary{{"status", e.converged ? "ok" : "failed"},
                                       {"reason", e.reason},
                                       {"model", mechanism.name},
                                       {"analysis", "equilibrium"},
                                       {"duration", 0.0},
                                       {"iterations", e.iterations},
                                       {"degrees_of_freedom", e.degrees_of_freedom},
                                       {"unbalanced_force", e.force},
                                       {"unbalanced_moment", e.moment},
                                       {"warnings", e.notes}};
  write_file(folder / "summary.json", summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

int find_equilibrium_of_model(const EquilibriumRequest& request) {
  std::vector<std::string> inputs;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  EquilibriumOptions options;
  if (request.iterations) options.iterations = *request.iterations;
  const bool into_folder = request.out.ends_with('/') || std::filesystem::is_directory(request.out);
  if (!into_folder && !request.out.empty()) prepare_output(request.out, inputs);
  const Equilibrium e = find_equilibrium(mechanism, options);
  if (request.json) {
    print(e.json() + "\n");
  } else {
    std::string text = fmt::format("{}: {} after {}, {}\nunbalanced: {:.2e} N, {:.2e} N m\n", mechanism.name,
                                   e.converged ? "at rest" : "not at rest", counted(e.iterations, "iteration"),
                                   freedom(e.degrees_of_freedom, e.driven), e.force, e.moment);
    text += bodies_table(mechanism, e) + joints_table(mechanism, e) + loads_table(mechanism, e);
    text += others_table(mechanism, e);
    for (const std::string& note : e.notes) text += fmt::format("\nnote: {}\n", note);
    print(text);
  }
  if (!e.converged) complain(e.reason);
  if (into_folder) {
    write_folder(mechanism, inputs, e, request);
  } else if (!request.out.empty()) {
    write_result(request.out, e.json());
  }
  return e.converged ? exit_done : exit_failed;
}

}  // namespace cardan
