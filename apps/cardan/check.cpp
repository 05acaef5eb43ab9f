// `cardan check MODEL`: what the mechanism is made of and how many coordinates each formulation takes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "commands.hpp"
#include "io/text_table.hpp"
#include "output.hpp"
#include "simulation/contact_limits.hpp"
#include "system/mobility.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

/// The counts of one formulation, or why it does not take this mechanism.
struct Checked {
  FormulationCounts counts;
  std::string refusal;
};

std::vector<Checked> check_formulations(const Mechanism& mechanism) {
  std::vector<Checked> all;
  for (const RegistryEntry& entry : formulations()) {
    Checked& checked = all.emplace_back();
    checked.counts.formulation = entry.name;
    try {
      checked.counts = count_coordinates(mechanism, std::string(entry.name));
    } catch (const ModelError& error) {
      checked.refusal = error.what();
    } catch (const std::bad_alloc&) {
      checked.refusal =
          fmt::format("the memory does not suffice for {}", counted(mechanism.bodies.size(), "body", "bodies"));
    }
  }
  return all;
}

/// Those of a run as `cardan run` would do it, else in the first formulation that takes the mechanism; of the model
/// alone when none does.
std::vector<std::string> warnings_of(const Mechanism& mechanism, const std::vector<Checked>& all) {
  const std::string own = RunOptions::for_mechanism(mechanism).formulation;
  for (const auto& [counts, refusal] : all)
    if (refusal.empty() && counts.formulation == own) return counts.warnings;
  for (const auto& [counts, refusal] : all)
    if (refusal.empty()) return counts.warnings;
  std::vector<std::string> warnings;
  for (const Diagnostic& warning : mechanism.warnings) warnings.push_back(warning.unmarked_text());
  return warnings;
}

std::size_t load_count(const Mechanism& m) {
  return m.springs.size() + m.joint_springs.size() + m.bushings.size() + m.rotors.size() + m.forces.size() +
         m.torques.size() + m.actuators.size() + m.line_forces.size() + m.tyres.size() + m.contacts.size() +
         m.custom_wrenches.size();
}

/// Without those that hold the values of sampled signals.
std::size_t input_count(const Mechanism& m) {
  return static_cast<std::size_t>(
      std::count_if(m.inputs.begin(), m.inputs.end(), [](const Input& input) { return input.is_given(); }));
}

