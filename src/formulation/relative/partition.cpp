#include "formulation/relative/partition.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace cardan {
namespace {

// Of the largest entry: those above count as alike, and rounding, units or the length of a step do not choose among
// them. Close to 1, so that a split is still given up where it ceases to be the best one (independent_motion.cpp).
constexpr double kAlike = 0.99;

/// Gaussian elimination with full pivoting, at most `limit` pivots. Of entries that are alike the one is taken whose
/// column, and then row, comes first in the order in which `rows` and `columns` are given.
void eliminate(Eigen::MatrixXd& a, Eigen::VectorXi& rows, Eigen::VectorXi& columns, Eigen::VectorXi& row_place,
               Eigen::VectorXi& column_place, int limit) {
  const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols());
  for (int i = 0; i < m; ++i) row_place[i] = i;
  for (int j = 0; j < n; ++j) column_place[j] = j;
  for (int k = 0; k < limit; ++k) {
    const double largest = k < m && k < n ? a.bottomRightCorner(m - k, n - k).cwiseAbs().maxCoeff() : 0;
    if (!(largest > 0)) return;
    int row = -1, column = -1;
    for (int j = k; j < n; ++j) {
      for (int i = k; i < m; ++i) {
        if (!(std::abs(a(i, j)) >= kAlike * largest)) continue;
        if (row < 0 || std::pair(column_place[j], row_place[i]) < std::pair(column_place[column], row_place[row]))
          row = i, column = j;
      }
    }
    a.row(k).swap(a.row(row));
    a.col(k).swap(a.col(column));
    std::swap(rows[k], rows[row]);
    std::swap(columns[k], columns[column]);
    std::swap(row_place[k], row_place[row]);
    std::swap(column_place[k], column_place[column]);
    for (int i = k + 1; i < m; ++i) {
      const double factor = a(i, k) / a(k, k);
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
}

}  // namespace

Partition::Partition(const Structure& structure, int rank)
    : structure_(structure),
      n_(structure.coordinates),
      rank_(rank),
      m_(structure.position_constraints()),
      per_constraint_(structure.constraint_scale.head(m_).cwiseInverse()),
      dense_(m_, n_),
      block_(rank, rank),
      rest_(rank, n_ - rank),
      rows_(m_),
      columns_(n_),
      row_place_(m_),
      column_place_(n_),
      pivots_(rank),
      correction_(rank) {}

void Partition::begin(Eigen::VectorXi& order) const {
  order.resize(rank_ + n_);
  for (int i = 0; i < rank_; ++i) order[i] = i;
  for (int j = 0; j < n_; ++j) order[rank_ + j] = j;
}

bool is_order(const Eigen::VectorXi& order, int coordinates, int constraints) {
  const Eigen::Index rank = order.size() - coordinates;
  if (rank < 0 || rank > constraints) return false;
  std::vector<bool> rows(constraints), columns(coordinates);
  for (Eigen::Index i = 0; i < order.size(); ++i) {
    std::vector<bool>& taken = i < rank ? rows : columns;
    if (order[i] < 0 || order[i] >= std::ssize(taken) || taken[order[i]]) return false;
    taken[order[i]] = true;
  }
  return true;
}

void Partition::choose(const VecX& jacobian, Eigen::VectorXi& order) {
  const RowPattern& pattern = structure_.jacobian;
  const int m = m_;
  // What is in use comes first: the rows chosen, the dependent columns.
  columns_ = order.tail(n_);
  row_place_.setConstant(-1);
  for (int i = 0; i < rank_; ++i) row_place_[order[i]] = i;
  for (int row = 0, next = rank_; row < m; ++row) {
    if (row_place_[row] < 0) row_place_[row] = next++;
    rows_[row_place_[row]] = row;
  }
  for (int j = 0; j < n_; ++j) column_place_[columns_[j]] = j;
  dense_.setZero();
  for (int row = 0; row < m; ++row) {
    for (int e = pattern.start[row]; e < pattern.start[row + 1]; ++e) {
      dense_(row_place_[row], column_place_[pattern.column[e]]) =
          per_constraint_[row] * jacobian[e] * structure_.scale[pattern.column[e]];
    }
  }
  eliminate(dense_, rows_, columns_, row_place_, column_place_, rank_);
  order.head(rank_) = rows_.head(rank_);
  order.tail(n_) = columns_;
}

void Partition::factorize(const VecX& jacobian, const Eigen::VectorXi& order) {
  const RowPattern& pattern = structure_.jacobian;
  const int r = rank_;
  for (int j = 0; j < n_; ++j) columns_[order[r + j]] = j;  // where each column stands in the order
  block_.setZero();
  rest_.setZero();
  for (int i = 0; i < r; ++i) {
    for (int e = pattern.start[order[i]]; e < pattern.start[order[i] + 1]; ++e) {
      const int j = columns_[pattern.column[e]];
      (j < r ? block_(i, j) : rest_(i, j - r)) = jacobian[e];
    }
  }
  for (int k = 0; k < r; ++k) {
    pivots_[k] = per_constraint_[order[k]] * block_(k, k) * structure_.scale[order[r + k]];
    for (int i = k + 1; i < r; ++i) {
      if (block_(i, k) != 0) block_(i, k) /= block_(k, k);
    }
    for (int j = k + 1; j < r; ++j) {
      const double u = block_(k, j);
      if (u != 0) block_.col(j).tail(r - k - 1) -= u * block_.col(k).tail(r - k - 1);
    }
  }
}

void Partition::dependence(Eigen::MatrixXd& H) const {
  H = -rest_;
  for (int j = 0; j < H.cols() && rank_ > 0; ++j) solve(H.col(j));
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
