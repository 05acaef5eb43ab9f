#include "simulation/run_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "simulation/failure.hpp"

namespace cardan {

std::vector<std::string> setup_warnings(const Mechanism& mechanism, const CompiledMechanism& compiled) {
  std::vector<std::string> warnings;
  for (const Diagnostic& d : mechanism.warnings) warnings.push_back(d.unmarked_text());
  warnings.insert(warnings.end(), compiled.warnings.begin(), compiled.warnings.end());
  if (const auto open = compiled.observer->open_reactions(); !open.empty()) {
    warnings.push_back(
        fmt::format("reactions are not unique: the joints constrain the same motion more than once ({}); those of "
                    "least norm are given",
                    fmt::join(open, ", ")));
  }
  return warnings;
}

namespace {

/// A mechanism that hardly moves has no energy to compare with but that of its weight, which is known to rounding: as
/// it is counted, and as much as lifting all of it by the mechanism's size would take.
double rounding_of_energy(const Mechanism& mechanism, double size, const EnergyLedger& energy) {
  double mass = 0;
  for (const Body& body : mechanism.bodies) mass += body.mass;
  return 1e-12 *
         std::max({std::abs(energy.initial()), std::abs(energy.final()), mass * mechanism.gravity.norm() * size});
}

}  // namespace

void RunWarnings::write(const Mechanism& mechanism, double size, const EnergyLedger& energy,
                        const std::vector<LeftTable>& tables, RunSummary& summary) {
  constexpr double kTurn = 2.5;  // rad: angles are continued by the full turn nearest to where their rate leads
  constexpr double kOpen = 1e-4;
  write_of_energy(mechanism, size, energy, summary);
  if (largest_turn_ > kTurn && !std::exchange(said_turn_, true)) {
    summary.warnings.push_back(
        fmt::format("joint '{}' turns by {:.2g} rad more or less in one step than its rate foretold: beyond half a "
                    "turn its full turns are not counted right, nor is the torque of a spring on it; take a smaller "
                    "step",
                    mechanism.joints[turning_joint_].name, largest_turn_));
  }
  if (largest_opening_ > kOpen && !std::exchange(said_opening_, true)) {
    summary.warnings.push_back(
        fmt::format("constraint '{}' is off by {:.3g} at {:.4g} s, {:.2g} of the mechanism's size: the joints do not "
                    "hold; take a smaller step, or another formulation",
                    summary.position.constraint, summary.position.value, summary.position.time, largest_opening_));
  }
  for (const LeftTable& left : tables) {
    if (left.ends_run || std::find(said_tables_.begin(), said_tables_.end(), left.table) != said_tables_.end())
      continue;
    said_tables_.push_back(left.table);
    summary.warnings.push_back(left.sentence);
  }
}

void RunWarnings::write_of_energy(const Mechanism& mechanism, double size, const EnergyLedger& energy,
                                  RunSummary& summary) {
  constexpr double kDoubtful = 0.05;
  const double rounding = rounding_of_energy(mechanism, size, energy);
  const EnergyJumps& jumps = energy.jumps();
  const double kinetic_of_one_body = energy.most_kinetic() / std::max<double>(1, std::ssize(mechanism.bodies));
  if (jumps.largest() > rounding && jumps.matters(kinetic_of_one_body) && !std::exchange(said_jump_, true)) {
    // Where the driver jumps between two steps, rounding says in which of them.
    const double h = std::max(summary.step, summary.step_largest);
    const std::string driver = jumping_driver(mechanism, std::max(0.0, jumps.time() - 1.5 * h), 2 * h);
    summary.warnings.push_back(
        driver.empty()
            ? fmt::format("the energy balance jumps by {:.3g} J in the step that ends at {:.4g} s, where the steps "
                          "before changed it by at most {:.2g} J: the mechanism may have left its branch in a singular "
                          "position, or met something too sudden for the step; compare with half the step",
                          jumps.largest(), jumps.time(), jumps.before())
            : fmt::format("{}: no motion follows a jump, so that velocities, forces and energies are wrong from there "
                          "on; let the position go there in a time of its own (step)",
                          driver));
    if (!driver.empty() && std::abs(energy.largest_error_time() - jumps.time()) < h) said_energy_ = true;
  }
  const double scale = energy.exchanged(), error = energy.largest_error(), part = std::abs(error) / scale;
  if (scale > 0 && part > kDoubtful && std::abs(error) > rounding && !std::exchange(said_energy_, true)) {
    summary.warnings.push_back(
        fmt::format("the energy balance is off by {:.3g} J at {:.4g} s, {} the largest kinetic energy and the "
                    "work exchanged: the motion may be wrong; compare with half the step, or ask for a tighter "
                    "tolerance",
                    error, energy.largest_error_time(),
                    part < 1      ? fmt::format("{:.3g} % of", 100 * part)
                    : part < 1000 ? fmt::format("{:.3g} times", part)
                                  : std::string("more than a thousand times")));
  }
}

}  // namespace cardan
