#include "math/profile_solver.hpp"

#include <algorithm>

#include "math/contiguous_dot.hpp"
#include "math/pivot.hpp"

namespace cardan {
ProfileSolver::ProfileSolver(const SymmetricPattern& pattern)
    : n_(pattern.n),
      value_row_(pattern.row),
      neighbour_start_(static_cast<std::size_t>(n_) + 1, 0),
      neighbour_(2 * pattern.row.size(), 0),
      cursor_(n_, 0),
      place_(n_, -1),
      level_(n_, -1),
      first_(n_, 0),
      factor_(static_cast<std::size_t>(n_) * n_, 0.0),
      diagonal_(n_, 0.0),
      permuted_(n_, 0.0) {
  for (int j = 0; j < n_; ++j)
    value_column_.insert(value_column_.end(), pattern.column_start[j + 1] - pattern.column_start[j], j);
  sequence_.reserve(n_);
}

/// Of every coordinate those that it is coupled with just now, rising.
void ProfileSolver::find_neighbours(const VecX& values) {
  const auto each_coupling = [&](const auto& see) {
    for (std::size_t k = 0; k < value_row_.size(); ++k)
      if (value_row_[k] != value_column_[k] && values[static_cast<Eigen::Index>(k)] != 0)
        see(value_row_[k], value_column_[k]);
  };
  std::fill(neighbour_start_.begin(), neighbour_start_.end(), 0);
  each_coupling([&](int a, int b) { ++neighbour_start_[a + 1], ++neighbour_start_[b + 1]; });
  for (int i = 0; i < n_; ++i) neighbour_start_[i + 1] += neighbour_start_[i];
  std::copy_n(neighbour_start_.begin(), n_, cursor_.begin());
  each_coupling([&](int a, int b) { neighbour_[cursor_[a]++] = b, neighbour_[cursor_[b]++] = a; });
}

/// Numbers what hangs together with `start`, level by level, the least coupled first.
void ProfileSolver::number_from(int start) {
  const auto fewer = [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; };
  std::size_t next = sequence_.size();
  level_[start] = 0;
  sequence_.push_back(start);
  for (; next < sequence_.size(); ++next) {
    const int here = sequence_[next];
    const auto added = static_cast<std::ptrdiff_t>(sequence_.size());
    for (int k = neighbour_start_[here]; k < neighbour_start_[here + 1]; ++k) {
      const int other = neighbour_[k];
      if (level_[other] >= 0) continue;
      level_[other] = level_[here] + 1;
      sequence_.push_back(other);
    }
    std::sort(sequence_.begin() + added, sequence_.end(), fewer);
  }
}

/// One that is about as far from the others as any: the last and least coupled of those farthest from `start`, twice.
int ProfileSolver::far_end(int start) {
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t before = sequence_.size();
    number_from(start);
    const int farthest = level_[sequence_.back()];
    start = sequence_.back();
    for (std::size_t k = before; k < sequence_.size(); ++k) {
      const int one = sequence_[k];
      if (level_[one] == farthest && degree(one) < degree(start)) start = one;
      level_[one] = -1;
    }
    sequence_.resize(before);
  }
  return start;
}

void ProfileSolver::order() {
  sequence_.clear();
  std::fill(level_.begin(), level_.end(), -1);
  for (int i = 0; i < n_; ++i)
    if (level_[i] < 0) number_from(far_end(i));
  std::reverse(sequence_.begin(), sequence_.end());
  for (int k = 0; k < n_; ++k) place_[sequence_[k]] = k;
  for (int k = 0; k < n_; ++k) {
    const int i = sequence_[k];
    first_[k] = k;
    for (int e = neighbour_start_[i]; e < neighbour_start_[i + 1]; ++e)
      first_[k] = std::min(first_[k], place_[neighbour_[e]]);
  }
}

void ProfileSolver::fill(const VecX& values) {
  for (int k = 0; k < n_; ++k) std::fill(row(k) + first_[k], row(k) + k + 1, 0.0);
  for (std::size_t k = 0; k < value_row_.size(); ++k) {
    const double value = values[static_cast<Eigen::Index>(k)];
    if (value == 0) continue;
    const auto [left, below] = std::minmax(place_[value_row_[k]], place_[value_column_[k]]);
    row(below)[left] = value;
  }
}

/// By rows: g_ij = a_ij - sum_k g_ik L_jk, L_ij = g_ij / D_j, D_i = a_ii - sum_j g_ij L_ij.
int ProfileSolver::factorize(const VecX& values) {
  find_neighbours(values);
  order();
  fill(values);
  for (int i = 0; i < n_; ++i) {
    double* g = row(i);
    for (int j = first_[i] + 1; j < i; ++j) {
      const int from = std::max(first_[i], first_[j]);
      if (from < j) g[j] -= contiguous_dot(g + from, row(j) + from, j - from);
    }
    const double before = g[i];
    double pivot = before;
    for (int j = first_[i]; j < i; ++j) {
      const double l = g[j] / diagonal_[j];
      pivot -= g[j] * l;
      g[j] = l;
    }
    if (pivot_vanishes(pivot, before)) return sequence_[i];
    diagonal_[i] = pivot;
  }
  return -1;
}

void ProfileSolver::solve(VecX& x) const {
  double* y = permuted_.data();
  for (int i = 0; i < n_; ++i) y[i] = x[sequence_[i]];
  for (int i = 0; i < n_; ++i) y[i] -= contiguous_dot(row(i) + first_[i], y + first_[i], i - first_[i]);
  for (int i = 0; i < n_; ++i) y[i] /= diagonal_[i];
  for (int i = n_ - 1; i >= 0; --i) {
    const double* l = row(i);
    for (int j = first_[i]; j < i; ++j) y[j] -= l[j] * y[i];
  }
  for (int i = 0; i < n_; ++i) x[sequence_[i]] = y[i];
}

long ProfileSolver::size() const {
  long sum = 0;
  for (int i = 0; i < n_; ++i) sum += i - first_[i] + 1;
  return sum;
}

}  // namespace cardan
