// What grows with size, and what one mechanism costs in one method beside another: time of the processor, the least of
// repeats, in one thread.
//     cardan_size_cost FOLDER        writes FOLDER/size.csv
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "options/method.hpp"
#include "simulation/thread_clock.hpp"
#include "studies/iltis/vehicle_run.hpp"
#include "system/assembly.hpp"

namespace {

using namespace cardan;

constexpr int kRepeats = 5;

/// Of a power of the size, from the first to the last.
double exponent(const std::vector<int>& sizes, const std::vector<double>& seconds) {
  return std::log(seconds.back() / seconds.front()) / std::log(static_cast<double>(sizes.back()) / sizes.front());
}

double least_of(int repeats, const std::function<double()>& measure) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) least = std::min(least, measure());
  return least;
}

double seconds_of(const std::function<void()>& act) {
  const double begin = thread_cpu_seconds();
  act();
  return thread_cpu_seconds() - begin;
}

/// Upright rods of 1 m and 1 kg, whose tops are joined by couplers.
std::string windows_text(int count) {
  std::string bodies, joints;
  for (int i = 0; i <= count; ++i) {
    bodies += fmt::format("  rod{0}: {{rod: [[{0}, 0], [{0}, 1]], mass: 1}}\n", i);
    joints += fmt::format("  foot{0}: {{revolute: [ground, rod{0}], at: [{0}, 0]}}\n", i);
    if (i == 0) continue;
    bodies += fmt::format("  coupler{0}: {{rod: [[{1}, 1], [{0}, 1]], mass: 1}}\n", i, i - 1);
    joints += fmt::format("  left{0}: {{revolute: [rod{1}, coupler{0}], at: [{1}, 1]}}\n", i, i - 1);
    joints += fmt::format("  right{0}: {{revolute: [coupler{0}, rod{0}], at: [{0}, 1]}}\n", i);
  }
  return "cardan: 1\nname: windows\nplanar: true\ngravity: [0, -9.81]\nbodies:\n" + bodies + "joints:\n" + joints +
         "initial: {rod0: {angular_velocity: -1}}\n";
}

/// Rods along x, hinged about the axes of space in turn, or in the plane.
std::string chain_text(int count, bool planar) {
  std::string bodies, joints;
  for (int i = 0; i < count; ++i) {
    const std::string below = i == 0 ? "ground" : fmt::format("link{}", i - 1), end = planar ? "" : ", 0";
    bodies += planar ? fmt::format("  link{0}: {{rod: [[{0}, 0], [{1}, 0]], mass: 1}}\n", i, i + 1)
                     : fmt::format("  link{0}: {{mass: 1, center: [{0}.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}\n", i);
    joints += fmt::format("  hinge{0}: {{revolute: [{1}, link{0}], at: [{0}, 0{2}]{3}}}\n", i, below, end,
                          planar ? "" : fmt::format(", axis: {}", "yzx"[i % 3]));
  }
  return fmt::format("cardan: 1\nname: chain\nplanar: {}\ngravity: [0, -9.81{}]\nbodies:\n{}joints:\n{}", planar,
                     planar ? "" : ", 0", bodies, joints);
}

Mechanism read(const std::string& text) { return read_mechanism_text(text, "size"); }

struct Method {
  const char *formulation, *integrator;
  double step;
};

/// Seconds of the processor for a step and for an iteration, once under way.
std::pair<double, double> step_cost(const Mechanism& mechanism, const Method& method, int steps, int repeats) {
  std::pair<double, double> least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = method.formulation;
  options.integrator = method.integrator;
  options.step = method.step;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Simulation simulation(mechanism, options);
    const auto make = [&](int count) {
      for (int i = 0; i < count; ++i)
        if (simulation.step() != StepStatus::ok) throw std::runtime_error(simulation.summary().reason);
      return simulation.summary().iterations;
    };
    const auto before = make(2);
    decltype(make(0)) after = 0;
    const double seconds = seconds_of([&] { after = make(steps); });
    least.first = std::min(least.first, seconds / steps);
    least.second = std::min(least.second, seconds / static_cast<double>(after - before));
  }
  return least;
}

/// "40, 400, 4000" and "0.029, 0.33, 3.6 ms: exponent 1.05"
template <class Numbers>
std::string joined(const Numbers& numbers, double unit = 1) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{:.3g}", text.empty() ? "" : ", ", number / unit);
  return text;
}
std::string joined_sizes(const std::vector<int>& sizes) { return fmt::format("{}", fmt::join(sizes, ", ")); }

class SizeTable {
 public:
  explicit SizeTable(const std::string& folder) : file_(folder + "/size.csv") { file_ << "what,value\n"; }
  void add(const std::string& what, const std::string& value) {
    fmt::print("{}: {}\n", what, value);
    std::fflush(stdout);
    file_ << '"' << what << "\",\"" << value << "\"\n" << std::flush;
  }
  void add(const std::string& what, const std::vector<int>& sizes, const std::vector<double>& seconds, double unit,
           const char* name) {
    add(what, fmt::format("{} {}: exponent {:.2f}", joined(seconds, unit), name, exponent(sizes, seconds)));
  }

 private:
  std::ofstream file_;
};

