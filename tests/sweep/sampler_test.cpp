// Points of the unit cube: what is known of the sequences, and that each depends on its number alone.
#include "sweep/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace cardan {
namespace {

TEST(Sobol, BeginsAsPublished) {
  // Joe and Kuo's program for new-joe-kuo-6.21201: the first points in three dimensions.
  const double expected[][3] = {{0, 0, 0},
                                {0.5, 0.5, 0.5},
                                {0.75, 0.25, 0.25},
                                {0.25, 0.75, 0.75},
                                {0.375, 0.375, 0.625},
                                {0.875, 0.875, 0.125},
                                {0.625, 0.125, 0.875},
                                {0.125, 0.625, 0.375}};
  for (int d = 0; d < 3; ++d) {
    const SobolDimension dimension(d);
    for (std::uint64_t n = 0; n < 8; ++n)
      EXPECT_EQ(static_cast<double>(dimension.digits(n)) * 0x1p-52, expected[n][d]) << n << " " << d;
  }
}

TEST(Sobol, OfTwoToTheKPointsHasOneInEveryPart) {
  // A (t, s)-sequence in one coordinate is one with t = 0: every 2^-k part of every coordinate has one of the first
  // 2^k, and of every later block of 2^k points.
  constexpr int kBits = 9;
  for (int d = 0; d < SobolDimension::kDimensions; ++d) {
    const SobolDimension dimension(d);
    for (const std::uint64_t block : {0, 3}) {
      std::set<std::uint64_t> parts;
      for (std::uint64_t n = 0; n < 1U << kBits; ++n)
        parts.insert(dimension.digits((block << kBits) + n) >> (SobolDimension::kDigits - kBits));
      EXPECT_EQ(parts.size(), 1U << kBits) << d;
    }
  }
}

/// Warnock's formula for the L2 star discrepancy.
double discrepancy(const std::vector<std::vector<double>>& points) {
  const auto n = static_cast<double>(points.size()), s = static_cast<double>(points[0].size());
  double second = 0, third = 0;
  for (const auto& x : points) {
    double product = 1;
    for (const double u : x) product *= 1 - u * u;
    second += product;
    for (const auto& y : points) {
      double both = 1;
      for (std::size_t i = 0; i < x.size(); ++i) both *= 1 - std::max(x[i], y[i]);
      third += both;
    }
  }
  return std::sqrt(std::pow(3, -s) - std::pow(2, 1 - s) / n * second + third / (n * n));
}

std::vector<std::vector<double>> points_of(SamplingMethod method, int count, int dimensions, std::uint64_t seed) {
  const Sampler sampler(method, dimensions, static_cast<std::uint64_t>(count), seed);
  std::vector<std::vector<double>> points;
  for (int n = 0; n < count; ++n) {
    points.emplace_back();
    for (int d = 0; d < dimensions; ++d) points.back().push_back(sampler(static_cast<std::uint64_t>(n), d));
  }
  return points;
}

TEST(Sampler, SobolIsMoreEvenThanRandom) {
  // Of n independent points in s dimensions the square of the discrepancy is (2^-s - 3^-s)/n on average.
  const auto of_random = [](int n, int s) { return std::sqrt((std::pow(2.0, -s) - std::pow(3.0, -s)) / n); };
  for (const std::uint64_t seed : {0, 1, 5}) {
    EXPECT_LT(discrepancy(points_of(SamplingMethod::sobol, 512, 5, seed)), 0.5 * of_random(512, 5));
    EXPECT_NEAR(discrepancy(points_of(SamplingMethod::random, 512, 5, seed + 1)) / of_random(512, 5), 1, 0.5);
    // It falls nearly as 1/n, where that of independent points falls as 1/sqrt(n).
    EXPECT_GT(discrepancy(points_of(SamplingMethod::sobol, 64, 2, seed)) /
                  discrepancy(points_of(SamplingMethod::sobol, 1024, 2, seed)),
              8);
  }
}

TEST(Sampler, LatinHypercubeHasOneInEveryPart) {
  for (const int count : {1, 2, 7, 64, 1000}) {
    const auto points = points_of(SamplingMethod::latin_hypercube, count, 4, 3);
    for (int d = 0; d < 4; ++d) {
      std::set<int> parts;
      for (const auto& point : points) parts.insert(static_cast<int>(point[d] * count));
      EXPECT_EQ(parts.size(), static_cast<std::size_t>(count));
      EXPECT_GE(*parts.begin(), 0);
      EXPECT_LT(*parts.rbegin(), count);
    }
  }
}

TEST(Sampler, CoordinatesAreIndependent) {
  for (const SamplingMethod method : {SamplingMethod::random, SamplingMethod::latin_hypercube, SamplingMethod::sobol}) {
    const auto points = points_of(method, 4096, 3, 11);
    double products = 0, mean = 0;
    for (const auto& point : points) products += (point[0] - 0.5) * (point[2] - 0.5), mean += point[1];
    // Of n products of deviation 1/12 each the mean has the deviation 1/(12 sqrt(n)).
    EXPECT_LT(std::abs(products / 4096), 4.0 / 12 / 64);
    EXPECT_LT(std::abs(mean / 4096 - 0.5), 4 / std::sqrt(12.0) / 64);
  }
}

TEST(Sampler, ShuffledIsAPermutation) {
  for (const std::uint64_t size : {1, 2, 3, 100, 1025}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < size; ++i) seen.insert(shuffled(i, size, 42));
    EXPECT_EQ(seen.size(), size);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
}

TEST(Distribution, NormalQuantilesAreThoseOfTheErrorFunction) {
  Distribution normal{Distribution::Kind::normal, 3, 2, -INFINITY, INFINITY};
  for (const double u : {1e-15, 1e-6, 0.02, 0.3, 0.5, 0.9, 1 - 1e-9}) {
    const double x = (normal.quantile(u) - 3) / 2;
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), u, 1e-12 * std::max(u, 1e-3)) << u;
  }
  normal.min = 2.5, normal.max = 4;
  for (const double u : {1e-12, 0.3, 1 - 1e-12}) {
    EXPECT_GE(normal.quantile(u), 2.5);
    EXPECT_LE(normal.quantile(u), 4);
  }
}

TEST(Distribution, LogUniformIsUniformInTheLogarithm) {
  const Distribution drawn{Distribution::Kind::log_uniform, 0.1, 1000, 0, 0};
  EXPECT_NEAR(drawn.quantile(0.5), 10, 1e-12);
  EXPECT_NEAR(drawn.quantile(0.25), 1, 1e-12);
}

}  // namespace
}  // namespace cardan
