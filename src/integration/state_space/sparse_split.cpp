#include "integration/state_space/sparse_split.hpp"

#include <cmath>
#include <utility>

#include "math/pivot_order.hpp"

namespace cardan {
namespace {

constexpr double kInRow = 0.5, kInAll = 0.05;  // least pivots when a split is chosen
constexpr double kInDependent = 0.1;           // of a row among dependent coordinates
constexpr double kInUse = 1.2;                 // dependent coordinates count as so much larger, so that they stay
constexpr double kExchanged = 1.01;            // entries of H above
constexpr int kExchanges = 40;
constexpr int kTurns = 10;  // between rows and columns

}  // namespace

SparseSplit::SparseSplit(const Structure& structure, int rank)
    : structure_(structure),
      n_(structure.coordinates),
      rank_(rank),
      m_(structure.position_constraints()),
      per_constraint_(structure.constraint_scale.cwiseInverse()),
      lu_(0, {}),
      pivots_(VecX::Zero(rank)),
      row_(VecX::Zero(rank)),
      column_(VecX::Zero(n_)) {}

/// Row i and column j of the matrix are order[i] and order[rank + j], and that is how it is eliminated, in units of the
/// scales.
void SparseSplit::build(const Eigen::VectorXi& order) {
  const RowPattern& J = structure_.jacobian;
  order_ = order;
  std::vector<int> place(n_, -1);
  for (int j = 0; j < rank_; ++j) place[order[rank_ + j]] = j;
  std::vector<SparseLu::Entry> entries;
  for (int i = 0; i < rank_; ++i) {
    for (int e = J.start[order[i]]; e < J.start[order[i] + 1]; ++e)
      if (place[J.column[e]] >= 0) entries.push_back({i, place[J.column[e]]});
  }
  lu_ = SparseLu(rank_, entries);
  std::vector<double> numbers(static_cast<std::size_t>(lu_.order_size()));
  for (int i = 0; i < rank_; ++i) {
    numbers[i] = numbers[rank_ + i] = i;
    numbers[2 * rank_ + i] = per_constraint_[order[i]];
    numbers[3 * rank_ + i] = structure_.scale[order[rank_ + i]];
  }
  lu_.recall_order(numbers.data());
}

bool SparseSplit::factorize(const VecX& jacobian, const Eigen::VectorXi& order) {
  if (order_.size() != order.size() || order_.head(2 * rank_) != order.head(2 * rank_)) build(order);
  order_ = order;
  const RowPattern& J = structure_.jacobian;
  column_.setZero();
  for (int j = 0; j < rank_; ++j) column_[order[rank_ + j]] = 1;
  double* value = lu_.values().data();
  for (int i = 0; i < rank_; ++i) {
    for (int e = J.start[order[i]]; e < J.start[order[i] + 1]; ++e)
      if (column_[J.column[e]] != 0) *value++ = jacobian[e];
  }
  const bool regular = lu_.has_order() && lu_.factorize_as_is() < 0;
  for (int k = 0; k < rank_; ++k) pivots_[k] = lu_.pivot(k);
  return regular;
}

void SparseSplit::reach(const VecX& jacobian, const VecX& x, VecX& dependent) const {
  for (int i = 0; i < rank_; ++i) dependent[i] = -row_times(structure_.jacobian, jacobian, order_[i], x);
}

/// Pivots among the columns of which `weight` is above zero, in their order of elimination. False when they are too
/// few.
bool SparseSplit::arrange(const VecX& jacobian, const VecX& weight, double in_row, Eigen::VectorXi& order) const {
  const RowPattern& J = structure_.jacobian;
  SparseRows rows;
  rows.columns = n_;
  for (int k = 0; k < m_; ++k) {
    for (int e = J.start[k]; e < J.start[k + 1]; ++e) {
      const int j = J.column[e];
      if (weight[j] > 0) rows.add(j, weight[j] * structure_.scale[j] * jacobian[e] * per_constraint_[k]);
    }
    rows.end_row();
  }
  const PivotOrder pivots(rows, {.rank = rank_, .in_row = in_row, .in_all = kInAll});
  if (!pivots.complete) return false;
  std::vector<bool> taken(n_, false);
  for (int i = 0; i < rank_; ++i) {
    order[i] = pivots.row[i];
    order[rank_ + i] = pivots.column[i];
    taken[pivots.column[i]] = true;
  }
  for (int j = 0, next = 2 * rank_; j < n_; ++j)
    if (!taken[j]) order[next++] = j;
  return true;
}

void SparseSplit::choose(const VecX& jacobian, Eigen::VectorXi& order) {
  VecX weight = VecX::Ones(n_);
  if (order_.size() > 0)
    for (int j = 0; j < rank_; ++j) weight[order[rank_ + j]] = kInUse;
  if (!arrange(jacobian, weight, kInRow, order)) return;
  for (int count = 0; count < kExchanges && factorize(jacobian, order); ++count) {
    const Largest entry = largest(jacobian);
    if (!(entry.size > kExchanged)) return;
    weight.setZero();
    for (int j = 0; j < rank_; ++j) weight[order[rank_ + j]] = 1;
    std::swap(weight[order[rank_ + entry.dependent]], weight[order[2 * rank_ + entry.independent]]);
    if (!arrange(jacobian, weight, kInDependent, order)) return;
  }
}

SparseSplit::Largest SparseSplit::largest(const VecX& jacobian) {
  const RowPattern& J = structure_.jacobian;
  Largest found;
  const auto independent_of = [&](int j) { return order_[2 * rank_ + j]; };
  const int f = n_ - rank_;
  if (rank_ == 0 || f == 0) return found;
  // The row that answers most to all columns at once begins.
  column_.setZero();
  for (int j = 0; j < f; ++j) column_[independent_of(j)] = structure_.scale[independent_of(j)];
  for (int turn = 0; turn < kTurns; ++turn) {
    reach(jacobian, column_, row_);
    solve(row_);
    double most = 0;
    int dependent = found.dependent;
    for (int i = 0; i < rank_; ++i) {
      const double size = std::abs(row_[i]) / structure_.scale[order_[rank_ + i]];
      if (size > most) most = size, dependent = i;
    }
    if (turn > 0 && dependent == found.dependent) break;
    row_.setZero();
    row_[dependent] = -1 / structure_.scale[order_[rank_ + dependent]];
    solve_transposed(row_);
    column_.setZero();
    for (int i = 0; i < rank_; ++i) add_row(J, jacobian, order_[i], row_[i], column_);
    found.dependent = dependent;
    found.size = 0;
    for (int j = 0; j < f; ++j) {
      const double size = std::abs(column_[independent_of(j)]) * structure_.scale[independent_of(j)];
      if (size > found.size) found.size = size, found.independent = j;
    }
    column_.setZero();
    column_[independent_of(found.independent)] = structure_.scale[independent_of(found.independent)];
  }
  return found;
}

}  // namespace cardan
