// Minimization against optima that are known (numbers of Hock and Schittkowski, Test Examples for Nonlinear Programming
// Codes, 1981).
#include "optimize/minimizer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "optimize/quadratic_program.hpp"

namespace cardan {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

VecX vec(std::initializer_list<double> values) {
  return Eigen::Map<const VecX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

TEST(QuadraticProgram, MeetsTheConditionsOfOptimality) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 6, m = trial % 9;
    const auto matrix = [&](int rows, int columns) {
      Eigen::MatrixXd result(rows, columns);
      for (double& x : result.reshaped()) x = normal(random);
      return result;
    };
    const Eigen::MatrixXd root = matrix(n, n), B = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const VecX g = matrix(n, 1), inside = matrix(n, 1);
    const Eigen::MatrixXd A = matrix(m, n);
    // The point `inside` satisfies all.
    const VecX b = A * inside - VecX(matrix(m, 1).cwiseAbs());
    const auto found = solve_quadratic_program(B, g, A, b);
    ASSERT_TRUE(found) << trial;
    const double size = 1 + g.norm() + found->d.norm();
    EXPECT_LT((B * found->d + g - A.transpose() * found->multiplier).norm(), 1e-7 * size * (1 + B.norm())) << trial;
    for (int k = 0; k < m; ++k) {
      const double room = A.row(k).dot(found->d) - b[k];
      EXPECT_GE(room, -1e-8 * size) << trial;
      EXPECT_GE(found->multiplier[k], 0) << trial;
      EXPECT_LT(std::min(std::abs(room), found->multiplier[k]), 1e-7 * size) << trial;
    }
  }
}

TEST(QuadraticProgram, SaysThatNothingSatisfiesTheInequalities) {
  const Eigen::MatrixXd A = vec({1, -1});  // d >= 1 and d <= -1
  EXPECT_FALSE(solve_quadratic_program(Eigen::MatrixXd::Identity(1, 1), vec({0}), A, vec({1, 1})));
}

/// 100 (y - x^2)^2 + (1 - x)^2
std::optional<DesignValue> rosenbrock(const VecX& x) {
  DesignValue value;
  const double bend = x[1] - x[0] * x[0];
  value.f = 100 * bend * bend + (1 - x[0]) * (1 - x[0]);
  value.df = vec({-400 * bend * x[0] - 2 * (1 - x[0]), 200 * bend});
  value.dc.resize(0, 2);
  return value;
}

TEST(Minimizer, FindsTheEndOfACurvedValley) {
  const VecX wide = vec({kInfinite, kInfinite});
  const Minimum found = minimize(rosenbrock, vec({-1.2, 1}), -wide, wide, vec({1, 1}));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_LT((found.x - vec({1, 1})).norm(), 1e-5);
  EXPECT_LT(found.iterations.size(), 60u);
}

TEST(Minimizer, StopsAtBounds) {
  // Problem 2: y >= 1.5, optimum at 2 a cos(acos(1/b)/3), a = sqrt(598/1200), b = 400 a^3
  const double a = std::sqrt(598.0 / 1200), b = 400 * a * a * a;
  const Minimum found =
      minimize(rosenbrock, vec({-2, 1.5}), vec({-kInfinite, 1.5}), vec({kInfinite, kInfinite}), vec({1, 1}));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.x[1], 1.5);
  // It has two local minima; from here either is one.
  const double best = 2 * a * std::cos(std::acos(1 / b) / 3);
  EXPECT_LT(std::min(std::abs(found.x[0] - best), std::abs(found.x[0] + 1.2210)), 1e-3);
}

TEST(Minimizer, MeetsConstraints) {
  // Problem 43, of Rosen and Suzuki: -44 at (0, 1, 2, -1), the first and the third constraint active.
  const auto function = [](const VecX& x) -> std::optional<DesignValue> {
    DesignValue v;
    v.f = x.squaredNorm() + x[2] * x[2] - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3];
    v.df = vec({2 * x[0] - 5, 2 * x[1] - 5, 4 * x[2] - 21, 2 * x[3] + 7});
    v.c = vec({8 - x.squaredNorm() - x[0] + x[1] - x[2] + x[3],
               10 - x[0] * x[0] - 2 * x[1] * x[1] - x[2] * x[2] - 2 * x[3] * x[3] + x[0] + x[3],
               5 - 2 * x[0] * x[0] - x[1] * x[1] - x[2] * x[2] - 2 * x[0] + x[1] + x[3]});
    v.dc.resize(3, 4);
    v.dc << -2 * x[0] - 1, -2 * x[1] + 1, -2 * x[2] - 1, -2 * x[3] + 1,  //
        -2 * x[0] + 1, -4 * x[1], -2 * x[2], -4 * x[3] + 1,              //
        -4 * x[0] - 2, -2 * x[1] + 1, -2 * x[2], 1;
    return v;
  };
  const VecX wide = VecX::Constant(4, kInfinite);
  const Minimum found = minimize(function, VecX::Zero(4), -wide, wide, VecX::Ones(4));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(found.value.f, -44, 1e-6);
  EXPECT_LT((found.x - vec({0, 1, 2, -1})).norm(), 1e-4);
  EXPECT_NEAR(found.multipliers[1], 0, 1e-6);
}

TEST(Minimizer, GoesAroundWhereThereIsNoValue) {
  // -sqrt(1 - x) falls until x = 1, beyond which there is none; the best is at the bound 0.9.
  const auto function = [](const VecX& x) -> std::optional<DesignValue> {
    if (x[0] >= 1) return std::nullopt;
    DesignValue v;
    v.f = (x[0] - 0.95) * (x[0] - 0.95) - 0.1 * std::log(1 - x[0]);
    v.df = vec({2 * (x[0] - 0.95) + 0.1 / (1 - x[0])});
    v.dc.resize(0, 1);
    return v;
  };
  const Minimum found = minimize(function, vec({-3}), vec({-5}), vec({5}), vec({1}));
  EXPECT_TRUE(found.converged) << found.reason;
  // 2 (x - 0.95)(1 - x) + 0.1 = 0
  EXPECT_NEAR(found.x[0], (1.95 - std::sqrt(1.95 * 1.95 - 4 * (0.95 - 0.05))) / 2, 1e-6);
}

TEST(Minimizer, SaysThatConstraintsContradictEachOther) {
  const auto function = [](const VecX& x) -> std::optional<DesignValue> {
    DesignValue v;
    v.f = x[0] * x[0];
    v.df = vec({2 * x[0]});
    v.c = vec({x[0] - 1, -1 - x[0]});
    v.dc.resize(2, 1);
    v.dc << 1, -1;
    return v;
  };
  const Minimum found = minimize(function, vec({0.3}), vec({-5}), vec({5}), vec({1}));
  EXPECT_FALSE(found.converged);
  EXPECT_FALSE(found.reason.empty());
}

}  // namespace
}  // namespace cardan
