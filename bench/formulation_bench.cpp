// What a step costs: the double four-bar at h = 0.01 s in every formulation, and how the cost grows with the number of
// windows. Ratios within one run are what counts; the machine's noise is in every absolute number.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "cardan/simulation.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"

namespace cardan {
namespace {

RunOptions options_of(const char* formulation, double step) {
  RunOptions options;
  options.formulation = formulation;
  options.step = step;
  return options;
}

/// Steps forth from the start again and again; the time of a step, and of an iteration as a counter.
void step_linkage(benchmark::State& state, const char* formulation, int windows, double step, double until) {
  Simulation simulation(n_window_four_bar(windows), options_of(formulation, step));
  const Context start = simulation.state();
  for (auto _ : state) {
    if (simulation.time() > until) simulation.restore(start);
    if (simulation.step() != StepStatus::ok) {
      state.SkipWithError("a step failed");
      break;
    }
  }
  const RunSummary& s = simulation.summary();
  state.counters["iterations/step"] = static_cast<double>(s.iterations) / static_cast<double>(s.steps);
  state.counters["us/iteration"] = 1e6 * s.cpu_seconds / static_cast<double>(s.iterations);
}

BENCHMARK_CAPTURE(step_linkage, double_four_bar_global, "global", 2, 0.01, 9.9)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step_linkage, double_four_bar_hybrid, "hybrid", 2, 0.01, 9.9)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step_linkage, double_four_bar_topological, "topological", 2, 0.01, 0.6)
    ->Unit(benchmark::kMicrosecond);

double seconds_per_step(const char* formulation, int windows) {
  Simulation simulation(n_window_four_bar(windows), options_of(formulation, 1e-3));
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 40; ++i) simulation.step();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 40);
  }
  return best;
}

/// Exponent of the time of a step over the number of windows, from 40 to 400; the best of five bouts of each.
void growth(benchmark::State& state, const char* formulation) {
  double few = 0, many = 0;
  for (auto _ : state) {
    few = seconds_per_step(formulation, 40);
    many = seconds_per_step(formulation, 400);
  }
  state.counters["us/step, 40 windows"] = 1e6 * few;
  state.counters["us/step, 400 windows"] = 1e6 * many;
  state.counters["exponent"] = std::log10(many / few);
}

BENCHMARK_CAPTURE(growth, windows_40_to_400_global, "global")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(growth, windows_40_to_400_hybrid, "hybrid")->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cardan
