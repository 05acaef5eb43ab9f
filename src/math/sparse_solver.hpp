// L D L^T on a sparse pattern by groups of columns (supernodes), each a full block: what is done with a block runs over
// contiguous columns.
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
  /// Neighbouring columns of L with the same rows (a supernode, or a piece of one), `count` from `first` on, in one
  /// full block: their own rows, and then those `below`, which are listed from `rows` on in the symbolic part.
  struct Panel {
    int first, count, below, rows;
    bool in_one_piece;                 // the rows below follow each other
    int values;                        // where the block begins in values_
    int runs_begin = 0, runs_end = 0;  // of what the panel takes from later columns
    int height() const { return count + below; }
  };
  /// Rows of a panel from `row` on that stand one after the other, from `target` on, in the column that belongs to its
  /// row `column`.
  struct Run {
    int target, column, row, length;
  };

  int factorize_values(const double* given);
  void solve_panels(double* x) const;
  void list_panels();
  void list_entries(const SymmetricPattern& pattern);
  void list_runs();
  int place_of(int row, int column) const;
  std::vector<double> lower() const;

  SparseSymbolic symbolic_;
  std::vector<Panel> panels_;
  std::vector<Run> runs_;
  std::vector<int> entry_;                // of every value of the pattern: its place in values_
  std::vector<double> values_;            // L in panels, without its unit diagonal
  std::vector<double> diagonal_;          // n: D
  std::vector<double> inverse_;           // n: 1/D
  mutable std::vector<double> permuted_;  // n: the right-hand side in elimination order
};

}  // namespace cardan
