// Which shapes may touch: those whose boxes overlap, found by cells of space as wide as the widest of the usual boxes.
// The few that are much larger are compared with all. Cost is that of sorting, not of all pairs. Sized once; the answer
// depends on the boxes alone, not on those before.
#pragma once

#include <vector>

#include "cardan/math.hpp"

namespace cardan {

class BroadPhase {
 public:
  void resize(int count);
  /// Of shape i: its box, which call find() looks at.
  void place(int i, const Vec3& center, const Vec3& extent) { center_[at(i)] = center, extent_[at(i)] = extent; }

  /// Calls visit(i, j), i < j, for every two boxes that overlap.
  template <class Visit>
  void find(const Visit& visit) {
    prepare();
    for (std::size_t k = 0; k < small_; ++k) look_around(k, visit);
    for (std::size_t k = small_; k < order_.size(); ++k)
      for (std::size_t other = 0; other < k; ++other) compare(order_[k].shape, order_[other].shape, visit);
  }
  /// How many boxes were compared, of two each, since the last resize.
  long comparisons() const { return comparisons_; }

 private:
  struct Entry {
    long cell;
    int shape;
    bool operator<(const Entry& b) const { return cell != b.cell ? cell < b.cell : shape < b.shape; }
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void prepare();
  long cell_of(const Vec3& center, int axis) const {
    return static_cast<long>((center[axis] - low_[axis]) / width_[axis]);
  }

  template <class Visit>
  void compare(int i, int j, const Visit& visit) {
    ++comparisons_;
    const Vec3 reach = extent_[at(i)] + extent_[at(j)];
    if (((center_[at(i)] - center_[at(j)]).cwiseAbs().array() >= reach.array()).any()) return;
    i < j ? visit(i, j) : visit(j, i);
  }

  /// The rest of its own cell and of the next one, and the three cells of each of the four rows that come later.
  template <class Visit>
  void look_around(std::size_t k, const Visit& visit) {
    const Entry here = order_[k];
    const auto compare_up_to = [&](std::size_t from, long cell) {
      for (std::size_t other = from; other < small_ && order_[other].cell <= cell; ++other)
        compare(here.shape, order_[other].shape, visit);
    };
    compare_up_to(k + 1, here.cell + 1);
    for (const long row : {stride_[1], stride_[2] - stride_[1], stride_[2], stride_[2] + stride_[1]}) {
      const long first = here.cell + row - 1;
      compare_up_to(first_in(first, k), first + 2);
    }
  }
  std::size_t first_in(long cell, std::size_t from) const;

  std::vector<Vec3> center_, extent_;
  std::vector<double> sizes_;
  std::vector<Entry> order_;  // small ones by their cells, then the large ones
  std::size_t small_ = 0;
  Vec3 low_ = Vec3::Zero(), width_ = Vec3::Ones();
  long stride_[3] = {1, 1, 1};
  long comparisons_ = 0;
};

}  // namespace cardan
