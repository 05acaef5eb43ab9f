// Least squares against a certified problem and within bounds.
#include "optimize/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cardan {
namespace {

/// NIST StRD, nonlinear regression, Misra1a: y = b1 (1 - exp(-b2 x)).
struct Misra1a {
  std::vector<double> y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                        44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  std::vector<double> x{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                        378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};

  std::optional<Residuals> operator()(const VecX& b) const {
    Residuals at{VecX(14), Eigen::MatrixXd(14, 2)};
    for (Eigen::Index i = 0; i < 14; ++i) {
      const double xi = x[static_cast<std::size_t>(i)], decay = std::exp(-b[1] * xi);
      at.r[i] = b[0] * (1 - decay) - y[static_cast<std::size_t>(i)];
      at.J.row(i) << 1 - decay, b[0] * xi * decay;
    }
    return at;
  }
};

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

TEST(LeastSquares, FindsCertifiedNumbersAndDeviations) {
  for (const Eigen::Vector2d& start : {Eigen::Vector2d(500, 0.0001), Eigen::Vector2d(250, 0.0005)}) {
    const LeastSquaresResult found = least_squares(Misra1a(), start, Eigen::Vector2d(-kUnbounded, -kUnbounded),
                                                   Eigen::Vector2d(kUnbounded, kUnbounded), start);
    EXPECT_TRUE(found.converged) << found.reason;
    EXPECT_NEAR(found.x[0] / 2.3894212918E+02, 1, 1e-6);
    EXPECT_NEAR(found.x[1] / 5.5015643181E-04, 1, 1e-6);
    EXPECT_NEAR(std::sqrt(found.covariance(0, 0)) / 2.7070075241E+00, 1, 1e-5);
    EXPECT_NEAR(std::sqrt(found.covariance(1, 1)) / 7.2668688436E-06, 1, 1e-5);
    EXPECT_NEAR(found.deviation / 1.0187876330E-01, 1, 1e-6);
  }
}

TEST(LeastSquares, StopsAtBoundsAndIsSureOfTheRest) {
  const LeastSquaresResult found = least_squares(Misra1a(), Eigen::Vector2d(220, 0.0004), Eigen::Vector2d(100, 1e-4),
                                                 Eigen::Vector2d(230, 1e-3), Eigen::Vector2d(100, 1e-3));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.x[0], 230);
  EXPECT_TRUE(found.at_bound[0]);
  EXPECT_EQ(found.covariance(0, 0), 0);
  // The other one alone: J^T r = 0.
  EXPECT_LT(std::abs(found.at.J.col(1).dot(found.at.r)), 1e-6 * found.at.J.col(1).norm() * found.at.r.norm());
  EXPECT_GT(found.interval[1], 0);
}

TEST(LeastSquares, NamesWhatTheResidualsDoNotTell) {
  const auto function = [](const VecX& x) -> std::optional<Residuals> {
    Residuals at{VecX(4), Eigen::MatrixXd::Zero(4, 3)};
    for (Eigen::Index i = 0; i < 4; ++i) {
      at.r[i] = x[0] * static_cast<double>(i) - 1 + 0.1 * static_cast<double>(i % 2);
      at.J(i, 0) = static_cast<double>(i);
    }
    at.J.col(2) = Eigen::VectorXd::Zero(4);
    return at;
  };
  const LeastSquaresResult found =
      least_squares(function, VecX::Ones(3), VecX::Constant(3, -10), VecX::Constant(3, 10), VecX::Ones(3));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.undetermined, (std::vector<int>{1, 2}));
  EXPECT_TRUE(std::isfinite(found.interval[0]));
  EXPECT_TRUE(std::isinf(found.interval[1]));
}

TEST(LeastSquares, KnowsStudentsDistribution) {
  // Tables: 0.975 quantiles.
  EXPECT_NEAR(student_interval(1), 12.706, 1e-3);
  EXPECT_NEAR(student_interval(4), 2.776, 6e-3);
  EXPECT_NEAR(student_interval(10), 2.228, 1e-3);
  EXPECT_NEAR(student_interval(30), 2.042, 1e-3);
  EXPECT_NEAR(student_interval(1e9), 1.95996, 1e-5);
}

}  // namespace
}  // namespace cardan
