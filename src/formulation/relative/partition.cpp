#include "formulation/relative/partition.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "math/by_processor.hpp"

namespace cardan {
namespace {

// Of the largest entry: those above count as alike, and rounding, units or the length of a step do not choose among
// them. Close to 1, so that a split is still given up where it ceases to be the best one (independent_motion.cpp).
constexpr double kAlike = 0.99;

/// Gaussian elimination with full pivoting, at most `limit` pivots. Of entries that are alike the one is taken whose
/// column, and then row, comes first in the order in which `rows` and `columns` are given.
void eliminate(Eigen::Ref<Eigen::MatrixXd> a, int* rows, int* columns, std::vector<int>& row_place,
               std::vector<int>& column_place, int limit) {
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

// Loops of mechanisms have a few constraints: loops over these are unrolled.

template <class Act>
void with_size(int size, const Act& act) {
  switch (size) {
    case 1:
      return act(std::integral_constant<int, 1>{});
    case 2:
      return act(std::integral_constant<int, 2>{});
    case 3:
      return act(std::integral_constant<int, 3>{});
    case 4:
      return act(std::integral_constant<int, 4>{});
    case 5:
      return act(std::integral_constant<int, 5>{});
    default:
      return act(size);
  }
}

template <class Rank>
inline void solve_lower(Rank r, const double* a, double* __restrict y) {
  for (int k = 0; k < r; ++k) {
    for (int i = k + 1; i < r; ++i) y[i] -= y[k] * a[k * r + i];
  }
}

template <class Rank>
inline void solve_upper(Rank r, const double* a, const double* inverse, double* __restrict y) {
  for (int k = r; k-- > 0;) {
    y[k] *= inverse[k];
    for (int i = 0; i < k; ++i) y[i] -= y[k] * a[k * r + i];
  }
}

/// L and U of the first r of n columns of r numbers, and L^-1 of the others, one column after the other. A pivot of
/// zero, which stays visible as it is, divides nothing here.
template <class Rank>
inline void lower_upper(Rank r, int n, double* a, double* __restrict inverse) {
  for (int j = 0; j < r; ++j) {
    double* const column = a + j * r;
    for (int k = 0; k < j; ++k) {
      for (int i = k + 1; i < r; ++i) column[i] -= column[k] * a[k * r + i];
    }
    inverse[j] = 1 / column[j];
    const double factor = column[j] != 0 ? inverse[j] : 0;
    for (int i = j + 1; i < r; ++i) column[i] *= factor;
  }
  for (int j = r; j < n; ++j) solve_lower(r, a, a + j * r);
}

}  // namespace

Partition::Partition(const Structure& structure, std::vector<LoopGroup> groups)
    : structure_(structure),
      n_(structure.coordinates),
      rank_(rank_of(groups)),
      m_(structure.position_constraints()),
      groups_(std::move(groups)),
      group_of_row_(m_, -1),
      group_of_column_(n_, 0),
      per_constraint_(structure.constraint_scale.head(m_).cwiseInverse()),
      order_(Eigen::VectorXi::Constant(rank_ + n_, -1)),
      unit_(rank_),
      inverse_(rank_),
      pivots_(VecX::Zero(rank_)),
      correction_(rank_),
      rows_(m_),
      columns_(n_),
      next_(groups_.size()),
      is_chosen_(m_),
      place_(n_) {
  int entries = 0, values = 0, rows = 0, columns = 0, most_rows = 0, most_columns = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    for (int row : group.rows) {
      group_of_row_[row] = static_cast<int>(g);
      entries += structure.jacobian.start[row + 1] - structure.jacobian.start[row];
    }
    for (int column : group.columns) group_of_column_[column] = static_cast<int>(g);
    const int height = static_cast<int>(group.rows.size()), width = static_cast<int>(group.columns.size());
    values_start_.push_back(std::exchange(values, values + group.rank * width));
    row_start_.push_back(std::exchange(rows, rows + height));
    column_start_.push_back(std::exchange(columns, columns + width));
    most_rows = std::max(most_rows, height);
    most_columns = std::max(most_columns, width);
  }
  values_ = VecX::Zero(values);
  source_.reserve(entries);
  target_.reserve(entries);
  dense_.resize(most_rows, most_columns);
  row_place_.resize(most_rows);
  column_place_.resize(most_columns);
}

void Partition::begin(Eigen::VectorXi& order) const {
  order.resize(rank_ + n_);
  for (const LoopGroup& group : groups_) {
    for (int i = 0; i < group.rank; ++i) {
      order[group.first + i] = group.rows[i];
      order[rank_ + group.first + i] = group.columns[i];
    }
    for (int j = 0; j < group.free(); ++j) order[2 * rank_ + group.first_free + j] = group.columns[group.rank + j];
  }
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

/// What is in use comes first: of every group the rows chosen, the dependent columns.
void Partition::choose(const VecX& jacobian, Eigen::VectorXi& order) {
  std::copy(column_start_.begin(), column_start_.end(), next_.begin());
  for (int j = 0; j < n_; ++j) columns_[next_[group_of_column_[order[rank_ + j]]]++] = order[rank_ + j];
  std::fill(is_chosen_.begin(), is_chosen_.end(), 0);
  std::copy(row_start_.begin(), row_start_.end(), next_.begin());
  for (int i = 0; i < rank_; ++i) {
    is_chosen_[order[i]] = 1;
    rows_[next_[group_of_row_[order[i]]]++] = order[i];
  }
  for (int row = 0; row < m_; ++row) {
    if (group_of_row_[row] >= 0 && !is_chosen_[row]) rows_[next_[group_of_row_[row]]++] = row;
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    int *rows = rows_.data() + row_start_[g], *columns = columns_.data() + column_start_[g];
    if (group.rank > 0) choose(group, jacobian, rows, columns);
    std::copy_n(rows, group.rank, order.data() + group.first);
    std::copy_n(columns, group.rank, order.data() + rank_ + group.first);
    std::copy_n(columns + group.rank, group.free(), order.data() + 2 * rank_ + group.first_free);
  }
}

/// Of one group; what `rows` and `columns` list becomes the order of elimination.
void Partition::choose(const LoopGroup& group, const VecX& jacobian, int* rows, int* columns) {
  const RowPattern& J = structure_.jacobian;
  const int m = static_cast<int>(group.rows.size()), n = static_cast<int>(group.columns.size());
  order_.setConstant(-1);  // these are not the places of the order in use
  for (int j = 0; j < n; ++j) place_[columns[j]] = j;
  dense_.topLeftCorner(m, n).setZero();
  for (int i = 0; i < m; ++i) {
    for (int e = J.start[rows[i]]; e < J.start[rows[i] + 1]; ++e)
      dense_(i, place_[J.column[e]]) = per_constraint_[rows[i]] * jacobian[e] * structure_.scale[J.column[e]];
  }
  eliminate(dense_.topLeftCorner(m, n), rows, columns, row_place_, column_place_, group.rank);
}

/// Takes notice of an order. False when it is none of these groups.
bool Partition::arrange(const Eigen::VectorXi& order) {
  const RowPattern& J = structure_.jacobian;
  order_ = order;
  source_.clear();
  target_.clear();
  // Dependent columns stand first in the order, so that they are the first of their group.
  std::fill(next_.begin(), next_.end(), 0);
  for (int j = 0; j < n_; ++j) place_[order[rank_ + j]] = next_[group_of_column_[order[rank_ + j]]]++;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    for (int i = 0; i < group.rank; ++i) {
      const int row = order[group.first + i], column = order[rank_ + group.first + i];
      if (group_of_row_[row] != static_cast<int>(g) || place_[column] != i) return false;
      unit_[group.first + i] = per_constraint_[row] * structure_.scale[column];
      for (int e = J.start[row]; e < J.start[row + 1]; ++e) {
        source_.push_back(e);
        target_.push_back(values_start_[g] + place_[J.column[e]] * group.rank + i);
      }
    }
  }
  return true;
}

bool Partition::factorize(const VecX& jacobian, const Eigen::VectorXi& order) {
  if (order != order_ && !arrange(order)) source_.clear();
  factorize(jacobian);
  return rank_ == 0 || !source_.empty();
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void Partition::factorize(const VecX& jacobian) {
  std::fill_n(values_.data(), values_.size(), 0.0);
  double* const values = values_.data();
  const int *const source = source_.data(), *const target = target_.data();
  for (std::size_t e = 0, count = source_.size(); e < count; ++e) values[target[e]] = jacobian[source[e]];
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const LoopGroup& group = groups_[g];
    if (group.rank == 0) continue;
    double *const a = values + values_start_[g], *const inverse = inverse_.data() + group.first;
    const double* const unit = unit_.data() + group.first;
    double* const pivot = pivots_.data() + group.first;
    const int n = static_cast<int>(group.columns.size());
    with_size(group.rank, [&](auto rank) {
      lower_upper(rank, n, a, inverse);
      for (int k = 0; k < rank; ++k) pivot[k] = unit[k] * a[k * rank + k];
    });
  }
}

/// x <- -U^-1 x, column by column.
[[gnu::flatten]] CARDAN_BY_PROCESSOR void Partition::find_dependence() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const int r = groups_[g].rank, n = static_cast<int>(groups_[g].columns.size());
    double* const a = values_.data() + values_start_[g];
    const double* const inverse = inverse_.data() + groups_[g].first;
    for (int j = r; j < n && r > 0; ++j) {
      double* const x = a + j * r;
      with_size(r, [&](auto rank) {
        solve_upper(rank, a, inverse, x);
        for (int k = 0; k < rank; ++k) x[k] = -x[k];
      });
    }
  }
}

