#include "math/decomposition/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <Eigen/SparseLU>
#include <algorithm>

namespace cardan {

Eigen::MatrixXd solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(B);
}

VecX shortest_solution(const Eigen::MatrixXd& A, const VecX& b, double tolerance) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  if (tolerance > 0) decomposition.setThreshold(tolerance);
  decomposition.compute(A);
  return decomposition.solve(b);
}

Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& A) { return Eigen::LLT<Eigen::MatrixXd>(A).matrixL(); }

std::vector<int> pivoted_columns(const Eigen::MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {order.data(), order.data() + order.size()};
}

Eigen::MatrixXd completed_basis(const Eigen::MatrixXd& A) {
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(A.rows(), A.rows());
  if (A.cols() > 0) basis.applyOnTheLeft(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(A).householderQ());
  return basis;
}

SymmetricEigenvalues symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SingularValues singular_values(const Eigen::MatrixXd& A) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigenvalues eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VecX inverse_diagonal(int size, const std::vector<MatrixEntry>& entries, int first) {
  constexpr int kLargestDense = 400;
  VecX result(size - first);
  if (size <= kLargestDense) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (const MatrixEntry& e : entries) A(e.row, e.column) += e.value;
    const Eigen::MatrixXd inverse = solve_square(A, Eigen::MatrixXd::Identity(size, size));
    return inverse.diagonal().tail(size - first);
  }
  std::vector<Eigen::Triplet<double>> triplets;
  for (const MatrixEntry& e : entries) triplets.emplace_back(e.row, e.column, e.value);
  Eigen::SparseMatrix<double> A(size, size);
  A.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(A);
  // Many at a time: the factors are then gone through once for all of them.
  constexpr int kTogether = 64;
  for (int from = first; from < size; from += kTogether) {
    const int count = std::min(kTogether, size - from);
    Eigen::MatrixXd units = Eigen::MatrixXd::Zero(size, count);
    units.block(from, 0, count, count).setIdentity();
    const Eigen::MatrixXd columns = factors.solve(units);
    result.segment(from - first, count) = columns.block(from, 0, count, count).diagonal();
  }
  return result;
}

}  // namespace cardan
