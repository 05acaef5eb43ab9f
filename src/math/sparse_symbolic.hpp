// What a sparse L D L^T can know before the values: the order of elimination, where L has entries, and which columns of
// L share their rows. Theory: Davis, Direct Methods for Sparse Linear Systems, chapters 4 and 7.
#pragma once

#include <vector>

#include "math/linear_solver.hpp"

namespace cardan {

/// Consecutive columns whose entries below the last of them lie in the same rows form a group (a supernode): the
/// coordinates of one body do. A group's rows are stored once; those of a later column in it are the tail of those of
/// the first.
struct SparseSymbolic {
  explicit SparseSymbolic(const SymmetricPattern& pattern);

  int n = 0;
  std::vector<int> original;      // n: the coordinate eliminated k-th
  std::vector<int> column_start;  // n + 1: into the values of L, which has no stored diagonal
  std::vector<int> row_start;     // n: where the rows of a column begin in `row`
  std::vector<int> row;           // rising within a column
  std::vector<int> group_start;   // first columns of the groups, and n

  int rows_in(int column) const { return column_start[column + 1] - column_start[column]; }
  int nonzeros() const { return column_start[n]; }

  /// Work of a factorization: for all columns k, groups g of columns of L that reach row k, and rows i below: columns
  /// and rows.
  struct Work {
    double multiplications = 0;  // sum of columns x rows
    double scatters = 0;         // sum of rows
    double updates = 0;          // number of (k, g)
  };
  Work work() const;
};

}  // namespace cardan
