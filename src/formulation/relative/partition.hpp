// The split of coordinates into dependent and independent ones by full pivoting on Phi_z, and the factorization of the
// dependent block in that fixed order afterwards, whose pivots tell how well the split still fits. Pivots are compared
// with each other, so they are those of the dimensionless Phi_z (constraint_rank.hpp): units do not count. Rows that
// hold no position do not take part.
#pragma once

#include <algorithm>
#include <cmath>

#include "cardan/math.hpp"
#include "cardan/step_status.hpp"
#include "formulation/equations.hpp"

namespace cardan {

class Partition {
 public:
  /// For Jacobians of this structure and of the given rank; sizes every buffer. The structure must outlive it.
  Partition(const Structure& structure, int rank);

  int rank() const { return rank_; }
  int independent_count() const { return n_ - rank_; }

  /// An order to start from: rows and columns as they are numbered.
  void begin(Eigen::VectorXi& order) const;
  /// Chooses rows and columns; `order` receives the chosen rows (rank), then dependent columns (rank), then independent
  /// ones. What it holds before is kept where others are hardly better.
  void choose(const VecX& jacobian, Eigen::VectorXi& order);
  /// LU of the dependent block in the given order, without exchanges; pivots() then holds its pivots.
  void factorize(const VecX& jacobian, const Eigen::VectorXi& order);
  const VecX& pivots() const { return pivots_; }
  /// x <- B^-1 x for the rows chosen
  void solve(Eigen::Ref<VecX> x) const;
  /// x <- B^-T x
  void solve_transposed(Eigen::Ref<VecX> x) const;
  /// H = -B^-1 Phi_v, Phi_v being the columns of the independent coordinates: rank x (n - rank), after factorize().
  void dependence(Eigen::MatrixXd& H) const;

  /// Newton's iteration on Phi(z) = 0 for the dependent coordinates in z, until it leaves `tolerance` relative to the
  /// scales, or rounding. `evaluate()` brings the equations to z; they are factorized at the end.
  template <class Evaluate>
  StepStatus close(const Equations& equations, const Eigen::VectorXi& order, double tolerance, VecX& z,
                   const Evaluate& evaluate);

 private:
  static constexpr int kIterations = 25;
  static constexpr double kRounding = 1e4;   // times the tolerance: what does not shrink any more below it is rounding
  static constexpr double kDiverging = 1e4;  // from one iteration to the next

  const Structure& structure_;
  int n_, rank_;
  int m_;                                     // constraints on positions
  VecX per_constraint_;                       // m: 1 / constraint_scale
  Eigen::MatrixXd dense_;                     // m x n, dimensionless, within choose()
  Eigen::MatrixXd block_;                     // rank x rank, L and U
  Eigen::MatrixXd rest_;                      // rank x (n - rank)
  Eigen::VectorXi rows_, columns_;            // m, n
  Eigen::VectorXi row_place_, column_place_;  // m, n: in the order before, within choose()
  VecX pivots_;
  VecX correction_;  // rank, within close()
};

/// Whether it is an order that choose() could have given, rows first, then every coordinate once.
bool is_order(const Eigen::VectorXi& order, int coordinates, int constraints);

template <class Evaluate>
StepStatus Partition::close(const Equations& e, const Eigen::VectorXi& order, double tolerance, VecX& z,
                            const Evaluate& evaluate) {
  double previous = 1e300;
  for (int iteration = 0;; ++iteration) {
    if (const StepStatus status = evaluate(); status != StepStatus::ok || rank_ == 0) return status;
    factorize(e.jacobian, order);
    double worst = 0;
    for (int i = 0; i < rank_; ++i) {
      correction_[i] = -e.phi[order[i]];
      worst = std::max(worst, std::abs(correction_[i]) * per_constraint_[order[i]]);
    }
    if (!correction_.allFinite()) return StepStatus::not_finite;
    if (worst <= tolerance || (worst <= kRounding * tolerance && worst > 0.1 * previous)) return StepStatus::ok;
    solve(correction_);
    if (iteration >= kIterations || worst > kDiverging * previous || !correction_.allFinite())
      return StepStatus::not_converged;
    previous = worst;
    for (int i = 0; i < rank_; ++i) z[order[rank_ + i]] += correction_[i];
  }
}

}  // namespace cardan
