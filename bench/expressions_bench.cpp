// What expressions cost: a step of the Iltis (hybrid, trapezoidal, 0.01 s) as it is, with 100 expressions that are
// shown alone, and with 100 that are added up to one force on the chassis. Instructions of a step are the difference of
// two lengths under callgrind, whose counts do not vary:
//     valgrind --tool=callgrind cardan_bench --benchmark_filter=expressions/followed --benchmark_min_time=100x
// and the same with 300x.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

enum class Use { none, shown, followed, followed_linear };

constexpr int kCount = 100;

/// One of each kind that laws and controllers are made of, over the motions of a corner and of the chassis; no two are
/// alike.
std::string expression(int i, bool linear) {
  constexpr const char* kCorners[] = {"front_left", "front_right", "rear_left", "rear_right"};
  const auto of_corner = [&](const char* what) { return fmt::format("'{}/{}'", kCorners[i % 4], what); };
  const std::string q = of_corner("arm_hinge.q"), v = of_corner("arm_hinge.v"), l = of_corner("leaf_hinge.q"),
                    s = of_corner("shock.length"), z = "chassis.z", vz = "chassis.vz";
  const double a = 1 + 0.01 * i, b = 0.2 + 0.003 * i;
  if (linear) return fmt::format("{}*{} + {}*{} - {}*{} + {}*{}", a, q, b, v, b, s, a, vz);
  switch (i / 4 % 5) {
    case 0:
      return fmt::format("{}*({} - {}) + {}*{}", a, s, b, b, vz);
    case 1:
      return fmt::format("{}*{}^2 + {}*{}*{}", a, q, b, v, z);
    case 2:
      return fmt::format("min(max({}*{} + {}*{}, -{}), {})", a, q, b, v, b, b);
    case 3:
      return fmt::format("{} > {} ? {}*({} - {}) : {}*{}", s, b, a, s, b, b, vz);
    default:
      return fmt::format("{}*sin({}*{}) + {}/(1 + {}^2)", b, a, l, v, z);
  }
}

Mechanism iltis(Use use) {
  const std::string path = CARDAN_SOURCE_DIR "/models/iltis.yaml";
  if (use == Use::none) return read_mechanism(path);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf() << "signals:\n";
  for (int i = 0; i < kCount; ++i)
    text << fmt::format("  e{}: \"{}\"\n", i, expression(i, use == Use::followed_linear));
  if (use != Use::shown) {
    for (int i = 0; i < kCount; i += 10) {
      text << "  sum" << i / 10 << ": ";
      for (int j = i; j < i + 10; ++j) text << (j == i ? "e" : " + e") << j;
      text << "\n";
    }
    text << "loads:\n  push: {force: chassis, at: [0, 0, 0.57], components: [0, 0, 0.01*(sum0";
    for (int i = 1; i < kCount / 10; ++i) text << " + sum" << i;
    text << ")]}\n";
  }
  return read_mechanism_text(text.str(), path);
}

/// As many steps from the start as the argument says.
void expressions(benchmark::State& state, Use use) {
  const Mechanism mechanism = iltis(use);
  Simulation simulation(mechanism, RunOptions::for_mechanism(mechanism));
  for (auto _ : state) {
    for (int i = 0; i < state.range(0); ++i) {
      if (simulation.step() != StepStatus::ok) return state.SkipWithError("a step failed");
    }
  }
  const RunSummary& s = simulation.summary();
  state.counters["iterations/step"] = static_cast<double>(s.iterations) / static_cast<double>(s.steps);
  state.counters["us/step"] = 1e6 * s.cpu_seconds / static_cast<double>(s.steps);
}

BENCHMARK_CAPTURE(expressions, none, Use::none)->Arg(100)->Arg(700)->Iterations(1);
BENCHMARK_CAPTURE(expressions, shown, Use::shown)->Arg(100)->Arg(700)->Iterations(1);
BENCHMARK_CAPTURE(expressions, followed, Use::followed)->Arg(100)->Arg(700)->Iterations(1);
BENCHMARK_CAPTURE(expressions, linear, Use::followed_linear)->Arg(100)->Arg(700)->Iterations(1);

}  // namespace
}  // namespace cardan
