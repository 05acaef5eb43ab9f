// Factorize and solve once, dense against sparse, on the patterns that mechanisms give: chains of bodies, grids, and
// many legs on one platform (block arrow). The counters are what the automatic choice is fitted to.
#include <benchmark/benchmark.h>

#include "math/linear_solver.hpp"
#include "math/sparse_symbolic.hpp"

namespace cardan {
namespace {

using Cliques = std::vector<std::vector<int>>;

std::vector<int> range(int begin, int end) {
  std::vector<int> indices;
  for (int i = begin; i < end; ++i) indices.push_back(i);
  return indices;
}

/// Every coordinate couples with the next `band`.
SymmetricPattern chain(int n, int band) {
  Cliques cliques;
  for (int i = 0; i < n; ++i) cliques.push_back(range(i, std::min(n, i + band + 1)));
  return SymmetricPattern::from_cliques(n, cliques);
}

/// About n coordinates on a square, neighbours coupled.
SymmetricPattern grid(int n) {
  int side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  Cliques cliques;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side) cliques.push_back({i * side + j, (i + 1) * side + j});
      if (j + 1 < side) cliques.push_back({i * side + j, i * side + j + 1});
    }
  }
  return SymmetricPattern::from_cliques(side * side, cliques);
}

/// Legs of six coordinates on a platform of six.
SymmetricPattern arrow(int n) {
  Cliques cliques;
  for (int leg = 6; leg < n; leg += 6) {
    cliques.push_back(range(0, std::min(n, 6)));
    for (int i = leg; i < std::min(n, leg + 6); ++i) cliques.back().push_back(i);
  }
  return SymmetricPattern::from_cliques(n, cliques);
}

/// Positive definite by its diagonal.
VecX values_for(const SymmetricPattern& pattern) {
  VecX values = VecX::Constant(pattern.nonzeros(), -0.5);
  for (int j = 0; j < pattern.n; ++j) values[pattern.column_start[j]] = pattern.n + 0.1 * j;
  return values;
}

void factorize_and_solve(benchmark::State& state, const std::string& kind, const SymmetricPattern& pattern) {
  const VecX values = values_for(pattern);
  const auto solver = make_linear_solver(kind, pattern);
  VecX x = VecX::Ones(pattern.n);
  for (auto _ : state) {
    if (solver->factorize(values) != -1) state.SkipWithError("singular");
    solver->solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  const SparseSymbolic symbolic(pattern);
  const auto work = symbolic.work();
  state.counters["n"] = pattern.n;
  state.counters["nonzeros"] = symbolic.nonzeros();
  state.counters["multiplications"] = work.multiplications;
  state.counters["scatters"] = work.scatters;
  state.counters["updates"] = work.updates;
}

const bool kSolversRegistered = [] {
  for (const int n : {4, 5, 8, 12, 16, 24, 32, 48, 64, 100, 200, 400, 800}) {
    const std::pair<std::string, SymmetricPattern> patterns[] = {
        {"chain4", chain(n, 4)}, {"chain12", chain(n, 12)}, {"grid", grid(n)}, {"arrow", arrow(n)}};
    for (const auto& [name, pattern] : patterns) {
      for (const std::string kind : {"dense", "sparse", "automatic"}) {
        if (kind == "dense" && n > 200 && name != "chain4") continue;  // the pattern does not matter to it
        benchmark::RegisterBenchmark(
            (kind + "/" + name + "/" + std::to_string(n)).c_str(),
            [kind, pattern](benchmark::State& state) { factorize_and_solve(state, kind, pattern); });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace cardan
