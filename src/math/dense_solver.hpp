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

  /// Where the matrix is one panel: for who writes it there and factorizes it with a kernel of panel_kernel.hpp. Four
  /// numbers may be written from each of its places on.
  struct Panel {
    double *factor, *diagonal, *inverse;
  };
  bool is_panel() const { return is_panel_; }
  Panel panel() { return {factor_.data(), diagonal_.data(), inverse_.data()}; }

 private:
  static constexpr std::size_t kRoomBehind = 8;

  int factorize_values(const double* given);
  void solve_values(double* x) const;

  int n_;
  std::vector<int> place_;  // of every value of the pattern in the buffer
  bool is_panel_;           // no wider than the kernels of panel_kernel.hpp
  std::vector<double>
      factor_;  // n x n by columns, and room behind them; below the diagonal L, on it and above it unused
  std::vector<double> diagonal_;  // n: D
  std::vector<double> inverse_;   // n: 1/D
};

}  // namespace cardan
