// Velocities at the start: of least kinetic energy among all that respect the joints, the drivers and what the model
// gives.
#pragma once

#include "system/assembly_equations.hpp"

namespace cardan {

/// Fills the twists of `bodies`, which stand where the equations have them; returns warnings, none unless it `warns`.
/// Throws ModelError.
template <int D>
std::vector<std::string> find_initial_velocities(const AssemblyEquations<D>& equations, bool warns,
                                                 BodyKinematics<D>& bodies);

}  // namespace cardan
