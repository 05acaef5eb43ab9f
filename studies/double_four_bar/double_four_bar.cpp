#include "studies/double_four_bar/double_four_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cardan/io.hpp"
#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/double_four_bar/lottery.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/double_four_bar/published.hpp"
#include "studies/double_four_bar/runge_kutta_steps.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr int kWindows = 2;

/// What every part of the study needs.
struct Setting {
  StudyContext& context;
  Mechanism linkage = n_window_four_bar(kWindows);
  double closed_form = n_window_closed_form(kWindows, kStudyDuration);

  LinkageRun run(std::string formulation, double step) const {
    RunOptions options;
    options.formulation = std::move(formulation);
    options.step = step;
    return run_linkage(linkage, options, closed_form);
  }
};

/// The time of the undisturbed one of several equal runs; other programs on the machine can only add to it.
double least_microseconds_per_step(const Setting& setting, const std::string& formulation, double step) {
  constexpr int kRepetitions = 5;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i)
    least = std::min(least, setting.run(formulation, step).microseconds_per_step());
  return least;
}

std::string result_of(const LinkageRun& run, ResultTable& table) {
  return run.failed() ? table.failed(run.summary.reason) : "ok";
}

/// One penalty for all constraints and a tolerance on the increment, as the paper has them; their values are ours.
void given_penalty(const Setting& setting) {
  constexpr double kPenalties[] = {1e6, 1e7, 1e8, 1e9}, kTolerance = 1e-5;
  ResultTable table(setting.context.out / "given_penalty.csv", {{"formulation", "formulation"},
                                                                {"penalty", "penalty", powers(0)},
                                                                {"tolerance", "tolerance", powers(0)},
                                                                {"step", "h [s]", decimals(2)},
                                                                {"energy_error", "energy error [J]", decimals(4)},
                                                                {"published_energy_error", "published", decimals(2)},
                                                                {"crank_angle_error", "angle error [rad]", powers(1)},
                                                                {"", "result"},
                                                                {"status", ""},
                                                                {"end_time", ""},
                                                                {"reason", ""}});
  for (const char* formulation : {"hybrid", "global"}) {
    for (const double penalty : kPenalties) {
      for (const PublishedEnergyErrors& published : kPublishedEnergyErrors) {
        RunOptions options;
        options.formulation = formulation;
        options.step = published.step;
        options.penalty = penalty;
        options.tolerance = kTolerance;
        const LinkageRun run = run_linkage(setting.linkage, options, setting.closed_form);
        table.add(formulation, penalty, kTolerance, published.step, run.summary.energy_max_error,
                  published.of(formulation), run.crank_angle_error, result_of(run, table),
                  status_name(run.summary.status), run.summary.duration, run.summary.reason);
      }
    }
  }
  setting.context.show(table, "One penalty for all constraints",
                       fmt::format("trapezoidal; largest energy error beside the published one ({}), which says "
                                   "neither penalty nor tolerance: those here are ours",
                                   kPublishedSource));
}

void default_settings(const Setting& setting) {
  ResultTable table(setting.context.out / "default_settings.csv",
                    {{"formulation", "formulation"},
                     {"step", "h [s]", decimals(2)},
                     {"energy_error", "energy error [J]", decimals(4)},
                     {"published_energy_error", "published", decimals(2)},
                     {"crank_angle_error", "angle error [rad]", powers(1)},
                     {"iterations_per_step", "iterations/step", decimals(1)},
                     {"microseconds_per_step", "us/step", decimals(1)},
                     {"", "result"},
                     {"status", ""},
                     {"end_time", ""},
                     {"reason", ""}});
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    for (const PublishedEnergyErrors& published : kPublishedEnergyErrors) {
      const LinkageRun run = setting.run(formulation, published.step);
      const RunSummary& summary = run.summary;
      table.add(formulation, published.step, summary.energy_max_error, published.of(formulation), run.crank_angle_error,
                run.iterations_per_step(), least_microseconds_per_step(setting, formulation, published.step),
                result_of(run, table), status_name(summary.status), summary.duration, summary.reason);
    }
  }
  setting.context.show(
      table, "All defaults",
      fmt::format("largest energy error beside the published one ({}); angle error: the crank's at {} s against the "
                  "closed form",
                  kPublishedSource, kStudyDuration));
  setting.context.report.plots.push_back(
      measurements("Energy error against the step", "h, s", "largest energy error, J",
                   joined(grouped(table.curves("step", "energy_error", "formulation"), "ours"),
                          grouped(table.curves("step", "published_energy_error", "formulation"), "published")),
                   "All defaults; runs that failed are drawn with the error that they had until then."));
}

