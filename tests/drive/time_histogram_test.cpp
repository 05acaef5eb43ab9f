// Quantiles of times against those of the sorted list.
#include "drive/time_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cardan {
namespace {

TEST(TimeHistogram, QuantilesAreThoseOfTheListWithinAClass) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(0, 10.5);  // 1 ns to half a minute
  TimeHistogram histogram;
  std::vector<std::int64_t> times;
  for (int i = 0; i < 100000; ++i) {
    times.push_back(static_cast<std::int64_t>(std::pow(10, exponent(random))));
    histogram.add(times.back());
  }
  std::sort(times.begin(), times.end());
  for (double part : {0.001, 0.01, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = 1e-9 * static_cast<double>(times[static_cast<std::size_t>(part * 100000) - 1]);
    EXPECT_GE(histogram.quantile(part), exact * (1 - 1e-12)) << part;
    EXPECT_LE(histogram.quantile(part), exact * (1 + 1.0 / 31) + 1.1e-9) << part;
  }
  EXPECT_EQ(histogram.quantile(1), 1e-9 * static_cast<double>(times.back()));
  EXPECT_EQ(histogram.count(), 100000);
  std::int64_t in_classes = 0;
  double before = 0;
  for (const TimeHistogram::Class& one : histogram.classes()) {
    EXPECT_GE(one.from, before * (1 - 1e-12));
    EXPECT_GT(one.to, one.from);
    before = one.to;
    in_classes += one.count;
  }
  EXPECT_EQ(in_classes, 100000);
}

TEST(TimeHistogram, HoldsWhatIsAbsurd) {
  TimeHistogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  histogram.add(-5);
  histogram.add(INT64_MAX);
  EXPECT_EQ(histogram.count(), 2);
  EXPECT_EQ(histogram.quantile(0.5), 1e-9);
}

}  // namespace
}  // namespace cardan
