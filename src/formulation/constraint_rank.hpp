// Which constraints say something new at a position, decided alike for all formulations and in any units. Phi_q is made
// dimensionless with the scales of Structure. Its entries are sums of terms no larger than one (directions, and lever
// arms in sizes of the mechanism) along a path of joints, so that their rounding is that of places, relative to the
// size, times the number of entries: a row no longer than that is zero. (A shaft in a second bearing has such rows
// only.)
#pragma once

#include "formulation/equations.hpp"
#include "math/sparse_rows.hpp"

namespace cardan {

/// Phi_q on Structure::jacobian as a plain value.
SparseRows jacobian_rows(const Structure& structure, const VecX& jacobian);
/// Coordinates and Phi in units of their scales.
SparseRows dimensionless(const Structure& structure, SparseRows rows);
/// How long the error of each dimensionless row may be; `start` of RowPattern or SparseRows.
VecX row_rounding(const Structure& structure, const std::vector<int>& start);

/// Constraints that depend on earlier ones, rising; `rows` in the units of the formulation.
std::vector<int> dependent_constraints(const Structure& structure, const SparseRows& rows);
inline std::vector<int> dependent_constraints(const Structure& structure, const VecX& jacobian) {
  return dependent_constraints(structure, jacobian_rows(structure, jacobian));
}
/// Those among the constraints on positions.
std::vector<int> dependent_position_constraints(const Structure& structure, const VecX& jacobian);

}  // namespace cardan
