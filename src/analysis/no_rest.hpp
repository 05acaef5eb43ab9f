// Why a search for a position of rest ended without one: what words can name of it. The search is in equilibrium.cpp.
#pragma once

#include <string>

#include "analysis/cartesian_system.hpp"

namespace cardan {

/// The largest of weights, loads and forces on bodies, and what is not a number before all: where the search ran out
/// of numbers. `force`: S Q at the system's state.
std::string beyond_numbers(CartesianSystem& system, const VecX& force);

/// The actuators that drive the motions, the columns of `motions`, with their efforts: "'engine' (900 N m)"; empty when
/// there are none.
std::string driving_actuators(CartesianSystem& system, const Eigen::MatrixXd& motions);

}  // namespace cardan
