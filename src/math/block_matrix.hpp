// Square matrices of which only some blocks are there, each of them full: what bodies that share an element do to each
// other. Coordinates come in groups, those of a body; the pattern is fixed, values are written without allocation.
#pragma once

#include <utility>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

class BlockPattern {
 public:
  BlockPattern() = default;
  /// `starts`: the first coordinate of every group, then their count; `blocks`: rows and columns of blocks by groups,
  /// in any order, also more than once.
  BlockPattern(std::vector<int> starts, std::vector<std::pair<int, int>> blocks);

  int size() const { return starts_.empty() ? 0 : starts_.back(); }
  int groups() const { return static_cast<int>(starts_.size()) - 1; }
  int start(int group) const { return starts_[group]; }
  int height(int group) const { return starts_[group + 1] - starts_[group]; }
  int group_of(int coordinate) const { return group_[coordinate]; }
  const std::vector<int>& starts() const { return starts_; }
  /// Rows and columns of all blocks, by columns.
  std::vector<std::pair<int, int>> blocks() const;
  int values() const { return value_start_.empty() ? 0 : value_start_.back(); }
  /// Where entry (row, column) stands among the values; its block has to be there.
  int place(int row, int column) const;
  /// see(row group, column group, where the values of the block begin), which are by columns.
  template <class See>
  void each_block(const See& see) const {
    for (int j = 0; j < groups(); ++j)
      for (int b = column_start_[j]; b < column_start_[j + 1]; ++b) see(row_[b], j, value_start_[b]);
  }

 private:
  std::vector<int> starts_, group_;
  std::vector<int> column_start_, row_;  // of the blocks; rows rise within a column
  std::vector<int> value_start_;         // of every block, and their end
};

class BlockMatrix {
 public:
  /// The pattern must outlive the matrix.
  explicit BlockMatrix(const BlockPattern& pattern) : pattern_(&pattern), values_(VecX::Zero(pattern.values())) {}

  const BlockPattern& pattern() const { return *pattern_; }
  const VecX& values() const { return values_; }
  VecX& values() { return values_; }
  void set_zero() { values_.setZero(); }
  double& operator()(int row, int column) { return values_[pattern_->place(row, column)]; }
  /// R x C entries from (row, column) on, all in one block.
  template <int R, int C>
  auto block(int row, int column) {
    using Entries = Eigen::Map<Eigen::Matrix<double, R, C>, 0, Eigen::OuterStride<>>;
    return Entries(&(*this)(row, column), Eigen::OuterStride<>(pattern_->height(pattern_->group_of(row))));
  }
  /// y = A x, column by column
  void multiply(const Eigen::MatrixXd& x, Eigen::MatrixXd& y) const;
  Eigen::MatrixXd full() const;

 private:
  const BlockPattern* pattern_;
  VecX values_;
};

}  // namespace cardan
