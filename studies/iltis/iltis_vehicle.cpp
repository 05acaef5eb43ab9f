#include "studies/iltis/iltis_vehicle.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cardan/io.hpp"
#include "io/text_table.hpp"
#include "studies/iltis/published.hpp"
#include "studies/iltis/vehicle_run.hpp"
#include "studies/model_file.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

using Align = TextTable::Align;

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

/// Reasons of failures, below the table.
class Notes {
 public:
  std::string mark(const VehicleRun& run, const ChassisMotion& reference) {
    if (!run.failed()) return is_good(run, reference) ? "good" : "off";
    text_ += fmt::format("  [{}] {}\n", ++count_, run.summary.reason);
    return fmt::format("failed [{}]", count_);
  }
  const std::string& text() const { return text_; }

 private:
  int count_ = 0;
  std::string text_;
};

std::string seconds(double s) {
  return s <= 0 ? "" : s < 0.1 ? fmt::format("{:.2f} ms", 1e3 * s) : fmt::format("{:.3g} s", s);
}
std::string step_text(double step) { return step > 0 ? fmt::format("{:g}", step) : std::string("none"); }
std::string count(std::int64_t n) { return n < 0 ? "" : fmt::format("{}", n); }

std::string check_reference(const Mechanism& mechanism, const VehicleRun& reference) {
  const VehicleRun other = attempt(mechanism, vehicle_options(mechanism, "cartesian", "trapezoidal", 1e-3), 0);
  if (other.failed()) return fmt::format("cartesian failed: {}", other.summary.reason);
  const Deviation d = deviation(other, reference.motion, other.options.until);
  return fmt::format("cartesian, trapezoidal, h = 1e-3 s is {:.3f} mm and {:.4f} degrees RMS away from it",
                     1e3 * d.height, kDegrees * d.pitch);
}

void agreement(const StudyContext& context, const Mechanism& mechanism) {
  ResultFile file(context.out / "agreement.csv", {"formulation", "rms_height", "rms_pitch", "status"});
  TextTable table({{"formulation", Align::left}, {"height [mm RMS]"}, {"pitch [deg RMS]"}});
  const VehicleRun first = run_vehicle(mechanism, vehicle_options(mechanism, "hybrid", "trapezoidal", 1e-3), 0);
  for (const char* formulation : {"global", "topological", "recursive", "cartesian"}) {
    RunOptions options = vehicle_options(mechanism, formulation, "trapezoidal", 1e-3);
    options.until = kBeforeStairs;
    const VehicleRun run = attempt(mechanism, options, 0);
    const Deviation d = deviation(run, first.motion, kBeforeStairs);
    table.add({formulation, run.failed() ? "failed" : fmt::format("{:.2e}", 1e3 * d.height),
               fmt::format("{:.2e}", kDegrees * d.pitch)});
    file.add(formulation, d.height, d.pitch, run.summary.status);
  }
  context.print(fmt::format("difference from hybrid at h = 0.001 s over the first {} s, before the stairs\n\n{}\n",
                            kBeforeStairs, table.text(2)));
}

}  // namespace

