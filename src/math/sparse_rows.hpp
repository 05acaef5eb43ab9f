// A sparse matrix by rows, as constraint Jacobians come: a plain value for analyses at setup.
#pragma once

#include <vector>

namespace cardan {

struct SparseRows {
  int columns = 0;
  std::vector<int> start = {0};  // rows + 1
  std::vector<int> column;       // any order within a row, none twice
  std::vector<double> value;

  int rows() const { return static_cast<int>(start.size()) - 1; }
  void add(int at, double entry) {
    column.push_back(at);
    value.push_back(entry);
  }
  /// Closes the row whose entries were added since the last call.
  void end_row() { start.push_back(static_cast<int>(column.size())); }
};

}  // namespace cardan
