#include "integration/penalties.hpp"

#include <algorithm>

#include "formulation/constraint_rank.hpp"
#include "math/decomposition/decompositions.hpp"
#include "math/rank.hpp"
#include "math/sparse_solver.hpp"

namespace cardan {
namespace {

constexpr double kWeakestFelt = 1e-3;  // of what the neighbours of a constraint feel

/// With the Karush-Kuhn-Tucker matrix [M J^T; J 0] of the independent constraints; its inverse has -A^-1 in the
/// lower right corner, also where massless links make M singular.
VecX felt_exactly(const Structure& s, const Equations& e, const std::vector<int>& independent) {
  const int n = s.coordinates, m = static_cast<int>(independent.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  for (int j = 0; j < n; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p)
      K(s.pattern.row[p], j) = K(j, s.pattern.row[p]) = e.mass[p];
  }
  for (int k = 0; k < m; ++k) {
    for (int p = s.jacobian.start[independent[k]]; p < s.jacobian.start[independent[k] + 1]; ++p)
      K(n + k, s.jacobian.column[p]) = K(s.jacobian.column[p], n + k) = e.jacobian[p];
  }
  return -solve_square(K, Eigen::MatrixXd::Identity(n + m, n + m)).diagonal().tail(m);
}

/// J_k Z J_k^T, Z on the pattern of M.
double along_row(const Structure& s, const Equations& e, int k, const VecX& Z) {
  const RowPattern& J = s.jacobian;
  const int* slot = J.slot.data() + J.slot_start[k];
  double sum = 0;
  for (int a = J.start[k]; a < J.start[k + 1]; ++a) {
    for (int b = J.start[k]; b < a; ++b) sum += 2 * e.jacobian[a] * e.jacobian[b] * Z[*slot++];
    sum += e.jacobian[a] * e.jacobian[a] * Z[*slot++];
  }
  return sum;
}

/// In large mechanisms by T = M + J^T w J, of whose inverse only entries on the pattern are needed: with
/// A' = w^1/2 J M^-1 J^T w^1/2, (1 + A')^-1 = 1 - w^1/2 J T^-1 J^T w^1/2, and with strong weights, first guessed, its
/// diagonal is that of A'^-1 but for m / kappa.
VecX felt_by_weights(const Structure& s, const Equations& e, const std::vector<int>& independent) {
  constexpr double kKappa = 1e6, kLeast = 1e-6;
  const int m = static_cast<int>(independent.size());
  VecX guess(m), T;
  for (int i = 0; i < m; ++i) {
    double length2 = 0, inertia = 0;
    for (int p = s.jacobian.start[independent[i]]; p < s.jacobian.start[independent[i] + 1]; ++p) {
      const double square = e.jacobian[p] * e.jacobian[p];
      length2 += square;
      inertia += square * e.mass[s.pattern.column_start[s.jacobian.column[p]]];
    }
    guess[i] = inertia / (length2 * length2);
  }
  guess = guess.cwiseMax(kLeast * guess.maxCoeff());
  VecX felt = guess;
  SparseSolver solver(s.pattern);
  for (int pass = 0; pass < 2; ++pass) {
    const VecX weight = kKappa * felt.cwiseMax(kLeast * guess);
    T = e.mass;
    for (int i = 0; i < m; ++i) add_outer(s.jacobian, e.jacobian, independent[i], weight[i], T);
    if (solver.factorize(T) >= 0) return VecX::Zero(m);
    const VecX Z = solver.inverse_on_pattern();
    for (int i = 0; i < m; ++i) felt[i] = weight[i] * (1 - weight[i] * along_row(s, e, independent[i], Z));
  }
  return felt;
}

VecX felt_masses(const Structure& s, const Equations& e, const std::vector<int>& independent) {
  constexpr int kLargestDense = 400;
  if (independent.empty()) return {};
  const bool small = s.coordinates + std::ssize(independent) <= kLargestDense;
  return small ? felt_exactly(s, e, independent) : felt_by_weights(s, e, independent);
}

}  // namespace

ConstraintAnalysis analyse_constraints(const Structure& s, const Equations& e) {
  ConstraintAnalysis result;
  const int m = s.constraints;
  result.effective_mass = VecX::Ones(m);
  if (m == 0) return result;
  const SparseRows rows = dimensionless(s, jacobian_rows(s, e.jacobian));
  const VecX rounding = row_rounding(s, rows.start);
  result.redundant = dependent_rows(rows, rounding);
  std::vector<int> independent;
  for (int k = 0; k < m; ++k) {
    if (!std::binary_search(result.redundant.begin(), result.redundant.end(), k)) independent.push_back(k);
  }
  const VecX inverse = felt_masses(s, e, independent);
  VecX felt = VecX::Zero(m);
  for (std::size_t i = 0; i < independent.size(); ++i) {
    if (std::isfinite(inverse[i])) felt[independent[i]] = std::max(inverse[i], 0.0);
  }
  double inertia = 0;
  for (int j = 0; j < s.coordinates; ++j) {
    inertia = std::max(inertia, s.scale[j] * e.mass[s.pattern.column_start[j]] * s.scale[j]);
  }
  result.effective_mass = even_masses(s, rows, rounding, result.redundant, felt, inertia);
  return result;
}

VecX even_masses(const Structure& s, const SparseRows& rows, const VecX& rounding, const std::vector<int>& redundant,
                 const VecX& mass, double inertia) {
  const int m = rows.rows();
  // Per unit length of the dimensionless row, so that rows can be compared. One that is zero but for rounding (a planar
  // loop never leaves its plane) constrains nothing and must not be scaled up: it counts as one of unit length, which
  // is what it may become elsewhere.
  VecX unit = VecX::Zero(m);
  std::vector<bool> is_zero(m);
  for (int k = 0; k < m; ++k) {
    for (int p = rows.start[k]; p < rows.start[k + 1]; ++p) unit[k] += rows.value[p] * rows.value[p];
    is_zero[k] = unit[k] <= rounding[k] * rounding[k];
    if (is_zero[k]) unit[k] = 1;
    unit[k] *= s.constraint_scale[k] * s.constraint_scale[k];
  }
  const VecX felt = mass.cwiseProduct(unit);
  const double most = felt.maxCoeff() > 0 ? felt.maxCoeff() : inertia;
  // The largest among the constraints that share a coordinate. A redundant constraint takes over that of those with
  // which it shares one here, since it may be the one that carries the load when the position changes; and none stays
  // far below those with which it shares one anywhere, nor at zero, as those that hold nothing but massless coordinates
  // would: a massless rod drawn along x feels the mass at its end in x alone, and in y a quarter of a turn later.
  VecX at_coordinate = VecX::Zero(s.coordinates);
  const auto shared_here = [&](int k, int p) { return is_zero[k] || std::abs(rows.value[p]) > rounding[k]; };
  const auto is_redundant = [&](int k) { return std::binary_search(redundant.begin(), redundant.end(), k); };
  for (int k = 0; k < m; ++k) {
    if (is_redundant(k)) continue;
    for (int p = rows.start[k]; p < rows.start[k + 1]; ++p) {
      double& largest = at_coordinate[rows.column[p]];
      if (shared_here(k, p)) largest = std::max(largest, felt[k]);
    }
  }
  VecX result(m);
  for (int k = 0; k < m; ++k) {
    double here = 0, anywhere = 0;
    for (int p = rows.start[k]; p < rows.start[k + 1]; ++p) {
      const double largest = at_coordinate[rows.column[p]];
      anywhere = std::max(anywhere, largest);
      if (shared_here(k, p)) here = std::max(here, largest);
    }
    const double least = std::max(kWeakestFelt * anywhere, kWeakestFelt * kWeakestFelt * most);
    result[k] = std::max(is_redundant(k) ? here : felt[k], least) / unit[k];
  }
  return result;
}

double penalty_strength(const Formulation& formulation, const VecX& v, double h, double smallest, double largest) {
  if (formulation.structure().constraints == 0) return smallest;
  const double way = h * formulation.fastest_rate(v);
  return std::clamp(10 / (way * way), smallest, largest);
}

}  // namespace cardan
