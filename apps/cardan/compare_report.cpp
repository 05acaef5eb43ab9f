#include "compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/result_table.hpp"
#include "io/viewer_page.hpp"

namespace cardan {
namespace {

constexpr std::size_t kNumbersOfARun = 250'000;  // in the report, some 1.3 MB

std::string name_of(const ComparedRun& run) {
  return fmt::format("{}, {}{}", run.formulation, run.integrator,
                     run.step > 0 ? fmt::format(", h = {:g} s", run.step) : "");
}

ResultTable runs_table(const std::filesystem::path& file) {
  return ResultTable(file, {{"formulation", "formulation"},
                            {"integrator", "integrator"},
                            {"step", "h, s", [](double h) { return h > 0 ? fmt::format("{:g}", h) : "own"; }},
                            {"status", "status"},
                            {"error", "error", powers(2)},
                            {"violation_position", "violation", powers(1)},
                            {"violation_velocity", "of velocities", powers(1)},
                            {"energy_error", "energy error, J", powers(2)},
                            {"steps", "steps", whole()},
                            {"rejected_steps", "rejected", whole()},
                            {"iterations", "iterations", whole()},
                            {"cpu_seconds", "time, ms", [](double s) { return brief(1e3 * s, 3); }},
                            {"real_time_factor", "x real time", [](double x) { return thousands(x); }},
                            {"end_time", "ended at, s", significant(4)},
                            {"mean_step", ""},
                            {"reason", ""}});
}

void add_run(ResultTable& table, const ComparedRun& run) {
  const RunSummary& s = run.summary;
  const double mean_step = s.steps > 0 ? s.duration / static_cast<double>(s.steps) : 0;
  table.add(run.formulation, run.integrator, run.step, run.refusal.empty() ? status_name(s.status) : "refused",
            run.error, s.position.value, s.velocity.value, s.energy_max_error, s.steps, s.rejected_steps, s.iterations,
            s.cpu_seconds, s.real_time_factor, s.duration, mean_step, run.reason());
}

ReportTable failures(const Comparison& comparison) {
  ReportTable table{"Failures", {"formulation", "integrator", "h, s", "at, s", "reason"}, {}, "", ""};
  for (const ComparedRun& run : comparison.runs) {
    if (run.ok()) continue;
    table.rows.push_back({run.formulation, run.integrator, run.step > 0 ? fmt::format("{:g}", run.step) : "own",
                          run.refusal.empty() ? fmt::format("{:.4g}", run.summary.duration) : "refused", run.reason()});
  }
  return table;
}

/// A good run, and the worst one that got to the end when its motion differs visibly.
std::vector<const ComparedRun*> animated(const Comparison& comparison, double accuracy) {
  const ComparedRun *best = cheapest(comparison, accuracy), *worst = nullptr, *nearest = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.ok() || !std::isfinite(run.error)) continue;
    if (!worst || run.error > worst->error) worst = &run;
    if (!nearest || run.error < nearest->error) nearest = &run;
  }
  if (!best) best = nearest;
  std::vector<const ComparedRun*> runs;
  if (best) runs.push_back(best);
  if (worst && worst != best && worst->error > 10 * accuracy) runs.push_back(worst);
  return runs;
}

void add_animation(ReportData& report, const std::filesystem::path& folder, const Mechanism& mechanism,
                   const CompareRequest& request, const ComparisonPlan& plan, const Comparison& comparison) {
  std::vector<NamedResult> results;
  for (const ComparedRun* run : animated(comparison, request.accuracy)) {
    const std::filesystem::path place = folder / (results.empty() ? "good" : "worst");
    std::filesystem::create_directories(place);
    run_into_folder(mechanism, options_of(plan, *run), place);
    report.runs.push_back(read_report_run(name_of(*run), place, kNumbersOfARun));
    results.push_back({name_of(*run), place});
  }
  for (ReportPlot& plot : step_history_plots(results)) report.plots.push_back(std::move(plot));
}

/// compare.json: what the last lines on the terminal say, for scripts.
std::string summary_of(const Mechanism& mechanism, const CompareRequest& request, const ComparisonPlan& plan,
                       const Comparison& comparison) {
  const std::size_t failed =
      std::count_if(comparison.runs.begin(), comparison.runs.end(), [](const ComparedRun& run) { return !run.ok(); });
  nlohmann::ordered_json json{{"status", comparison.missing == 0 ? "ok" : "interrupted"},
                              {"model", mechanism.name},
                              {"analysis", "compare"},
                              {"until", plan.base.until},
                              {"reference", comparison.reference},
                              {"reference_error", comparison.reference_error},
                              {"accuracy", request.accuracy},
                              {"runs", comparison.runs.size()},
                              {"failed", failed},
                              {"missing", comparison.missing},
                              {"left_out", comparison.left_out},
                              {"cheapest", nullptr}};
  if (const ComparedRun* best = cheapest(comparison, request.accuracy)) {
    json["cheapest"] = {{"formulation", best->formulation},
                        {"integrator", best->integrator},
                        {"step", best->step},
                        {"error", best->error},
                        {"cpu_seconds", best->summary.cpu_seconds}};
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string write_comparison(const std::filesystem::path& folder, const Mechanism& mechanism,
                             const CompareRequest& request, const ComparisonPlan& plan, const Comparison& comparison,
                             const ComparisonTable& table, const std::string& text) {
  ResultTable all = runs_table(folder / "compare.csv"), good = runs_table("");
  for (const ComparedRun& run : comparison.runs) {
    add_run(all, run);
    if (run.ok()) add_run(good, run);
  }
  write_file(folder / "compare.json", summary_of(mechanism, request, plan, comparison));
  const std::string csv = (folder / "compare.csv").string();
  if (viewer_page().empty()) {
    return fmt::format("{}, compare.json; no report: it needs the viewer, which is not in this program: {}", csv,
                       viewer_page_missing());
  }

  ReportData report;
  report.title = fmt::format("{}: comparison", mechanism.name);
  report.text = text;
  report.command = request.command_line;
  report.models = model_texts(mechanism);
  ReportTable summary{"One line for each formulation and integrator", {}, table.table.rows(), table.failures, ""};
  for (const TextTable::Column& column : table.table.columns()) summary.headers.push_back(column.title);
  for (const std::string& what : comparison.left_out) summary.note += "left out: " + what + "\n";
  report.tables.push_back(std::move(summary));
  if (ReportTable failed = failures(comparison); !failed.rows.empty()) report.tables.push_back(std::move(failed));
  report.tables.push_back(all.report());
  report.tables.back().title = "Every run";

  const auto plot = [&](const char* title, const char* x, const char* x_label, const char* y, const char* y_label,
                        const char* note = "") {
    report.plots.push_back(measurements(title, x_label, y_label, good.curves(x, y, "integrator", "formulation"), note));
  };
  const char* const error = "largest error, sizes or rad";
  plot("Precision against work", "cpu_seconds", "processor time, s", "error", error);
  plot("Error against the step", "mean_step", "h, s", "error", error,
       "Integrators that choose their steps stand at the mean of these.");
  plot("Constraint violation against the step", "mean_step", "h, s", "violation_position", "largest violation, m or 1");
  plot("Energy error against the step", "mean_step", "h, s", "energy_error", "largest energy error, J");
  if (comparison.missing == 0) add_animation(report, folder, mechanism, request, plan, comparison);
  write_report(folder / "compare.html", report);
  return fmt::format("{}, compare.json, compare.html", csv);
}

}  // namespace cardan
