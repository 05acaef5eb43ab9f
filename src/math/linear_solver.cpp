#include "math/linear_solver.hpp"

#include <algorithm>
#include <stdexcept>

#include "math/dense_solver.hpp"
#include "math/sparse_solver.hpp"

namespace cardan {
namespace {

double dense_cost(const SymmetricPattern&) { return 1; }
double sparse_cost(const SymmetricPattern&, const SparseSymbolic&) { return 0; }

}  // namespace

int SymmetricPattern::slot(int i, int j) const {
  const auto [column, wanted] = std::minmax(i, j);
  const auto begin = row.begin() + column_start[column], end = row.begin() + column_start[column + 1];
  const auto found = std::lower_bound(begin, end, wanted);
  return found != end && *found == wanted ? static_cast<int>(found - row.begin()) : -1;
}

SymmetricPattern SymmetricPattern::from_cliques(int n, const std::vector<std::vector<int>>& cliques) {
  std::vector<std::vector<int>> columns(n);
  for (int j = 0; j < n; ++j) columns[j].push_back(j);
  for (const std::vector<int>& clique : cliques) {
    for (const int j : clique) {
      if (j < 0 || j >= n) throw std::invalid_argument("a coordinate of a clique is outside of the matrix");
      for (const int i : clique) {
        if (i > j) columns[j].push_back(i);
      }
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

void multiply_add(const SymmetricPattern& pattern, const VecX& values, const VecX& x, VecX& y) {
  for (int j = 0; j < pattern.n; ++j) {
    const int begin = pattern.column_start[j], end = pattern.column_start[j + 1];
    const double xj = x[j];
    double sum = values[begin] * xj;
    for (int k = begin + 1; k < end; ++k) {
      const int i = pattern.row[k];
      sum += values[k] * x[i];
      y[i] += values[k] * xj;
    }
    y[j] += sum;
  }
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& kind, const SymmetricPattern& pattern) {
  if (kind == "dense") return std::make_unique<DenseSolver>(pattern);
  if (kind == "sparse") return std::make_unique<SparseSolver>(pattern);
  if (kind != "automatic") {
    throw std::invalid_argument("no linear solver is called '" + kind + "'; there are 'dense', 'sparse' and 'automatic'");
  }
  SparseSymbolic symbolic(pattern);
  if (dense_cost(pattern) <= sparse_cost(pattern, symbolic)) return std::make_unique<DenseSolver>(pattern);
  return std::make_unique<SparseSolver>(pattern, std::move(symbolic));
}

}  // namespace cardan
