#include "studies/iltis/iltis_vehicle.hpp"

#include <fmt/format.h>

#include "studies/iltis/precision.hpp"
#include "studies/iltis/published.hpp"
#include "studies/iltis/vehicle_tables.hpp"

namespace cardan {
namespace {

constexpr double kGravity = 9.81;
constexpr double kBeforeStairs = 3;  // s

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
              status_name(run.summary.status));
  }
  context.show(
      table, "Agreement of the formulations",
      fmt::format("difference from hybrid at h = 0.001 s over the first {} s, before the stairs", kBeforeStairs));
}

/// Table 4: every formulation at 0.01 s and at the step up to which all are good, then BDF; how far each can go, and
/// what an error costs.
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
                                                   {"all_good_up_to", "all good up to h [s]", step_or_none()},
                                                   {"largest_good", "largest good h", step_or_none()},
                                                   {"first_failing", "first that fails", step_or_none()},
                                                   {"published", "published largest good h", significant()}}),
        work(context.out / "precision_work.csv", {{"formulation", "formulation"},
                                                  {"bound_height", "within [mm]", millimetres()},
                                                  {"bound_pitch", "within [deg]", degrees()},
                                                  {"step", "all up to h [s]", step_or_none()},
                                                  {"iterations", "iterations", whole()},
                                                  {"cpu_seconds", "time", seconds()},
                                                  {"published_seconds", ""}}) {}

  void add(const std::string& method, const VehicleRun& run, const std::string& published, double published_step,
           double published_time) {
    const Deviation d = deviation(run, reference.motion, run.options.until);
    const RunSummary& s = run.summary;
    const auto unless_failed = [&](double value) { return run.failed() ? kNone : value; };
    const std::string step = run.options.integrator == "bdf" ? "variable" : fmt::format("{:g}", run.options.step);
    times.add(method, run.options.formulation, run.options.integrator, run.options.step, step, unless_failed(d.height),
              unless_failed(d.pitch), unless_failed(run.peak_acceleration), s.iterations, run.cpu_seconds,
              unless_failed(run.real_time_factor()), s.allocations, verdict(run, reference.motion, times),
              status_name(s.status), published, published_step, published_time, s.reason);
  }

  /// What an error costs: the work of the longest step such that it and all shorter ones are that exact.
  void add_work(const Mechanism& mechanism, RunOptions options, const StepScan& scan, double published_time) {
    for (const double part : {0.1, 0.25, 0.5, 1.0}) {
      options.step = scan.all_within(part);
      const VehicleRun run = options.step > 0 ? run_vehicle(mechanism, options, 3) : VehicleRun{};
      work.add(options.formulation, part * kGoodHeight, part * kGoodPitch, options.step,
               options.step > 0 ? static_cast<double>(run.summary.iterations) : kNone,
               options.step > 0 ? run.cpu_seconds : kNone, part == 1 ? published_time : kNone);
    }
  }

  const VehicleRun& reference;
  ResultTable times, bounds, work;
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
    const StepScan scan = scan_steps(mechanism, options, reference.motion);
    tables.bounds.add(row.formulation, scan.all_within(), scan.largest_good(), scan.first_failed(), row.step_2);
    tables.add_work(mechanism, options, scan, row.time_2);
    if (scan.all_within() > 0) {
      RunOptions longest = options;
      longest.step = scan.all_within();
      tables.add(fmt::format("{}, all good up to", row.formulation), run_vehicle(mechanism, longest, 5),
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
  context.show(tables.bounds, "Largest steps", "steps of 2.5 ms, 5 ms, ...; published: the largest good step found",
               "Which long steps are good is decided by where the edges of the stairs fall within them, so that the "
               "largest good "
               "one is luck; up to where all are good is not.");
  context.show(tables.work, "Precision against work",
               "time of the longest step such that it and all shorter ones stay within these errors RMS");
  precision_against_work(context, mechanism);
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

}  // namespace cardan
