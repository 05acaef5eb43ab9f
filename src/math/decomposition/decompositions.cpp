#include "math/decomposition/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
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

}  // namespace cardan
