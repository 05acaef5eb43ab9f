#include "formulation/constraint_rank.hpp"

#include "math/rank.hpp"

namespace cardan {

SparseRows jacobian_rows(const Structure& structure, const VecX& jacobian) {
  SparseRows rows;
  rows.columns = structure.coordinates;
  rows.start = structure.jacobian.start;
  rows.column = structure.jacobian.column;
  rows.value.assign(jacobian.data(), jacobian.data() + jacobian.size());
  return rows;
}

SparseRows dimensionless(const Structure& structure, SparseRows rows) {
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      rows.value[k] *= structure.scale[rows.column[k]] / structure.constraint_scale[i];
    }
  }
  return rows;
}

VecX row_rounding(const Structure& structure, const std::vector<int>& start) {
  constexpr double per_term = 32;  // roundings that an entry gathers at every joint on its path, and a margin
  constexpr int ends = 4;          // points and axes of the constraint itself
  VecX rounding(std::ssize(start) - 1);
  for (int i = 0; i < rounding.size(); ++i) {
    rounding[i] = per_term * structure.rounding * (ends + start[i + 1] - start[i]);
  }
  return rounding;
}

std::vector<int> dependent_constraints(const Structure& structure, const SparseRows& rows) {
  return dependent_rows(dimensionless(structure, rows), row_rounding(structure, rows.start));
}

std::vector<int> dependent_position_constraints(const Structure& structure, const VecX& jacobian) {
  SparseRows rows = jacobian_rows(structure, jacobian);
  rows.start.resize(static_cast<std::size_t>(structure.position_constraints()) + 1);
  rows.column.resize(static_cast<std::size_t>(rows.start.back()));
  rows.value.resize(rows.column.size());
  return dependent_constraints(structure, rows);
}

}  // namespace cardan
