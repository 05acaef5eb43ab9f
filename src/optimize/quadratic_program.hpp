// A small quadratic program with inequalities:
//     min 1/2 d^T B d + g^T d   with   A d >= b
// B positive definite, by its Cholesky factor B = L L^T and y = L^T d + L^-1 g as the least distance
//     min |y|   with   G y >= h,   G = A L^-T,   h = b + G L^-1 g
// which is a least squares problem with signs: of u >= 0 that brings [G^T; h^T] u closest to [0; 1] the remainder r
// gives y = -r_head / r_last (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
#pragma once

#include <optional>

#include "cardan/math.hpp"

namespace cardan {

struct QuadraticSolution {
  VecX d;           // n
  VecX multiplier;  // one for each inequality, 0 or more
};

/// Nothing when no d satisfies the inequalities.
std::optional<QuadraticSolution> solve_quadratic_program(const Eigen::MatrixXd& B, const VecX& g,
                                                         const Eigen::MatrixXd& A, const VecX& b);

/// Within the bounds, and on them where a part of 1e-10 of the scale is left.
VecX within_bounds(const VecX& x, const VecX& lower, const VecX& upper, const VecX& scale);

/// u >= 0 with the smallest |E u - f| (Lawson and Hanson's NNLS).
VecX nonnegative_least_squares(const Eigen::MatrixXd& E, const VecX& f);

}  // namespace cardan
