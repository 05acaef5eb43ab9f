// Which formulation "auto" stands for.
#pragma once

#include <string>

#include "cardan/mechanism.hpp"

namespace cardan {

inline constexpr const char* kAutomatic = "auto";

struct FormulationChoice {
  std::string name;
  std::string because;  // a clause
};

/// `hybrid`, which has the fewest coordinates of those that pass singular positions, unless its full mass matrix along
/// deep chains makes it the dearer one: then `recursive` for chains that nothing but gravity and constant forces moves,
/// else `global`. Where the integrator runs on one formulation alone it is that. The same for the same mechanism,
/// whatever the machine.
FormulationChoice choose_formulation(const Mechanism& mechanism, const RunOptions& options);

/// Puts the choice in the place of "auto"; any other name stays.
void resolve_formulation(RunOptions& options, const Mechanism& mechanism);

}  // namespace cardan
