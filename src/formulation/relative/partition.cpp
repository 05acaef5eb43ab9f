#include "formulation/relative/partition.hpp"

#include <cmath>
#include <utility>

namespace cardan {
namespace {

/// Gaussian elimination with full pivoting, at most `limit` pivots; stops at pivots below `tolerance` times the first.
int eliminate(Eigen::MatrixXd& a, Eigen::VectorXi& rows, Eigen::VectorXi& columns, int limit, double tolerance) {
  const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols());
  for (int i = 0; i < m; ++i) rows[i] = i;
  for (int j = 0; j < n; ++j) columns[j] = j;
  double first = 0;
  for (int k = 0; k < limit; ++k) {
    int row = k, column = k;
    double largest = 0;
    for (int j = k; j < n; ++j) {
      for (int i = k; i < m; ++i) {
        if (std::abs(a(i, j)) > largest) largest = std::abs(a(i, j)), row = i, column = j;
      }
    }
    if (k == 0) first = largest;
    if (!(largest > tolerance * first)) return k;
    a.row(k).swap(a.row(row));
    a.col(k).swap(a.col(column));
    std::swap(rows[k], rows[row]);
    std::swap(columns[k], columns[column]);
    for (int i = k + 1; i < m; ++i) {
      const double factor = a(i, k) / a(k, k);
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return limit;
}

}  // namespace

Partition::Partition(int constraints, int coordinates, int rank)
    : m_(constraints),
      n_(coordinates),
      rank_(rank),
      dense_(constraints, coordinates),
      block_(rank, rank),
      rest_(rank, coordinates - rank),
      rows_(constraints),
      columns_(coordinates),
      pivots_(rank) {}

void Partition::scatter(const RowPattern& pattern, const VecX& values, Eigen::MatrixXd& dense) {
  dense.setZero();
  for (int row = 0; row < pattern.rows(); ++row) {
    for (int e = pattern.start[row]; e < pattern.start[row + 1]; ++e) dense(row, pattern.column[e]) = values[e];
  }
}

int Partition::rank_of(const RowPattern& pattern, const VecX& values, int columns, double tolerance) {
  Eigen::MatrixXd dense(pattern.rows(), columns);
  scatter(pattern, values, dense);
  Eigen::VectorXi row_order(pattern.rows()), column_order(columns);
  return eliminate(dense, row_order, column_order, std::min(pattern.rows(), columns), tolerance);
}

void Partition::choose(const RowPattern& pattern, const VecX& values, Eigen::VectorXi& order) {
  scatter(pattern, values, dense_);
  eliminate(dense_, rows_, columns_, rank_, 0);
  order.head(rank_) = rows_.head(rank_);
  order.tail(n_) = columns_;
}

void Partition::factorize(const RowPattern& pattern, const VecX& values, const Eigen::VectorXi& order) {
  scatter(pattern, values, dense_);
  const int r = rank_;
  for (int i = 0; i < r; ++i) {
    for (int j = 0; j < r; ++j) block_(i, j) = dense_(order[i], order[r + j]);
    for (int j = r; j < n_; ++j) rest_(i, j - r) = dense_(order[i], order[r + j]);
  }
  for (int k = 0; k < r; ++k) {
    pivots_[k] = block_(k, k);
    for (int i = k + 1; i < r; ++i) {
      if (block_(i, k) != 0) block_(i, k) /= block_(k, k);
    }
    for (int j = k + 1; j < r; ++j) {
      const double u = block_(k, j);
      if (u != 0) block_.col(j).tail(r - k - 1) -= u * block_.col(k).tail(r - k - 1);
    }
  }
}

void Partition::solve(Eigen::Ref<VecX> x) const {
  const int r = rank_;
  for (int k = 0; k < r; ++k) {
    if (x[k] != 0) x.tail(r - k - 1) -= x[k] * block_.col(k).tail(r - k - 1);
  }
  for (int k = r; k-- > 0;) {
    x[k] /= block_(k, k);
    if (x[k] != 0) x.head(k) -= x[k] * block_.col(k).head(k);
  }
}

/// U^T, then L^T
void Partition::solve_transposed(Eigen::Ref<VecX> x) const {
  const int r = rank_;
  for (int k = 0; k < r; ++k) x[k] = (x[k] - block_.col(k).head(k).dot(x.head(k))) / block_(k, k);
  for (int k = r; k-- > 0;) x[k] -= block_.col(k).tail(r - k - 1).dot(x.tail(r - k - 1));
}

}  // namespace cardan
