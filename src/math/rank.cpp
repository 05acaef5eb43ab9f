#include "math/rank.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <stdexcept>

namespace cardan {
namespace {

constexpr int kLargestDenseRank = 400;  // rows and columns; some 30 ms

// Scaled to unit length; rows of zeros stay.
SparseRows unit_rows(SparseRows J) {
  for (int i = 0; i < J.rows(); ++i) {
    double largest = 0, sum = 0;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) {
      if (!std::isfinite(J.value[k]))
        throw std::invalid_argument("row " + std::to_string(i) + " of the matrix is not finite");
      largest = std::max(largest, std::abs(J.value[k]));
    }
    if (largest == 0) continue;
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) sum += (J.value[k] / largest) * (J.value[k] / largest);
    const double length = std::sqrt(sum);
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) J.value[k] = J.value[k] / largest / length;
  }
  return J;
}

// Gram-Schmidt, every projection done twice: what is left of a row is its true distance from the span of the earlier
// ones.
std::vector<int> dependent_by_projection(const SparseRows& J, double tolerance) {
  std::vector<int> dependent;
  Eigen::MatrixXd basis(J.columns, std::min(J.rows(), J.columns));
  int rank = 0;
  for (int i = 0; i < J.rows(); ++i) {
    VecX row = VecX::Zero(J.columns);
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) row[J.column[k]] += J.value[k];
    for (int pass = 0; pass < 2; ++pass) {
      const VecX coordinates = basis.leftCols(rank).transpose() * row;
      row.noalias() -= basis.leftCols(rank) * coordinates;
    }
    const double distance = row.norm();
    if (distance <= tolerance || rank == J.columns)
      dependent.push_back(i);
    else
      basis.col(rank++) = row / distance;
  }
  return dependent;
}

// Gaussian elimination, rows in their order, each with one of its larger remaining entries as pivot. What is left of a
// row is it minus some combination of earlier rows, hence never shorter than the true distance: no independent row is
// dropped, and a dependent one is found as long as the growth of entries stays below tolerance / rounding, about 1e6.
class Elimination {
 public:
  Elimination(int columns, double tolerance)
      : tolerance_(tolerance), row_(columns, 0.0), used_(columns, 0), pivot_row_(columns, -1) {}

  /// False when the row depends on those before it.
  bool add(const int* column, const double* value, int count) {
    for (int k = 0; k < count; ++k) {
      touch(column[k]);
      row_[column[k]] += value[k];
    }
    // A kept row has no entries in the pivot columns of earlier ones: in their order, nothing eliminated comes back.
    while (!to_eliminate_.empty()) {
      const Kept& kept = kept_[to_eliminate_.top()];
      to_eliminate_.pop();
      const double factor = row_[kept.column[0]] / kept.value[0];
      row_[kept.column[0]] = 0;
      if (factor == 0) continue;
      for (std::size_t k = 1; k < kept.column.size(); ++k) {
        touch(kept.column[k]);
        row_[kept.column[k]] -= factor * kept.value[k];
      }
    }
    return keep_remainder();
  }

 private:
  struct Kept {
    std::vector<int> column;  // the pivot first
    std::vector<double> value;
  };

  void touch(int column) {
    if (used_[column]) return;
    used_[column] = 1;
    touched_.push_back(column);
    if (pivot_row_[column] >= 0) to_eliminate_.push(pivot_row_[column]);
  }

  bool keep_remainder() {
    constexpr double rounding = 1e-15;  // entries this small are noise of cancellation and only cause fill
    Kept kept;
    double square = 0;
    for (const int column : touched_) {
      const double value = row_[column];
      square += value * value;
      if (std::abs(value) > rounding) {
        kept.column.push_back(column);
        kept.value.push_back(value);
      }
      row_[column] = 0;
      used_[column] = 0;
    }
    touched_.clear();
    if (std::sqrt(square) <= tolerance_ || kept.column.empty()) return false;
    // Among the larger entries the first column: what is left to later rows then lies ahead of them, not behind, and
    // long chains do not fill.
    constexpr double large_enough = 0.3;
    double largest = 0;
    for (const double value : kept.value) largest = std::max(largest, std::abs(value));
    std::size_t pivot = kept.value.size();
    for (std::size_t k = 0; k < kept.value.size(); ++k) {
      if (std::abs(kept.value[k]) < large_enough * largest) continue;
      if (pivot == kept.value.size() || kept.column[k] < kept.column[pivot]) pivot = k;
    }
    std::swap(kept.column[0], kept.column[pivot]);
    std::swap(kept.value[0], kept.value[pivot]);
    pivot_row_[kept.column[0]] = static_cast<int>(kept_.size());
    kept_.push_back(std::move(kept));
    return true;
  }

  double tolerance_;
  std::vector<double> row_;  // the row at work, dense
  std::vector<char> used_;   // which of its columns are in touched_
  std::vector<int> touched_;
  std::vector<int> pivot_row_;  // of every column: the kept row whose pivot it is, or -1
  std::vector<Kept> kept_;
  std::priority_queue<int, std::vector<int>, std::greater<>> to_eliminate_;
};

}  // namespace

std::vector<int> dependent_rows(const SparseRows& J, double tolerance) {
  const SparseRows unit = unit_rows(J);
  if (std::max(J.rows(), J.columns) <= kLargestDenseRank) return dependent_by_projection(unit, tolerance);
  Elimination elimination(J.columns, tolerance);
  std::vector<int> dependent;
  for (int i = 0; i < unit.rows(); ++i) {
    const int begin = unit.start[i];
    if (!elimination.add(unit.column.data() + begin, unit.value.data() + begin, unit.start[i + 1] - begin))
      dependent.push_back(i);
  }
  return dependent;
}

}  // namespace cardan
