#include "math/sparse_solver.hpp"

#include <algorithm>
#include <utility>

#include "math/by_processor.hpp"
#include "math/panel_kernel.hpp"

namespace cardan {

SparseSolver::SparseSolver(const SymmetricPattern& pattern, SparseSymbolic symbolic)
    : symbolic_(std::move(symbolic)),
      diagonal_(symbolic_.n, 0.0),
      inverse_(symbolic_.n, 0.0),
      permuted_(symbolic_.n, 0.0) {
  list_panels();
  list_entries(pattern);
  list_runs();
}

/// Groups of columns, in pieces where they are wide: the columns of a group are rows of those before them.
void SparseSolver::list_panels() {
  int size = 0;
  for (std::size_t g = 0; g + 1 < symbolic_.group_start.size(); ++g) {
    const int end = symbolic_.group_start[g + 1];
    for (int first = symbolic_.group_start[g], count = 0; first < end; first += count) {
      count = std::min(end - first, kWidestPanel);
      const int below = symbolic_.rows_in(first + count - 1), rows = symbolic_.row_start[first] + count - 1;
      const int* const row = symbolic_.row.data() + rows;
      panels_.push_back({first, count, below, rows, below > 0 && row[below - 1] - row[0] == below - 1, size});
      size += count * (count + below);
    }
  }
  values_.assign(static_cast<std::size_t>(size), 0.0);
}

/// Where entry (row, column), row >= column, of L stands in the panels.
int SparseSolver::place_of(int row, int column) const {
  const auto after = [](int c, const Panel& panel) { return c < panel.first; };
  const Panel& panel = *(std::upper_bound(panels_.begin(), panels_.end(), column, after) - 1);
  const int start = panel.values + (column - panel.first) * panel.height();
  if (row < panel.first + panel.count) return start + row - panel.first;
  const auto rows = symbolic_.row.begin() + panel.rows;
  return start + panel.count + static_cast<int>(std::lower_bound(rows, rows + panel.below, row) - rows);
}

void SparseSolver::list_entries(const SymmetricPattern& pattern) {
  const int n = symbolic_.n;
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[symbolic_.original[k]] = k;
  for (int j = 0; j < n; ++j) {
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const auto [left, right] = std::minmax(place[j], place[pattern.row[k]]);
      entry_.push_back(place_of(right, left));
    }
  }
}

/// What a panel takes from later columns goes there in pieces of rows that stand one after the other in both: rows that
/// follow each other do in any panel.
void SparseSolver::list_runs() {
  for (Panel& panel : panels_) {
    panel.runs_begin = static_cast<int>(runs_.size());
    const int* const rows = symbolic_.row.data() + panel.rows;
    for (int column = 0; column < panel.below; ++column) {
      for (int row = column; row < panel.below;) {
        const int target = place_of(rows[row], rows[column]);
        int end = row + 1;
        while (end < panel.below &&
               (rows[end] == rows[end - 1] + 1 || place_of(rows[end], rows[column]) == target + end - row))
          ++end;
        runs_.push_back({target, panel.count + column, panel.count + row, end - row});
        row = end;
      }
    }
    panel.runs_end = static_cast<int>(runs_.size());
  }
}

int SparseSolver::factorize(const VecX& values) { return factorize_values(values.data()); }

CARDAN_BY_PROCESSOR int SparseSolver::factorize_values(const double* given) {
  std::fill(values_.begin(), values_.end(), 0.0);
  double* const value = values_.data();
  const int* const entry = entry_.data();
  for (std::size_t k = 0, count = entry_.size(); k < count; ++k) value[entry[k]] = given[k];
  for (const Panel& panel : panels_) {
    const int made = with_panel_kernel(
        panel.count, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          double* const top = values_.data() + panel.values;
          double* const diagonal = diagonal_.data() + panel.first;
          const int regular = Kernel::factorize(top, panel.height(), diagonal, inverse_.data() + panel.first);
          for (int r = panel.runs_begin; r < panel.runs_end; ++r) {
            const Run& run = runs_[r];
            Kernel::subtract(top, panel.height(), diagonal, run.column, run.row, run.length,
                             values_.data() + run.target);
          }
          return regular;
        });
    if (made < panel.count) return symbolic_.original[panel.first + made];
  }
  return -1;
}

