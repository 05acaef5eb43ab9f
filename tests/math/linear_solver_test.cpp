// Linear solvers against Eigen's dense LU on random patterns, definite and indefinite, and the report of vanishing
// pivots.
#include "math/linear_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "math/profile_solver.hpp"
#include "math/sparse_solver.hpp"

namespace cardan {
namespace {

using Matrix = Eigen::MatrixXd;

struct System {
  SymmetricPattern pattern;
  VecX values;
};

Matrix to_dense(const System& system) {
  Matrix matrix = Matrix::Zero(system.pattern.n, system.pattern.n);
  for (int j = 0; j < system.pattern.n; ++j) {
    for (int k = system.pattern.column_start[j]; k < system.pattern.column_start[j + 1]; ++k) {
      matrix(system.pattern.row[k], j) = matrix(j, system.pattern.row[k]) = system.values[k];
    }
  }
  return matrix;
}

// A sum of clique matrices B^T B, the last coordinates with a negative sign when `indefinite`: quasi-definite, hence
// regular in every order of elimination.
System random_system(int n, int cliques, int clique_size, bool indefinite, std::mt19937& random) {
  std::vector<std::vector<int>> sets;
  for (int c = 0; c < cliques; ++c) {
    std::vector<int> set;
    for (int i = 0; i < clique_size; ++i) set.push_back(static_cast<int>(random() % n));
    sets.push_back(set);
  }
  System system{SymmetricPattern::from_cliques(n, sets), {}};
  system.values = VecX::Zero(system.pattern.nonzeros());
  std::normal_distribution<double> normal;
  const int negative_from = indefinite ? n - n / 3 : n;
  for (int j = 0; j < n; ++j) system.values[system.pattern.slot(j, j)] = j < negative_from ? 0.5 : -0.5;
  for (const auto& set : sets) {
    VecX direction = VecX::Zero(n);
    for (const int i : set) direction[i] = normal(random);
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        const double product = direction[i] * direction[j];
        if (product == 0) continue;
        const bool same_sign = (i < negative_from) == (j < negative_from);
        system.values[system.pattern.slot(i, j)] += same_sign && j >= negative_from ? -product : product;
      }
    }
  }
  return system;
}

System from_matrix(const Matrix& matrix) {
  const int n = static_cast<int>(matrix.rows());
  std::vector<std::vector<int>> cliques;
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      if (matrix(i, j) != 0) cliques.push_back({i, j});
    }
  }
  System system{SymmetricPattern::from_cliques(n, cliques), {}};
  system.values.resize(system.pattern.nonzeros());
  for (int j = 0; j < n; ++j) {
    for (int k = system.pattern.column_start[j]; k < system.pattern.column_start[j + 1]; ++k) {
      system.values[k] = matrix(system.pattern.row[k], j);
    }
  }
  return system;
}

class Solvers : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Solvers, testing::Values("dense", "sparse", "profile", "automatic"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Solvers, AgreeWithEigen) {
  std::mt19937 random(7);
  for (const bool indefinite : {false, true}) {
    for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 30, 61, 150}) {
      for (const int clique_size : {2, 3, 6}) {
        const System system = random_system(n, 2 * n / clique_size + 1, clique_size, indefinite, random);
        const Matrix matrix = to_dense(system);
        const auto solver = make_linear_solver(GetParam(), system.pattern);
        for (int repetition = 0; repetition < 2; ++repetition) {  // a second factorization finds clean buffers
          ASSERT_EQ(solver->factorize(system.values), -1);
          const VecX exact = VecX::LinSpaced(n, -1, 2);
          VecX x = matrix * exact;
          solver->solve(x);
          EXPECT_LT((x - exact).norm(), 1e-11 * exact.norm() * n) << n << ' ' << clique_size;
        }
      }
    }
  }
}

TEST(SparseSolver, InverseOnThePattern) {
  std::mt19937 random(11);
  for (const bool indefinite : {false, true}) {
    for (const int n : {1, 2, 5, 13, 61, 150}) {
      for (const int clique_size : {2, 3, 6}) {
        const System system = random_system(n, 2 * n / clique_size + 1, clique_size, indefinite, random);
        SparseSolver solver(system.pattern);
        ASSERT_EQ(solver.factorize(system.values), -1);
        const VecX entries = solver.inverse_on_pattern();
        const Matrix inverse = to_dense(system).inverse();
        ASSERT_EQ(entries.size(), system.pattern.nonzeros());
        for (int j = 0; j < n; ++j) {
          for (int k = system.pattern.column_start[j]; k < system.pattern.column_start[j + 1]; ++k)
            EXPECT_NEAR(entries[k], inverse(system.pattern.row[k], j), 1e-12 * n * inverse.norm());
        }
      }
    }
  }
}

