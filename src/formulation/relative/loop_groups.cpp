#include "formulation/relative/loop_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "formulation/constraint_rank.hpp"

namespace cardan {
namespace {

/// Of a forest of coordinates, each pointing towards the root of its group.
int root_of(std::vector<int>& towards, int column) {
  while (towards[column] != column) column = towards[column] = towards[towards[column]];
  return column;
}

}  // namespace

std::vector<LoopGroup> loop_groups(const Structure& structure, const VecX& jacobian) {
  const RowPattern& J = structure.jacobian;
  const int n = structure.coordinates, m = structure.position_constraints();
  std::vector<int> towards(n);
  std::iota(towards.begin(), towards.end(), 0);
  for (int row = 0; row < m; ++row) {
    for (int e = J.start[row]; e < J.start[row + 1]; ++e) {
      // The smaller one is the root, so that groups come in the order of their first coordinates.
      const int one = root_of(towards, J.column[J.start[row]]), two = root_of(towards, J.column[e]);
      towards[std::max(one, two)] = std::min(one, two);
    }
  }
  std::vector<LoopGroup> groups;
  std::vector<int> group_of(n);
  for (int column = 0; column < n; ++column) {
    const int root = root_of(towards, column);
    if (root == column) group_of[column] = static_cast<int>(groups.size()), groups.emplace_back();
    groups[group_of[root]].columns.push_back(column);
  }
  // A row without entries holds nothing.
  const auto of_row = [&](int row) -> LoopGroup* {
    return J.start[row] < J.start[row + 1] ? &groups[group_of[root_of(towards, J.column[J.start[row]])]] : nullptr;
  };
  for (int row = 0; row < m; ++row) {
    if (LoopGroup* group = of_row(row)) group->rows.push_back(row), ++group->rank;
  }
  for (const int row : dependent_position_constraints(structure, jacobian)) {
    if (LoopGroup* group = of_row(row)) --group->rank;
  }
  int first = 0, first_free = 0;
  for (LoopGroup& group : groups) {
    group.first = std::exchange(first, first + group.rank);
    group.first_free = std::exchange(first_free, first_free + group.free());
  }
  return groups;
}

int rank_of(const std::vector<LoopGroup>& groups) {
  return groups.empty() ? 0 : groups.back().first + groups.back().rank;
}

}  // namespace cardan
