#include "integration/penalties.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <algorithm>

#include "math/rank.hpp"

namespace cardan {
namespace {

constexpr double kNegligibleRow = 1e-10;  // relative to the largest entry of the Jacobian
constexpr double kWeakestFelt = 1e-3;         // of what the neighbours of a constraint feel

/// Solves with the Karush-Kuhn-Tucker matrix [M J^T; J 0] of the independent constraints; its inverse has -A^-1 in the
/// lower right corner, also where massless links make M singular.
VecX inverse_diagonal(const Structure& s, const Equations& e, const std::vector<int>& independent) {
  const int n = s.coordinates, m = static_cast<int>(independent.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p) {
      entries.emplace_back(s.pattern.row[p], j, e.mass[p]);
      if (s.pattern.row[p] != j) entries.emplace_back(j, s.pattern.row[p], e.mass[p]);
    }
  }
  for (int k = 0; k < m; ++k) {
    for (int p = s.jacobian.start[independent[k]]; p < s.jacobian.start[independent[k] + 1]; ++p) {
      entries.emplace_back(n + k, s.jacobian.column[p], e.jacobian[p]);
      entries.emplace_back(s.jacobian.column[p], n + k, e.jacobian[p]);
    }
  }
  Eigen::SparseMatrix<double> matrix(n + m, n + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  VecX result(m);
  if (n + m <= 400) {
    const Eigen::MatrixXd inverse = Eigen::MatrixXd(matrix).partialPivLu().inverse();
    for (int k = 0; k < m; ++k) result[k] = -inverse(n + k, n + k);
    return result;
  }
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
  VecX unit = VecX::Zero(n + m);
  for (int k = 0; k < m; ++k) {
    unit[n + k] = 1;
    result[k] = -VecX(factors.solve(unit))[n + k];
    unit[n + k] = 0;
  }
  return result;
}

}  // namespace

ConstraintAnalysis analyse_constraints(const Structure& s, const Equations& e) {
  ConstraintAnalysis result;
  const int m = s.constraints;
  result.effective_mass = VecX::Ones(m);
  if (m == 0) return result;

  // A row that is zero but for rounding (a planar loop never leaves its plane) constrains nothing and must not be
  // scaled up.
  const double negligible = kNegligibleRow * e.jacobian.cwiseAbs().maxCoeff();
  SparseRows rows;
  rows.columns = s.coordinates;
  rows.start = s.jacobian.start;
  rows.column = s.jacobian.column;
  for (double value : e.jacobian) rows.value.push_back(std::abs(value) > negligible ? value : 0);
  result.redundant = dependent_rows(rows);
  std::vector<int> independent;
  for (int k = 0; k < m; ++k) {
    if (!std::binary_search(result.redundant.begin(), result.redundant.end(), k)) independent.push_back(k);
  }
  const VecX inverse = inverse_diagonal(s, e, independent);

  // Per unit length of the row, so that rows can be compared.
  VecX norm2 = VecX::Zero(m), felt = VecX::Zero(m);
  for (int k = 0; k < m; ++k) {
    for (int p = s.jacobian.start[k]; p < s.jacobian.start[k + 1]; ++p) norm2[k] += e.jacobian[p] * e.jacobian[p];
  }
  for (std::size_t i = 0; i < independent.size(); ++i) {
    if (std::isfinite(inverse[i])) felt[independent[i]] = std::max(inverse[i], 0.0) * norm2[independent[i]];
  }
  // The largest among the constraints that share a coordinate. A redundant constraint takes it over, since it may be
  // the one that carries the load when the position changes; and none stays far below it for the same reason, nor at
  // zero, as those that hold nothing but massless coordinates would.
  VecX at_coordinate = VecX::Zero(s.coordinates);
  const auto entries_of = [&](int k, const auto& visit) {
    for (int p = s.jacobian.start[k]; p < s.jacobian.start[k + 1]; ++p) {
      if (std::abs(e.jacobian[p]) > negligible) visit(at_coordinate[s.jacobian.column[p]]);
    }
  };
  for (int k : independent) entries_of(k, [&](double& largest) { largest = std::max(largest, felt[k]); });
  for (int k = 0; k < m; ++k) {
    double nearby = 0;
    entries_of(k, [&](double largest) { nearby = std::max(nearby, largest); });
    const bool is_redundant = std::binary_search(result.redundant.begin(), result.redundant.end(), k);
    const double least = std::max(kWeakestFelt * nearby, kWeakestFelt * kWeakestFelt * felt.maxCoeff());
    const double mass = std::max(is_redundant ? nearby : felt[k], least);
    result.effective_mass[k] = norm2[k] > negligible * negligible ? mass / norm2[k] : 0;
  }
  return result;
}

double penalty_strength(const Structure& structure, const VecX& v, double h, double smallest, double largest) {
  if (structure.constraints == 0) return smallest;
  const double way = h * v.cwiseQuotient(structure.scale).cwiseAbs().maxCoeff();
  return std::clamp(10 / (way * way), smallest, largest);
}

}  // namespace cardan
