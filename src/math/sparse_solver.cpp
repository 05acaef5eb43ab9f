#include "math/sparse_solver.hpp"

#include <algorithm>
#include <utility>

#include "math/pivot.hpp"

namespace cardan {

SparseSolver::SparseSolver(const SymmetricPattern& pattern, SparseSymbolic symbolic)
    : symbolic_(std::move(symbolic)),
      lower_(symbolic_.nonzeros(), 0.0),
      diagonal_(symbolic_.n, 0.0),
      inverse_(symbolic_.n, 0.0),
      accumulated_(symbolic_.n, 0.0),
      permuted_(symbolic_.n, 0.0),
      side_(symbolic_.n, Side::alone) {
  list_entries(pattern);
  list_updates();
  for (std::size_t g = 0; g + 1 < symbolic_.group_start.size(); ++g) {
    for (int j = symbolic_.group_start[g]; j + 1 < symbolic_.group_start[g + 1]; j += 2)
      side_[j] = Side::left, side_[j + 1] = Side::right;
  }
}

void SparseSolver::list_entries(const SymmetricPattern& pattern) {
  const int n = symbolic_.n;
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[symbolic_.original[k]] = k;
  std::vector<std::vector<Entry>> columns(n);
  for (int j = 0; j < n; ++j) columns[place[j]].push_back({pattern.column_start[j], place[j]});
  for (int j = 0; j < n; ++j) {
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) {
      const auto [left, right] = std::minmax(place[j], place[pattern.row[k]]);
      columns[left].push_back({k, right});
    }
  }
  entry_start_.push_back(0);
  for (const auto& column : columns) {
    entries_.insert(entries_.end(), column.begin(), column.end());
    entry_start_.push_back(static_cast<int>(entries_.size()));
  }
}

void SparseSolver::list_updates() {
  std::vector<std::vector<Update>> columns(symbolic_.n);
  for (std::size_t g = 0; g + 1 < symbolic_.group_start.size(); ++g) {
    const int first = symbolic_.group_start[g], last = symbolic_.group_start[g + 1] - 1;
    const int rows_end = symbolic_.row_start[first] + symbolic_.rows_in(first);
    for (int column = first + 1; column <= last; ++column) {
      const int rows = symbolic_.rows_in(column) + 1;
      columns[column].push_back({first, column - first, rows, rows_end - rows});
    }
    for (int rows = symbolic_.rows_in(last); rows > 0; --rows) {
      columns[symbolic_.row[rows_end - rows]].push_back({first, last - first + 1, rows, rows_end - rows});
    }
  }
  update_start_.push_back(0);
  for (const auto& column : columns) {
    updates_.insert(updates_.end(), column.begin(), column.end());
    update_start_.push_back(static_cast<int>(updates_.size()));
  }
}

