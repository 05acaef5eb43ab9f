// Measures of samples that are known in closed form.
#include "sweep/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace cardan {
namespace {

using Kind = SweepMeasure::Kind;

SweepMeasure measure(Kind kind, double from = 0, double to = std::numeric_limits<double>::infinity(), double time = 0) {
  SweepMeasure m;
  m.kind = kind, m.from = from, m.to = to, m.time = time;
  return m;
}

std::vector<double> gathered(const std::vector<SweepMeasure>& measures,
                             const std::vector<std::pair<double, double>>& samples) {
  MeasureSink sink(measures, std::vector<std::size_t>(measures.size(), 1));
  sink.start({"t", "x"});
  for (const auto& [t, x] : samples) {
    const double row[] = {t, x};
    sink.sample(row, 2);
  }
  return sink.values();
}

TEST(Measures, OfALineAreExact) {
  // x = 2 t - 1 from 0 to 2, in unequal steps: between samples nothing is lost.
  std::vector<std::pair<double, double>> samples;
  for (const double t : {0.0, 0.3, 0.35, 1.1, 1.9, 2.0}) samples.emplace_back(t, 2 * t - 1);
  const std::vector<SweepMeasure> measures{measure(Kind::max),           measure(Kind::min),
                                           measure(Kind::mean),          measure(Kind::rms),
                                           measure(Kind::end),           measure(Kind::first),
                                           measure(Kind::at, 0, 1, 0.7), measure(Kind::mean, 0.5, 1.25),
                                           measure(Kind::max, 0.2, 0.9), measure(Kind::rms, 0.5, 1.5)};
  const std::vector<double> values = gathered(measures, samples);
  const double expected[] = {3, -1, 1, std::sqrt((27.0 + 1) / 12), 3, 0.5, 0.4, 0.75, 0.8, std::sqrt(8.0 / 6)};
  for (std::size_t i = 0; i < measures.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-14) << i;
}

TEST(Measures, OfASineConvergeWithTheSquareOfTheStep) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    std::vector<std::pair<double, double>> samples;
    const int n = 100 << k;
    for (int i = 0; i <= n; ++i) samples.emplace_back(2.0 * i / n, std::sin(3.0 * 2 * i / n));
    const std::vector<double> values = gathered({measure(Kind::mean), measure(Kind::rms)}, samples);
    error[k] =
        std::abs(values[0] - (1 - std::cos(6.0)) / 6) + std::abs(values[1] - std::sqrt(0.5 - std::sin(12.0) / 24));
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
}

TEST(Measures, AnInstantThatNeverComesIsInfinite) {
  const std::vector<double> values =
      gathered({measure(Kind::first), measure(Kind::at, 0, 1, 5)}, {{0, -1}, {1, -0.5}, {2, -0.1}});
  EXPECT_TRUE(std::isinf(values[0]));
  EXPECT_TRUE(std::isnan(values[1]));
}

TEST(Measures, OfOneSampleAreItsValue) {
  for (const Kind kind : {Kind::max, Kind::min, Kind::mean, Kind::end})
    EXPECT_EQ(gathered({measure(kind)}, {{0, -7}})[0], -7);
  EXPECT_EQ(gathered({measure(Kind::rms)}, {{0, -7}})[0], 7);
}

}  // namespace
}  // namespace cardan