void crank_angle(const Setting& setting) {
  ResultTable table(setting.context.out / "crank_angle.csv", {{"formulation", "formulation"},
                                                              {"step", "h [s]", significant()},
                                                              {"crank_angle_error", "angle error [rad]", powers(2)},
                                                              {"", "result"},
                                                              {"status", ""}});
  for (const char* formulation : {"global", "hybrid"}) {
    for (double step : {0.01, 0.001}) {
      const LinkageRun run = setting.run(formulation, step);
      table.add(formulation, step, run.crank_angle_error, result_of(run, table), status_name(run.summary.status));
    }
  }
  setting.context.show(table, "Crank angle",
                       fmt::format("at {} s against the closed form, all defaults", kStudyDuration));
}

void lottery(const Setting& setting) {
  ResultTable draws_table(setting.context.out / "lottery.csv", {{"formulation", ""},
                                                                {"step", ""},
                                                                {"lost", ""},
                                                                {"energy_error", ""},
                                                                {"crank_angle_error", ""},
                                                                {"coupler_tilt", ""},
                                                                {"status", ""}});
  ResultTable table(setting.context.out / "lottery_counts.csv", {{"formulation", "formulation"},
                                                                 {"steps", "steps [s]"},
                                                                 {"runs", "runs", whole()},
                                                                 {"lost", "lost", whole()},
                                                                 {"lost_steps", "lost at h [s]"}});
  const std::vector<LotteryDraw> draws = run_lottery(setting.linkage, setting.closed_form, setting.context);
  for (const LotteryCount& count : count_lost(draws)) {
    table.add(count.formulation, fmt::format("{} ... {}", count.range.first, count.range.last), count.runs, count.lost,
              count.lost_steps);
  }
  for (const LotteryDraw& draw : draws) {
    draws_table.add(draw.formulation, draw.step, draw.lost ? 1 : 0, draw.run.summary.energy_max_error,
                    draw.run.crank_angle_error, draw.run.coupler_tilt, status_name(draw.run.summary.status));
  }
  setting.context.show(
      table, "Singular positions as a lottery",
      fmt::format("a run is lost when it fails or leaves the branch (hybrid: crank angle off by more than {} rad; "
                  "global: energy error above {:.0f} % of the range or a coupler tilted by more than {} rad)",
                  kLostAngle, 100 * kLostEnergyFraction, kLostTilt));
  setting.context.report.plots.push_back(
      measurements("Crank angle against the step", "h, s", "error of the crank at 10 s, rad",
                   draws_table.curves("step", "crank_angle_error", "formulation"),
                   "The runs of the lottery: every step size falls on the singular positions differently."));
}

/// The linkage of the model file is this one with names of its own.
void animation(const Setting& setting) {
  const std::filesystem::path file = model_file("double_four_bar.yaml");
  setting.context.give_models(read_mechanism(file.string()));
  for (const char* formulation : {"hybrid", "global"}) {
    RunOptions options;
    options.formulation = formulation;
    options.step = 0.03;
    options.until = kStudyDuration;
    setting.context.animate(fmt::format("{} at 0.03 s", formulation),
                            fmt::format("cardan run {} --formulation {} --step 0.03", file.string(), formulation),
                            setting.linkage, options);
  }
  setting.context.plot_histories();
}

}  // namespace

void run_double_four_bar_study(StudyContext& context) {
  const Setting setting{context};
  given_penalty(setting);
  default_settings(setting);
  crank_angle(setting);
  lottery(setting);
  run_runge_kutta_steps(setting.linkage, setting.closed_form, context);
  animation(setting);
}

}  // namespace cardan
