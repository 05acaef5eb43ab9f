#include "math/contact/broad_phase.hpp"

#include <algorithm>

namespace cardan {

constexpr double kLarge = 4;          // times the median: compared with all
constexpr long kMostCells = 1 << 20;  // along one axis

void BroadPhase::resize(int count) {
  const std::size_t n = at(count);
  center_.assign(n, Vec3::Zero());
  extent_.assign(n, Vec3::Zero());
  sizes_.assign(n, 0);
  order_.assign(n, {});
  comparisons_ = 0;
}

void BroadPhase::prepare() {
  const std::size_t n = center_.size();
  small_ = 0;
  if (n == 0) return;
  for (std::size_t i = 0; i < n; ++i) sizes_[i] = extent_[i].maxCoeff();
  const auto middle = sizes_.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(sizes_.begin(), middle, sizes_.end());
  const double limit = kLarge * *middle;
  double widest = 0;
  low_ = Vec3::Constant(1e300);
  Vec3 high = -low_;
  std::size_t large = n;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = extent_[i].maxCoeff();
    if (!(size <= limit) || !center_[i].allFinite()) {
      order_[--large] = {0, static_cast<int>(i)};
      continue;
    }
    order_[small_++] = {0, static_cast<int>(i)};
    widest = std::max(widest, size);
    low_ = low_.cwiseMin(center_[i]), high = high.cwiseMax(center_[i]);
  }
  long count[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double length = small_ > 0 ? high[axis] - low_[axis] : 0;
    width_[axis] = std::max({2 * widest, length / static_cast<double>(kMostCells), 1e-300});
    // A cell is free at the end of each row, so that the last of one is no neighbour of the first of the next.
    count[axis] = static_cast<long>(length / width_[axis]) + 3;
  }
  stride_[1] = count[0], stride_[2] = count[0] * count[1];
  for (std::size_t k = 0; k < small_; ++k) {
    const Vec3& c = center_[at(order_[k].shape)];
    order_[k].cell = cell_of(c, 0) + stride_[1] * cell_of(c, 1) + stride_[2] * cell_of(c, 2);
  }
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(small_));
}

std::size_t BroadPhase::first_in(long cell, std::size_t from) const {
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(small_);
  return static_cast<std::size_t>(std::lower_bound(begin, end, Entry{cell, -1}) - order_.begin());
}

}  // namespace cardan
