// The steps of controller.py with its controller in C++: what Python's is compared with. Prints seconds for so many
// steps, the best of several.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"

int main(int count, char** arguments) {
  const int steps = count > 1 ? std::atoi(arguments[1]) : 100000, repeats = count > 2 ? std::atoi(arguments[2]) : 7;
  cardan::MechanismBuilder b("arm");
  b.planar().rod("arm", {0, 0}, {1, 0}, 2).revolute("pin", "ground", "arm", {0, 0});
  b.add(cardan::InputSpec{.name = "u", .min = cardan::Number(-100.0), .max = cardan::Number(100.0)});
  b.actuator("motor", "pin", cardan::SignalExpression::parse("u"));
  const cardan::Mechanism mechanism = b.build();
  cardan::RunOptions options;
  options.step = 0.001;
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    cardan::Simulation simulation(mechanism, options);
    const std::vector<std::string>& columns = simulation.columns();
    const auto q = std::find(columns.begin(), columns.end(), "pin.q") - columns.begin();
    const int u = simulation.input("u");
    std::vector<double> row(columns.size());
    const std::clock_t begin = std::clock();
    for (int k = 0; k < steps; ++k) {
      simulation.sample(row.data());
      simulation.set_input(u, -3.0 * row[static_cast<std::size_t>(q)]);
      if (simulation.step() != cardan::StepStatus::ok) return 1;
    }
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  std::printf("%.9g\n", best);
}
