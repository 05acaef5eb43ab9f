// In which order the rows and columns of a sparse matrix, square or not, are eliminated: Markowitz's rule, the pivot
// that touches the fewest others of those that are large enough in their rows. (Markowitz 1957; Duff, Erisman and Reid,
// Direct Methods for Sparse Matrices, chapters 5 and 7.) Setup work: it allocates.
#pragma once

#include <vector>

#include "math/sparse_rows.hpp"

namespace cardan {

struct PivotOrder {
  struct Demand {
    int rank = -1;        // how many pivots; -1: as many as the matrix has rows
    double in_row = 0.1;  // least pivot relative to the largest entry that its row has left
    double in_all = 0;    // and to the largest of all that is left
  };
  std::vector<int> row, column;         // of every pivot
  std::vector<std::vector<int>> left;   // of every pivot: earlier pivots that its row was reduced by, rising
  std::vector<std::vector<int>> right;  // the columns that its row has left beside it
  bool complete = true;                 // as many pivots as asked for

  PivotOrder(const SparseRows& matrix, const Demand& demand);
  /// What is left where the order is given; incomplete where a pivot has no entry.
  PivotOrder(const SparseRows& matrix, const std::vector<int>& rows, const std::vector<int>& columns);
};

}  // namespace cardan
