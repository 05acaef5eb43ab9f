// Redundant rows and minimum-norm solutions, on both sides of the size where the method changes.
#include "math/rank.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>

namespace cardan {
namespace {

using Row = std::vector<std::pair<int, double>>;

SparseRows from_rows(int columns, const std::vector<Row>& rows) {
  SparseRows J;
  J.columns = columns;
  for (const Row& row : rows) {
    for (const auto& [column, value] : row) J.add(column, value);
    J.end_row();
  }
  return J;
}

Eigen::MatrixXd to_dense(const SparseRows& J) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(J.rows(), J.columns);
  for (int i = 0; i < J.rows(); ++i) {
    for (int k = J.start[i]; k < J.start[i + 1]; ++k) matrix(i, J.column[k]) += J.value[k];
  }
  return matrix;
}

struct Redundant {
  SparseRows J;
  std::vector<int> dependent;
};

// A band of random rows; every fifth row is a combination of the three before it, in a scale of its own.
Redundant banded(int rows, int columns, unsigned seed, double decades = 4) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Row> list;
  std::vector<int> dependent;
  int independent = 0;
  const int wanted = rows - rows / 5;
  for (int i = 0; i < rows; ++i) {
    Row row;
    if (i % 5 == 4) {
      std::map<int, double> sum;
      for (int back = 1; back <= 3; ++back) {
        const double factor = normal(random);
        for (const auto& [column, value] : list[i - back]) sum[column] += factor * value;
      }
      const double scale = std::pow(10.0, decades * normal(random));
      for (const auto& [column, value] : sum) row.emplace_back(column, scale * value);
      dependent.push_back(i);
    } else {
      const int first = static_cast<int>(static_cast<long>(independent++) * (columns - 8) / wanted);
      for (int k = 0; k < 8; ++k) row.emplace_back(first + k, normal(random));
    }
    list.push_back(row);
  }
  return {from_rows(columns, list), dependent};
}

TEST(DependentRows, KeepsTheEarlierOnes) {
  const SparseRows J =
      from_rows(3, {{{0, 1.0}}, {{0, 1.0}, {1, 1e-3}}, {{1, 5.0}}, {}, {{2, 1e-30}}, {{0, 1.0}, {1, 2.0}, {2, 3.0}}});
  EXPECT_EQ(dependent_rows(J), (std::vector<int>{2, 3, 5}));
  EXPECT_TRUE(dependent_rows(from_rows(3, {})).empty());
  EXPECT_EQ(dependent_rows(from_rows(0, {{}, {}})), (std::vector<int>{0, 1}));
}

/// What the closures of a second bearing look like.
TEST(DependentRows, ThoseThatAreNothingButRoundingSayNothing) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const int columns : {1, 6, 500}) {
    for (const double size : {1e-6, 1.0, 1e6}) {
      std::vector<Row> rows(3);
      for (int k = 0; k < columns; k += 1 + columns / 10) {
        for (int i = 0; i < 3; ++i) rows[i].emplace_back(k, 1e-17 * size * normal(random));
      }
      rows.push_back({{0, size}});
      const SparseRows J = from_rows(columns, rows);
      EXPECT_EQ(dependent_rows(J, VecX::Constant(4, 1e-14 * size)), (std::vector<int>{0, 1, 2})) << columns;
      EXPECT_LT(dependent_rows(J, VecX::Zero(4)).size(), 4U) << columns;
    }
  }
}

/// Two rows that are nearly parallel, as close to a singular position, make a third one with errors of their own order.
TEST(DependentRows, ErrorsGrowWithTheCoefficients) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (const double apart : {1.0, 1e-3, 1e-5, 1e-7, 1e-8}) {
    for (int trial = 0; trial < 20; ++trial) {
      const auto error = [&] { return 1e-15 * normal(random); };
      const SparseRows J = from_rows(3, {{{0, 1}, {1, error()}, {2, error()}},
                                         {{0, 1}, {1, apart}, {2, error()}},
                                         {{0, error()}, {1, 1}, {2, error()}},
                                         {{0, 0.3}, {1, 0.2}, {2, 1e-5}}});
      EXPECT_EQ(dependent_rows(J, VecX::Constant(4, 1e-14)), (std::vector<int>{2})) << apart;
    }
  }
}

TEST(DependentRows, EveryRowNeedsItsRounding) {
  EXPECT_THROW(dependent_rows(from_rows(1, {{{0, 1.0}}}), VecX::Zero(2)), std::invalid_argument);
}

TEST(DependentRows, ToleranceIsADistance) {
  for (const int copies : {1, 300}) {  // many blocks bring the sparse method in
    std::vector<Row> rows;
    for (int c = 0; c < copies; ++c) {
      rows.push_back({{2 * c, 3.0}});
      rows.push_back({{2 * c, 1.0}, {2 * c + 1, c % 2 ? 1e-8 : 1e-10}});
    }
    const SparseRows J = from_rows(2 * copies, rows);
    EXPECT_EQ(dependent_rows(J, 1e-9).size(), static_cast<std::size_t>((copies + 1) / 2));
    EXPECT_EQ(dependent_rows(J, 1e-12).size(), 0u);
    EXPECT_EQ(dependent_rows(J, 1e-6).size(), static_cast<std::size_t>(copies));
  }
}

