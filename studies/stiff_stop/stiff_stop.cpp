#include "studies/stiff_stop/stiff_stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "cardan/simulation.hpp"
#include "studies/parallel.hpp"
#include "studies/stiff_stop/stiff_stop_linkage.hpp"

namespace cardan {
namespace {

constexpr double kDuration = 5, kSampling = 0.02;  // s
constexpr double kStepMin = 1e-7, kStepMax = 0.1;  // s
constexpr double kPublishedStepMax = 0.02;         // s, of variable-step-variable-penalty-2015
constexpr double kPenalty = 1e5;

/// The angle of the crank at every sample.
class CrankAngle final : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override {
    column_ = std::find(columns.begin(), columns.end(), "crank.angle") - columns.begin();
  }
  void sample(const double* row, std::size_t) override { values.push_back(row[column_]); }
  std::vector<double> values;

 private:
  std::ptrdiff_t column_ = 0;
};

struct StopRun {
  RunOptions options;
  RunSummary summary;
  double largest_error = 0;  // rad, up to where the run ended

  bool fixed() const { return !options.step_control; }
  bool failed() const { return summary.status != RunStatus::ok; }
  std::string control() const { return options.step_control.value_or("fixed"); }
  std::string penalty() const { return options.penalty ? fmt::format("{:g}", *options.penalty) : "automatic"; }
};

RunOptions base_options(const char* formulation) {
  RunOptions options;
  options.formulation = formulation;
  options.until = kDuration;
  options.step = kSampling;
  return options;
}

StopRun constant_step(const char* formulation, int parts) {
  StopRun run{base_options(formulation), {}, 0};
  run.options.step = kSampling / parts;
  run.options.every = parts;
  return run;
}

StopRun variable_step(const char* formulation, const char* control, double tolerance, double step_max,
                      std::optional<double> penalty = {}, bool follows = true) {
  StopRun run{base_options(formulation), {}, 0};
  run.options.step_control = control;
  run.options.tolerance = tolerance;
  run.options.penalty = penalty;
  run.options.fixed_penalty = !follows;
  run.options.step_min = kStepMin;
  run.options.step_max = step_max;
  return run;
}

std::vector<StopRun> all_runs() {
  std::vector<StopRun> runs;
  for (const char* formulation : {"hybrid", "global"}) {
    for (int parts = 1; parts <= 256; parts *= 2) runs.push_back(constant_step(formulation, parts));
    for (double tolerance : {1e-5, 1e-6, 1e-7}) {
      runs.push_back(variable_step(formulation, "error", tolerance, kStepMax));
      for (bool follows : {true, false})
        runs.push_back(variable_step(formulation, "error", tolerance, kStepMax, kPenalty, follows));
    }
    for (const char* control : {"increment", "residual", "energy", "error"}) {
      for (double tolerance : {1e-5, 1e-7})
        runs.push_back(variable_step(formulation, control, tolerance, kPublishedStepMax));
    }
  }
  return runs;
}

/// Iterations of the constant step with this largest error; 0 when it is outside of what was run.
double fixed_iterations(const std::vector<StopRun>& runs, const std::string& formulation, double error) {
  const StopRun* before = nullptr;
  for (const StopRun& run : runs) {
    if (!run.fixed() || run.options.formulation != formulation) continue;
    if (before && before->largest_error >= error && run.largest_error <= error) {
      const double part = std::log(before->largest_error / error) / std::log(before->largest_error / run.largest_error);
      return std::exp(std::log(static_cast<double>(before->summary.iterations)) * (1 - part) +
                      std::log(static_cast<double>(run.summary.iterations)) * part);
    }
    before = &run;
  }
  return 0;
}

void write_runs(const StudyContext& context, const std::vector<StopRun>& runs) {
  ResultTable table(context.out / "stiff_stop.csv", {{"formulation", ""},
                                                     {"step_control", ""},
                                                     {"tolerance", ""},
                                                     {"step", ""},
                                                     {"step_max", ""},
                                                     {"penalty", ""},
                                                     {"penalty_follows", ""},
                                                     {"largest_error", ""},
                                                     {"steps", ""},
                                                     {"rejected", ""},
                                                     {"iterations", ""},
                                                     {"cpu_seconds", ""},
                                                     {"step_smallest", ""},
                                                     {"step_largest", ""},
                                                     {"status", ""},
                                                     {"reason", ""}});
  for (const StopRun& run : runs) {
    const RunSummary& s = run.summary;
    table.add(run.options.formulation, run.control(), run.options.tolerance.value_or(0), run.options.step,
              run.options.step_max.value_or(run.options.step), run.penalty(), run.options.fixed_penalty ? 0 : 1,
              run.largest_error, s.steps, s.rejected_steps, s.iterations, s.cpu_seconds, s.step_smallest,
              s.step_largest, status_name(s.status), s.reason);
  }
}

void show_speed(const StudyContext& context, const std::vector<StopRun>& runs) {
  ResultTable table(context.out / "speed.csv", {{"formulation", "formulation"},
                                                {"step_control", "control"},
                                                {"tolerance", "tolerance", significant()},
                                                {"step_max", "at most s", significant()},
                                                {"steps", "steps", whole()},
                                                {"rejected", "rejected", whole()},
                                                {"iterations", "iterations", whole()},
                                                {"cpu_seconds", ""},
                                                {"mean_step", ""},
                                                {"step_smallest", "shortest s", significant(2)},
                                                {"step_largest", "longest s", significant(2)},
                                                {"largest_error", "largest error", powers(2)},
                                                {"fixed_over_variable", "fixed / variable", decimals(1)},
                                                {"", "result"}});
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const StopRun& run : runs) {
    if (run.options.penalty) continue;
    const RunSummary& s = run.summary;
    const double equal = run.fixed() ? 0 : fixed_iterations(runs, run.options.formulation, run.largest_error);
    table.add(run.options.formulation, run.control(), run.fixed() ? kNone : *run.options.tolerance,
              run.fixed() ? kNone : *run.options.step_max, s.steps, s.rejected_steps, s.iterations, s.cpu_seconds,
              s.duration / static_cast<double>(s.steps), s.step_smallest, s.step_largest,
              run.failed() ? kNone : run.largest_error, equal > 0 ? equal / static_cast<double>(s.iterations) : kNone,
              run.failed() ? table.failed(s.reason) : "ok");
  }
  context.show(table, "Variable step, automatic penalties",
               "last number: iterations of the constant step of equal largest error over those of the variable step");
  for (const auto& [column, label] :
       {std::pair{"iterations", "Newton iterations"}, {"cpu_seconds", "processor time, s"}}) {
    context.report.plots.push_back(measurements(
        fmt::format("Error against work: {}", column[0] == 'i' ? "iterations" : "time"), label,
        "largest error of the crank, rad", table.curves(column, "largest_error", "step_control", "formulation")));
  }
  context.report.plots.push_back(
      measurements("Error against the step", "mean step, s", "largest error of the crank, rad",
                   table.curves("mean_step", "largest_error", "step_control", "formulation")));
}

