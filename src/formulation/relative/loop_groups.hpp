// Loops that share no coordinate, nor are tied to each other by a coupler, are closed one by one: Phi_q falls into
// blocks. Found once, from the pattern of Phi_q.
#pragma once

#include <vector>

#include "formulation/equations.hpp"

namespace cardan {

/// Coordinates that constraints on positions tie to each other; one that no constraint touches is alone.
struct LoopGroup {
  std::vector<int> rows, columns;  // of Phi_q, rising
  int rank = 0;                    // so many of its rows are independent, and so many of its columns dependent
  int first = 0;                   // where its rows, and its dependent columns, begin in an order of Partition
  int first_free = 0;              // where its independent columns begin there
  int free() const { return static_cast<int>(columns.size()) - rank; }
};

/// Every coordinate is in one of them, in the order of their first ones. The ranks are those of the Jacobian given.
std::vector<LoopGroup> loop_groups(const Structure& structure, const VecX& jacobian);

/// The sum of their ranks.
int rank_of(const std::vector<LoopGroup>& groups);

}  // namespace cardan
