// How many coordinates, constraints and degrees of freedom there are.
#pragma once

#include "cardan/simulation.hpp"
#include "formulation/equations.hpp"

namespace cardan {

/// Of equations with so many drivers and redundant constraints among them.
void count_freedom(const Structure& s, int drivers, const std::vector<int>& redundant, EventSummary& counts);

}  // namespace cardan