TEST_P(Solvers, TakeDisconnectedAndDiagonalPatterns) {
  const System diagonal = from_matrix(VecX::LinSpaced(40, 1, 40).asDiagonal());
  const auto solver = make_linear_solver(GetParam(), diagonal.pattern);
  EXPECT_EQ(solver->factorize(diagonal.values), -1);
  VecX x = VecX::LinSpaced(40, 1, 40);
  solver->solve(x);
  EXPECT_LT((x - VecX::Ones(40)).norm(), 1e-14);

  Matrix blocks = Matrix::Identity(9, 9) * 3;
  for (const auto& [i, j] : {std::pair{0, 8}, {2, 5}, {5, 7}, {2, 7}}) blocks(i, j) = blocks(j, i) = 1;
  const System system = from_matrix(blocks);
  const auto second = make_linear_solver(GetParam(), system.pattern);
  EXPECT_EQ(second->factorize(system.values), -1);
  VecX y = VecX::LinSpaced(9, 0, 1);
  const VecX expected = blocks.lu().solve(y);
  second->solve(y);
  EXPECT_LT((y - expected).norm(), 1e-14);
}

TEST_P(Solvers, EmptyPattern) {
  const auto solver = make_linear_solver(GetParam(), SymmetricPattern::from_cliques(0, {}));
  VecX nothing;
  EXPECT_EQ(solver->factorize(nothing), -1);
  solver->solve(nothing);
}

TEST_P(Solvers, DoNotDependOnTheNumbering) {
  std::mt19937 random(3);
  const Matrix matrix = to_dense(random_system(30, 25, 3, false, random));
  std::vector<int> order(30);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Matrix renumbered(30, 30);
  for (int j = 0; j < 30; ++j) {
    for (int i = 0; i < 30; ++i) renumbered(i, j) = matrix(order[i], order[j]);
  }
  const VecX b = VecX::LinSpaced(30, 1, 2);
  VecX x = b, y(30);
  for (int i = 0; i < 30; ++i) y[i] = b[order[i]];
  const System first = from_matrix(matrix), second = from_matrix(renumbered);
  const auto a = make_linear_solver(GetParam(), first.pattern), c = make_linear_solver(GetParam(), second.pattern);
  ASSERT_EQ(a->factorize(first.values), -1);
  ASSERT_EQ(c->factorize(second.values), -1);
  a->solve(x);
  c->solve(y);
  for (int i = 0; i < 30; ++i) EXPECT_NEAR(y[i], x[order[i]], 1e-11);
}

TEST_P(Solvers, NameTheSingularCoordinate) {
  // One coordinate without any stiffness: whatever the order, it is that one's pivot that vanishes.
  for (const int culprit : {0, 4, 11}) {
    Matrix matrix = Matrix::Identity(12, 12) * 4;
    for (int i = 0; i + 1 < 12; ++i) matrix(i, i + 1) = matrix(i + 1, i) = 1;
    const System pattern_of = from_matrix(matrix);
    matrix.row(culprit).setZero();
    matrix.col(culprit).setZero();
    System system{pattern_of.pattern, pattern_of.values};
    for (int j = 0; j < 12; ++j) {
      for (int i = j; i < 12; ++i) {
        if (const int slot = system.pattern.slot(i, j); slot >= 0) system.values[slot] = matrix(i, j);
      }
    }
    const auto solver = make_linear_solver(GetParam(), system.pattern);
    EXPECT_EQ(solver->factorize(system.values), culprit);
    system.values[system.pattern.slot(culprit, culprit)] = -2;  // and it recovers
    EXPECT_EQ(solver->factorize(system.values), -1);
    system.values[system.pattern.slot(culprit, culprit)] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solver->factorize(system.values), culprit);
    system.values[system.pattern.slot(culprit, culprit)] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(solver->factorize(system.values), culprit);
  }
}

TEST_P(Solvers, ScaleDoesNotDecideSingularity) {
  Matrix matrix = Matrix::Identity(6, 6);
  for (int i = 0; i < 6; ++i) matrix(i, i) = std::pow(10.0, 8 * i - 20);
  const System small = from_matrix(matrix);
  const auto solver = make_linear_solver(GetParam(), small.pattern);
  EXPECT_EQ(solver->factorize(small.values), -1);

  // Two coordinates that only move together: the second eliminated has nothing left.
  Matrix together(2, 2);
  together << 1.0 / 3, -1.0 / 3, -1.0 / 3, 1.0 / 3;
  const System loose = from_matrix(together);
  EXPECT_GE(make_linear_solver(GetParam(), loose.pattern)->factorize(loose.values), 0);
}

