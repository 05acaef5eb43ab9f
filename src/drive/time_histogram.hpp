// How long something took, over millions of times, in constant memory: counts in classes that are 1/32 of their value
// wide. One thread adds, any thread reads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace cardan {

class TimeHistogram {
 public:
  /// Allocates, locks and waits for nothing.
  void add(std::int64_t nanoseconds);
  /// Of the thread that adds.
  void clear();

  std::int64_t count() const { return count_.load(std::memory_order_relaxed); }
  double largest() const { return 1e-9 * static_cast<double>(largest_.load(std::memory_order_relaxed)); }  // s
  /// The time, s, that so great a part of them was at or below; within 1/32 of it, and never above largest().
  double quantile(double part) const;

  struct Class {
    double from, to;  // s
    std::int64_t count;
  };
  /// Those that hold any, the shortest first.
  std::vector<Class> classes() const;

 private:
  // Below 32 ns a class is 1 ns wide; from there on every power of two has 32 classes.
  static constexpr int kBits = 5, kParts = 1 << kBits, kPowers = 40;
  static int index_of(std::uint64_t nanoseconds);
  static double begin_of(int index);  // s

  std::array<std::atomic<std::int64_t>, static_cast<std::size_t>(kParts) * kPowers> counts_{};
  std::atomic<std::int64_t> count_ = 0, largest_ = 0;
};

}  // namespace cardan
