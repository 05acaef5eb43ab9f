// Sparse L U with kept orders: random matrices without a diagonal, pairs [M J^T; J 0], values
// that ask for another order, matrices without pivots, and orders that are stored.
#include "math/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace cardan {
namespace {

struct Sample {
  std::vector<SparseLu::Entry> entries;
  VecX values;
};

/// A permutation with others beside it, some of them twice.
Sample random_sample(int n, int beside, std::mt19937& random) {
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  Sample sample;
  for (int i = 0; i < n; ++i) {
    sample.entries.push_back({i, order[i]});
    for (int k = 0; k < beside; ++k)
      sample.entries.push_back({i, static_cast<int>(random() % static_cast<unsigned>(n))});
  }
  sample.values = VecX::NullaryExpr(static_cast<Eigen::Index>(sample.entries.size()),
                                    [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
  return sample;
}

/// Residuals relative to the terms that they are sums of.
void expect_solutions(SparseLu& lu, double bound = 1e-13) {
  const int n = lu.size();
  const Eigen::MatrixXd A = lu.full();
  const VecX b = VecX::LinSpaced(n, -1, 2);
  VecX x = b, y = b;
  lu.solve(x.data());
  lu.solve_transposed(y.data());
  EXPECT_LT((A * x - b).norm(), bound * A.norm() * x.norm()) << n;
  EXPECT_LT((A.transpose() * y - b).norm(), bound * A.norm() * y.norm()) << n;
}

TEST(SparseLu, SolvesInTheOrderThatItHasOrInAnother) {
  std::mt19937 random(3);
  int orders = 0;
  for (const int n : {1, 2, 5, 20, 100}) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      const Sample sample = random_sample(n, 3, random);
      SparseLu lu(n, sample.entries);
      lu.values() = sample.values;
      ASSERT_EQ(lu.factorize(), -1);
      expect_solutions(lu);
      // The same order where values change a little, another where they change much.
      lu.values() *= 1.1;
      ASSERT_EQ(lu.factorize(), -1);
      EXPECT_EQ(lu.orders(), 1);
      expect_solutions(lu);
      // Pivots that are kept may be small in their rows.
      for (double& value : lu.values()) value = std::uniform_real_distribution<double>(-1, 1)(random);
      ASSERT_EQ(lu.factorize(), -1);
      expect_solutions(lu, 1e-9);
      orders += lu.orders();
    }
  }
  EXPECT_GT(orders, 50) << "some ask for another";
}

TEST(SparseLu, WorksWithoutADiagonalAndInAnyUnits) {
  std::mt19937 random(8);
  const int n = 60, m = 30;
  std::vector<SparseLu::Entry> entries;
  std::vector<double> values;
  const auto add = [&](int i, int j, double value) {
    entries.push_back({i, j});
    values.push_back(value);
  };
  for (int i = 0; i < n; ++i) add(i, i, i % 7 == 0 ? 0 : 1e6 * (1 + i));
  for (int k = 0; k < m; ++k) {
    for (int j = 2 * k; j < std::min(n, 2 * k + 5); ++j) {
      const double value = 1e-4 * std::uniform_real_distribution<double>(-1, 1)(random);
      add(n + k, j, value);
      add(j, n + k, value);
    }
  }
  SparseLu lu(n + m, entries);
  lu.values() = Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
  ASSERT_EQ(lu.factorize(), -1);
  const Eigen::MatrixXd A = lu.full();
  const VecX b = VecX::LinSpaced(n + m, -1, 2);
  VecX x = b;
  lu.solve(x.data());
  EXPECT_LT((A * x - b).norm(), 1e-9 * (A.norm() * x.norm()));
  EXPECT_LT(lu.nonzeros(), 20 * (n + m));
}

TEST(SparseLu, SaysThatThereIsNoPivot) {
  std::mt19937 random(4);
  Sample sample = random_sample(20, 2, random);
  SparseLu lu(20, sample.entries);
  for (std::size_t k = 0; k < sample.entries.size(); ++k)
    lu.values()[static_cast<Eigen::Index>(k)] =
        sample.entries[k].column == 7 ? 0 : sample.values[static_cast<Eigen::Index>(k)];
  EXPECT_GE(lu.factorize(), 0);
  lu.values() = sample.values;
  EXPECT_EQ(lu.factorize(), -1);
  expect_solutions(lu);
  lu.values()[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GE(lu.factorize(), 0);
}

TEST(SparseLu, WithAStoredOrderItIsTheSameBitForBit) {
  std::mt19937 random(5);
  const Sample first = random_sample(50, 3, random);
  SparseLu one(50, first.entries), two(50, first.entries);
  VecX order(one.order_size());
  one.store_order(order.data());
  two.recall_order(order.data());  // none yet
  one.values() = first.values;
  ASSERT_EQ(one.factorize(), -1);
  one.store_order(order.data());
  one.values() = two.values() = (first.values.array() * (1 + 0.1 * first.values.array())).matrix();
  two.recall_order(order.data());
  ASSERT_EQ(one.factorize(), -1);
  ASSERT_EQ(two.factorize(), -1);
  EXPECT_EQ(one.orders(), 1);
  EXPECT_EQ(two.orders(), 0);
  VecX x = VecX::LinSpaced(50, -1, 2), y = x;
  one.solve(x.data());
  two.solve(y.data());
  EXPECT_EQ(x, y);
}

}  // namespace
}  // namespace cardan
