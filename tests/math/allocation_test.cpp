// What runs inside a step must not touch the heap: malloc is counted while functions, expressions and solvers work.
#include <gtest/gtest.h>

#include <cstdint>

#include "cardan/function.hpp"
#include "math/expression.hpp"
#include "math/linear_solver.hpp"
#include "simulation/allocation_counter.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace cardan {
namespace {

template <class Work>
std::uint64_t allocations_in(const Work& work) {
  const std::uint64_t before = allocation_counter();
  work();
  return allocation_counter() - before;
}

TEST(Allocation, TheCounterCounts) {
  EXPECT_GE(allocations_in([] { VecX::Zero(100).eval(); }), 1U);
}

TEST(Allocation, FunctionsDoNotAllocate) {
  const auto spline = Function::Interpolation::cubic;
  const Function functions[] = {
      Function(),
      Function::polynomial({1, 2, 3}),
      Function::table({0, 1, 2, 4}, {0, 2, 1, 3}, spline),
      Function::sine(1, 2),
      Function::smooth_step(0, 0, 1, 1),
      Function::expression("x > 0.2 ? sin(x)^2 + max(x, 1) : atan2(x, 3)", "x"),
      Function::piecewise({0.5}, {Function::constant(1), Function::expression("x^x", "x")}),
  };
  double sum = 0;
  EXPECT_EQ(allocations_in([&] {
              for (const Function& f : functions) {
                for (double x = -1; x < 3; x += 0.1) sum += f.evaluate(x).d2;
                sum += f.integral(0.1, 0.9);
                const Function copy = f;
                sum += copy(0.5);
              }
            }),
            0U);
  EXPECT_NE(sum, 0);
}

TEST(Allocation, SolversDoNotAllocate) {
  std::vector<std::vector<int>> cliques;
  for (int i = 0; i + 6 <= 60; i += 3) cliques.push_back({i, i + 1, i + 2, i + 3, i + 4, i + 5});
  const SymmetricPattern pattern = SymmetricPattern::from_cliques(60, cliques);
  VecX values = VecX::Ones(pattern.nonzeros()), x = VecX::Ones(60), y = VecX::Zero(60);
  for (int j = 0; j < 60; ++j) values[pattern.slot(j, j)] = 20;
  for (const char* kind : {"dense", "sparse"}) {
    const auto solver = make_linear_solver(kind, pattern);
    EXPECT_EQ(allocations_in([&] {
                solver->factorize(values);
                solver->solve(x);
                multiply_add(pattern, values, x, y);
              }),
              0U)
        << kind;
  }
}

}  // namespace
}  // namespace cardan

#endif
