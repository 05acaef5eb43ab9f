#include "math/pivot_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace cardan {
namespace {

constexpr int kLooks = 4;  // rows and columns with the fewest entries that a pivot is looked for in

/// What is left of the matrix.
class Remainder {
 public:
  Remainder(const SparseRows& matrix, const PivotOrder::Demand& demand)
      : demand_(demand),
        cells_(matrix.rows()),
        rows_of_(matrix.columns),
        reduced_by_(matrix.rows()),
        largest_(matrix.rows(), 0.0),
        place_(matrix.columns, -1) {
    for (int i = 0; i < matrix.rows(); ++i) {
      for (int e = matrix.start[i]; e < matrix.start[i + 1]; ++e) {
        cells_[i].push_back({matrix.column[e], matrix.value[e]});
        rows_of_[matrix.column[e]].push_back(i);
      }
    }
    for (int i = 0; i < matrix.rows(); ++i) enter_row(i);
    for (int j = 0; j < matrix.columns; ++j) columns_.emplace(count(rows_of_[j]), j);
  }

  /// Takes the next pivot; false when nothing is left that could be one.
  bool take(PivotOrder& order) {
    if (sizes_.empty() || !(sizes_.rbegin()->first > 0)) return false;
    const auto [row, column] = find();
    if (row >= 0) take(row, column, order);
    return row >= 0;
  }

  bool has(int row, int column) const {
    const auto is_there = [column](const Cell& cell) { return cell.column == column; };
    return std::any_of(cells_[row].begin(), cells_[row].end(), is_there);
  }

  void take(int row, int column, PivotOrder& order) {
    const int step = count(order.row);
    order.row.push_back(row);
    order.column.push_back(column);
    order.left.push_back(reduced_by_[row]);
    leave_row(row);
    columns_.erase({count(rows_of_[column]), column});
    std::vector<Cell> pivots = std::move(cells_[row]);
    double pivot = 0;
    for (const Cell& cell : pivots) {
      if (cell.column == column) pivot = cell.value;
      if (cell.column == column) continue;
      columns_.erase({count(rows_of_[cell.column]), cell.column});
      std::erase(rows_of_[cell.column], row);
    }
    std::erase_if(pivots, [column = column](const Cell& cell) { return cell.column == column; });
    for (const int other : rows_of_[column])
      if (other != row) reduce(other, column, pivot, pivots, step);
    for (const Cell& cell : pivots) columns_.emplace(count(rows_of_[cell.column]), cell.column);
    std::vector<int>& right = order.right.emplace_back();
    for (const Cell& cell : pivots) right.push_back(cell.column);
  }

 private:
  struct Cell {
    int column;
    double value;
  };
  template <class List>
  static int count(const List& list) {
    return static_cast<int>(list.size());
  }

  void enter_row(int i) {
    double largest = 0;
    for (const Cell& cell : cells_[i]) largest = std::max(largest, std::abs(cell.value));
    largest_[i] = largest;
    rows_.emplace(count(cells_[i]), i);
    sizes_.emplace(largest, i);
  }
  void leave_row(int i) {
    rows_.erase({count(cells_[i]), i});
    sizes_.erase({largest_[i], i});
  }

  /// row <- row - value / pivot times the pivot's row, where entries stay that cancel.
  void reduce(int row, int column, double pivot, const std::vector<Cell>& pivots, int step) {
    leave_row(row);
    std::vector<Cell>& cells = cells_[row];
    for (int k = 0; k < count(cells); ++k) place_[cells[k].column] = k;
    const double factor = pivot != 0 ? cells[place_[column]].value / pivot : 0;
    for (const Cell& from : pivots) {
      int& place = place_[from.column];
      if (place < 0) {
        place = count(cells);
        cells.push_back({from.column, 0});
        rows_of_[from.column].push_back(row);
      }
      cells[place].value -= factor * from.value;
    }
    for (const Cell& cell : cells) place_[cell.column] = -1;
    std::erase_if(cells, [column](const Cell& cell) { return cell.column == column; });
    reduced_by_[row].push_back(step);
    enter_row(row);
  }

  std::pair<int, int> find() const {
    double best = std::numeric_limits<double>::infinity(), best_size = 0;
    std::pair<int, int> found{-1, -1};
    const double least = demand_.in_all * sizes_.rbegin()->first;
    const auto see = [&](int row, const Cell& cell) {
      const double size = std::abs(cell.value);
      if (!(size > 0) || size < demand_.in_row * largest_[row] || size < least) return;
      const double cost = static_cast<double>(count(cells_[row]) - 1) * (count(rows_of_[cell.column]) - 1);
      if (cost > best || (cost == best && size <= best_size)) return;
      best = cost, best_size = size;
      found = {row, cell.column};
    };
    int looks = 0;
    for (auto c = columns_.begin(); c != columns_.end() && looks < kLooks; ++c) {
      const auto [size, column] = *c;
      if (size == 0) continue;
      for (const int row : rows_of_[column])
        for (const Cell& cell : cells_[row])
          if (cell.column == column) see(row, cell);
      ++looks;
    }
    looks = 0;
    for (auto r = rows_.begin(); r != rows_.end() && (looks < kLooks || found.first < 0); ++r) {
      if (largest_[r->second] < least) continue;
      for (const Cell& cell : cells_[r->second]) see(r->second, cell);
      ++looks;
    }
    return found;
  }

  PivotOrder::Demand demand_;
  std::vector<std::vector<Cell>> cells_;          // of every row
  std::vector<std::vector<int>> rows_of_;         // that a column has entries in
  std::vector<std::vector<int>> reduced_by_;      // of every row
  std::vector<double> largest_;                   // of every row
  std::set<std::pair<int, int>> rows_, columns_;  // by how many entries they have
  std::set<std::pair<double, int>> sizes_;        // rows by their largest entry
  std::vector<int> place_;                        // of a column in the row at hand
};

}  // namespace

PivotOrder::PivotOrder(const SparseRows& matrix, const Demand& demand) {
  Remainder left_over(matrix, demand);
  const int rank = demand.rank >= 0 ? demand.rank : matrix.rows();
  while (complete && static_cast<int>(row.size()) < rank) complete = left_over.take(*this);
}

PivotOrder::PivotOrder(const SparseRows& matrix, const std::vector<int>& rows, const std::vector<int>& columns) {
  SparseRows pattern = matrix;
  std::fill(pattern.value.begin(), pattern.value.end(), 0.0);
  Remainder left_over(pattern, {});
  for (std::size_t k = 0; k < rows.size() && complete; ++k) {
    complete = left_over.has(rows[k], columns[k]);
    if (complete) left_over.take(rows[k], columns[k], *this);
  }
}

}  // namespace cardan
