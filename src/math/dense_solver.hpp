// L D L^T in one dense buffer: the solver for small mechanisms, and for patterns with hardly a zero. Matrices no wider
// than a panel are one, whose size the compiler knows.
#pragma once

#include "math/linear_solver.hpp"

namespace cardan {

class DenseSolver final : public LinearSolver {
 public:
  explicit DenseSolver(const SymmetricPattern& pattern);
  const char* name() const override { return "dense"; }
  int factorize(const VecX& values) override;
  void solve(VecX& x) const override;

 private:
  int factorize_values(const double* given);
  void solve_values(double* x) const;

  int n_;
  std::vector<int> place_;        // of every value of the pattern in the buffer
  bool is_panel_;                 // no wider than the kernels of panel_kernel.hpp
  std::vector<double> factor_;    // n x n by columns; below the diagonal L, on it and above it unused
  std::vector<double> diagonal_;  // n: D
  std::vector<double> inverse_;   // n: 1/D
};

}  // namespace cardan
