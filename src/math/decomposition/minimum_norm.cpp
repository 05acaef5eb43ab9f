// minimum_norm_solution of rank.hpp: an orthogonal decomposition where that is affordable, iterated regularization
// beyond.
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <limits>
#include <stdexcept>

#include "math/decomposition/decompositions.hpp"
#include "math/rank.hpp"

namespace cardan {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr int kLargestDenseNorm = 300;  // rows and columns

// y += B^T (B B^T + epsilon)^{-1} (rhs - B y): every pass shortens the error along a singular value s of B by
// epsilon / (s^2 + epsilon), and B^T removes what the inconsistent part of rhs piles up.
VecX by_iterated_regularization(const Sparse& B, const VecX& rhs) {
  constexpr double relative_epsilon = 1e-10;
  constexpr int most_passes = 12;
  constexpr double rounding = 1e-15;
  Eigen::SparseMatrix<double> normal = B * Sparse(B.transpose());
  const double largest = normal.diagonal().size() > 0 ? normal.diagonal().maxCoeff() : 0.0;
  VecX y = VecX::Zero(B.cols());
  if (!(largest > 0)) return y;
  Eigen::SparseMatrix<double> identity(B.rows(), B.rows());
  identity.setIdentity();
  normal += relative_epsilon * largest * identity;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factorization(normal);
  // B^T (rhs - B y) vanishes at the least-squares solution; stop when it does not shrink any more.
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    const VecX violation = rhs - B * y;
    const double gradient = (B.transpose() * violation).norm();
    if (gradient <= rounding * std::sqrt(largest) * rhs.norm() || gradient > 0.5 * best) break;
    best = gradient;
    y += B.transpose() * factorization.solve(violation);
  }
  return y;
}

// Factors that bring all rows to the same length, so that units do not decide what counts as redundant. A row that has
// all but vanished stays small: stretched, its rounding would ask for large motions.
VecX equal_lengths(const SparseRows& J, const VecX& column_scale) {
  constexpr double smallest_relative_length = 1e-8;
  VecX length = VecX::Zero(J.rows());
  for (int i = 0; i < J.rows(); ++i) {
    for (int k = J.start[i]; k < J.start[i + 1]; ++k)
      length[i] = std::hypot(length[i], J.value[k] * column_scale[J.column[k]]);
  }
  const double longest = length.size() > 0 ? length.maxCoeff() : 0.0;
  if (longest == 0) return VecX::Ones(J.rows());
  return length.cwiseMax(smallest_relative_length * longest).cwiseInverse();
}

}  // namespace

VecX minimum_norm_solution(const SparseRows& J, const VecX& weight, const VecX& rhs, double* residual,
                           double tolerance) {
  if (weight.size() != J.columns || rhs.size() != J.rows()) {
    throw std::invalid_argument("the sizes of matrix, weights and right-hand side do not fit");
  }
  if (!(weight.array() > 0).all()) throw std::invalid_argument("the weights of a minimum norm must be positive");
  // With y = sqrt(weight) x it is the plain norm of y that is to be smallest.
  const VecX scale = weight.cwiseSqrt().cwiseInverse();
  const VecX row_scale = equal_lengths(J, scale);
  const VecX scaled_rhs = row_scale.cwiseProduct(rhs);
  const auto visit = [&](const auto& put) {
    for (int i = 0; i < J.rows(); ++i)
      for (int k = J.start[i]; k < J.start[i + 1]; ++k)
        put(i, J.column[k], row_scale[i] * J.value[k] * scale[J.column[k]]);
  };
  VecX y = VecX::Zero(J.columns), reached = VecX::Zero(J.rows());
  if (J.rows() > 0 && J.columns > 0 && std::max(J.rows(), J.columns) <= kLargestDenseNorm) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(J.rows(), J.columns);
    visit([&](int row, int column, double value) { B(row, column) += value; });
    y = shortest_solution(B, scaled_rhs, tolerance);
    reached = B * y;
  } else if (J.rows() > 0 && J.columns > 0) {
    std::vector<Eigen::Triplet<double>> entries;
    visit([&](int row, int column, double value) { entries.emplace_back(row, column, value); });
    Sparse B(J.rows(), J.columns);
    B.setFromTriplets(entries.begin(), entries.end());
    y = by_iterated_regularization(B, scaled_rhs);
    reached = B * y;
  }
  if (residual) *residual = (reached - scaled_rhs).cwiseQuotient(row_scale).norm();
  return scale.cwiseProduct(y);
}

}  // namespace cardan
