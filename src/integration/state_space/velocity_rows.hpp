// Constraints on velocities in independent coordinates: positions know nothing of them, so that the split of
// coordinates stays that of the other constraints, and B R v' = ... holds what is left. With B R = L C, C of
// orthonormal rows (dependent ones are left out), and P = 1 - C^T C, the equations of f independent accelerations
//     P R^T (M q'' - Q) + w C^T L^-1 (B q'' - gamma) = 0
// have the multipliers taken out and the constraints put in: f equations for f unknowns, of any w.
// docs/theory/nonholonomic.md.
#pragma once

#include <Eigen/Cholesky>

#include "formulation/formulation.hpp"

namespace cardan {

class VelocityRows {
 public:
  explicit VelocityRows(const Structure& structure)
      : structure_(structure), first_(structure.position_constraints()), count_(structure.velocity_constraints) {}
  bool empty() const { return count_ == 0; }
  /// For f independent coordinates.
  void resize(int f);
  /// B and its decomposition where q = (u, v) is split as `order` says and u' = H v'.
  void update(const VecX& jacobian, const Eigen::VectorXi& order, int rank, const Eigen::MatrixXd& H);

  /// L^-1 (B x - b), b of all constraints, into the violation.
  void combine(const VecX& x, const VecX& b, double sign);
  /// Takes C^T C psi out of psi and makes multipliers of it, into lambda.
  void take_multipliers(VecX& psi, VecX& lambda);
  /// y += B^T lambda
  void add_force(const VecX& lambda, VecX& y) const;
  /// psi += w C^T violation
  void add_violation(double w, VecX& psi) const { psi.noalias() += w * (C_.transpose() * violation_); }
  /// x -= M^-1 C^T (C M^-1 C^T)^-1 violation: the nearest x in the metric of M that does not violate them.
  template <class Solver>
  void correct(const Solver& mass, VecX& x);

  /// From the tangents of R^T (M q'' - Q) to those of the equations above. `carried` and `second_carried`: what dv
  /// takes with it of q' and q'', see IndependentMotion::tangents(); B times them is kept by these two.
  void see_carried(const MotionDerivatives& d, const Eigen::MatrixXd& R, const Eigen::MatrixXd& carried);
  void see_second_carried(const Eigen::MatrixXd& carried) { stiffness_.noalias() -= B_ * carried; }
  void complete(double w, Eigen::MatrixXd& mass, Eigen::MatrixXd& damping, Eigen::MatrixXd& stiffness);

 private:
  void solve_lower(Eigen::Ref<Eigen::MatrixXd> x) const;
  void project(Eigen::MatrixXd& tangent);

  const Structure& structure_;
  int first_, count_;
  Eigen::MatrixXd B_;                    // rows x n
  Eigen::MatrixXd C_;                    // rows x f; zeros: left out
  Eigen::MatrixXd L_;                    // rows x rows; zero in the diagonal: left out
  VecX violation_, multiplier_;          // rows
  Eigen::MatrixXd damping_, stiffness_;  // rows x f: of B q'' - gamma, with respect to v' and v
  Eigen::MatrixXd change_, second_;      // rows x n: -gamma_v, and (B q'' - gamma)_q
  Eigen::MatrixXd product_;              // rows x f
  Eigen::MatrixXd response_;             // f x rows: M^-1 C^T
  Eigen::MatrixXd felt_;                 // rows x rows
  Eigen::LLT<Eigen::MatrixXd> solver_;
  VecX row_;  // f
};

template <class Solver>
void VelocityRows::correct(const Solver& mass, VecX& x) {
  response_ = C_.transpose();
  mass.solveInPlace(response_);
  felt_.noalias() = C_ * response_;
  for (int k = 0; k < count_; ++k) {
    if (L_(k, k) == 0) felt_(k, k) = 1;
  }
  solver_.compute(felt_);
  multiplier_ = violation_;
  solver_.solveInPlace(multiplier_);
  x.noalias() -= response_ * multiplier_;
}

}  // namespace cardan
