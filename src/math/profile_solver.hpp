// L D L^T within the profile of what is not zero at the moment: for matrices whose pattern holds whatever may be, as
// that of bodies of which any two may touch, and of which little is there at once. Every factorization orders the
// coordinates anew by their couplings (reverse Cuthill and McKee 1969), so that each row begins close to its diagonal,
// and works from there on. What it costs is that of the profile, and nothing is allocated. The order depends on the
// values of this factorization alone.
#pragma once

#include "math/linear_solver.hpp"

namespace cardan {

class ProfileSolver final : public LinearSolver {
 public:
  explicit ProfileSolver(const SymmetricPattern& pattern);
  const char* name() const override { return "profile"; }
  int factorize(const VecX& values) override;
  void solve(VecX& x) const override;
  /// Entries of L, with the diagonal, of the last factorization.
  long size() const;

 private:
  void find_neighbours(const VecX& values);
  void order();
  int far_end(int start);
  void number_from(int start);
  void fill(const VecX& values);
  double* row(int i) { return factor_.data() + static_cast<std::ptrdiff_t>(i) * n_; }
  const double* row(int i) const { return factor_.data() + static_cast<std::ptrdiff_t>(i) * n_; }
  int degree(int i) const { return neighbour_start_[i + 1] - neighbour_start_[i]; }

  int n_;
  std::vector<int> value_row_, value_column_;  // of every value of the pattern
  std::vector<int> neighbour_start_, neighbour_, cursor_;
  std::vector<int> sequence_, place_;  // coordinates in the order of elimination, and where each is in it
  std::vector<int> level_;             // distances, within far_end()
  std::vector<int> first_;             // where the row in the new order begins
  std::vector<double> factor_;         // n x n by rows; left of the diagonal L
  std::vector<double> diagonal_;       // n: D
  mutable std::vector<double> permuted_;
};

}  // namespace cardan
