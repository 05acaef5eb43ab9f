// Measures with derivatives against those of sweeps and their differences.
#include "optimize/measure_slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "optimize/measure_weights.hpp"
#include "optimize/optimization.hpp"
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
      slope(k, 1) =
          (course(t, p + d * Eigen::Vector2d::Unit(k)) - course(t, p - d * Eigen::Vector2d::Unit(k))) / (2 * d);
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

/// With one parameter for each sample.
TEST(MeasureWeights, AreTheSlopesTheOtherWayRound) {
  const std::vector<SweepMeasure> measures = all_measures();
  const std::vector<Eigen::Index> columns(measures.size(), 1);
  MeasureSlopes slopes(measures, columns, 31);
  MeasureWeights weights(measures, columns);
  for (int i = 0; i <= 30; ++i) {
    const Eigen::Vector2d row(i / 14.0, course(i / 14.0, {1.1, -0.6}));
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(31, 2);
    slope(i, 1) = 1;
    slopes.sample(row, slope);
    weights.sample(row);
  }
  EXPECT_EQ((weights.values() - slopes.values()).norm(), 0);
  Eigen::MatrixXd of_sample;
  for (int i = 0; i <= 30; ++i) {
    const bool any = weights.weights(i, of_sample);
    const VecX reference = slopes.slopes().col(i);
    EXPECT_EQ(any, reference.norm() > 0) << i;
    EXPECT_LT((of_sample.col(1) - reference).norm(), 1e-14) << i;
  }
}

TEST(Optimization, GoesTheSameWayWithGradientsOfBothKinds) {
  const auto best = [](const std::string& gradient) {
    const std::string path = testing::TempDir() + "both_ways.yaml";
    std::ofstream(path) << "optimize: 1\nmodel: " << CARDAN_SOURCE_DIR << "/models/bump_steer.yaml\n"
                        << "parameters: {in_y: {min: 0.25, max: 0.4}, in_z: {min: 0.2, max: 0.4}}\n"
                        << "measures: {steer: {rms: toe*1000}, most: {max: toe*1000}}\n"
                        << "minimize: steer + 1e-3*most^2 + in_y\nstop: {iterations: 4}\n"
                        << "simulation: {formulation: hybrid, integrator: trapezoidal}\ngradient: " << gradient << "\n";
    return optimize(read_optimize_plan(path));
  };
  const OptimizationResult direct = best("direct"), adjoint = best("adjoint");
  EXPECT_EQ(direct.gradient, "direct");
  EXPECT_EQ(adjoint.gradient, "adjoint");
  EXPECT_EQ(best("auto").gradient, "direct");
  const VecX &x = direct.designs[0].minimum.x, &y = adjoint.designs[0].minimum.x;
  EXPECT_GT((x - Eigen::Vector2d(0.33, 0.3)).norm(), 1e-4);
  EXPECT_LT((x - y).norm(), 1e-6);
}

}  // namespace
}  // namespace cardan
