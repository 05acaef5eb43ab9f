// L D L^T on a sparse pattern: left-looking by columns, whole groups of columns (supernodes) subtracted at once.
#pragma once

#include "math/linear_solver.hpp"
#include "math/sparse_symbolic.hpp"

namespace cardan {

class SparseSolver final : public LinearSolver {
 public:
  SparseSolver(const SymmetricPattern& pattern, SparseSymbolic symbolic);
  explicit SparseSolver(const SymmetricPattern& pattern) : SparseSolver(pattern, SparseSymbolic(pattern)) {}
  const char* name() const override { return "sparse"; }
  int factorize(const VecX& values) override;
  void solve(VecX& x) const override;
  /// The entries of the inverse where the pattern has some, in the order of its values; after factorize(). As much work
  /// as a factorization, where columns of the inverse would be one solution each. Setup work: it allocates.
  VecX inverse_on_pattern() const;

 private:
  /// A value of the pattern and the row it goes to, in elimination order.
  struct Entry {
    int value, row;
  };
  /// What a column has to subtract: `columns` columns from `first_column` on, their last `rows` entries, in rows listed
  /// from `row_start` on. The first of these rows is the column's own.
  struct Update {
    int first_column, columns, rows, row_start;
  };

  void list_entries(const SymmetricPattern& pattern);
  void list_updates();
  void subtract(const Update& update);

  SparseSymbolic symbolic_;
  std::vector<int> entry_start_;   // n + 1
  std::vector<Entry> entries_;     // of every column, the diagonal first
  std::vector<int> update_start_;  // n + 1
  std::vector<Update> updates_;
  std::vector<double> lower_;             // L by columns, without its unit diagonal
  std::vector<double> diagonal_;          // n: D
  std::vector<double> inverse_;           // n: 1/D
  std::vector<double> accumulated_;       // n: the column being made; zero between columns
  mutable std::vector<double> permuted_;  // n: the right-hand side in elimination order
  enum class Side : unsigned char { alone, left, right };
  std::vector<Side> side_;  // n: of the pairs that solve() takes together
};

}  // namespace cardan