void show_penalty(const StudyContext& context, const std::vector<StopRun>& runs) {
  ResultTable table(context.out / "penalty.csv", {{"formulation", "formulation"},
                                                  {"tolerance", "tolerance", significant()},
                                                  {"penalty", "penalty"},
                                                  {"steps", "steps", whole()},
                                                  {"rejected", "rejected", whole()},
                                                  {"iterations", "iterations", whole()},
                                                  {"largest_error", "largest error", powers(2)},
                                                  {"end_time", "ends at s", significant(4)},
                                                  {"", "result"}});
  for (const StopRun& run : runs) {
    if (!run.options.penalty) continue;
    const RunSummary& s = run.summary;
    table.add(run.options.formulation, *run.options.tolerance, run.options.fixed_penalty ? "stays" : "follows the step",
              s.steps, s.rejected_steps, s.iterations,
              run.failed() ? std::numeric_limits<double>::quiet_NaN() : run.largest_error, s.duration,
              run.failed() ? table.failed(s.reason) : "ok");
  }
  context.show(
      table, "Variable step, variable or constant penalty",
      fmt::format("step by the error, penalty {:g} at the first step: alpha <- alpha (h_old / h_new)^2, or left "
                  "alone",
                  kPenalty));
}

/// Variable and constant step side by side.
void animation(StudyContext& context, const Mechanism& linkage) {
  context.give_models(linkage);
  RunOptions variable = variable_step("hybrid", "error", 1e-6, kStepMax).options;
  context.animate("variable step",
                  fmt::format("cardan run {} --step-control error --tolerance 1e-6 --step-min {} --step-max {}",
                              linkage.file, variable.step_min, *variable.step_max),
                  linkage, variable);
  context.animate("constant step of 0.02 s",
                  fmt::format("cardan run {} --step-control fixed --step {}", linkage.file, kSampling), linkage,
                  constant_step("hybrid", 1).options);
  context.plot_histories();
}

}  // namespace

void run_stiff_stop_study(StudyContext& context) {
  const Mechanism linkage = stiff_stop_linkage();
  RunOptions tight = base_options("hybrid");
  tight.integrator = "dopri5";
  tight.tolerance = 1e-11;
  CrankAngle reference;
  run(linkage, tight, &reference);

  std::vector<StopRun> runs = all_runs();
  std::atomic<std::size_t> done = 0;
  for_each_index(runs.size(), context.threads, [&](std::size_t i) {
    CrankAngle angle;
    runs[i].summary = run(linkage, runs[i].options, &angle);
    const std::size_t common = std::min(angle.values.size(), reference.values.size()) - (runs[i].failed() ? 1 : 0);
    for (std::size_t k = 0; k < common; ++k) {
      runs[i].largest_error = std::max(runs[i].largest_error, std::abs(angle.values[k] - reference.values[k]));
    }
    if (context.progress) context.progress(static_cast<double>(++done) / static_cast<double>(runs.size()));
  });
  write_runs(context, runs);
  show_speed(context, runs);
  show_penalty(context, runs);
  animation(context, linkage);
}

}  // namespace cardan
