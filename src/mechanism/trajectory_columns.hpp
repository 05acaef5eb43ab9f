// What trajectory.csv says of a mechanism.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// The columns of trajectory.csv, whatever the formulation.
std::vector<std::string> trajectory_columns(const Mechanism& mechanism);

}  // namespace cardan
