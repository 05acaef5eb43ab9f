// The counts of `cardan check` with what is to be said of the drawn position.
#pragma once

#include "cardan/simulation.hpp"

namespace cardan {

/// As count_coordinates(mechanism, formulation); `warnings` receives those of a singular position.
FormulationCounts count_coordinates(const Mechanism& mechanism, const std::string& formulation,
                                    std::vector<std::string>& warnings);

}  // namespace cardan