TEST(DependentRows, FindsCombinationsInBands) {
  for (const int rows : {10, 100, 380, 450, 1000}) {
    const Redundant problem = banded(rows, rows + 10, rows);
    EXPECT_EQ(dependent_rows(problem.J), problem.dependent) << rows;
  }
}

TEST(DependentRows, AgreesWithTheRankOfRandomProducts) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const int n : {20, 410}) {  // dense rows of rank n/2, for both methods
    Eigen::MatrixXd left(n, n / 2), right(n / 2, n);
    for (double& value : left.reshaped()) value = normal(random);
    for (double& value : right.reshaped()) value = normal(random);
    const Eigen::MatrixXd product = left * right;
    SparseRows J;
    J.columns = n;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) J.add(k, product(i, k));
      J.end_row();
    }
    std::vector<int> expected;
    for (int i = n / 2; i < n; ++i) expected.push_back(i);
    EXPECT_EQ(dependent_rows(J), expected);
  }
}

TEST(DependentRows, LargeBandsAreQuick) {
  const Redundant problem = banded(3000, 2600, 9);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(dependent_rows(problem.J), problem.dependent);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(DependentRows, MoreRowsThanColumns) {
  const Redundant problem = banded(3000, 2000, 9);
  const std::vector<int> dependent = dependent_rows(problem.J);
  EXPECT_GE(dependent.size(), 1000u);
  EXPECT_LE(dependent.size(), 1010u);
}

TEST(DependentRows, RefusesWhatIsNotFinite) {
  EXPECT_THROW(dependent_rows(from_rows(1, {{{0, std::numeric_limits<double>::quiet_NaN()}}})), std::invalid_argument);
}

TEST(MinimumNorm, WeightsDecideWhoMoves) {
  double residual = 1;
  const SparseRows J = from_rows(2, {{{0, 1.0}, {1, 1.0}}});
  const VecX x = minimum_norm_solution(J, Eigen::Vector2d(1, 3), VecX::Constant(1, 4.0), &residual);
  EXPECT_NEAR(x[0], 3, 1e-14);
  EXPECT_NEAR(x[1], 1, 1e-14);
  EXPECT_NEAR(residual, 0, 1e-14);
}

TEST(MinimumNorm, RedundantConsistentRows) {
  for (const int rows : {60, 290, 500}) {
    const Redundant problem = banded(rows, rows + 10, rows + 1, 1);
    const Eigen::MatrixXd J = to_dense(problem.J);
    const VecX weight = VecX::LinSpaced(J.cols(), 0.5, 4);
    // The exact answer has the form W^-1 J^T lambda.
    const VecX exact = weight.cwiseInverse().cwiseProduct(J.topRows(4).transpose() * VecX::Ones(4));
    double residual = 1;
    const VecX x = minimum_norm_solution(problem.J, weight, J * exact, &residual);
    EXPECT_LT(residual, 1e-9 * (J * exact).norm()) << rows;
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm()) << rows;
  }
}

TEST(MinimumNorm, ContradictionsGiveLeastSquares) {
  for (const int blocks : {1, 250}) {
    std::vector<Row> rows;
    VecX rhs(3 * blocks);
    for (int b = 0; b < blocks; ++b) {  // x = 1, x = 3, y + z = 2
      rows.push_back({{3 * b, 1.0}});
      rows.push_back({{3 * b, 1.0}});
      rows.push_back({{3 * b + 1, 1.0}, {3 * b + 2, 1.0}});
      rhs.segment<3>(3 * b) << 1, 3, 2;
    }
    double residual = 0;
    const VecX x = minimum_norm_solution(from_rows(3 * blocks, rows), VecX::Ones(3 * blocks), rhs, &residual);
    for (int b = 0; b < blocks; ++b) EXPECT_LT((x.segment<3>(3 * b) - Vec3(2, 1, 1)).norm(), 1e-5) << blocks;
    EXPECT_NEAR(residual, std::sqrt(2.0 * blocks), 1e-6);
  }
}

TEST(MinimumNorm, NothingToDo) {
  double residual = 1;
  EXPECT_EQ(minimum_norm_solution(from_rows(2, {}), VecX::Ones(2), VecX(0), &residual), VecX::Zero(2));
  EXPECT_EQ(residual, 0);
  EXPECT_EQ(minimum_norm_solution(from_rows(2, {{}}), VecX::Ones(2), VecX::Ones(1), &residual), VecX::Zero(2));
  EXPECT_EQ(residual, 1);
  EXPECT_THROW(minimum_norm_solution(from_rows(1, {}), VecX::Zero(1), VecX(0)), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
