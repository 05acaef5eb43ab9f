#include "studies/puma/puma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "io/text_table.hpp"
#include "studies/model_file.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

using Align = TextTable::Align;

constexpr double kSampling = 0.02;  // s, of the torques

struct PublishedRow {
  double step;                                // s
  const char *global, *topological, *hybrid;  // mm
};
// Cuadrado, Dopico, Gonzalez, Naya (2003), table 3
constexpr PublishedRow kPublished[] = {
    {0.01, "0.53", "0.26", "0.34"}, {0.05, "3.4", "1.5", "1.8"}, {0.1, "no convergence", "3.2", "no convergence"}};

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
  StepStatus status = StepStatus::Ok;
  double h = step;
  for (double rest; status == StepStatus::Ok && (rest = options.until - simulation.time()) > 1e-9 * step;)
    status = simulation.step(h = std::min(step, rest));
  if (status != StepStatus::Ok) simulation.fail(status, h);
  PumaRun run{simulation.summary(), (place() - start).norm()};
  return run;
}

}  // namespace

void run_puma_study(const StudyContext& context) {
  const Mechanism mechanism = read_mechanism(model_file("puma560.yaml").string());
  const auto file_name = context.out / "puma560_torques.yaml";
  std::ofstream(file_name) << puma_torques_yaml(kSampling);

  ResultFile file(context.out / "puma.csv",
                  {"formulation", "step", "error", "published_error", "iterations", "cpu_seconds", "status", "reason"});
  TextTable table({{"formulation", Align::left},
                   {"h [s]"},
                   {"hand off by [mm]"},
                   {"published [mm]"},
                   {"iterations"},
                   {"time [ms]"},
                   {"x real time"},
                   {"result", Align::left}});
  std::string notes;
  const auto add = [&](const char* formulation, double step, const char* published) {
    const PumaRun run = run_puma(mechanism, formulation, step);
    const RunSummary& s = run.summary;
    const bool ok = s.status == "ok";
    table.add({formulation, fmt::format("{:g}", step), ok ? fmt::format("{:.4f}", 1e3 * run.error) : "", published,
               fmt::format("{}", s.iterations), fmt::format("{:.2f}", 1e3 * s.cpu_seconds),
               ok ? fmt::format("{:.0f}", s.real_time_factor) : "", s.status});
    file.add(formulation, step, run.error, published, s.iterations, s.cpu_seconds, s.status, s.reason);
    if (!ok) notes += fmt::format("  {} at {:g} s: {}\n", formulation, step, s.reason);
  };
  for (const PublishedRow& row : kPublished) {
    add("global", row.step, row.global);
    add("topological", row.step, row.topological);
    add("hybrid", row.step, row.hybrid);
  }
  for (const double step : {0.005, 0.0025})
    for (const char* formulation : {"global", "topological", "hybrid"}) add(formulation, step, "");
  for (const char* formulation : {"recursive", "cartesian"}) add(formulation, 0.01, "");
  context.print(
      fmt::format("PUMA 560, 8 s: to another pose, the wrist turns with the hand's point held, back to the start; "
                  "distance of the hand's point\n"
                  "at the end from where it started\n\n{}{}\nTorques by inverse dynamics, every {} s, written to "
                  "{}.\nwritten: {}\n",
                  table.text(2), notes, kSampling, file_name.string(), (context.out / "*.csv").string()));
}

}  // namespace cardan
