#include <optional>

#include "studies/iltis/iltis_vehicle.hpp"
#include "studies/iltis/vehicle_tables.hpp"

namespace cardan {

void run_iltis_structural_study(StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  struct Rule {
    const char* name;
    const char* integrator;
    std::optional<double> dissipation, spectral_radius;
  };
  const Rule rules[] = {{"trapezoidal", "trapezoidal", {}, {}},
                        {"Newmark, xi = 0.1", "newmark", 0.1, {}},
                        {"Newmark, xi = 0.3", "newmark", 0.3, {}},
                        {"HHT, delta = 0.1", "hht", 0.1, {}},
                        {"HHT, delta = 0.3", "hht", 0.3, {}},
                        {"generalized-alpha, rho = 0.8", "generalized-alpha", {}, 0.8},
                        {"generalized-alpha, rho = 0.4", "generalized-alpha", {}, 0.4}};
  ResultTable table(context.out / "structural.csv", {{"formulation", "formulation"},
                                                     {"rule", "rule"},
                                                     {"step", ""},
                                                     {"rms_height", "height [mm]", millimetres()},
                                                     {"rms_pitch", "pitch [deg]", degrees()},
                                                     {"iterations", "iterations", whole()},
                                                     {"cpu_seconds", "time", seconds()},
                                                     {"", "result"},
                                                     {"status", ""},
                                                     {"all_good_up_to", "all good up to h [s]", step_or_none()},
                                                     {"longest_iterations", "iterations", whole()},
                                                     {"longest_seconds", "time", seconds()},
                                                     {"longest_rms_height", ""}});
  std::vector<std::pair<std::string, VehicleRun>> motions;
  double done = 0;
  for (const char* formulation : {"global", "topological", "hybrid"}) {
    for (const Rule& rule : rules) {
      RunOptions options = vehicle_options(mechanism, formulation, rule.integrator, 0.01);
      if (rule.dissipation) options.dissipation = *rule.dissipation;
      if (rule.spectral_radius) options.spectral_radius = *rule.spectral_radius;
      VehicleRun run = attempt(mechanism, options, 1);
      const Deviation d = deviation(run, reference.motion, run.options.until);
      RunOptions longest = options;
      longest.step = scan_steps(mechanism, options, reference.motion).all_within();
      const bool found = longest.step > 0;
      const VehicleRun best = found ? run_vehicle(mechanism, longest, 2) : VehicleRun{};
      const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
      table.add(formulation, rule.name, 0.01, unless_failed(d.height), unless_failed(d.pitch), run.summary.iterations,
                run.cpu_seconds, verdict(run, reference.motion, table), status_name(run.summary.status), longest.step,
                found ? static_cast<double>(best.summary.iterations) : kNone, found ? best.cpu_seconds : kNone,
                found ? deviation(best, reference.motion, best.options.until).height : kNone);
      if (options.formulation == "hybrid") motions.emplace_back(rule.name, std::move(run));
      if (context.progress) context.progress(++done / (3 * std::size(rules)));
    }
  }
  context.show(
      table, "Structural integrators",
      "the Iltis over a ramp and five steps, 8 s, at h = 0.01 s, and up to which step all are good (every 2.5 "
      "ms). " +
          reference_text(),
      "Published (2004, cited in the paper of 2005): for large systems dissipative Newmark is the best choice.");

  context.report.plots.push_back(measurements("Error against time at 0.01 s", "processor time for 8 s, s",
                                              "height, m RMS from the reference",
                                              table.curves("cpu_seconds", "rms_height", "rule", "formulation")));
  context.report.plots.push_back(
      measurements("Error against time at the step up to which all are good", "processor time for 8 s, s",
                   "height, m RMS from the reference",
                   table.curves("longest_seconds", "longest_rms_height", "rule", "formulation")));
  std::vector<std::pair<std::string, const VehicleRun*>> shown{{"reference, h = 1e-4 s", &reference}};
  for (const auto& [name, run] : motions) shown.emplace_back(name, &run);
  plot_motions(context, shown);
  context.give_models(mechanism);
  RunOptions newmark = vehicle_options(mechanism, "hybrid", "newmark", 0.01);
  newmark.dissipation = 0.3;
  animate_vehicle(context, mechanism, vehicle_options(mechanism, "hybrid", "trapezoidal", 0.01));
  animate_vehicle(context, mechanism, newmark, " --dissipation 0.3");
  context.plot_histories();
}

}  // namespace cardan
