#include "drive/time_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cardan {
namespace {

/// Only one thread writes: no read-modify-write is needed.
void increase(std::atomic<std::int64_t>& number) {
  number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

int TimeHistogram::index_of(std::uint64_t nanoseconds) {
  if (nanoseconds < kParts) return static_cast<int>(nanoseconds);
  const int shift = std::bit_width(nanoseconds) - 1 - kBits;
  const int part = static_cast<int>(nanoseconds >> shift) - kParts;  // 0 to 31
  return std::min((shift + 1) * kParts + part, kParts * kPowers - 1);
}

double TimeHistogram::begin_of(int index) {
  if (index < kParts) return 1e-9 * index;
  const int shift = index / kParts - 1, part = index % kParts;
  return 1e-9 * std::ldexp(kParts + part, shift);
}

void TimeHistogram::add(std::int64_t nanoseconds) {
  const std::int64_t time = std::max<std::int64_t>(nanoseconds, 0);
  increase(counts_[static_cast<std::size_t>(index_of(static_cast<std::uint64_t>(time)))]);
  increase(count_);
  if (time > largest_.load(std::memory_order_relaxed)) largest_.store(time, std::memory_order_relaxed);
}

void TimeHistogram::clear() {
  for (auto& count : counts_) count.store(0, std::memory_order_relaxed);
  count_.store(0, std::memory_order_relaxed);
  largest_.store(0, std::memory_order_relaxed);
}

double TimeHistogram::quantile(double part) const {
  std::int64_t all = 0;
  for (const auto& count : counts_) all += count.load(std::memory_order_relaxed);
  if (all == 0) return 0;
  const auto wanted = static_cast<std::int64_t>(std::ceil(part * static_cast<double>(all)));
  std::int64_t below = 0;
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i) {
    below += counts_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed);
    if (below >= std::max<std::int64_t>(wanted, 1)) return std::min(begin_of(i + 1), largest());
  }
  return largest();
}

std::vector<TimeHistogram::Class> TimeHistogram::classes() const {
  std::vector<Class> filled;
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i) {
    const std::int64_t count = counts_[static_cast<std::size_t>(i)].load(std::memory_order_relaxed);
    if (count > 0) filled.push_back({begin_of(i), begin_of(i + 1), count});
  }
  return filled;
}

}  // namespace cardan
