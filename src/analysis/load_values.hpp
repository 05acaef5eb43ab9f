// What every spring does in a given configuration, and other loads in an equilibrium.
#pragma once

#include "cardan/analysis.hpp"

namespace cardan {

/// `turns` as Context::memory begins: the last values of the joint coordinates, for angles over full turns.
std::vector<LoadValue> load_values(const Mechanism& mechanism, const std::vector<BodyPose>& poses, const VecX& turns);
/// Cylinders and other forces between two points, from the values of their columns.
void add_line_forces(const Mechanism& mechanism, Equilibrium& equilibrium);
/// A cylinder at an end of its stroke is held by its stop, not by its pressures: its note says so.
void note_stops(const Mechanism& mechanism, Equilibrium& equilibrium);

}  // namespace cardan
