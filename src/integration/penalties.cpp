#include "integration/penalties.hpp"

#include <algorithm>
#include <Eigen/Dense>
#include <Eigen/SparseLU>

#include "math/rank.hpp"

namespace cardan {
namespace {

constexpr double kNegligibleRow = 1e-10;  // relative to the largest entry of the Jacobian

/// Solves with the Karush-Kuhn-Tucker matrix [M J^T; J 0] of the independent constraints; its inverse has -A^-1 in the lower
/// right corner, also where massless links make M singular.
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

  // A row that is zero but for rounding (a planar loop never leaves its plane) constrains nothing and must not be scaled up.
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

  // 1 / A_kk with the diagonal of M: the floor for all, and the value for redundant constraints.
  double largest = 0;
  for (int i = 0; i < s.coordinates; ++i) largest = std::max(largest, e.mass[s.pattern.column_start[i]]);
  for (int k = 0; k < m; ++k) {
    double sum = 0;
    for (int p = s.jacobian.start[k]; p < s.jacobian.start[k + 1]; ++p) {
      const double mass = e.mass[s.pattern.column_start[s.jacobian.column[p]]];
      sum += e.jacobian[p] * e.jacobian[p] / std::max(mass, 1e-6 * largest);
    }
    double entry = 0;
    for (int p = s.jacobian.start[k]; p < s.jacobian.start[k + 1]; ++p) entry = std::max(entry, std::abs(e.jacobian[p]));
    result.effective_mass[k] = entry > negligible ? 1 / sum : 0;
  }
  for (std::size_t i = 0; i < independent.size(); ++i) {
    double& mass = result.effective_mass[independent[i]];
    if (std::isfinite(inverse[i])) mass = std::max(mass, inverse[i]);
  }
  return result;
}

double penalty_strength(const Structure& structure, const VecX& v, double h, double smallest, double largest) {
  if (structure.constraints == 0) return smallest;
  const double way = h * v.cwiseQuotient(structure.scale).cwiseAbs().maxCoeff();
  return std::clamp(10 / (way * way), smallest, largest);
}

}  // namespace cardan
