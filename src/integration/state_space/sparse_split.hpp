// The split of coordinates of partition.hpp where they are many: pivots are large ones that touch few others in place
// of the largest, then coordinates are exchanged while one entry of H that is the largest of its row and of its column
// is above 1, which bounds H as full pivoting does. Everything goes along the entries that are there.
#pragma once

#include "formulation/relative/close_loops.hpp"
#include "math/sparse_lu.hpp"

namespace cardan {

class SparseSplit {
 public:
  SparseSplit(const Structure& structure, int rank);

  /// As of Partition.
  void choose(const VecX& jacobian, Eigen::VectorXi& order);
  /// L U in the given order. False without a pivot.
  bool factorize(const VecX& jacobian, const Eigen::VectorXi& order);
  const VecX& pivots() const { return pivots_; }
  void solve(VecX& x) const { lu_.solve(x.data()); }
  void solve_transposed(VecX& x) const { lu_.solve_transposed(x.data()); }

  template <class Evaluate>
  StepStatus close(const Equations& equations, const Eigen::VectorXi& order, double tolerance, VecX& z,
                   const Evaluate& evaluate) {
    return close_loops(*this, equations, order, per_constraint_, tolerance, row_, z, evaluate);
  }
  /// -Phi_q x of the rows chosen
  void reach(const VecX& jacobian, const VecX& x, VecX& dependent) const;
  /// An entry of H in units of the scales that is the largest of its row and of its column; after factorize().
  struct Largest {
    double size = 0;
    int dependent = 0, independent = 0;  // places in the order
  };
  Largest largest(const VecX& jacobian);

 private:
  void build(const Eigen::VectorXi& order);
  bool arrange(const VecX& jacobian, const VecX& weight, double in_row, Eigen::VectorXi& order) const;

  const Structure& structure_;
  int n_, rank_, m_;
  VecX per_constraint_;    // 1 / constraint_scale
  Eigen::VectorXi order_;  // that lu_ is of
  SparseLu lu_;
  VecX pivots_;
  VecX row_, column_;  // rank, n
};

}  // namespace cardan
