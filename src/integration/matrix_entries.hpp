// Matrices of the equations of motion entry by entry, as sparse factorizations take them: visit(row, column, value),
// always in the same order.
#pragma once

#include "formulation/equations.hpp"

namespace cardan {

/// M, which is stored by one triangle.
template <class Visit>
void each_of_mass(const Structure& s, const VecX& mass, const Visit& visit) {
  for (int j = 0; j < s.coordinates; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p) {
      const int i = s.pattern.row[p];
      visit(i, j, mass[p]);
      if (i != j) visit(j, i, mass[p]);
    }
  }
}

/// [M Phi_q^T; Phi_q 0], of some of the rows: `row(k)` for k below `count`.
template <class Row, class Visit>
void each_of_pair(const Structure& s, const Equations& e, int count, const Row& row, const Visit& visit) {
  each_of_mass(s, e.mass, visit);
  for (int k = 0; k < count; ++k) {
    for (int p = s.jacobian.start[row(k)]; p < s.jacobian.start[row(k) + 1]; ++p) {
      visit(s.coordinates + k, s.jacobian.column[p], e.jacobian[p]);
      visit(s.jacobian.column[p], s.coordinates + k, e.jacobian[p]);
    }
  }
}

/// Every entry of the blocks; its place among their values in the place of the value.
template <class Visit>
void each_of_blocks(const BlockPattern& blocks, const Visit& visit) {
  blocks.each_block([&](int row, int column, int at) {
    for (int j = blocks.start(column); j < blocks.start(column + 1); ++j)
      for (int i = blocks.start(row); i < blocks.start(row + 1); ++i) visit(i, j, at++);
  });
}

}  // namespace cardan
