// Operations on numbers, written down in their order so that they can be differentiated backwards: of every number that
// depends on what is differentiated by, the two that it was made of and its derivatives with respect to them.
#pragma once

#include <cstdint>
#include <vector>

namespace cardan {

class Tape {
 public:
  /// Number 0 stands for all that is constant.
  void clear() { size_ = 1; }
  /// Goes back to so many numbers.
  void cut(std::int64_t size) { size_ = static_cast<std::size_t>(size); }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  /// One that depends on nothing before it.
  std::int64_t leaf() { return push(0, 0, 0, 0); }
  std::int64_t push(std::int64_t a, double da, std::int64_t b, double db) {
    if (size_ == nodes_.size()) [[unlikely]]
      nodes_.resize(2 * size_);
    nodes_[size_] = {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), da, db};
    return static_cast<std::int64_t>(size_++);
  }
  /// From the derivatives of a result by every number, as far as they are given, those by the leaves: `slope` has one
  /// for each number, and is left with those of leaves and of numbers before `first`, the others being zero.
  void sweep(std::vector<double>& slope, std::int64_t first) const {
    for (std::int64_t i = size() - 1; i >= first; --i) {
      const double weight = slope[static_cast<std::size_t>(i)];
      if (weight == 0) continue;
      const Node& node = nodes_[static_cast<std::size_t>(i)];
      if ((node.a | node.b) == 0) continue;
      slope[static_cast<std::size_t>(node.a)] += node.da * weight;
      slope[static_cast<std::size_t>(node.b)] += node.db * weight;
      slope[static_cast<std::size_t>(i)] = 0;
    }
  }

 private:
  struct Node {
    std::int32_t a = 0, b = 0;
    double da = 0, db = 0;
  };
  std::vector<Node> nodes_ = std::vector<Node>(1024);  // of which the first are in use
  std::size_t size_ = 1;
};

}  // namespace cardan