void SparseSolver::solve(VecX& x) const { solve_panels(x.data()); }

CARDAN_BY_PROCESSOR void SparseSolver::solve_panels(double* x) const {
  const int n = symbolic_.n;
  double* const y = permuted_.data();
  for (int j = 0; j < n; ++j) y[j] = x[symbolic_.original[j]];
  for (const Panel& panel : panels_) {
    with_panel_kernel(
        panel.count, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          Kernel::forward(values_.data() + panel.values, panel.height(), inverse_.data() + panel.first, y + panel.first,
                          symbolic_.row.data() + panel.rows, y, panel.in_one_piece);
        });
  }
  for (auto panel = panels_.rbegin(); panel != panels_.rend(); ++panel) {
    with_panel_kernel(
        panel->count, [&]<class Kernel>(Kernel) __attribute__((always_inline)) {
          Kernel::backward(values_.data() + panel->values, panel->height(), y + panel->first,
                           symbolic_.row.data() + panel->rows, y, panel->in_one_piece);
        });
  }
  for (int j = 0; j < n; ++j) x[symbolic_.original[j]] = y[j];
}

/// L by columns, without its unit diagonal.
std::vector<double> SparseSolver::lower() const {
  std::vector<double> result;
  for (const Panel& panel : panels_) {
    for (int j = 0; j < panel.count; ++j) {
      const auto column = values_.begin() + panel.values + j * panel.height();
      result.insert(result.end(), column + j + 1, column + panel.height());
    }
  }
  return result;
}

/// Takahashi, Fagan and Chen 1973: with A = L D L^T, Z = A^-1 = D^-1 L^-1 - (L^T - 1) Z, of which the lower triangle
/// is, from the last column to the first, with k over the rows of column j of L,
///     Z_ij = -sum of Z_ik L_kj  (i > j),   Z_jj = 1/D_j - sum of Z_jk L_kj
/// Rows i and k of one column are coupled in L, so that Z_ik is among the entries that have been found.
VecX SparseSolver::inverse_on_pattern() const {
  const SparseSymbolic& s = symbolic_;
  const std::vector<double> lower = this->lower();
  std::vector<double> below(lower.size(), 0.0), diagonal(inverse_);
  for (int j = s.n - 1; j >= 0; --j) {
    const int count = s.rows_in(j);
    const int* const row = s.row.data() + s.row_start[j];
    const double* const l = lower.data() + s.column_start[j];
    double* const z = below.data() + s.column_start[j];
    for (int k = 0; k < count; ++k) {
      z[k] -= diagonal[row[k]] * l[k];
      const int* other = s.row.data() + s.row_start[row[k]];
      const double* entry = below.data() + s.column_start[row[k]];
      for (int i = k + 1; i < count; ++i) {
        while (*other < row[i]) ++other, ++entry;
        z[i] -= *entry * l[k];
        z[k] -= *entry * l[i];
      }
    }
    for (int k = 0; k < count; ++k) diagonal[j] -= z[k] * l[k];
  }
  std::vector<double> inverse(values_.size());
  for (const Panel& panel : panels_) {
    for (int k = 0; k < panel.count; ++k) {
      const int c = panel.first + k;
      const auto column = inverse.begin() + panel.values + k * panel.height();
      column[k] = diagonal[c];
      std::copy_n(below.begin() + s.column_start[c], s.rows_in(c), column + k + 1);
    }
  }
  VecX result(static_cast<Eigen::Index>(entry_.size()));
  for (std::size_t k = 0; k < entry_.size(); ++k) result[static_cast<Eigen::Index>(k)] = inverse[entry_[k]];
  return result;
}

}  // namespace cardan