void SparseSolver::subtract(const Update& update) {
  const int* __restrict row = symbolic_.row.data() + update.row_start;
  const int* column_end = symbolic_.column_start.data() + 1;
  double* __restrict target = accumulated_.data();
  const int end = update.first_column + update.columns;
  const auto entries = [&](int column) { return lower_.data() + column_end[column] - update.rows; };
  int k = update.first_column;
  for (; k + 4 <= end; k += 4) {
    const double *a = entries(k), *b = entries(k + 1), *c = entries(k + 2), *d = entries(k + 3);
    const double wa = a[0] * diagonal_[k], wb = b[0] * diagonal_[k + 1];
    const double wc = c[0] * diagonal_[k + 2], wd = d[0] * diagonal_[k + 3];
    for (int i = 0; i < update.rows; ++i) target[row[i]] -= (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
  }
  if (k + 2 <= end) {
    const double *a = entries(k), *b = entries(k + 1);
    const double wa = a[0] * diagonal_[k], wb = b[0] * diagonal_[k + 1];
    for (int i = 0; i < update.rows; ++i) target[row[i]] -= wa * a[i] + wb * b[i];
    k += 2;
  }
  if (k < end) {
    const double* a = entries(k);
    const double wa = a[0] * diagonal_[k];
    for (int i = 0; i < update.rows; ++i) target[row[i]] -= wa * a[i];
  }
}

int SparseSolver::factorize(const VecX& values) {
  std::fill(accumulated_.begin(), accumulated_.end(), 0.0);  // a factorization that failed leaves its column here
  for (int j = 0; j < symbolic_.n; ++j) {
    for (int k = entry_start_[j]; k < entry_start_[j + 1]; ++k)
      accumulated_[entries_[k].row] = values[entries_[k].value];
    const double before = accumulated_[j];
    for (int u = update_start_[j]; u < update_start_[j + 1]; ++u) subtract(updates_[u]);
    const double pivot = std::exchange(accumulated_[j], 0.0);
    if (pivot_vanishes(pivot, before)) return symbolic_.original[j];
    diagonal_[j] = pivot;
    inverse_[j] = 1 / pivot;
    const int* row = symbolic_.row.data() + symbolic_.row_start[j];
    double* column = lower_.data() + symbolic_.column_start[j];
    for (int i = 0, count = symbolic_.rows_in(j); i < count; ++i) {
      column[i] = accumulated_[row[i]] * inverse_[j];
      accumulated_[row[i]] = 0;
    }
  }
  return -1;
}

/// Two columns of a group at a time, which have their rows in common: each row is loaded once for both.
void SparseSolver::solve(VecX& x) const {
  const int n = symbolic_.n;
  double* __restrict y = permuted_.data();
  for (int j = 0; j < n; ++j) y[j] = x[symbolic_.original[j]];
  int j = 0;  // one force acts on few coordinates
  while (j < n && y[j] == 0) ++j;
  while (j < n) {
    const int last = side_[j] == Side::left ? j + 1 : j;
    const int* __restrict row = symbolic_.row.data() + symbolic_.row_start[last];
    const double* b = lower_.data() + symbolic_.column_start[last];
    const int count = symbolic_.rows_in(last);
    if (last == j) {
      const double yj = y[j];
      for (int i = 0; i < count; ++i) y[row[i]] -= b[i] * yj;
    } else {
      const double* a = lower_.data() + symbolic_.column_start[j];
      const double ya = y[j], yb = y[last] -= *a++ * ya;
      for (int i = 0; i < count; ++i) y[row[i]] -= a[i] * ya + b[i] * yb;
    }
    j = last + 1;
  }
  for (j = n - 1; j >= 0; --j) {
    const int* __restrict row = symbolic_.row.data() + symbolic_.row_start[j];
    const double* b = lower_.data() + symbolic_.column_start[j];
    const int count = symbolic_.rows_in(j);
    double yb = y[j] * inverse_[j];
    if (side_[j] != Side::right) {
      for (int i = 0; i < count; ++i) yb -= b[i] * y[row[i]];
      y[j] = yb;
      continue;
    }
    const double* a = lower_.data() + symbolic_.column_start[j - 1] + 1;
    double ya = y[j - 1] * inverse_[j - 1];
    for (int i = 0; i < count; ++i) {
      const double yi = y[row[i]];
      ya -= a[i] * yi;
      yb -= b[i] * yi;
    }
    y[j] = yb;
    y[--j] = ya - a[-1] * yb;
  }
  for (j = 0; j < n; ++j) x[symbolic_.original[j]] = y[j];
}

/// Takahashi, Fagan and Chen 1973: with A = L D L^T, Z = A^-1 = D^-1 L^-1 - (L^T - 1) Z, of which the lower triangle
/// is, from the last column to the first, with k over the rows of column j of L,
///     Z_ij = -sum of Z_ik L_kj  (i > j),   Z_jj = 1/D_j - sum of Z_jk L_kj
/// Rows i and k of one column are coupled in L, so that Z_ik is among the entries that have been found.
VecX SparseSolver::inverse_on_pattern() const {
  const SparseSymbolic& s = symbolic_;
  std::vector<double> below(lower_.size(), 0.0), diagonal(inverse_);
  for (int j = s.n - 1; j >= 0; --j) {
    const int count = s.rows_in(j);
    const int* const row = s.row.data() + s.row_start[j];
    const double* const l = lower_.data() + s.column_start[j];
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
  VecX result(static_cast<Eigen::Index>(entries_.size()));
  for (int j = 0; j < s.n; ++j) {
    const auto first = s.row.begin() + s.row_start[j];
    for (int e = entry_start_[j]; e < entry_start_[j + 1]; ++e) {
      const auto found = std::lower_bound(first, first + s.rows_in(j), entries_[e].row);
      result[entries_[e].value] = entries_[e].row == j ? diagonal[j] : below[s.column_start[j] + (found - first)];
    }
  }
  return result;
}

}  // namespace cardan
