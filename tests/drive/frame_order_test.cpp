// Frames that are lost, doubled and reordered: none is applied twice or out of order, and all are counted.
#include "drive/frame_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace cardan {
namespace {

TEST(FrameOrder, NothingTwiceNothingBackwards) {
  std::mt19937 random(7);
  struct Sent {
    double at;
    std::uint64_t sequence;
  };
  std::vector<Sent> arrivals;
  std::int64_t lost = 0, doubled = 0;
  constexpr std::uint64_t kFrames = 100000;
  std::uniform_real_distribution<double> chance(0, 1);
  for (std::uint64_t i = 1; i <= kFrames; ++i) {
    const bool first_or_last = i == 1 || i == kFrames;
    if (!first_or_last && chance(random) < 0.01) {
      ++lost;
      continue;
    }
    const double delay = !first_or_last && chance(random) < 0.02 ? 30 * chance(random) : 0;
    arrivals.push_back({static_cast<double>(i) + delay, i});
    if (chance(random) < 0.01) arrivals.push_back({static_cast<double>(i) + 40 * chance(random), i}), ++doubled;
  }
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const Sent& a, const Sent& b) { return a.at < b.at; });
  FrameOrder order;
  std::uint64_t newest = 0;
  std::int64_t applied = 0, behind = 0;
  std::vector<bool> seen(kFrames + 1);
  std::int64_t late = 0;
  for (const Sent& one : arrivals) {
    if (order.take(77, one.sequence)) {
      EXPECT_GT(one.sequence, newest);
      newest = one.sequence;
      ++applied;
    } else {
      ++behind;
      late += !seen[one.sequence];
    }
    seen[one.sequence] = true;
  }
  const WireCounts counts = order.counts();
  EXPECT_EQ(counts.applied, applied);
  EXPECT_EQ(counts.lost, lost);
  EXPECT_EQ(counts.duplicates, doubled);
  EXPECT_EQ(counts.late, late);
  EXPECT_GT(late, 500);
  EXPECT_EQ(counts.late + counts.duplicates, behind);
}

TEST(FrameOrder, AnotherSessionBeginsAnew) {
  FrameOrder order;
  EXPECT_TRUE(order.take(1, 1000));
  EXPECT_FALSE(order.take(1, 999));
  EXPECT_TRUE(order.take(2, 1));
  EXPECT_FALSE(order.take(2, 1));
  EXPECT_TRUE(order.take(2, 2));
  const WireCounts counts = order.counts();
  EXPECT_EQ(counts.sessions, 2);
  EXPECT_EQ(counts.lost, 0);
  EXPECT_EQ(counts.applied, 3);
}

}  // namespace
}  // namespace cardan
