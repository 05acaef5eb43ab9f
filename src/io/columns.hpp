// What the columns of trajectory.csv are measured in, and which of them somebody asked to see.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

/// "m", "rad/s", "N m"; empty for numbers without one. By column.
std::map<std::string, std::string> column_units(const Mechanism& mechanism);

/// Replaces `*` in the columns of the mechanism's plots by what is there, and reports what is not.
void find_plotted_columns(Mechanism& mechanism, Problems& problems);

/// As given on the command line, each "a.q,b.force". Throws std::invalid_argument for a column that is not there.
std::vector<Plot> plots_asked_for(const Mechanism& mechanism, const std::vector<std::string>& lists);

}  // namespace cardan
