#include "studies/iltis/vehicle_tables.hpp"

#include <fmt/format.h>

#include "cardan/io.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

/// Height of the chassis over time.
ReportSeries height_curve(const std::string& name, const VehicleRun& run) {
  return {name, run.motion.t, run.motion.height, false, ""};
}
ReportSeries pitch_curve(const std::string& name, const VehicleRun& run) {
  ReportSeries series{name, run.motion.t, run.motion.pitch, false, ""};
  for (double& angle : series.y) angle *= kDegrees;
  return series;
}

}  // namespace

Mechanism iltis() { return read_mechanism(model_file("iltis.yaml").string()); }

RunOptions vehicle_options(const Mechanism& mechanism, const std::string& formulation, const std::string& integrator,
                           double step) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  return options;
}

VehicleRun attempt(const Mechanism& mechanism, const RunOptions& options, int repetitions) {
  try {
    return run_vehicle(mechanism, options, repetitions);
  } catch (const std::exception& refused) {
    VehicleRun run;
    run.options = options;
    run.summary.status = RunStatus::failed;
    run.summary.reason = refused.what();
    return run;
  }
}

std::string verdict(const VehicleRun& run, const ChassisMotion& reference, ResultTable& table) {
  if (run.failed()) return table.failed(run.summary.reason);
  return is_good(run, reference) ? "good" : "off";
}

ResultTable::Format seconds() {
  return [](double s) {
    return !(s > 0) ? std::string() : s < 0.1 ? fmt::format("{:.2f} ms", 1e3 * s) : fmt::format("{:.3g} s", s);
  };
}
ResultTable::Format step_or_none() {
  return [](double step) { return step > 0 ? fmt::format("{:g}", step) : std::string("none"); };
}
ResultTable::Format counted() {
  return [](double n) { return n < 0 ? std::string() : fmt::format("{:.0f}", n); };
}
ResultTable::Format millimetres() { return decimals(2, 1e3); }
ResultTable::Format degrees() { return decimals(3, kDegrees); }

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
                     const std::string& flags) {
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

}  // namespace cardan
