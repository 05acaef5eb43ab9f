// A run without output, to be counted by callgrind: instructions of a step are the difference of two lengths.
//     cardan_step_cost MODEL FORMULATION INTEGRATOR STEP STEPS [samples]
//     valgrind --tool=callgrind cardan_step_cost models/iltis.yaml hybrid trapezoidal 0.04 50
// and the same with 150 steps. With `samples` a row of all columns is made after every step, as for a file, but without
// its text. Prints where the run ends, in all digits, so that two builds can be compared.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

int main(int count, char** arguments) {
  using namespace cardan;
  if (count < 6) {
    fmt::print(stderr, "usage: cardan_step_cost MODEL FORMULATION INTEGRATOR STEP STEPS [samples]\n");
    return 2;
  }
  const Mechanism mechanism = read_mechanism(arguments[1]);
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = arguments[2];
  options.integrator = arguments[3];
  options.step = std::strtod(arguments[4], nullptr);
  const bool samples = count > 6;
  Simulation simulation(mechanism, options);
  std::vector<double> row(simulation.columns().size());
  for (int i = 0, steps = std::atoi(arguments[5]); i < steps; ++i) {
    if (simulation.step() != StepStatus::ok) {
      fmt::print(stderr, "step {}: {}\n", i, simulation.summary().reason);
      return 1;
    }
    if (samples) simulation.sample(row.data());
  }
  const RunSummary& s = simulation.summary();
  fmt::print("steps {} iterations {} evaluations {} factorizations {} cpu {:.6g} s\n", s.steps, s.iterations,
             s.evaluations, s.factorizations, s.cpu_seconds);
  fmt::print("t {:.17g} energy {:.17g} error {:.3g}\n", simulation.time(), simulation.energy(), s.energy_max_error);
  for (const double v : simulation.state().v) fmt::print("{:.17g} ", v);
  fmt::print("\n");
  return 0;
}
