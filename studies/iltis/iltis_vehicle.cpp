#include "studies/iltis/iltis_vehicle.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "cardan/io.hpp"
#include "studies/iltis/published.hpp"
#include "studies/iltis/vehicle_run.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr double kDegrees = 57.29577951308232, kGravity = 9.81;
constexpr double kBeforeStairs = 3;  // s

Mechanism iltis() { return read_mechanism(model_file("iltis.yaml").string()); }

RunOptions vehicle_options(const Mechanism& mechanism, const std::string& formulation, const std::string& integrator,
                           double step) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  return options;
}

/// Runs it, or says why it was refused before the first step.
VehicleRun attempt(const Mechanism& mechanism, const RunOptions& options, int repetitions) {
  try {
    return run_vehicle(mechanism, options, repetitions);
  } catch (const std::exception& refused) {
    VehicleRun run;
    run.options = options;
    run.summary.status = "failed";
    run.summary.reason = refused.what();
    return run;
  }
}

std::string verdict(const VehicleRun& run, const ChassisMotion& reference, ResultTable& table) {
  if (run.failed()) return table.failed(run.summary.reason);
  return is_good(run, reference) ? "good" : "off";
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// "3.21 ms", "1.2 s"
ResultTable::Format seconds() {
  return [](double s) {
    return !(s > 0) ? std::string() : s < 0.1 ? fmt::format("{:.2f} ms", 1e3 * s) : fmt::format("{:.3g} s", s);
  };
}
/// "none" for 0
ResultTable::Format step_or_none() {
  return [](double step) { return step > 0 ? fmt::format("{:g}", step) : std::string("none"); };
}
/// Nothing for what was not counted.
ResultTable::Format counted() {
  return [](double n) { return n < 0 ? std::string() : fmt::format("{:.0f}", n); };
}
ResultTable::Format millimetres() { return decimals(2, 1e3); }
ResultTable::Format degrees() { return decimals(3, kDegrees); }

/// Height of the chassis over time.
ReportSeries height_curve(const std::string& name, const VehicleRun& run) {
  return {name, run.motion.t, run.motion.height, false, ""};
}
ReportSeries pitch_curve(const std::string& name, const VehicleRun& run) {
  ReportSeries series{name, run.motion.t, run.motion.pitch, false, ""};
  for (double& angle : series.y) angle *= kDegrees;
  return series;
}
void plot_motions(const StudyContext& context, const std::vector<std::pair<std::string, const VehicleRun*>>& runs) {
  ReportPlot height{"Height of the chassis", "t, s", "height, m", false, false, {}, ""};
  ReportPlot pitch{"Pitch of the chassis", "t, s", "pitch, degrees, nose up", false, false, {}, ""};
  for (const auto& [name, run] : runs) {
    height.series.push_back(height_curve(name, *run));
    pitch.series.push_back(pitch_curve(name, *run));
  }
  context.report.plots.push_back(std::move(height));
  context.report.plots.push_back(std::move(pitch));
}

void animate_vehicle(StudyContext& context, const Mechanism& mechanism, const RunOptions& options,
                     const std::string& flags = "") {
  context.animate(fmt::format("{}, {}, h = {:g} s", options.formulation, options.integrator, options.step),
                  fmt::format("cardan run {} --formulation {} --integrator {} --step {:g}{}", mechanism.file,
                              options.formulation, options.integrator, options.step, flags),
                  mechanism, options);
}

std::string reference_text() {
  return fmt::format(
      "A step is good when height and pitch of the chassis stay within {:.0f} mm and {:.1f} degree RMS of the "
      "reference "
      "(hybrid, trapezoidal, h = 1e-4 s).",
      1e3 * kGoodHeight, kDegrees * kGoodPitch);
}

std::string check_reference(const Mechanism& mechanism, const VehicleRun& reference) {
  const VehicleRun other = attempt(mechanism, vehicle_options(mechanism, "cartesian", "trapezoidal", 1e-3), 0);
  if (other.failed()) return fmt::format("cartesian failed: {}", other.summary.reason);
  const Deviation d = deviation(other, reference.motion, other.options.until);
  return fmt::format("cartesian, trapezoidal, h = 1e-3 s is {:.3f} mm and {:.4f} degrees RMS away from it",
                     1e3 * d.height, kDegrees * d.pitch);
}

void agreement(const StudyContext& context, const Mechanism& mechanism) {
  ResultTable table(context.out / "agreement.csv", {{"formulation", "formulation"},
                                                    {"rms_height", "height [mm RMS]", powers(2, 1e3)},
                                                    {"rms_pitch", "pitch [deg RMS]", powers(2, kDegrees)},
                                                    {"", "result"},
                                                    {"status", ""}});
  const VehicleRun first = run_vehicle(mechanism, vehicle_options(mechanism, "hybrid", "trapezoidal", 1e-3), 0);
  for (const char* formulation : {"global", "topological", "recursive", "cartesian"}) {
    RunOptions options = vehicle_options(mechanism, formulation, "trapezoidal", 1e-3);
    options.until = kBeforeStairs;
    const VehicleRun run = attempt(mechanism, options, 0);
    const Deviation d = deviation(run, first.motion, kBeforeStairs);
    table.add(formulation, d.height, d.pitch, run.failed() ? table.failed(run.summary.reason) : "ok",
              run.summary.status);
  }
  context.show(
      table, "Agreement of the formulations",
      fmt::format("difference from hybrid at h = 0.001 s over the first {} s, before the stairs", kBeforeStairs));
}

/// Table 4: every formulation at 0.01 s and at its largest good step, then BDF; and how far each can go.
struct VehicleTables {
  VehicleTables(const StudyContext& context, const VehicleRun& measure)
      : reference(measure),
        times(context.out / "vehicle.csv", {{"method", "method"},
                                            {"formulation", ""},
                                            {"integrator", ""},
                                            {"step", ""},
                                            {"", "h [s]", significant()},
                                            {"rms_height", "height [mm]", millimetres()},
                                            {"rms_pitch", "pitch [deg]", degrees()},
                                            {"peak_acceleration", "peak [g]", decimals(1, 1 / kGravity)},
                                            {"iterations", "iterations", whole()},
                                            {"cpu_seconds", "time", seconds()},
                                            {"real_time_factor", "x real time", whole()},
                                            {"allocations", "alloc.", counted()},
                                            {"", "result"},
                                            {"status", ""},
                                            {"", "published h [s], time, x"},
                                            {"published_step", ""},
                                            {"published_seconds", ""},
                                            {"reason", ""}}),
        bounds(context.out / "largest_steps.csv", {{"formulation", "formulation"},
                                                   {"largest_good", "largest good h [s]", step_or_none()},
                                                   {"first_not_good", "first that is not good", step_or_none()},
                                                   {"first_failing", "first that fails", step_or_none()},
                                                   {"published", "published largest good h", significant()}}) {}

  void add(const std::string& method, const VehicleRun& run, const std::string& published, double published_step,
           double published_time) {
    const Deviation d = deviation(run, reference.motion, run.options.until);
    const RunSummary& s = run.summary;
    const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
    const std::string step = run.options.integrator == "bdf" ? "variable" : fmt::format("{:g}", run.options.step);
    times.add(method, run.options.formulation, run.options.integrator, run.options.step, step, unless_failed(d.height),
              unless_failed(d.pitch), unless_failed(run.peak_acceleration), s.iterations, run.cpu_seconds,
              unless_failed(run.real_time_factor()), s.allocations, verdict(run, reference.motion, times), s.status,
              published, published_step, published_time, s.reason);
  }

  const VehicleRun& reference;
  ResultTable times, bounds;
};

}  // namespace

