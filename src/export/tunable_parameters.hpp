// Which parameters of a model may change while it runs.
#pragma once

#include <set>
#include <string>

#include "export/fmu_export.hpp"

namespace cardan {

/// Those that masses, loads and expressions depend on and nothing that a motion under way stands on (standing_parts(),
/// options); those that follow such a one too. Found by changing each a little; a larger change that does more is
/// refused when it is made.
std::set<std::string> tunable_parameters(const FmuExport& request);

}  // namespace cardan
