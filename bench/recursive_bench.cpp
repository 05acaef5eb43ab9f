// One acceleration of an open chain by articulated-body sweeps: position, velocity and acceleration from (q, v). The
// last line of each family prints the exponent of cost over size. Peers, spatial chain of revolute joints with 10 / 100
// / 1000 links: Simbody 2.0 / 11 / 117 us, RBDL 2.2 / 23 / 231 us.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <map>

#include "cardan/builder.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

Mechanism chain(int links, bool planar) {
  MechanismBuilder b("chain");
  b.planar(planar);
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i), parent = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    b.rod(name, Vec3(i, 0, 0), Vec3(i + 1, 0, 0), 1, planar ? 0 : 0.1);
    const std::string pin = "pin" + std::to_string(i);
    if (planar)
      b.revolute(pin, parent, name, Vec3(i, 0, 0));
    else
      b.revolute(pin, parent, name, Vec3(i, 0, 0), Vec3(std::cos(i), 0.3, std::sin(i)));
  }
  return b.build();
}

/// Seconds of one acceleration, by family and size, for the exponent.
std::map<std::string, std::map<int, double>>& times() {
  static std::map<std::string, std::map<int, double>> all;
  return all;
}

template <int D>
void accelerate(benchmark::State& bench, const std::string& family) {
  const int links = static_cast<int>(bench.range(0));
  const Mechanism mechanism = chain(links, D == 2);
  const auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const RecursiveFormulation<D> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), links);
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  for (int i = 0; i < links; ++i) state.q[i] = std::sin(i), state.v[i] = std::cos(3 * i);
  VecX a = state.q;
  const VecX lambda;
  const std::clock_t begin = std::clock();
  for (auto _ : bench) {
    formulation.position(0, state.q, state, *work);
    formulation.velocity(state.v, *work);
    formulation.accelerate(lambda, *work, a);
    benchmark::DoNotOptimize(a.data());
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  auto& measured = times()[family];
  measured[links] = seconds / static_cast<double>(bench.iterations());
  bench.counters["ns/link"] = 1e9 * measured[links] / links;
  if (measured.size() > 1) {
    bench.counters["exponent"] =
        std::log(measured[links] / measured.begin()->second) / std::log(double(links) / measured.begin()->first);
  }
}

const bool kChainsRegistered = [] {
  const auto add = [](const std::string& family, void (*run)(benchmark::State&, const std::string&)) {
    benchmark::RegisterBenchmark(family.c_str(), [family, run](benchmark::State& bench) { run(bench, family); })
        ->Arg(10)
        ->Arg(100)
        ->Arg(1000)
        ->Arg(10000)
        ->Unit(benchmark::kMicrosecond);
  };
  add("recursive/spatial_chain", accelerate<3>);
  add("recursive/planar_chain", accelerate<2>);
  return true;
}();

}  // namespace
}  // namespace cardan