void run_iltis_vehicle_study(StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  context.say(
      fmt::format("Reference: hybrid, trapezoidal, h = 1e-4 s; {}. Largest acceleration of the chassis in it: "
                  "{:.1f} g (published: up to 5 g). {}",
                  check_reference(mechanism, reference), reference.peak_acceleration / kGravity, reference_text()));
  VehicleTables tables(context, reference);
  VehicleRun hybrid;
  double done = 0;
  for (const PublishedVehicleRow& row : kPublishedVehicle) {
    const RunOptions options = vehicle_options(mechanism, row.formulation, row.integrator, row.step_1);
    const VehicleRun run = attempt(mechanism, options, 5);
    tables.add(row.method, run, fmt::format("{:g}, {:.2f} s", row.step_1, row.time_1), row.step_1, row.time_1);
    const StepLimits limits = step_limits(mechanism, options, reference.motion);
    const VehicleRun& largest = limits.largest;
    tables.bounds.add(row.formulation, largest.options.step, limits.first_off, limits.first_failed, row.step_2);
    if (largest.options.step > 0) {
      tables.add(fmt::format("{}, largest good step", row.formulation), largest,
                 fmt::format("{:g}, {:.2f} s, {:.2f}", row.step_2, row.time_2, row.real_time_factor_2), row.step_2,
                 row.time_2);
    }
    if (options.formulation == "hybrid") hybrid = run;
    if (context.progress) context.progress(++done / 5);
  }
  RunOptions bdf = vehicle_options(mechanism, "cartesian", "bdf", 0.01);
  bdf.absolute_tolerance = bdf.relative_tolerance = 1e-3;
  tables.add(
      "BDF, tolerance 1e-3", attempt(mechanism, bdf, 1),
      fmt::format("commercial code: variable, {:.2f} s, {:.2f}", kPublishedCommercialTime, kPublishedCommercialFactor),
      0, kPublishedCommercialTime);
  context.show(tables.times, "Times of all formulations", "over a ramp and five steps, 8 s at 5 m/s",
               "Published times: Fortran on an Athlon XP at 1.4 GHz.");
  context.show(
      tables.bounds, "Largest good steps", "steps of 2.5 ms, 5 ms, ...",
      "At one step all formulations with the trapezoidal rule give the same motion, and with penalties that follow the "
      "step and iterations that end at their own tolerance they keep converging as long as the contacts do: which "
      "steps "
      "are good is decided by where the edges of the stairs fall within the steps, not by the formulation. The "
      "published "
      "order (hybrid, topological, global) shows in which of them fails first, but for global, which no longer fails "
      "where one penalty for all did.");
  agreement(context, mechanism);

  context.report.plots.push_back(measurements("Error against time", "processor time for 8 s, s",
                                              "height, m RMS from the reference",
                                              tables.times.curves("cpu_seconds", "rms_height", "formulation")));
  context.report.plots.push_back(measurements("Error against the step", "h, s", "height, m RMS from the reference",
                                              tables.times.curves("step", "rms_height", "formulation"),
                                              "BDF stands at its first step."));
  plot_motions(context, {{"reference, h = 1e-4 s", &reference}, {"hybrid, h = 0.01 s", &hybrid}});
  context.give_models(mechanism);
  animate_vehicle(context, mechanism, hybrid.options);
  context.plot_histories();
}

