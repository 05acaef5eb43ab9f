// The split of coordinates into dependent and independent ones by full pivoting on Phi_q, and the factorization of the
// dependent block in that fixed order afterwards, whose pivots tell how well the split still fits; both for each group
// of loops by itself. Pivots are compared with each other, so they are those of the dimensionless Phi_q
// (constraint_rank.hpp): units do not count. Rows that hold no position do not take part.
#pragma once

#include "formulation/relative/close_loops.hpp"
#include "formulation/relative/loop_groups.hpp"

namespace cardan {

class Partition {
 public:
  /// For Jacobians of this structure and of the ranks of its groups; sizes every buffer. The structure must outlive it.
  Partition(const Structure& structure, std::vector<LoopGroup> groups);

  int rank() const { return rank_; }
  int independent_count() const { return n_ - rank_; }
  const std::vector<LoopGroup>& groups() const { return groups_; }

  /// An order to start from: rows and columns of every group as they are numbered.
  void begin(Eigen::VectorXi& order) const;
  /// Chooses rows and columns; `order` receives the chosen rows (rank), then dependent columns (rank), then independent
  /// ones, each group after group. What it holds before is kept where others are hardly better.
  void choose(const VecX& jacobian, Eigen::VectorXi& order);
  /// LU of the dependent block in the given order, without exchanges; pivots() then holds its pivots. The independent
  /// columns may be in any order. False where it is no order of these groups.
  bool factorize(const VecX& jacobian, const Eigen::VectorXi& order);
  const VecX& pivots() const { return pivots_; }
  /// x <- B^-1 x for the rows chosen
  void solve(Eigen::Ref<VecX> x) const;
  /// x <- B^-T x
  void solve_transposed(Eigen::Ref<VecX> x) const;
  /// H = -B^-1 Phi_v, Phi_v being the columns of the independent coordinates; once after factorize().
  void find_dependence();
  /// Of the group's dependent coordinates on its independent ones, by columns: rank x free of the group.
  const double* dependence(int group) const {
    return values_.data() + values_start_[group] + groups_[group].rank * groups_[group].rank;
  }
  /// The whole of it: rank x (n - rank).
  void find_dependence(Eigen::MatrixXd& H);

  /// close_loops(), with the factors of the last position.
  template <class Evaluate>
  StepStatus close(const Equations& equations, const Eigen::VectorXi& order, double tolerance, VecX& z,
                   const Evaluate& evaluate) {
    return close_loops(*this, equations, order, per_constraint_, tolerance, correction_, z, evaluate);
  }

 private:
  void choose(const LoopGroup& group, const VecX& jacobian, int* rows, int* columns);
  bool arrange(const Eigen::VectorXi& order);
  void factorize(const VecX& jacobian);

  const Structure& structure_;
  int n_, rank_, m_;  // m: constraints on positions
  std::vector<LoopGroup> groups_;
  std::vector<int> group_of_row_, group_of_column_;  // m, n: -1 for a row without entries
  VecX per_constraint_;                              // m: 1 / constraint_scale
  // The order in use: Phi_q of every group with its chosen rows, dependent columns, then independent ones.
  Eigen::VectorXi order_;
  std::vector<int> source_, target_;  // entries of the Jacobian, and where they stand in values_
  std::vector<int> values_start_;     // of every group
  VecX values_;                       // by columns: L and U, then what becomes H
  VecX unit_;                         // rank: of a pivot, to make it dimensionless
  VecX inverse_;                      // rank: of the pivots
  VecX pivots_;                       // rank
  VecX correction_;                   // rank, within close()
  // Within choose() and arrange()
  std::vector<int> rows_, columns_;            // m, n: of the groups, one after the other
  std::vector<int> row_start_, column_start_;  // where each group's begin
  std::vector<int> next_;                      // of every group
  std::vector<int> is_chosen_;                 // m
  std::vector<int> place_;                     // n: of a column among those of its group
  Eigen::MatrixXd dense_;                      // of a group, dimensionless
  std::vector<int> row_place_, column_place_;  // of its rows and columns, in the order before
};

/// Whether it is an order that choose() could have given, rows first, then every coordinate once.
bool is_order(const Eigen::VectorXi& order, int coordinates, int constraints);

}  // namespace cardan
