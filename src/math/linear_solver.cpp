#include "math/linear_solver.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "math/by_processor.hpp"
#include "math/dense_solver.hpp"
#include "math/panel_kernel.hpp"
#include "math/profile_solver.hpp"
#include "math/sparse_solver.hpp"

namespace cardan {
namespace {

// Predicted nanoseconds of one factorization and one solution, from operation counts. Coefficients: rounded from
// least-squares fits of the relative error to linear_solver_bench (chains of band 4 and 12, grids, block arrows; sparse
// n = 4 to 800, dense n = 4 to 200; 2.6 GHz EPYC shared with other work, GCC 12 -O3), which differed by up to a third
// from run to run. Not fitted: the 0.1 of multiplications and scatters (the fits gave 0 to 0.3, but larger patterns
// must pay for them) and the sparse constant, raised from 40 so that ties below n = 10 go to dense. Typical us, dense :
// sparse: band 4, n = 5 0.13 : 0.12, n = 16 0.61 : 0.50, n = 64 8.8 : 2.3, n = 800 15000 : 30; band 12, n = 16 0.62 :
// 0.77, n = 48 4.9 : 5.8, n = 64 9.0 : 6.9. On the last of the fitted runs it chose the slower one in 6 of 46 cases,
// all with n <= 12, by at most a fifth.
double dense_cost(const SymmetricPattern& pattern) {
  const double n = pattern.n;
  return 22 * n + 0.7 * n * n + 0.065 * n * n * n / 3;
}

double sparse_cost(const SparseSymbolic& symbolic) {
  const SparseSymbolic::Work work = symbolic.work();
  return 60 + 5.5 * symbolic.nonzeros() + 3.8 * work.updates + 0.1 * work.scatters + 0.1 * work.multiplications;
}

// What a sparse factorization costs at least: entries of the matrix stay entries of L, whatever the order, and each row
// that has some is reached by an update or more.
double least_sparse_cost(const SymmetricPattern& pattern) {
  const double below = pattern.nonzeros() - pattern.n;
  double reached = 0;
  for (int j = 0; j < pattern.n; ++j) reached += pattern.column_start[j + 1] - pattern.column_start[j] > 1;
  return 60 + 5.5 * below + 3.8 * reached;
}

// Large and with hardly a zero, as where any two of many bodies may touch, of which few do at once. Where it is full
// indeed, the profile is the whole and costs what the dense solver does.
bool may_be_full(const SymmetricPattern& pattern) {
  constexpr int kLarge = 200;
  return pattern.n >= kLarge && pattern.nonzeros() > 0.8 * (0.5 * pattern.n * (pattern.n + 1));
}

}  // namespace

int SymmetricPattern::slot(int i, int j) const {
  const auto [column, wanted] = std::minmax(i, j);
  const auto begin = row.begin() + column_start[column], end = row.begin() + column_start[column + 1];
  const auto found = std::lower_bound(begin, end, wanted);
  return found != end && *found == wanted ? static_cast<int>(found - row.begin()) : -1;
}

namespace {

/// Each rising; without those that lie within another: along a chain every body's joints are among those of the next
/// one, and only the last of n cliques says anything.
std::vector<std::vector<int>> maximal_cliques(int n, std::vector<std::vector<int>> cliques) {
  for (std::vector<int>& clique : cliques) {
    std::sort(clique.begin(), clique.end());
    clique.erase(std::unique(clique.begin(), clique.end()), clique.end());
    if (!clique.empty() && (clique.front() < 0 || clique.back() >= n)) {
      throw std::invalid_argument("a coordinate of a clique is outside of the matrix");
    }
  }
  std::stable_sort(cliques.begin(), cliques.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<std::vector<int>> kept_with(n);  // of every coordinate: the kept cliques that it is in
  std::size_t kept = 0;
  for (std::vector<int>& clique : cliques) {
    if (clique.empty()) break;
    const auto holds_it = [&](int other) {
      return std::includes(cliques[other].begin(), cliques[other].end(), clique.begin(), clique.end());
    };
    const std::vector<int>& candidates = kept_with[clique.back()];
    if (std::any_of(candidates.begin(), candidates.end(), holds_it)) continue;
    for (const int j : clique) kept_with[j].push_back(static_cast<int>(kept));
    std::swap(cliques[kept++], clique);
  }
  cliques.resize(kept);
  return cliques;
}

}  // namespace

SymmetricPattern SymmetricPattern::from_cliques(int n, const std::vector<std::vector<int>>& cliques) {
  std::vector<std::vector<int>> columns(n);
  for (int j = 0; j < n; ++j) columns[j].push_back(j);
  for (const std::vector<int>& clique : maximal_cliques(n, cliques)) {
    for (std::size_t k = 0; k < clique.size(); ++k) {
      std::vector<int>& column = columns[clique[k]];
      column.insert(column.end(), clique.begin() + static_cast<std::ptrdiff_t>(k) + 1, clique.end());
    }
  }
  SymmetricPattern pattern;
  pattern.n = n;
  pattern.column_start.push_back(0);
  for (auto& rows : columns) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    pattern.row.insert(pattern.row.end(), rows.begin(), rows.end());
    pattern.column_start.push_back(pattern.nonzeros());
  }
  return pattern;
}

SymmetricPattern SymmetricPattern::full(int n) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return from_cliques(n, {all});
}

CARDAN_BY_PROCESSOR void multiply_add(const SymmetricPattern& pattern, const VecX& values, const VecX& x, VecX& y) {
  const int *start = pattern.column_start.data(), *row = pattern.row.data();
  const double *A = values.data(), *in = x.data();
  double* const out = y.data();
  for (int j = 0, n = pattern.n; j < n; ++j) {
    const int begin = start[j], end = start[j + 1];
    const double xj = in[j];
    double sum = A[begin] * xj;
    for (int k = begin + 1; k < end; ++k) {
      const int i = row[k];
      sum += A[k] * in[i];
      out[i] += A[k] * xj;
    }
    out[j] += sum;
  }
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& kind, const SymmetricPattern& pattern) {
  if (kind == "dense") return std::make_unique<DenseSolver>(pattern);
  if (kind == "sparse") return std::make_unique<SparseSolver>(pattern);
  if (kind == "profile") return std::make_unique<ProfileSolver>(pattern);
  if (kind != "automatic") {
    throw std::invalid_argument("no linear solver is called '" + kind +
                                "'; there are 'dense', 'sparse', 'profile' and 'automatic'");
  }
  // One panel, without an order to be kept and rows to be found.
  if (pattern.n <= kWidestPanel) return std::make_unique<DenseSolver>(pattern);
  if (may_be_full(pattern)) return std::make_unique<ProfileSolver>(pattern);
  if (dense_cost(pattern) <= least_sparse_cost(pattern)) return std::make_unique<DenseSolver>(pattern);
  SparseSymbolic symbolic(pattern);
  if (dense_cost(pattern) <= sparse_cost(symbolic)) return std::make_unique<DenseSolver>(pattern);
  return std::make_unique<SparseSolver>(pattern, std::move(symbolic));
}

}  // namespace cardan