void windows(SizeTable& table) {
  const std::vector<int> sizes{40, 400, 4000}, large{400, 1000, 4000};
  std::vector<double> steps, setups;
  for (const int size : sizes)
    steps.push_back(step_cost(read(windows_text(size)), {"hybrid", "trapezoidal", 1e-3}, 20000 / size, kRepeats).first);
  table.add(fmt::format("a step of {} windows (`hybrid`, 0.001 s, two iterations)", joined_sizes(sizes)), sizes, steps,
            1e-3, "ms");
  for (const int size : large) {
    const std::string text = windows_text(size);
    setups.push_back(least_of(3, [&] {
      return seconds_of([&] {
        const Mechanism mechanism = read(text);
        const Simulation simulation(mechanism, RunOptions::for_mechanism(mechanism));
      });
    }));
  }
  table.add(fmt::format("reading and set-up of {} windows", joined_sizes(large)), large, setups, 1, "s");
}

double forward_dynamics(int links) {
  const Mechanism mechanism = read(chain_text(links, false));
  const auto model = std::make_shared<const BodyModel<3>>(mechanism);
  const RecursiveFormulation<3> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), links);
  const auto work = formulation.make_workspace();
  Context state;
  formulation.start(state, *work);
  for (int i = 0; i < links; ++i) state.q[i] = std::sin(i), state.v[i] = std::cos(3 * i);
  VecX a = state.q;
  const VecX lambda;
  const int count = 100000 / links;
  return least_of(kRepeats, [&] {
    return seconds_of([&] {
             for (int i = 0; i < count; ++i) {
               formulation.position(0, state.q, state, *work);
               formulation.velocity(state.v, *work);
               formulation.accelerate(lambda, *work, a);
             }
           }) /
           count;
  });
}

void chains(SizeTable& table) {
  const std::string text = chain_text(1000, true);
  const Mechanism chain = read(text);
  table.add("`cardan check` of a chain of 1000 bodies",
            fmt::format("{:.2f} s", least_of(3, [&] {
                          return seconds_of([&] {
                            const Mechanism mechanism = read(text);
                            for (const RegistryEntry& entry : formulations())
                              count_coordinates(mechanism, std::string(entry.name));
                          });
                        })));
  RunOptions chosen = RunOptions::for_mechanism(chain);
  chosen.formulation = kAutomatic;
  resolve_method(chosen, chain);
  std::string costs;
  for (const char* formulation : {"recursive", "global", "cartesian"}) {
    const double step = step_cost(chain, {formulation, "trapezoidal", 1e-3}, 20, 3).first;
    costs += fmt::format("`{}` {:.3g} ms, ", formulation, 1e3 * step);
  }
  table.add("a step of that chain (`trapezoidal`, 0.001 s)",
            fmt::format("{}`auto` takes `{}`", costs, chosen.formulation));
  const std::vector<int> links{10, 100, 1000, 10000}, bodies{50, 100, 200, 400};
  std::vector<double> forward, iterations;
  for (const int size : links) forward.push_back(forward_dynamics(size));
  table.add(fmt::format("forward dynamics of a spatial chain of {} links", joined_sizes(links)), links, forward, 1e-6,
            "us");
  for (const int size : bodies)
    iterations.push_back(
        step_cost(read(chain_text(size, false)), {"cartesian", "trapezoidal", 1e-3}, 20, kRepeats).second);
  table.add(
      fmt::format("`cartesian` `trapezoidal`, an iteration for a spatial chain of {} bodies", joined_sizes(bodies)),
      bodies, iterations, 1e-3, "ms");
}

RunOptions vehicle(const Mechanism& mechanism, const Method& method) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = method.formulation;
  options.integrator = method.integrator;
  options.step = method.step;
  options.step_control.reset();
  return options;
}

/// What `bdf` costs beside `hybrid` with the step that is as accurate: height of the chassis, RMS from a reference.
void backward_differentiation(SizeTable& table) {
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis.yaml");
  RunOptions exact = vehicle(mechanism, {"hybrid", "dopri5", 1e-3});
  exact.absolute_tolerance = exact.relative_tolerance = 1e-9;
  exact.step_max = 1e-3;
  const ChassisMotion reference = run_vehicle(mechanism, exact, 0).motion;
  struct Point {
    double error, seconds;
  };
  std::vector<Point> points;  // from the longest step on
  for (double step = 0.02; step > 2e-4; step /= std::sqrt(2)) {
    const VehicleRun run = run_vehicle(mechanism, vehicle(mechanism, {"hybrid", "trapezoidal", step}), kRepeats);
    points.push_back({height_error(run, reference), run.cpu_seconds});
  }
  std::string ratios;
  for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
    RunOptions options = vehicle(mechanism, {"cartesian", "bdf", 0.01});
    options.absolute_tolerance = options.relative_tolerance = tolerance;
    const VehicleRun run = run_vehicle(mechanism, options, 2);
    const double error = height_error(run, reference);
    // Where a line through the logarithms of neighbours meets the error.
    auto after = std::find_if(points.begin() + 1, points.end(), [&](const Point& p) { return p.error <= error; });
    if (after == points.end()) --after;
    const Point &one = *(after - 1), &two = *after;
    const double part = std::log(error / one.error) / std::log(two.error / one.error);
    const double seconds = one.seconds * std::pow(two.seconds / one.seconds, part);
    ratios += fmt::format("{}{:.2g} at {:.2g} mm", ratios.empty() ? "" : ", ", run.cpu_seconds / seconds, 1e3 * error);
  }
  table.add(
      "`bdf` on the Iltis with tolerances of 0.1, 0.01, 0.001, in times of `hybrid` `trapezoidal` with the step that "
      "is as accurate",
      ratios);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: cardan_size_cost FOLDER\n");
    return 2;
  }
  try {
    SizeTable table(arguments[1]);
    windows(table);
    chains(table);
    backward_differentiation(table);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