std::string as_json(const Mechanism& mechanism, const std::vector<Checked>& all) {
  Json json;
  json["model"] = mechanism.name;
  json["file"] = mechanism.file;
  json["planar"] = mechanism.planar;
  json["bodies"] = mechanism.bodies.size();
  json["joints"] = mechanism.joints.size();
  json["loads"] = load_count(mechanism);
  json["couplers"] = mechanism.couplers.size();
  json["drivers"] = mechanism.drivers.size();
  json["constraints"] = mechanism.knife_edges.size() + mechanism.rolling_discs.size();
  json["inputs"] = input_count(mechanism);
  json["states"] = mechanism.states.size();
  json["events"] = mechanism.events.size();
  const FreedomCount count = count_freedoms(mechanism);
  json["body_freedoms"] = count.freedoms;
  json["joint_constraints"] = count.constraints;
  json["formulations"] = Json::array();
  for (const auto& [counts, refusal] : all) {
    Json entry;
    entry["formulation"] = counts.formulation;
    if (refusal.empty()) {
      entry["coordinates"] = counts.coordinates;
      entry["constraints"] = counts.constraints;
      entry["redundant_constraints"] = counts.redundant.size();
      entry["redundant"] = counts.redundant;
      entry["degrees_of_freedom"] = counts.degrees_of_freedom;
      entry["velocity_degrees_of_freedom"] = counts.velocity_degrees_of_freedom;
      entry["driven"] = counts.driven;
      entry["cut"] = counts.cut;
      entry["events"] = Json::array();
      for (const EventSummary& event : counts.events) {
        entry["events"].push_back({{"name", event.name},
                                   {"time", std::isfinite(event.time) ? Json(event.time) : Json(nullptr)},
                                   {"constraints", event.constraints},
                                   {"redundant_constraints", event.redundant_constraints},
                                   {"degrees_of_freedom", event.degrees_of_freedom},
                                   {"velocity_degrees_of_freedom", event.velocity_degrees_of_freedom},
                                   {"driven", event.driven}});
        if (!event.condition.empty()) entry["events"].back()["condition"] = event.condition;
      }
    } else {
      entry["refused"] = refusal;
    }
    json["formulations"].push_back(std::move(entry));
  }
  json["warnings"] = warnings_of(mechanism, all);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// "cut joints (hybrid, topological): pinB1, pinB2": formulations with the same list share a line.
std::string named_lists(const char* title, const std::vector<Checked>& all,
                        std::vector<std::string> FormulationCounts::*list) {
  std::string text;
  std::vector<std::vector<std::string>> written;
  for (const Checked& checked : all) {
    const std::vector<std::string>& names = checked.counts.*list;
    if (names.empty() || std::find(written.begin(), written.end(), names) != written.end()) continue;
    written.push_back(names);
    std::vector<std::string> sharing;
    for (const Checked& other : all) {
      if (other.counts.*list == names) sharing.push_back(other.counts.formulation);
    }
    text += fmt::format("\n{} ({}): {}\n", title, fmt::join(sharing, ", "), fmt::join(names, ", "));
  }
  return text;
}

/// For a mechanism that cannot be assembled: what is known of it all the same.
std::string counted_without_position(const Mechanism& mechanism) {
  const FreedomCount count = count_freedoms(mechanism);
  const int left = std::max(0, count.freedoms - count.constraints);
  return fmt::format(
      "\ncounted without a position: {}, {} of joints and couplers, so at least {}, more where constraints "
      "are redundant; {}\n",
      counted(count.freedoms, "freedom") + " of the bodies", counted(count.constraints, "constraint"),
      counted(left, "degree of freedom", "degrees of freedom"), counted(mechanism.drivers.size(), "driver"));
}

/// What there is of each sort.
std::string counted_elements(const Mechanism& mechanism) {
  const Vec3& g = mechanism.gravity;
  const auto also = [](std::size_t count, const char* one) { return count == 0 ? "" : ", " + counted(count, one); };
  return fmt::format("{}: {}, {}, {}, {}{}, {}{}{}{}\ngravity ({}, {}, {}) m/s^2\n\n", mechanism.name,
                     mechanism.planar ? "planar" : "spatial", counted(mechanism.bodies.size(), "body", "bodies"),
                     counted(mechanism.joints.size(), "joint"), counted(load_count(mechanism), "load"),
                     also(mechanism.couplers.size(), "coupler"), counted(mechanism.drivers.size(), "driver"),
                     also(input_count(mechanism), "input"), also(mechanism.states.size(), "state"),
                     also(mechanism.events.size(), "event"), g.x(), g.y(), g.z());
}

/// A row for each formulation and for each event after it; below, what refuses the mechanism.
std::string counted_coordinates(const Mechanism& mechanism, const std::vector<Checked>& all) {
  std::vector<TextTable::Column> columns{
      {"formulation", TextTable::Align::left}, {"coordinates"}, {"constraints"}, {"redundant"}, {"degrees of freedom"}};
  // What edges and discs take from velocities, positions keep.
  const bool rolls = !mechanism.knife_edges.empty() || !mechanism.rolling_discs.empty();
  if (rolls) columns.back().title = "freedom of positions", columns.push_back({"of velocities"});
  // Of the degrees of freedom those that drivers give: topological has no coordinates for them.
  const bool driven = !mechanism.drivers.empty();
  if (driven) columns.push_back({"driven"});
  TextTable table(columns);
  const auto add = [&](std::vector<std::string> cells, int of_velocities, int number_driven) {
    if (rolls) cells.push_back(fmt::format("{}", of_velocities));
    if (driven) cells.push_back(fmt::format("{}", number_driven));
    table.add(cells);
  };
  std::string notes, last_refusal;
  for (const auto& [counts, refusal] : all) {
    if (!refusal.empty()) {
      table.add({counts.formulation, "refused"});
      // Most refusals concern the mechanism, not the formulation: said once.
      if (refusal != last_refusal)
        notes += fmt::format("\n{} refuses this mechanism:\n{}\n", counts.formulation, refusal);
      last_refusal = refusal;
      continue;
    }
    add({counts.formulation, fmt::format("{}", counts.coordinates), fmt::format("{}", counts.constraints),
         fmt::format("{}", counts.redundant.size()), fmt::format("{}", counts.degrees_of_freedom)},
        counts.velocity_degrees_of_freedom, counts.driven);
    for (const EventSummary& event : counts.events) {
      const std::string moment = std::isfinite(event.time) ? fmt::format("at {:.6g} s", event.time)
                                 : event.condition.empty() ? "by its condition"
                                                           : "when " + event.condition;
      add({fmt::format("  after {} {}", event.name, moment), "", fmt::format("{}", event.constraints),
           fmt::format("{}", event.redundant_constraints), fmt::format("{}", event.degrees_of_freedom)},
          event.velocity_degrees_of_freedom, event.driven);
    }
  }
  return table.text(2) + notes;
}

std::string as_text(const Mechanism& mechanism, const std::vector<Checked>& all) {
  std::string text = counted_elements(mechanism) + counted_coordinates(mechanism, all);
  if (std::none_of(all.begin(), all.end(), [](const Checked& checked) { return checked.refusal.empty(); }))
    text += counted_without_position(mechanism);
  text += named_lists("cut joints", all, &FormulationCounts::cut);
  const bool overconstrained =
      std::any_of(all.begin(), all.end(), [](const Checked& checked) { return checked.counts.overconstrained; });
  text += named_lists(
      overconstrained ? "redundant constraints" : "redundant as written there, though no joint holds what another does",
      all, &FormulationCounts::redundant);
  for (const Contact& contact : mechanism.contacts) {
    if (const ImpactTime impact = impact_time(contact, mechanism); impact.step > 0)
      text += fmt::format(
          "\ncontact '{}': an impact lasts about {:.2g} s, and takes steps of {:.2g} s or less, or step_control: "
          "error\n",
          contact.name, impact.duration, impact.step);
  }
  for (const std::string& warning : warnings_of(mechanism, all)) text += fmt::format("\nwarning: {}\n", warning);
  return text;
}

}  // namespace

int check_model(const CheckRequest& request) {
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters));
  RunOptions::for_mechanism(mechanism).check();
  const std::vector<Checked> all = check_formulations(mechanism);
  if (request.json) {
    print(as_json(mechanism, all));
  } else {
    print_marked(as_text(mechanism, all));
  }
  const bool usable = std::any_of(all.begin(), all.end(), [](const Checked& c) { return c.refusal.empty(); });
  return usable ? exit_done : exit_bad_input;
}

}  // namespace cardan
