#include "studies/puma/puma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr double kSampling = 0.02;  // s, of the torques

struct PublishedRow {
  double step;                                // s
  const char *global, *topological, *hybrid;  // mm
};
// Cuadrado, Dopico, Gonzalez, Naya (2003), table 3
constexpr PublishedRow kPublished[] = {
    {0.01, "0.53", "0.26", "0.34"}, {0.05, "3.4", "1.5", "1.8"}, {0.1, "no convergence", "3.2", "no convergence"}};

/// Of metres.
ResultTable::Format millimetres() {
  return [](double m) { return std::isfinite(m) ? fmt::format("{:.2g}", 1e3 * m) : std::string(); };
}

struct PumaRun {
  RunSummary summary;
  double error = 0;  // m: distance of the hand's point at the end from where it started
};

PumaRun run_puma(const Mechanism& mechanism, const std::string& formulation, double step) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  options.step = step;
  Simulation simulation(mechanism, options);
  const int hand = static_cast<int>(mechanism.bodies.size()) - 1;
  const auto hold = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                 [](const Joint& joint) { return joint.name == "hold"; });
  const Vec3 local = mechanism.bodies[hand].axes.transpose() * (hold->frame2.origin - mechanism.bodies[hand].center);
  const auto place = [&] {
    const BodyMotion body = simulation.body(hand);
    return Vec3(body.position + body.rotation * local);
  };
  const Vec3 start = place();
  StepStatus status = StepStatus::ok;
  for (double rest; status == StepStatus::ok && (rest = options.until - simulation.time()) > 1e-9 * step;)
    status = simulation.step(std::min(step, rest));
  PumaRun run{simulation.summary(), (place() - start).norm()};
  return run;
}

}  // namespace

void run_puma_study(StudyContext& context) {
  const Mechanism mechanism = read_mechanism(model_file("puma560.yaml").string());
  const auto file_name = context.out / "puma560_torques.yaml";
  std::ofstream(file_name) << puma_torques_yaml(kSampling);

  ResultTable table(context.out / "puma.csv", {{"variant", "arm with"},
                                               {"formulation", "formulation"},
                                               {"step", "h [s]", significant()},
                                               {"error", "hand off by [mm]", millimetres()},
                                               {"published_error", "published [mm]", significant()},
                                               {"iterations", "iterations", whole()},
                                               {"cpu_seconds", "time [ms]", decimals(2, 1e3)},
                                               {"real_time_factor", "x real time", whole()},
                                               {"", "result"},
                                               {"status", ""},
                                               {"reason", ""}});
  const auto add = [&](const PumaVariant& variant, const Mechanism& arm, const char* formulation, double step,
                       const char* published) {
    const PumaRun run = run_puma(arm, formulation, step);
    const RunSummary& s = run.summary;
    const bool ok = s.status == RunStatus::ok;
    const double none = std::numeric_limits<double>::quiet_NaN();
    table.add(variant.name, formulation, step, ok ? run.error : none, published, s.iterations, s.cpu_seconds,
              ok ? s.real_time_factor : none, ok ? "ok" : table.failed(s.reason), status_name(s.status), s.reason);
  };
  for (const PumaVariant& variant : kPumaVariants) {
    const Mechanism arm = puma_model(variant, kSampling);
    for (const PublishedRow& row : kPublished) {
      add(variant, arm, "global", row.step, row.global);
      add(variant, arm, "topological", row.step, row.topological);
      add(variant, arm, "hybrid", row.step, row.hybrid);
    }
  }
  for (const double step : {0.005, 0.0025})
    for (const char* formulation : {"global", "topological", "hybrid"}) add({}, mechanism, formulation, step, "");
  for (const char* formulation : {"recursive", "cartesian"}) add({}, mechanism, formulation, 0.01, "");
  context.show(table, "PUMA 560: return to the start",
               "8 s: to another pose, the wrist turns with the hand's point held, back to the start; distance of the "
               "hand's point at the end from where it started. The paper mentions neither friction nor the rotors of "
               "the motors; "
               "every arm gets the torques that it takes for the same paths",
               fmt::format("Torques by inverse dynamics, every {} s, written to {}.", kSampling, file_name.string()));

  std::vector<ReportSeries> published = grouped(table.curves("step", "published_error", "formulation"), "published");
  for (ReportSeries& series : published) {
    for (double& error : series.y) error *= 1e-3;  // mm
  }
  context.report.plots.push_back(
      measurements("Error against the step", "h, s", "hand off by, m",
                   joined(grouped(table.curves("step", "error", "formulation", "variant"), "ours"), published)));
  context.report.plots.push_back(measurements("Error against time", "processor time, s", "hand off by, m",
                                              table.curves("cpu_seconds", "error", "formulation", "variant")));
  context.give_models(mechanism);
  for (const double step : {0.01, 0.05}) {
    RunOptions options = RunOptions::for_mechanism(mechanism);
    options.formulation = "hybrid";
    options.step = step;
    context.animate(fmt::format("hybrid at {} s", step),
                    fmt::format("cardan run {} --formulation hybrid --step {}", mechanism.file, step), mechanism,
                    options);
  }
  context.plot_histories();
}

}  // namespace cardan
