// L U of a general square matrix with a fixed pattern, row by row, rows and columns scaled and in an order that
// pivot_order.hpp has chosen with values. The order stays while its pivots do well: a factorization then goes along the
// entries of L and U alone, without looking for anything and without allocation.
#pragma once

#include <vector>

#include "cardan/math.hpp"
#include "math/pivot_order.hpp"

namespace cardan {

class SparseLu {
 public:
  struct Entry {
    int row, column;
  };
  /// Entries at the same place add up.
  SparseLu(int n, const std::vector<Entry>& entries);

  int size() const { return n_; }
  /// Of the entries, in their order, to be filled before factorize().
  VecX& values() { return values_; }
  const VecX& values() const { return values_; }
  /// What the values stand for.
  Eigen::MatrixXd full() const;
  /// In the order that it has, or in a new one where that has pivots too small in their rows. Returns -1, or a column
  /// that has no pivot.
  int factorize();
  bool has_order() const { return !row_of_.empty(); }
  /// In the order that it has, whatever its pivots.
  int factorize_as_is();
  /// The k-th in the order, in units of the scales; 0 where there was none.
  double pivot(int k) const { return inverse_[k] != 0 ? 1 / inverse_[k] : 0; }
  /// x <- A^-1 x
  void solve(double* x) const;
  /// x <- A^-T x
  void solve_transposed(double* x) const;

  /// Entries of L and U, and multiplications of a factorization.
  long nonzeros() const { return static_cast<long>(lower_column_.size() + upper_column_.size()) + n_; }
  /// How many orders have been chosen.
  int orders() const { return orders_; }

  /// The order as numbers, so that a restored factorization is the same bit for bit.
  int order_size() const { return 4 * n_; }
  void store_order(double* numbers) const;
  void recall_order(const double* numbers);

 private:
  void add_up();
  bool choose_order();
  void find_scales();
  SparseRows scaled() const;
  void list_factors(const PivotOrder& order);
  /// -1, or the row in the order of elimination whose pivot is too small.
  int eliminate(double smallest_pivot);

  int n_;
  int orders_ = 0;
  std::vector<int> place_;               // of every entry: in `a_`
  std::vector<int> row_start_, column_;  // the matrix by rows, each place once
  VecX values_, a_;
  std::vector<double> row_scale_, column_scale_;
  std::vector<int> row_of_, column_of_;            // n: eliminated k-th
  std::vector<int> entry_start_, entry_, target_;  // by rows in the order: which of `a_`, and to which column
  std::vector<double> scale_;                      // of each of them
  std::vector<int> lower_start_, lower_column_, upper_start_, upper_column_;
  std::vector<double> lower_, upper_, inverse_;  // L, U without its diagonal, and 1 over that
  mutable std::vector<double> work_;             // n, zeros in between
  mutable std::vector<double> y_;                // n
};

}  // namespace cardan
