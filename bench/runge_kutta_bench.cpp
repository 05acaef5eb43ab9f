// Ten seconds of the N-window four-bar, through ten singular positions, by explicit Runge-Kutta methods in relative
// coordinates: the work that other engines were measured on.
#include <benchmark/benchmark.h>

#include <string>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

Mechanism windows(int count) {
  MechanismBuilder b("windows");
  b.planar().gravity({0, -9.81, 0});
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i <= count; ++i) {
    b.rod(name("rod", i), Place(i, 0), Place(i, 1), 1);
    b.revolute(name("ground", i), "ground", name("rod", i), Place(i, 0));
    if (i == 0) continue;
    b.rod(name("coupler", i), Place(i - 1, 1), Place(i, 1), 1);
    b.revolute(name("right", i - 1), name("rod", i - 1), name("coupler", i), Place(i - 1, 1));
    b.revolute(name("left", i), name("coupler", i), name("rod", i), Place(i, 1));
  }
  b.angular_velocity("rod0", {0, 0, -1});
  return b.build();
}

void ten_seconds(benchmark::State& state, const std::string& integrator, double step, double tolerance) {
  RunOptions options;
  options.integrator = integrator;
  options.step = step;
  options.until = 10;
  if (tolerance > 0) options.tolerance = tolerance;
  const Mechanism mechanism = windows(static_cast<int>(state.range(0)));
  Simulation simulation(mechanism, options);
  const Context start = simulation.state();
  for (auto _ : state) {
    simulation.restore(start);
    while (simulation.time() < options.until - 1e-9) {
      const double rest = options.until - simulation.time();
      if (simulation.step(simulation.chooses_steps() ? rest : std::min(step, rest)) != StepStatus::ok) {
        state.SkipWithError("failed");
        break;
      }
    }
  }
}

BENCHMARK_CAPTURE(ten_seconds, rk4, "rk4", 0.1, 0)->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ten_seconds, rk4, "rk4", 0.0625, 0)->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ten_seconds, rk4, "rk4", 0.06, 0)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ten_seconds, dopri5, "dopri5", 0.01, 1e-5)->Arg(2)->Arg(10)->Arg(40)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cardan