void run_iltis_vehicle_study(const StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  context.print(
      fmt::format("Iltis over a ramp and five steps, 8 s at 5 m/s. Reference: hybrid, trapezoidal, h = 1e-4 s; {}.\n"
                  "Largest acceleration of the chassis in it: {:.1f} g (published: up to 5 g).\n"
                  "A step is good when height and pitch of the chassis stay within {:.0f} mm and {:.1f} degree RMS of "
                  "the reference.\n\n",
                  check_reference(mechanism, reference), reference.peak_acceleration / kGravity, 1e3 * kGoodHeight,
                  kDegrees * kGoodPitch));

  ResultFile file(
      context.out / "vehicle.csv",
      {"method", "formulation", "integrator", "step", "rms_height", "rms_pitch", "peak_acceleration", "iterations",
       "cpu_seconds", "real_time_factor", "allocations", "status", "published_step", "published_seconds", "reason"});
  TextTable table({{"method", Align::left},
                   {"h [s]"},
                   {"height [mm]"},
                   {"pitch [deg]"},
                   {"peak [g]"},
                   {"iterations"},
                   {"time"},
                   {"x real time"},
                   {"alloc."},
                   {"result", Align::left},
                   {"published h [s], time, x", Align::left}});
  Notes notes;
  const auto add = [&](const std::string& method, const VehicleRun& run, const std::string& published,
                       double published_step, double published_time) {
    const Deviation d = deviation(run, reference.motion, run.options.until);
    const RunSummary& s = run.summary;
    const bool variable = run.options.integrator == "bdf";
    table.add({method, variable ? "variable" : fmt::format("{:g}", run.options.step),
               run.failed() ? "" : fmt::format("{:.2f}", 1e3 * d.height),
               run.failed() ? "" : fmt::format("{:.3f}", kDegrees * d.pitch),
               run.failed() ? "" : fmt::format("{:.1f}", run.peak_acceleration / kGravity),
               fmt::format("{}", s.iterations), seconds(run.cpu_seconds),
               run.failed() ? "" : fmt::format("{:.0f}", run.real_time_factor()), count(s.allocations),
               notes.mark(run, reference.motion), published});
    file.add(method, run.options.formulation, run.options.integrator, run.options.step, d.height, d.pitch,
             run.peak_acceleration, s.iterations, run.cpu_seconds, run.real_time_factor(), s.allocations, s.status,
             published_step, published_time, s.reason);
  };
  TextTable bounds({{"formulation", Align::left},
                    {"largest good h [s]"},
                    {"first that is not good"},
                    {"first that fails"},
                    {"published largest good h"}});
  double done = 0;
  for (const PublishedVehicleRow& row : kPublishedVehicle) {
    const RunOptions options = vehicle_options(mechanism, row.formulation, row.integrator, row.step_1);
    add(row.method, attempt(mechanism, options, 5), fmt::format("{:g}, {:.2f} s", row.step_1, row.time_1), row.step_1,
        row.time_1);
    const StepLimits limits = step_limits(mechanism, options, reference.motion);
    const VehicleRun& largest = limits.largest;
    bounds.add({row.formulation, step_text(largest.options.step), step_text(limits.first_off),
                step_text(limits.first_failed), fmt::format("{:g}", row.step_2)});
    if (largest.options.step > 0) {
      add("  largest good step", largest,
          fmt::format("{:g}, {:.2f} s, {:.2f}", row.step_2, row.time_2, row.real_time_factor_2), row.step_2,
          row.time_2);
    } else {
      table.add({"  largest good step", "none"});
    }
    if (context.progress) context.progress(++done / 5);
  }
  RunOptions bdf = vehicle_options(mechanism, "cartesian", "bdf", 0.01);
  bdf.absolute_tolerance = bdf.relative_tolerance = 1e-3;
  add("BDF, tolerance 1e-3", attempt(mechanism, bdf, 1),
      fmt::format("commercial code: variable, {:.2f} s, {:.2f}", kPublishedCommercialTime, kPublishedCommercialFactor),
      0, kPublishedCommercialTime);
  context.print(
      fmt::format("{}{}\nPublished times: Fortran on an Athlon XP at 1.4 GHz.\n\n", table.text(2), notes.text()));
  context.print(fmt::format(
      "steps of 2.5 ms, 5 ms, ...\n\n{}\n"
      "At one step all formulations with the trapezoidal rule give the same motion, and with penalties that follow the "
      "step and\n"
      "iterations that end at their own tolerance they keep converging as long as the contacts do: which steps are "
      "good is decided by\n"
      "where the edges of the stairs fall within the steps, not by the formulation. The published order (hybrid, "
      "topological, global)\n"
      "shows in which of them fails first, but for global, which no longer fails where one penalty for all did.\n\n",
      bounds.text(2)));
  agreement(context, mechanism);
  context.print(fmt::format("written: {}\n", (context.out / "*.csv").string()));
}

