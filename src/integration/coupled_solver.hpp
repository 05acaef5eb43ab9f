// Solves with the tangent of the Newmark family where forces follow signals. The couplings make it unsymmetric:
//     T = A + sum over forces f of S_f^T V_f,   V_f = sum of (c b h^2 k + c g h c) S_felt
// A symmetric and factorized as ever. With Y = A^-1 S_f^T, one column for each force,
//     T^-1 x = y - Y (1 + V Y)^-1 V y,   y = A^-1 x                                     (Woodbury)
// so that without couplings nothing is done, and with them the cost is one solution for each force and a small
// factorization.
#pragma once

#include "formulation/equations.hpp"
#include "math/dense_lu.hpp"

namespace cardan {

class CoupledSolver final : public LinearSolver {
 public:
  CoupledSolver(std::unique_ptr<LinearSolver> symmetric, const Structure& structure, const Equations& equations);

  const char* name() const override { return symmetric_->name(); }
  /// Of A alone; without a call of couple() that is what solve() takes.
  int factorize(const VecX& values) override {
    coupled_ = false;
    return symmetric_->factorize(values);
  }
  /// Adds the couplings as they are in the equations. False when T has no inverse.
  bool couple(double stiffness, double damping);
  void solve(VecX& x) const override;

 private:
  std::unique_ptr<LinearSolver> symmetric_;
  const Structure& structure_;
  const Equations& equations_;
  std::vector<int> forces_;    // rows, each once
  std::vector<int> force_of_;  // of every coupling: which of them
  bool coupled_ = false;
  VecX weight_;            // of every coupling
  VecX rows_;              // of the loads, as they were when T was made
  Eigen::MatrixXd Y_;      // n x forces
  DenseLu small_;          // 1 + V Y
  mutable VecX column_;    // n
  mutable VecX response_;  // forces
};

std::unique_ptr<CoupledSolver> make_coupled_solver(const std::string& kind, const Structure& structure,
                                                   const Equations& equations);

}  // namespace cardan
