// What elements can be asked beside the columns of trajectory.csv (trajectory_columns.hpp), and what all quantities are
// measured in. element_signals.cpp says how each is found.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// Names of signals, ELEMENT.QUANTITY, that are no columns unless somebody asks: accelerations, markers, reactions in
/// inertial axes, efforts of joint springs, friction and rotors, forces of bushings, energies.
std::vector<std::string> further_signals(const Mechanism& mechanism);

/// Behind "energy.", in the order of Signal::component.
std::span<const char* const> energy_quantities();

/// What the part behind the dot tells by itself: "m" of "x"; empty where it tells none.
std::string unit_of_field(const std::string& field);
/// Of a force or torque on a coordinate of a joint; -1 stands for a distance.
std::string unit_of_effort(const Mechanism& mechanism, int joint, int coordinate);
/// "m", "rad/s", "N m" of ELEMENT.FIELD; empty for numbers without one and names without a dot.
std::string unit_of_quantity(const Mechanism& mechanism, const std::string& name);

/// Joint springs of the actuator's name on its coordinate: its effort is what all of them do there.
std::vector<int> springs_beside(const Mechanism& mechanism, const Actuator& actuator);

/// Which of `list` the field of an element means, or -1: of several under one name the number behind the field says
/// it, which is taken off.
template <class List>
int find_primitive(const List& list, const std::string& element, std::string& field) {
  std::vector<int> found;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == element) found.push_back(static_cast<int>(i));
  if (found.size() <= 1) return found.empty() ? -1 : found[0];
  const std::size_t number = field.empty() ? 0 : static_cast<std::size_t>(field.back() - '0');
  if (number < 1 || number > found.size()) return -1;
  field.pop_back();
  return found[number - 1];
}

}  // namespace cardan
