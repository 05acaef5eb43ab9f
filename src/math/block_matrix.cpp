#include "math/block_matrix.hpp"

#include <algorithm>

namespace cardan {
namespace {
using Values = Eigen::Map<const Eigen::MatrixXd>;
}

BlockPattern::BlockPattern(std::vector<int> starts, std::vector<std::pair<int, int>> blocks)
    : starts_(std::move(starts)) {
  for (int g = 0; g < groups(); ++g) group_.insert(group_.end(), height(g), g);
  for (auto& [row, column] : blocks) std::swap(row, column);
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  column_start_.assign(starts_.size(), 0);
  value_start_.push_back(0);
  for (const auto& [column, row] : blocks) {
    ++column_start_[column + 1];
    row_.push_back(row);
    value_start_.push_back(value_start_.back() + height(row) * height(column));
  }
  for (int g = 0; g < groups(); ++g) column_start_[g + 1] += column_start_[g];
}

std::vector<std::pair<int, int>> BlockPattern::blocks() const {
  std::vector<std::pair<int, int>> result;
  each_block([&](int row, int column, int) { result.emplace_back(row, column); });
  return result;
}

int BlockPattern::place(int row, int column) const {
  const int i = group_[row], j = group_[column];
  const auto begin = row_.begin() + column_start_[j], end = row_.begin() + column_start_[j + 1];
  const auto block = std::lower_bound(begin, end, i) - row_.begin();
  return value_start_[block] + (column - starts_[j]) * height(i) + row - starts_[i];
}

void BlockMatrix::multiply(const Eigen::MatrixXd& x, Eigen::MatrixXd& y) const {
  const BlockPattern& p = *pattern_;
  y.setZero();
  p.each_block([&](int i, int j, int at) {
    const Values A(values_.data() + at, p.height(i), p.height(j));
    y.middleRows(p.start(i), p.height(i)).noalias() += A.lazyProduct(x.middleRows(p.start(j), p.height(j)));
  });
}

Eigen::MatrixXd BlockMatrix::full() const {
  const BlockPattern& p = *pattern_;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(p.size(), p.size());
  p.each_block([&](int i, int j, int at) {
    result.block(p.start(i), p.start(j), p.height(i), p.height(j)) =
        Values(values_.data() + at, p.height(i), p.height(j));
  });
  return result;
}

}  // namespace cardan
