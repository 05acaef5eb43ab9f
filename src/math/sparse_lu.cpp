#include "math/sparse_lu.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {
constexpr double kChosen = 0.1;  // least pivot when an order is chosen, relative to what its row has left
constexpr double kKept = 1e-4;   // and of one that is kept
constexpr int kScalings = 3;
}  // namespace

SparseLu::SparseLu(int n, const std::vector<Entry>& entries)
    : n_(n),
      place_(entries.size()),
      row_start_(static_cast<std::size_t>(n) + 1, 0),
      values_(VecX::Zero(static_cast<Eigen::Index>(entries.size()))),
      row_scale_(n, 1.0),
      column_scale_(n, 1.0),
      inverse_(n, 0.0),
      work_(n, 0.0),
      y_(n, 0.0) {
  std::vector<int> sorted(entries.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) sorted[k] = static_cast<int>(k);
  const auto key = [&](int k) { return std::pair(entries[k].row, entries[k].column); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return key(a) < key(b); });
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (k == 0 || key(sorted[k]) != key(sorted[k - 1])) {
      column_.push_back(entries[sorted[k]].column);
      ++row_start_[entries[sorted[k]].row + 1];
    }
    place_[sorted[k]] = static_cast<int>(column_.size()) - 1;
  }
  for (int i = 0; i < n; ++i) row_start_[i + 1] += row_start_[i];
  a_ = VecX::Zero(static_cast<Eigen::Index>(column_.size()));
}

/// Rows and columns in turn by the root of their largest entries (Ruiz 2001).
void SparseLu::find_scales() {
  std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
  std::fill(column_scale_.begin(), column_scale_.end(), 1.0);
  std::vector<double> rows(n_), columns(n_);
  for (int pass = 0; pass < kScalings; ++pass) {
    std::fill(rows.begin(), rows.end(), 0.0);
    std::fill(columns.begin(), columns.end(), 0.0);
    for (int i = 0; i < n_; ++i) {
      for (int e = row_start_[i]; e < row_start_[i + 1]; ++e) {
        const double size = row_scale_[i] * std::abs(a_[e]) * column_scale_[column_[e]];
        rows[i] = std::max(rows[i], size);
        columns[column_[e]] = std::max(columns[column_[e]], size);
      }
    }
    for (int i = 0; i < n_; ++i) {
      if (rows[i] > 0) row_scale_[i] /= std::sqrt(rows[i]);
      if (columns[i] > 0) column_scale_[i] /= std::sqrt(columns[i]);
    }
  }
}

SparseRows SparseLu::scaled() const {
  SparseRows result;
  result.columns = n_;
  for (int i = 0; i < n_; ++i) {
    for (int e = row_start_[i]; e < row_start_[i + 1]; ++e)
      result.add(column_[e], row_scale_[i] * a_[e] * column_scale_[column_[e]]);
    result.end_row();
  }
  return result;
}

bool SparseLu::choose_order() {
  ++orders_;
  if (!a_.allFinite()) return false;
  find_scales();
  const PivotOrder order(scaled(), {.in_row = kChosen});
  if (!order.complete) {
    row_of_.clear();
    return false;
  }
  list_factors(order);
  return true;
}

void SparseLu::list_factors(const PivotOrder& order) {
  row_of_ = order.row;
  column_of_ = order.column;
  std::vector<int> column_place(n_);
  for (int k = 0; k < n_; ++k) column_place[column_of_[k]] = k;
  lower_start_ = upper_start_ = entry_start_ = {0};
  lower_column_.clear(), upper_column_.clear(), entry_.clear(), target_.clear(), scale_.clear();
  for (int k = 0; k < n_; ++k) {
    lower_column_.insert(lower_column_.end(), order.left[k].begin(), order.left[k].end());
    for (const int column : order.right[k]) upper_column_.push_back(column_place[column]);
    std::sort(upper_column_.begin() + upper_start_.back(), upper_column_.end());
    const int row = row_of_[k];
    for (int e = row_start_[row]; e < row_start_[row + 1]; ++e) {
      entry_.push_back(e);
      target_.push_back(column_place[column_[e]]);
      scale_.push_back(row_scale_[row] * column_scale_[column_[e]]);
    }
    lower_start_.push_back(static_cast<int>(lower_column_.size()));
    upper_start_.push_back(static_cast<int>(upper_column_.size()));
    entry_start_.push_back(static_cast<int>(entry_.size()));
  }
  lower_.assign(lower_column_.size(), 0.0);
  upper_.assign(upper_column_.size(), 0.0);
}