void run_iltis_sdirk_study(StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  ResultTable table(context.out / "sdirk.csv", {{"formulation", "formulation"},
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
  for (const PublishedSdirkRow& row : kPublishedSdirk) {
    const VehicleRun run = attempt(mechanism, vehicle_options(mechanism, row.formulation, row.integrator, row.step), 1);
    const Deviation d = deviation(run, reference.motion, run.options.until);
    const RunSummary& s = run.summary;
    const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
    table.add(row.formulation, row.integrator, row.step, unless_failed(d.height), unless_failed(d.pitch), s.iterations,
              unless_failed(run.cpu_seconds), unless_failed(run.real_time_factor()),
              verdict(run, reference.motion, table), s.status,
              row.time > 0 ? fmt::format("{} iterations, {:.2f} s", row.iterations, row.time) : std::string("fails"),
              row.time, row.iterations, s.reason);
    if (context.progress) context.progress(++done / std::size(kPublishedSdirk));
  }
  context.show(
      table, "SDIRK against the trapezoidal rule",
      "SDIRK: third order, two stages, index 1; trapezoidal: index 3; the Iltis over a ramp and five steps, 8 s. " +
          reference_text());

  ResultTable largest(context.out / "largest_steps.csv",
                      {{"formulation", "formulation"},
                       {"sdirk3_step", "sdirk3: largest good h [s]", step_or_none()},
                       {"sdirk3_seconds", "time", seconds()},
                       {"trapezoidal_step", "trapezoidal: largest good h [s]", step_or_none()},
                       {"trapezoidal_seconds", "time", seconds()},
                       {"ratio", "sdirk3 / trapezoidal", decimals(1)}});
  for (const char* formulation : {"topological", "hybrid", "global"}) {
    VehicleRun best[2];
    int i = 0;
    for (const char* integrator : {"sdirk3", "trapezoidal"}) {
      best[i++] =
          step_limits(mechanism, vehicle_options(mechanism, formulation, integrator, 0.01), reference.motion).largest;
    }
    largest.add(formulation, best[0].options.step, best[0].cpu_seconds, best[1].options.step, best[1].cpu_seconds,
                best[0].cpu_seconds > 0 ? best[0].cpu_seconds / best[1].cpu_seconds : kNone);
  }
  context.show(largest, "Largest good steps", "every 2.5 ms, fewest constraints first; none: above 0.0025 s");

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
                                                     {"largest_good_step", "largest good h [s]", step_or_none()},
                                                     {"largest_iterations", "iterations", whole()},
                                                     {"largest_seconds", "time", seconds()},
                                                     {"largest_rms_height", ""}});
  std::vector<std::pair<std::string, VehicleRun>> motions;
  double done = 0;
  for (const char* formulation : {"global", "topological", "hybrid"}) {
    for (const Rule& rule : rules) {
      RunOptions options = vehicle_options(mechanism, formulation, rule.integrator, 0.01);
      if (rule.dissipation) options.dissipation = *rule.dissipation;
      if (rule.spectral_radius) options.spectral_radius = *rule.spectral_radius;
      VehicleRun run = attempt(mechanism, options, 1);
      const Deviation d = deviation(run, reference.motion, run.options.until);
      const VehicleRun best = step_limits(mechanism, options, reference.motion).largest;
      const bool found = best.options.step > 0;
      const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
      table.add(formulation, rule.name, 0.01, unless_failed(d.height), unless_failed(d.pitch), run.summary.iterations,
                run.cpu_seconds, verdict(run, reference.motion, table), run.summary.status, best.options.step,
                found ? static_cast<double>(best.summary.iterations) : kNone, found ? best.cpu_seconds : kNone,
                found ? deviation(best, reference.motion, best.options.until).height : kNone);
      if (options.formulation == "hybrid") motions.emplace_back(rule.name, std::move(run));
      if (context.progress) context.progress(++done / (3 * std::size(rules)));
    }
  }
  context.show(
      table, "Structural integrators",
      "the Iltis over a ramp and five steps, 8 s, at h = 0.01 s, and the largest good step of each (every 2.5 "
      "ms). " +
          reference_text(),
      "Published (2004, cited in the paper of 2005): for large systems dissipative Newmark is the best choice.");

  context.report.plots.push_back(measurements("Error against time at 0.01 s", "processor time for 8 s, s",
                                              "height, m RMS from the reference",
                                              table.curves("cpu_seconds", "rms_height", "rule", "formulation")));
  context.report.plots.push_back(measurements(
      "Error against time at the largest good step", "processor time for 8 s, s", "height, m RMS from the reference",
      table.curves("largest_seconds", "largest_rms_height", "rule", "formulation")));
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