void Partition::find_dependence(Eigen::MatrixXd& H) {
  if (rank_ == 0) return;  // no loop: close() has taken notice of no order
  find_dependence();
  H.setZero();
  for (int j = 0; j < n_ - rank_; ++j) {
    const int column = order_[2 * rank_ + j], g = group_of_column_[column], r = groups_[g].rank;
    if (r > 0)
      H.col(j).segment(groups_[g].first, r) = Eigen::Map<const VecX>(dependence(g) + (place_[column] - r) * r, r);
  }
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR void Partition::solve(Eigen::Ref<VecX> x) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const int r = groups_[g].rank;
    double* const y = x.data() + groups_[g].first;
    if (std::all_of(y, y + r, [](double one) { return one == 0; })) continue;
    const double* const a = values_.data() + values_start_[g];
    with_size(r, [&](auto rank) {
      solve_lower(rank, a, y);
      solve_upper(rank, a, inverse_.data() + groups_[g].first, y);
    });
  }
}

/// U^T, then L^T
void Partition::solve_transposed(Eigen::Ref<VecX> x) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const int r = groups_[g].rank;
    const double* const a = values_.data() + values_start_[g];
    double* const y = x.data() + groups_[g].first;
    for (int k = 0; k < r; ++k) {
      for (int i = 0; i < k; ++i) y[k] -= a[k * r + i] * y[i];
      y[k] *= inverse_[groups_[g].first + k];
    }
    for (int k = r; k-- > 0;) {
      for (int i = k + 1; i < r; ++i) y[k] -= a[k * r + i] * y[i];
    }
  }
}

}  // namespace cardan
