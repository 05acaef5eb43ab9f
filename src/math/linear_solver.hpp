// Factorization of symmetric matrices with a fixed pattern: symbolic work once, numeric work without allocation.
// Theory: the tangent T of docs/theory/augmented-lagrangian.md is symmetric and, away from errors, positive definite.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

/// The lower triangle of a symmetric n x n matrix by columns, diagonal always present and first in its column.
struct SymmetricPattern {
  int n = 0;
  std::vector<int> column_start;  // n + 1
  std::vector<int> row;           // rising within a column, first is the diagonal
  int nonzeros() const { return static_cast<int>(row.size()); }
  /// Index of entry (i, j) or (j, i) in the value array; -1 when it is not in the pattern.
  int slot(int i, int j) const;

  /// From groups of coordinates that couple all with all.
  static SymmetricPattern from_cliques(int n, const std::vector<std::vector<int>>& cliques);
  /// Every entry.
  static SymmetricPattern full(int n);
};

/// y += A x with A given by its lower triangle.
void multiply_add(const SymmetricPattern& pattern, const VecX& values, const VecX& x, VecX& y);

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;
  /// L D L^T. Returns -1, or the index of the coordinate whose pivot vanished (relative to its diagonal) or is not
  /// finite.
  virtual int factorize(const VecX& values) = 0;
  /// x <- A^{-1} x
  virtual void solve(VecX& x) const = 0;
};

/// `kind`: "dense", "sparse" or "automatic", which compares predicted costs (a rule fitted to measurements, so that the
/// same model always takes the same path).
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& kind, const SymmetricPattern& pattern);

}  // namespace cardan
