// What exists between two events: the mechanism with the joints that are there, the loads and drivers that are on and
// the roads as high as they are. Bodies and joints keep their indices in all phases, so that coordinates and columns
// mean the same throughout.
#pragma once

#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct Phases {
  std::vector<Mechanism> mechanisms;  // each once, without events; the first is that of the start
  /// next[phase][event]: which of them holds after that event, or -1 where it cannot come to that.
  std::vector<std::vector<int>> next;
  std::vector<int> entered_by;  // an event that leads to the phase; -1 for the first
  bool too_many = false;        // there are more than kMostPhases: those found first
};

/// Events with conditions may happen in any order: all that they can lead to is compiled before the run.
inline constexpr int kMostPhases = 64;

Phases phases_of(const Mechanism& mechanism);

/// The phase of the start; the mechanism itself when it has no events.
Mechanism initial_phase(const Mechanism& mechanism);

/// The same with no loads but those of this name, and drivers. Signals mean the same, and so does what loads remember.
Mechanism with_load_alone(const Mechanism& phase, const std::string& name);

/// Calls visit(list) for every list of elements that can be switched on and off.
template <class AnyMechanism, class Visit>
void visit_switchable(AnyMechanism& mechanism, const Visit& visit) {
  visit(mechanism.springs);
  visit(mechanism.joint_springs);
  visit(mechanism.bushings);
  visit(mechanism.custom_wrenches);
  visit(mechanism.forces);
  visit(mechanism.torques);
  visit(mechanism.actuators);
  visit(mechanism.line_forces);
  visit(mechanism.tyres);
  visit(mechanism.contacts);
  visit(mechanism.drivers);
}

}  // namespace cardan
