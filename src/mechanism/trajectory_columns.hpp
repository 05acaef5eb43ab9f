// What trajectory.csv says of a mechanism.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

/// The columns of trajectory.csv, whatever the formulation.
std::vector<std::string> trajectory_columns(const Mechanism& mechanism);

/// Those of the results: all, or those that `outputs` choose in their order, then what plots and pictures need besides.
std::vector<std::string> result_columns(const Mechanism& mechanism);

/// The columns but `t` that a wish means, in which `*` stands for anything.
std::vector<std::string> columns_like(const std::vector<std::string>& columns, const std::string& wish);

}  // namespace cardan
