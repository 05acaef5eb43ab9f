// Measures with derivatives against those of sweeps and their differences.
#include "optimize/measure_slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sweep/measures.hpp"

namespace cardan {
namespace {

std::vector<SweepMeasure> all_measures() {
  using Kind = SweepMeasure::Kind;
  std::vector<SweepMeasure> all;
  for (const Kind kind : {Kind::max, Kind::min, Kind::mean, Kind::rms, Kind::at, Kind::first, Kind::end}) {
    SweepMeasure one;
    one.kind = kind;
    one.time = 0.73;
    one.from = 0.21;
    one.to = 1.87;
    all.push_back(one);
  }
  return all;
}

/// x(t) of two parameters, of no particular form.
double course(double t, const Eigen::Vector2d& p) { return p[0] * std::sin(2.3 * t + p[1]) - 0.4 + 0.3 * p[1] * t; }

std::vector<double> plain(const std::vector<SweepMeasure>& measures, const Eigen::Vector2d& p) {
  MeasureSink sink(measures, std::vector<std::size_t>(measures.size(), 1));
  sink.start({"t", "x"});
  for (int i = 0; i <= 30; ++i) {
    const double row[] = {i / 14.0, course(i / 14.0, p)};
    sink.sample(row, 2);
  }
  return sink.values();
}

TEST(MeasureSlopes, AreThoseOfMeasures) {
  const std::vector<SweepMeasure> measures = all_measures();
  const Eigen::Vector2d p(1.1, -0.6);
  constexpr double d = 1e-6;
  MeasureSlopes slopes(measures, std::vector<Eigen::Index>(measures.size(), 1), 2);
  for (int i = 0; i <= 30; ++i) {
    const double t = i / 14.0;
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(2, 2);
    for (int k = 0; k < 2; ++k)
      slope(k, 1) = (course(t, p + d * Eigen::Vector2d::Unit(k)) - course(t, p - d * Eigen::Vector2d::Unit(k))) / (2 * d);
    slopes.sample(Eigen::Vector2d(t, course(t, p)), slope);
  }
  const std::vector<double> values = plain(measures, p);
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    EXPECT_NEAR(slopes.values()[row], values[i], 1e-13) << i;
    for (int k = 0; k < 2; ++k) {
      const Eigen::Vector2d e = d * Eigen::Vector2d::Unit(k);
      const double reference = (plain(measures, p + e)[i] - plain(measures, p - e)[i]) / (2 * d);
      EXPECT_NEAR(slopes.slopes()(row, k), reference, 1e-7 * (1 + std::abs(reference))) << i << " " << k;
    }
  }
}

}  // namespace
}  // namespace cardan