int SparseLu::eliminate(double smallest_pivot) {
  double* const w = work_.data();
  for (int k = 0; k < n_; ++k) {
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) w[target_[e]] = scale_[e] * a_[entry_[e]];
    for (int l = lower_start_[k]; l < lower_start_[k + 1]; ++l) {
      const int j = lower_column_[l];
      const double factor = w[j] * inverse_[j];
      w[j] = 0;
      lower_[l] = factor;
      if (factor == 0) continue;
      const int end = upper_start_[j + 1];
      for (int u = upper_start_[j]; u < end; ++u) w[upper_column_[u]] -= factor * upper_[u];
    }
    double largest = 0;
    for (int u = upper_start_[k]; u < upper_start_[k + 1]; ++u) {
      double& entry = w[upper_column_[u]];
      largest = std::max(largest, std::abs(entry));
      upper_[u] = entry;
      entry = 0;
    }
    const double pivot = w[k];
    w[k] = 0;
    if (!(std::abs(pivot) > smallest_pivot * largest) || !std::isfinite(pivot)) return k;
    inverse_[k] = 1 / pivot;
  }
  return -1;
}

void SparseLu::add_up() {
  a_.setZero();
  for (std::size_t k = 0; k < place_.size(); ++k) a_[place_[k]] += values_[static_cast<Eigen::Index>(k)];
}

Eigen::MatrixXd SparseLu::full() const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n_, n_);
  std::vector<int> row(column_.size());
  for (int i = 0; i < n_; ++i) std::fill(row.begin() + row_start_[i], row.begin() + row_start_[i + 1], i);
  for (std::size_t k = 0; k < place_.size(); ++k)
    result(row[place_[k]], column_[place_[k]]) += values_[static_cast<Eigen::Index>(k)];
  return result;
}

int SparseLu::factorize_as_is() {
  add_up();
  const int weak = eliminate(0);
  if (weak < 0) return -1;
  std::fill(inverse_.begin() + weak, inverse_.end(), 0.0);
  return column_of_[weak];
}

int SparseLu::factorize() {
  add_up();
  if (!row_of_.empty() && eliminate(kKept) < 0) return -1;
  if (!choose_order()) return 0;
  const int weak = eliminate(0);
  return weak < 0 ? -1 : column_of_[weak];
}

void SparseLu::store_order(double* numbers) const {
  if (row_of_.empty()) {
    std::fill_n(numbers, order_size(), -1.0);
    return;
  }
  numbers = std::copy(row_of_.begin(), row_of_.end(), numbers);
  numbers = std::copy(column_of_.begin(), column_of_.end(), numbers);
  numbers = std::copy(row_scale_.begin(), row_scale_.end(), numbers);
  std::copy(column_scale_.begin(), column_scale_.end(), numbers);
}

void SparseLu::recall_order(const double* numbers) {
  const auto is_same = [&](const auto& list, int part) {
    return std::equal(list.begin(), list.end(), numbers + part * n_);
  };
  if (!row_of_.empty() && is_same(row_of_, 0) && is_same(column_of_, 1) && is_same(row_scale_, 2) &&
      is_same(column_scale_, 3))
    return;
  row_of_.clear();
  if (n_ == 0 || numbers[0] < 0) return;
  const auto part = [&](int k) { return std::vector<int>(numbers + k * n_, numbers + (k + 1) * n_); };
  std::copy_n(numbers + 2 * n_, n_, row_scale_.begin());
  std::copy_n(numbers + 3 * n_, n_, column_scale_.begin());
  const PivotOrder order(scaled(), part(0), part(1));
  if (order.complete) list_factors(order);
}

void SparseLu::solve(double* x) const {
  double* const y = y_.data();
  for (int k = 0; k < n_; ++k) {
    double sum = row_scale_[row_of_[k]] * x[row_of_[k]];
    for (int l = lower_start_[k]; l < lower_start_[k + 1]; ++l) sum -= lower_[l] * y[lower_column_[l]];
    y[k] = sum;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    double sum = y[k];
    for (int u = upper_start_[k]; u < upper_start_[k + 1]; ++u) sum -= upper_[u] * y[upper_column_[u]];
    y[k] = sum * inverse_[k];
  }
  for (int k = 0; k < n_; ++k) x[column_of_[k]] = column_scale_[column_of_[k]] * y[k];
}

/// U^T, then L^T.
void SparseLu::solve_transposed(double* x) const {
  double* const y = y_.data();
  for (int k = 0; k < n_; ++k) y[k] = column_scale_[column_of_[k]] * x[column_of_[k]];
  for (int k = 0; k < n_; ++k) {
    const double value = y[k] *= inverse_[k];
    if (value == 0) continue;
    for (int u = upper_start_[k]; u < upper_start_[k + 1]; ++u) y[upper_column_[u]] -= upper_[u] * value;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double value = y[k];
    if (value == 0) continue;
    for (int l = lower_start_[k]; l < lower_start_[k + 1]; ++l) y[lower_column_[l]] -= lower_[l] * value;
  }
  for (int k = 0; k < n_; ++k) x[row_of_[k]] = row_scale_[row_of_[k]] * y[k];
}

}  // namespace cardan
