#include "studies/excavator/excavator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "studies/excavator/digging_cycle.hpp"

namespace cardan {
namespace {

constexpr double kStep = 0.005;        // s
constexpr double kExactStep = 2.5e-4;  // s, of the path that errors are against

/// Of several runs: others may disturb one.
double best_real_time_factor(const Mechanism& machine, const std::string& formulation, double step) {
  double best = 0;
  for (int i = 0; i < 3; ++i) best = std::max(best, dig(machine, formulation, step).summary.real_time_factor);
  return best;
}

void show_runs(const StudyContext& context, const Mechanism& machine) {
  ResultTable table(context.out / "excavator.csv", {{"formulation", "formulation"},
                                                    {"step", "h [s]", significant()},
                                                    {"error", "tip off by [mm]", decimals(3, 1e3)},
                                                    {"order", "order", decimals(2)},
                                                    {"unaccounted", "energy not accounted for [%]", powers(1, 1e2)},
                                                    {"iterations", "iterations per step", decimals(2)},
                                                    {"real_time_factor", "x real time", whole()},
                                                    {"", "result"},
                                                    {"status", ""},
                                                    {"reason", ""}});
  const DiggingRun exact = dig(machine, "hybrid", kExactStep);
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    double coarser = none;
    for (const double step : {2 * kStep, kStep, kStep / 2, kStep / 4}) {
      const DiggingRun run = dig(machine, formulation, step);
      const RunSummary& s = run.summary;
      const bool ok = s.status == RunStatus::ok;
      const double error = ok ? path_difference(run, exact) : none;
      table.add(formulation, step, error, std::log2(coarser / error),
                ok ? std::abs(run.energy.error()) / run.energy.given() : none,
                static_cast<double>(s.iterations) / static_cast<double>(s.steps),
                ok ? best_real_time_factor(machine, formulation, step) : none, ok ? "ok" : table.failed(s.reason),
                status_name(s.status), s.reason);
      coarser = error;
    }
  }
  context.show(
      table, "A digging cycle of 12 s",
      "Largest distance of the bucket's tip from its path with steps of 0.00025 s, and how it falls with the "
      "step; what of the energy given "
      "by the pump is neither in the machine, the soil and the fluid nor lost in valves, cylinders and the swing "
      "motor; times of one core, best of three.",
      "Bars: hybrid at 0.005 s at least 100 times real time; order 2; energy closed to 0.1 %; global on the "
      "path of hybrid.");
  context.report.plots.push_back(
      measurements("Error against the step", "h, s", "tip off by, m", table.curves("step", "error", "formulation")));
}

void show_energy(const StudyContext& context, const DiggingRun& run) {
  const DiggingEnergy& e = run.energy;
  ResultTable table(context.out / "energy.csv", {{"part", "part"}, {"joule", "kJ", decimals(3, 1e-3)}});
  table.add("given by the pump", e.pump);
  table.add("gained by the machine", e.machine);
  table.add("left in the soil", e.digging);
  table.add("throttled in valves, returned to the tank", e.valves);
  table.add("relief valve, leakage of the pump", e.relief);
  table.add("friction, leakage and stops of cylinders and swing motor", e.cylinders);
  table.add("stored in fluid", e.fluid);
  table.add("not accounted for", e.error());
  context.show(table, "Where the energy goes", fmt::format("hybrid at {} s.", kStep));
  ResultTable extremes(context.out / "extremes.csv", {{"quantity", "quantity"}, {"value", "value", decimals(2)}});
  extremes.add("largest pressure [MPa]", 1e-6 * run.largest_pressure);
  extremes.add("smallest pressure [MPa]", 1e-6 * run.smallest_pressure);
  extremes.add("largest power of the pump [kW]", 1e-3 * run.largest_power);
  extremes.add("deepest place of the tip [m below ground]", run.deepest);
  context.show(extremes, "Pressures, power, depth");
}

}  // namespace

void run_excavator_study(StudyContext& context) {
  const Mechanism machine = digging_machine();
  show_runs(context, machine);
  show_energy(context, dig(machine, "hybrid", kStep));
  context.give_models(machine);
  RunOptions options = RunOptions::for_mechanism(machine);
  options.formulation = "hybrid";
  options.step = kStep;
  options.until = kDiggingTime;
  context.animate("hybrid at 0.005 s", "cardan study excavator", machine, options);
  context.plot_histories();
}

}  // namespace cardan
