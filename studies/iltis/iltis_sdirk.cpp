#include <fmt/format.h>

#include <optional>

#include "studies/iltis/iltis_vehicle.hpp"
#include "studies/iltis/published.hpp"
#include "studies/iltis/vehicle_tables.hpp"

namespace cardan {
namespace {

/// When Newton's iteration ends: by our own test, or at a norm of the increment, which is the paper's.
struct StoppingTest {
  const char* name;
  std::optional<double> tolerance;

  RunOptions options(const Mechanism& mechanism, const char* formulation, const char* integrator, double step) const {
    RunOptions options = vehicle_options(mechanism, formulation, integrator, step);
    options.tolerance = tolerance;
    return options;
  }
};
constexpr StoppingTest kTests[] = {{"automatic", {}}, {"1e-5", 1e-5}};

/// Both integrators under the same test, each at the step up to which all are good, and both at steps of equal length.
void longest_steps(const StudyContext& context, const Mechanism& mechanism, const VehicleRun& reference) {
  ResultTable table(context.out / "largest_steps.csv", {{"test", "stops"},
                                                        {"formulation", "formulation"},
                                                        {"at", "steps"},
                                                        {"sdirk3_step", "sdirk3: h [s]", step_or_none()},
                                                        {"sdirk3_seconds", "time", seconds()},
                                                        {"trapezoidal_step", "trapezoidal: h [s]", step_or_none()},
                                                        {"trapezoidal_seconds", "time", seconds()},
                                                        {"ratio", "sdirk3 / trapezoidal", decimals(1)},
                                                        {"published_ratio", "published", decimals(1)}});
  for (const StoppingTest& test : kTests) {
    for (const char* formulation : {"topological", "hybrid", "global"}) {
      const auto options = [&](const char* integrator, double step) {
        return test.options(mechanism, formulation, integrator, step);
      };
      const auto longest = [&](const char* integrator) {
        return scan_steps(mechanism, options(integrator, 0.01), reference.motion).all_within();
      };
      const auto add = [&](const char* at, double sdirk_step, double step, double published) {
        VehicleRun sdirk, rule;
        if (sdirk_step > 0) sdirk = attempt(mechanism, options("sdirk3", sdirk_step), 3);
        if (step > 0) rule = attempt(mechanism, options("trapezoidal", step), 3);
        const bool both = sdirk_step > 0 && step > 0 && !sdirk.failed() && !rule.failed();
        table.add(test.name, formulation, at, sdirk_step, sdirk.failed() ? kNone : sdirk.cpu_seconds, step,
                  rule.failed() ? kNone : rule.cpu_seconds, both ? sdirk.cpu_seconds / rule.cpu_seconds : kNone,
                  published > 0 ? published : kNone);
      };
      add("all good up to", longest("sdirk3"), longest("trapezoidal"), published_sdirk_ratio(formulation, 0));
      add("0.01 s", 0.01, 0.01, published_sdirk_ratio(formulation, 0.01));
      add("0.001 s", 0.001, 0.001, published_sdirk_ratio(formulation, 0.001));
    }
  }
  context.show(table, "What SDIRK costs",
               "times under the same test, each at the longest step such that it and all shorter ones are good (every "
               "2.5 ms), and both at one step; fewest constraints first; none: above 0.0025 s");
}

/// The paper: SDIRK may leave its projections out, the trapezoidal rule may not.
void without_projections(const StudyContext& context, const Mechanism& mechanism, const VehicleRun& reference) {
  ResultTable table(context.out / "projections.csv", {{"formulation", "formulation"},
                                                      {"integrator", "integrator"},
                                                      {"step", "h [s]", significant()},
                                                      {"projections", "projections"},
                                                      {"rms_height", "height [mm]", millimetres()},
                                                      {"position_violation", "Phi [m]", powers(1)},
                                                      {"velocity_violation", "its rate, relative", powers(1)},
                                                      {"iterations", "iterations", whole()},
                                                      {"end_time", "ends at [s]", significant(3)},
                                                      {"", "result"},
                                                      {"status", ""},
                                                      {"reason", ""}});
  for (const char* formulation : {"hybrid", "global"}) {
    for (const char* integrator : {"sdirk3", "trapezoidal"}) {
      for (const bool projections : {true, false}) {
        RunOptions options = vehicle_options(mechanism, formulation, integrator, 0.001);
        options.projections = projections;
        const VehicleRun run = attempt(mechanism, options, 0);
        const RunSummary& s = run.summary;
        table.add(formulation, integrator, options.step, projections ? "yes" : "no",
                  run.failed() ? kNone : deviation(run, reference.motion, options.until).height, s.position.value,
                  s.velocity.value, s.iterations, s.duration, verdict(run, reference.motion, table),
                  status_name(s.status), s.reason);
      }
    }
  }
  context.show(table, "Without projections",
               "the same runs with and without the projections at the end of every step; largest violations of the "
               "constraints and of their rates");
}

}  // namespace

void run_iltis_sdirk_study(StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  ResultTable table(context.out / "sdirk.csv", {{"test", "stops"},
                                                {"formulation", "formulation"},
                                                {"integrator", "integrator"},
                                                {"step", "h [s]", significant()},
                                                {"rms_height", "height [mm]", millimetres()},
                                                {"rms_pitch", "pitch [deg]", degrees()},
                                                {"iterations", "iterations", whole()},
                                                {"cpu_seconds", "time", seconds()},
                                                {"real_time_factor", "x real time", whole()},
                                                {"", "result"},
                                                {"status", ""},
                                                {"", "published"},
                                                {"published_seconds", ""},
                                                {"published_iterations", ""},
                                                {"reason", ""}});
  double done = 0;
  for (const StoppingTest& test : kTests) {
    for (const PublishedSdirkRow& row : kPublishedSdirk) {
      // 80,000 steps take a good part of a minute: once is enough, under the test of the paper.
      if (row.step < 5e-4 && !test.tolerance) continue;
      const VehicleRun run = attempt(mechanism, test.options(mechanism, row.formulation, row.integrator, row.step), 1);
      const Deviation d = deviation(run, reference.motion, run.options.until);
      const RunSummary& s = run.summary;
      const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
      table.add(test.name, row.formulation, row.integrator, row.step, unless_failed(d.height), unless_failed(d.pitch),
                s.iterations, unless_failed(run.cpu_seconds), unless_failed(run.real_time_factor()),
                verdict(run, reference.motion, table), status_name(s.status),
                row.time > 0 ? fmt::format("{} iterations, {:.2f} s", row.iterations, row.time) : std::string("fails"),
                row.time, row.iterations, s.reason);
      if (context.progress) context.progress(++done / (2 * std::size(kPublishedSdirk)));
    }
  }
  context.show(
      table, "SDIRK against the trapezoidal rule",
      "SDIRK: third order, two stages, index 1; trapezoidal: index 3; the Iltis over a ramp and five steps, 8 s. "
      "The paper ends an iteration at a norm of the increment that it does not state. " +
          reference_text());
  longest_steps(context, mechanism, reference);
  without_projections(context, mechanism, reference);

  context.report.plots.push_back(measurements("Error against time", "processor time for 8 s, s",
                                              "height, m RMS from the reference",
                                              table.curves("cpu_seconds", "rms_height", "integrator", "formulation")));
  context.report.plots.push_back(measurements("Error against the step", "h, s", "height, m RMS from the reference",
                                              table.curves("step", "rms_height", "integrator", "formulation")));
  context.report.plots.push_back(
      measurements("Time against the step", "h, s", "processor time for 8 s, s",
                   joined(table.curves("step", "cpu_seconds", "integrator", "formulation"),
                          grouped(table.curves("step", "published_seconds", "integrator"), "published, all"))));
  context.give_models(mechanism);
  for (const char* integrator : {"trapezoidal", "sdirk3"}) {
    animate_vehicle(context, mechanism, vehicle_options(mechanism, "topological", integrator, 0.01));
  }
  context.plot_histories();
}

}  // namespace cardan