TEST(SymmetricPattern, FromCliques) {
  const SymmetricPattern pattern = SymmetricPattern::from_cliques(4, {{3, 1}, {1, 3, 1}, {0}});
  EXPECT_EQ(pattern.column_start, (std::vector<int>{0, 1, 3, 4, 5}));
  EXPECT_EQ(pattern.row, (std::vector<int>{0, 1, 3, 2, 3}));
  EXPECT_EQ(pattern.slot(1, 3), 2);
  EXPECT_EQ(pattern.slot(3, 1), 2);
  EXPECT_EQ(pattern.slot(0, 1), -1);
  EXPECT_THROW(SymmetricPattern::from_cliques(2, {{0, 2}}), std::invalid_argument);
}

// Whatever lies within whatever: an entry is there exactly when some clique has both of its coordinates.
TEST(SymmetricPattern, IsTheUnionOfCliques) {
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + below(12);
    std::vector<std::vector<int>> cliques(1 + below(8));
    Matrix wanted = Matrix::Identity(n, n);
    for (std::vector<int>& clique : cliques) {
      clique.resize(below(6));
      for (int& j : clique) j = below(n);
      const std::vector<int> first = cliques[0];
      if (below(2)) clique.insert(clique.end(), first.begin(), first.end());
      for (const int i : clique) {
        for (const int j : clique) wanted(i, j) = 1;
      }
    }
    const SymmetricPattern pattern = SymmetricPattern::from_cliques(n, cliques);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        EXPECT_EQ(pattern.slot(i, j) >= 0, wanted(i, j) == 1) << trial << ' ' << i << ' ' << j;
    }
  }
}

TEST(SymmetricPattern, MultiplyAdd) {
  std::mt19937 random(5);
  const System system = random_system(20, 15, 4, true, random);
  const VecX x = VecX::LinSpaced(20, -1, 1);
  VecX y = VecX::Ones(20);
  multiply_add(system.pattern, system.values, x, y);
  EXPECT_LT((y - VecX::Ones(20) - to_dense(system) * x).norm(), 1e-13);
}

TEST(LinearSolver, AutomaticTakesWhatIsCheaper) {
  std::vector<int> everything(30);
  std::iota(everything.begin(), everything.end(), 0);
  EXPECT_STREQ(make_linear_solver("automatic", SymmetricPattern::from_cliques(30, {everything}))->name(), "dense");
  std::vector<std::vector<int>> chain;
  for (int i = 0; i + 4 < 200; ++i) chain.push_back({i, i + 1, i + 2, i + 3, i + 4});
  EXPECT_STREQ(make_linear_solver("automatic", SymmetricPattern::from_cliques(200, chain))->name(), "sparse");
  // One panel, whatever its zeros.
  EXPECT_STREQ(make_linear_solver("automatic", SymmetricPattern::from_cliques(6, {{0, 1}, {4, 5}}))->name(), "dense");
}

TEST(LinearSolver, UnknownKindIsRefused) {
  EXPECT_THROW(make_linear_solver("magic", SymmetricPattern::from_cliques(2, {})), std::invalid_argument);
}

/// Chains and rings in any order on a full pattern: others with every factorization.
TEST(ProfileSolver, WorksOnWhatIsThereJustNow) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const int n = 90;
  System system{SymmetricPattern::full(n), {}};
  ProfileSolver solver(system.pattern);
  for (const int reach : {1, 4, 2, 0, 7}) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    system.values = VecX::Zero(system.pattern.nonzeros());
    for (int i = 0; i < n; ++i) {
      system.values[system.pattern.slot(i, i)] = 20;
      for (int k = 1; k <= reach && i + k < n; ++k)
        system.values[system.pattern.slot(order[i], order[i + k])] = normal(random);
    }
    ASSERT_EQ(solver.factorize(system.values), -1);
    EXPECT_LE(solver.size(), (2 * reach + 1) * n);
    const VecX b = VecX::NullaryExpr(n, [&](Eigen::Index) { return normal(random); });
    VecX x = b;
    solver.solve(x);
    EXPECT_LT((to_dense(system) * x - b).norm(), 1e-12 * b.norm()) << reach;
  }
}

}  // namespace
}  // namespace cardan