void run_iltis_sdirk_study(const StudyContext& context) {
  const Mechanism mechanism = iltis();
  const VehicleRun reference = reference_run(mechanism);
  ResultFile file(context.out / "sdirk.csv",
                  {"formulation", "integrator", "step", "rms_height", "rms_pitch", "iterations", "cpu_seconds",
                   "real_time_factor", "status", "published_seconds", "published_iterations", "reason"});
  TextTable table({{"formulation", Align::left},
                   {"integrator", Align::left},
                   {"h [s]"},
                   {"height [mm]"},
                   {"pitch [deg]"},
                   {"iterations"},
                   {"time"},
                   {"x real time"},
                   {"result", Align::left},
                   {"published", Align::left}});
  Notes notes;
  double done = 0;
  for (const PublishedSdirkRow& row : kPublishedSdirk) {
    const VehicleRun run = attempt(mechanism, vehicle_options(mechanism, row.formulation, row.integrator, row.step), 1);
    const Deviation d = deviation(run, reference.motion, run.options.until);
    const RunSummary& s = run.summary;
    table.add({row.formulation, row.integrator, fmt::format("{:g}", row.step),
               run.failed() ? "" : fmt::format("{:.2f}", 1e3 * d.height),
               run.failed() ? "" : fmt::format("{:.3f}", kDegrees * d.pitch), fmt::format("{}", s.iterations),
               run.failed() ? "" : seconds(run.cpu_seconds),
               run.failed() ? "" : fmt::format("{:.0f}", run.real_time_factor()), notes.mark(run, reference.motion),
               row.time > 0 ? fmt::format("{} iterations, {:.2f} s", row.iterations, row.time) : std::string("fails")});
    file.add(row.formulation, row.integrator, row.step, d.height, d.pitch, s.iterations, run.cpu_seconds,
             run.real_time_factor(), s.status, row.time, row.iterations, s.reason);
    if (context.progress) context.progress(++done / std::size(kPublishedSdirk));
  }
  context.print(fmt::format(
      "SDIRK (third order, two stages, index 1) against the trapezoidal rule (index 3) on the Iltis\n\n{}{}\n",
      table.text(2), notes.text()));

  TextTable largest({{"formulation", Align::left},
                     {"sdirk3: largest good h [s]"},
                     {"time"},
                     {"trapezoidal: largest good h [s]"},
                     {"time"},
                     {"sdirk3 / trapezoidal"}});
  for (const char* formulation : {"topological", "hybrid", "global"}) {
    VehicleRun best[2];
    int i = 0;
    for (const char* integrator : {"sdirk3", "trapezoidal"}) {
      best[i++] =
          step_limits(mechanism, vehicle_options(mechanism, formulation, integrator, 0.01), reference.motion).largest;
    }
    const auto step = [](const VehicleRun& run) {
      return run.options.step > 0 ? fmt::format("{:g}", run.options.step) : std::string("below 0.0025");
    };
    largest.add({formulation, step(best[0]), seconds(best[0].cpu_seconds), step(best[1]), seconds(best[1].cpu_seconds),
                 best[0].cpu_seconds > 0 ? fmt::format("{:.1f}", best[0].cpu_seconds / best[1].cpu_seconds) : ""});
  }
  context.print(fmt::format("largest good steps (every 2.5 ms), fewest constraints first\n\n{}\nwritten: {}\n",
                            largest.text(2), (context.out / "*.csv").string()));
}

void run_iltis_structural_study(const StudyContext& context) {
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
  ResultFile file(context.out / "structural.csv",
                  {"formulation", "rule", "step", "rms_height", "rms_pitch", "iterations", "cpu_seconds", "status",
                   "largest_good_step", "largest_seconds"});
  TextTable table({{"formulation", Align::left},
                   {"rule", Align::left},
                   {"height [mm]"},
                   {"pitch [deg]"},
                   {"iterations"},
                   {"time"},
                   {"largest good h [s]"},
                   {"iterations"},
                   {"time"}});
  double done = 0;
  for (const char* formulation : {"global", "topological", "hybrid"}) {
    for (const Rule& rule : rules) {
      RunOptions options = vehicle_options(mechanism, formulation, rule.integrator, 0.01);
      if (rule.dissipation) options.dissipation = *rule.dissipation;
      if (rule.spectral_radius) options.spectral_radius = *rule.spectral_radius;
      const VehicleRun run = attempt(mechanism, options, 1);
      const Deviation d = deviation(run, reference.motion, run.options.until);
      const VehicleRun best = step_limits(mechanism, options, reference.motion).largest;
      table.add({formulation, rule.name, run.failed() ? "failed" : fmt::format("{:.2f}", 1e3 * d.height),
                 run.failed() ? "" : fmt::format("{:.3f}", kDegrees * d.pitch),
                 fmt::format("{}", run.summary.iterations), seconds(run.cpu_seconds),
                 best.options.step > 0 ? fmt::format("{:g}", best.options.step) : std::string("none"),
                 best.options.step > 0 ? fmt::format("{}", best.summary.iterations) : "", seconds(best.cpu_seconds)});
      file.add(formulation, rule.name, 0.01, d.height, d.pitch, run.summary.iterations, run.cpu_seconds,
               run.summary.status, best.options.step, best.cpu_seconds);
      if (context.progress) context.progress(++done / (3 * std::size(rules)));
    }
  }
  context.print(fmt::format(
      "structural integrators on the Iltis at h = 0.01 s, and the largest good step of each (every 2.5 ms)\n\n{}\n"
      "Published (2004, cited in the paper of 2005): for large systems dissipative Newmark is the best choice.\n"
      "written: {}\n",
      table.text(2), (context.out / "*.csv").string()));
}

}  // namespace cardan
