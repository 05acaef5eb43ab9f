#include "math/sparse_symbolic.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <utility>

namespace cardan {
namespace {

// Approximate minimum degree: the coordinate that is to be eliminated k-th.
std::vector<int> minimum_degree_order(const SymmetricPattern& pattern) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < pattern.n; ++j) {
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      entries.emplace_back(pattern.row[k], j, 1.0);
      if (pattern.row[k] != j) entries.emplace_back(j, pattern.row[k], 1.0);
    }
  }
  Eigen::SparseMatrix<double> matrix(pattern.n, pattern.n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix, order);
  return {order.indices().data(), order.indices().data() + pattern.n};
}

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> inverse(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) inverse[order[k]] = static_cast<int>(k);
  return inverse;
}

// Rows of every column below the diagonal in the new order, sorted.
std::vector<std::vector<int>> permuted_columns(const SymmetricPattern& pattern, const std::vector<int>& order) {
  const std::vector<int> place = inverse_of(order);
  std::vector<std::vector<int>> columns(pattern.n);
  for (int j = 0; j < pattern.n; ++j) {
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) {
      const auto [left, right] = std::minmax(place[j], place[pattern.row[k]]);
      columns[left].push_back(right);
    }
  }
  for (auto& rows : columns) std::sort(rows.begin(), rows.end());
  return columns;
}

// A column of L has the rows of A and of all columns whose first row it is (its children in the elimination tree).
// Turns the columns of A into those of L and returns the tree: the first row of every column, or -1.
std::vector<int> fill_in(std::vector<std::vector<int>>& columns) {
  const int n = static_cast<int>(columns.size());
  std::vector<int> parent(n, -1), merged;
  for (int j = 0; j < n; ++j) {
    if (columns[j].empty()) continue;
    const int first = parent[j] = columns[j][0];
    merged.clear();
    std::set_union(columns[j].begin() + 1, columns[j].end(), columns[first].begin(), columns[first].end(),
                   std::back_inserter(merged));
    columns[first] = merged;
  }
  return parent;
}

// Children before parents and every subtree contiguous, which brings columns with equal rows side by side.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(n + 1, -1), next_sibling(n, -1), order, stack;
  for (int j = n - 1; j >= 0; --j) {
    int& first = first_child[parent[j] < 0 ? n : parent[j]];
    next_sibling[j] = std::exchange(first, j);
  }
  for (int root = first_child[n]; root >= 0; root = next_sibling[root]) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back(), child = first_child[node];
      if (child >= 0) {
        first_child[node] = next_sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}

}  // namespace

SparseSymbolic::SparseSymbolic(const SymmetricPattern& pattern) : n(pattern.n) {
  if (n == 0) {
    column_start = group_start = {0};
    return;
  }
  const std::vector<int> order = minimum_degree_order(pattern);
  std::vector<std::vector<int>> columns = permuted_columns(pattern, order);
  for (const int k : postorder(fill_in(columns))) original.push_back(order[k]);
  columns = permuted_columns(pattern, original);
  const std::vector<int> parent = fill_in(columns);

  column_start.push_back(0);
  for (int j = 0; j < n; ++j) {
    column_start.push_back(column_start[j] + static_cast<int>(columns[j].size()));
    const bool continues = j > 0 && parent[j - 1] == j && columns[j - 1].size() == columns[j].size() + 1;
    if (continues) {
      row_start.push_back(row_start[j - 1] + 1);
    } else {
      group_start.push_back(j);
      row_start.push_back(static_cast<int>(row.size()));
      row.insert(row.end(), columns[j].begin(), columns[j].end());
    }
  }
  group_start.push_back(n);
}

SparseSymbolic::Work SparseSymbolic::work() const {
  Work total;
  const auto add = [&](int columns, int rows) {
    total.multiplications += static_cast<double>(columns) * rows;
    total.scatters += rows;
    total.updates += 1;
  };
  for (std::size_t g = 0; g + 1 < group_start.size(); ++g) {
    const int first = group_start[g], last = group_start[g + 1] - 1;
    for (int column = first + 1; column <= last; ++column) add(column - first, rows_in(column) + 1);
    for (int rows = rows_in(last); rows > 0; --rows) add(last - first + 1, rows);
  }
  return total;
}

}  // namespace cardan
