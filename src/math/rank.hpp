// Which constraint rows say nothing new, and the smallest correction that satisfies them all: setup work, allocation
// allowed. Redundant rows are expected, not an error.
#pragma once

#include "cardan/math.hpp"
#include "math/sparse_rows.hpp"

namespace cardan {

/// Rows that depend linearly on the earlier ones, rising. Rows are scaled to unit length first; a row is dependent when
/// what is left of it beside the earlier rows is not longer than `tolerance`. Throws std::invalid_argument on values
/// that are not finite.
std::vector<int> dependent_rows(const SparseRows& J, double tolerance = 1e-9);
/// The same for rows that carry errors, `rounding` saying how long that of each row may be. A row no longer than its
/// error says nothing. With y the coefficients by which the earlier rows come closest to row k, what is left of it is
/// wrong by rounding_k + sum |y_j| rounding_j, and counts only beyond that.
std::vector<int> dependent_rows(const SparseRows& J, const VecX& rounding, double tolerance = 1e-9);

/// The x that minimizes x^T diag(weight) x among those that satisfy J x = rhs, or come closest in the least-squares
/// sense with rows scaled to equal length. `weight` (one per column) must be positive. `residual`, when given, receives
/// |J x - rhs|, not scaled: beyond rounding, the rows contradict each other. What is left of a row below `tolerance`
/// of its length counts as nothing.
VecX minimum_norm_solution(const SparseRows& J, const VecX& weight, const VecX& rhs, double* residual = nullptr,
                           double tolerance = 1e-11);

}  // namespace cardan
