// A tangent with couplings, solved force by force and as one full matrix, against the matrix itself.
#include "integration/coupled_solver.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace cardan {
namespace {

/// Rows of a few coordinates each, forces that follow some of them and states, states that follow rows and each other.
struct Coupled {
  Structure structure;
  std::unique_ptr<Equations> equations;
  Eigen::MatrixXd whole;  // with the couplings

  Coupled(int n, int rows, int states, int couplings, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
    Structure& s = structure;
    s.coordinates = n + states;
    s.states = states;
    for (int i = 0; i < rows; ++i) {
      std::vector<int> columns(static_cast<std::size_t>(n));
      std::iota(columns.begin(), columns.end(), 0);
      std::shuffle(columns.begin(), columns.end(), random);
      columns.resize(static_cast<std::size_t>(std::min(n, 3)));
      s.loads.add(columns);
    }
    for (int i = 0; i < states; ++i) s.loads.add({n + i});
    std::vector<std::vector<int>> cliques;
    for (int i = 0; i + 1 < n; ++i) cliques.push_back({i, i + 1});
    s.complete(cliques);
    for (int i = 0; i < couplings; ++i) s.couplings.push_back({below(rows + states), below(rows + states)});
    equations = std::make_unique<Equations>(s);
    for (double& x : equations->load_gradient) x = number(random);
    equations->load_gradient.tail(states).setOnes();
    for (double& k : equations->coupling_stiffness) k = number(random);
    for (double& c : equations->coupling_damping) c = number(random);
    whole = Eigen::MatrixXd::Zero(s.coordinates, s.coordinates);
  }

  /// The values of the symmetric part; `whole` with weights 2 k + 3 c.
  VecX values() {
    VecX result = VecX::Zero(structure.pattern.nonzeros());
    for (int j = 0; j < structure.pattern.n; ++j) {
      for (int k = structure.pattern.column_start[j]; k < structure.pattern.column_start[j + 1]; ++k) {
        const int i = structure.pattern.row[k];
        result[k] = i == j ? 20 : 0.3;
        whole(i, j) = whole(j, i) = result[k];
      }
    }
    for (std::size_t i = 0; i < structure.couplings.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      add_outer(structure.loads, equations->load_gradient, structure.couplings[i].force, structure.couplings[i].felt,
                2 * equations->coupling_stiffness[at] + 3 * equations->coupling_damping[at], whole);
    }
    return result;
  }
};

TEST(CoupledSolver, BothWaysSolveTheSameMatrix) {
  for (const int couplings : {1, 5, 60}) {
    for (const int states : {0, 4}) {
      for (unsigned seed = 1; seed <= 5; ++seed) {
        Coupled c(17, 12, states, couplings, seed);
        const VecX values = c.values(), wanted = VecX::Random(c.structure.coordinates);
        for (const std::string kind : {"sparse", "dense", "automatic"}) {
          const auto solver = make_coupled_solver(kind, c.structure, *c.equations);
          for (int again = 0; again < 2; ++again) {
            ASSERT_EQ(solver->factorize(values, 2, 3), -1);
            VecX x = c.whole * wanted;
            solver->solve(x);
            EXPECT_LT((x - wanted).norm(), 1e-11) << kind << couplings << states << seed;
          }
          ASSERT_EQ(solver->factorize(values), -1);
          VecX x = VecX::Zero(c.structure.coordinates);
          multiply_add(c.structure.pattern, values, wanted, x);
          solver->solve(x);
          EXPECT_LT((x - wanted).norm(), 1e-12) << kind;
        }
      }
    }
  }
}

/// A force that takes back all that a coordinate resists with leaves no inverse.
TEST(CoupledSolver, SaysWhichCoordinateHasNoPivot) {
  for (const int couplings : {1, 60}) {
    for (const std::string kind : {"sparse", "automatic"}) {
      Coupled c(6, 1, 0, couplings, 1);
      VecX values = c.values();
      for (auto& coupling : c.structure.couplings) coupling = {0, 0};
      c.equations->load_gradient.setZero();
      c.equations->load_gradient[0] = 1;
      const int alone = c.structure.loads.column[0];
      for (int j = 0; j < 6; ++j)
        for (int k = c.structure.pattern.column_start[j] + 1; k < c.structure.pattern.column_start[j + 1]; ++k)
          values[k] = 0;
      c.equations->coupling_stiffness.setConstant(-values[c.structure.pattern.column_start[alone]] / couplings);
      const auto solver = make_coupled_solver(kind, c.structure, *c.equations);
      EXPECT_EQ(solver->factorize(values, 1, 0), alone) << kind << couplings;
    }
  }
}

}  // namespace
}  // namespace cardan
