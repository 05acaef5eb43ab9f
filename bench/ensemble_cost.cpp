// Instances of a model that differ in one parameter, stepped one by one or as an ensemble, to be counted by callgrind as
// step_cost.cpp is: instructions of a step are the difference of two lengths.
//     cardan_ensemble_cost MODEL PARAMETER FROM TO STEP STEPS INSTANCES single|lanes
//     cardan_ensemble_cost models/iltis.yaml leaf_stiffness 30000 40000 0.01 100 4 lanes
// Prints processor time, iterations, and where each instance ends.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "cardan/ensemble.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

int main(int count, char** arguments) {
  using namespace cardan;
  if (count < 9) {
    fmt::print(stderr, "usage: cardan_ensemble_cost MODEL PARAMETER FROM TO STEP STEPS INSTANCES single|lanes\n");
    return 2;
  }
  const double from = std::strtod(arguments[3], nullptr), to = std::strtod(arguments[4], nullptr);
  const int steps = std::atoi(arguments[6]), size = std::atoi(arguments[7]);
  const bool in_lanes = std::string(arguments[8]) == "lanes";
  std::vector<Mechanism> instances;
  for (int i = 0; i < size; ++i)
    instances.push_back(read_mechanism(arguments[1], {{arguments[2], from + (to - from) * i / std::max(1, size - 1)}}));
  RunOptions options = RunOptions::for_mechanism(instances.front());
  options.formulation = "hybrid";
  options.integrator = "trapezoidal";
  options.step = std::strtod(arguments[5], nullptr);
  const auto tell = [&](const Context& state, long iterations) {
    fmt::print("t {:.17g} iterations {} v", state.t, iterations);
    for (const double v : state.v) fmt::print(" {:.17g}", v);
    fmt::print("\n");
  };
  if (in_lanes) {
    Ensemble ensemble(instances, options);
    const std::clock_t begin = std::clock();
    for (int i = 0; i < steps; ++i) ensemble.step();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    fmt::print("{} cpu {:.4g} s\n", Ensemble::instructions(), seconds);
    for (int i = 0; i < size; ++i) tell(ensemble.state(i), ensemble.iterations(i));
    return 0;
  }
  double seconds = 0;
  for (const Mechanism& mechanism : instances) {
    Simulation simulation(mechanism, options);
    const std::clock_t begin = std::clock();
    for (int i = 0; i < steps; ++i) simulation.step();
    seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    tell(simulation.state(), simulation.summary().iterations);
  }
  fmt::print("single cpu {:.4g} s\n", seconds);
  return 0;
}
