// Decompositions for what runs once: analyses and setup, allocation allowed. Functions of plain matrices, because each
// of Eigen's classes takes seconds to compile wherever it is used; those of stepping loops are there.
#pragma once

#include <vector>

#include "cardan/math.hpp"

namespace cardan {

/// A^-1 B of a square A, with row exchanges.
Eigen::MatrixXd solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The shortest x among those that bring A x closest to b. Of A's columns in turn, what is left beside those before it
/// counts as nothing below `tolerance`, relative to the first; 0 takes what rounding leaves.
VecX shortest_solution(const Eigen::MatrixXd& A, const VecX& b, double tolerance = 0);
/// L of A = L L^T, lower triangular; A symmetric and positive definite.
Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& A);
/// The columns of A, each time the one of which most is left beside those before it.
std::vector<int> pivoted_columns(const Eigen::MatrixXd& A);
/// Orthonormal columns of which the first span those of A, which are independent.
Eigen::MatrixXd completed_basis(const Eigen::MatrixXd& A);

struct SymmetricEigenvalues {
  VecX values;              // rising
  Eigen::MatrixXd vectors;  // orthonormal columns
};
SymmetricEigenvalues symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SingularValues {
  VecX values;            // falling
  Eigen::MatrixXd right;  // V of A = U S V^T, square
};
SingularValues singular_values(const Eigen::MatrixXd& A);

struct Eigenvalues {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // columns
};
Eigenvalues eigenvalues(const Eigen::MatrixXd& A);

}  // namespace cardan
