#include "studies/double_four_bar/double_four_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/text_table.hpp"
#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/double_four_bar/lottery.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/double_four_bar/published.hpp"
#include "studies/double_four_bar/runge_kutta_steps.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

using Align = TextTable::Align;

constexpr int kWindows = 2;

/// What every part of the study needs.
struct Setting {
  const StudyContext& context;
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

/// A failed run is "failed [n]" in the table, and the reason stands below it.
class Footnotes {
 public:
  std::string result(const LinkageRun& run) {
    if (!run.failed()) return "ok";
    text_ += fmt::format("  [{}] {}\n", ++count_, run.summary.reason);
    return fmt::format("failed [{}]", count_);
  }
  const std::string& text() const { return text_; }

 private:
  int count_ = 0;
  std::string text_;
};

void published_settings(const Setting& setting) {
  ResultFile file(setting.context.out / "published_settings.csv",
                  {"step", "energy_error", "published_energy_error", "status", "reason"});
  TextTable table({{"h [s]"}, {"energy error [J]"}, {"published"}, {"result", Align::left}});
  Footnotes notes;
  for (const PublishedEnergyErrors& published : kPublishedEnergyErrors) {
    RunOptions options;
    options.formulation = "hybrid";
    options.step = published.step;
    options.penalty = kPublishedPenalty;
    options.tolerance = kPublishedTolerance;
    const LinkageRun run = run_linkage(setting.linkage, options, setting.closed_form);
    const RunSummary& summary = run.summary;
    table.add({fmt::format("{:.2f}", published.step), fmt::format("{:.4f}", summary.energy_max_error),
               std::string(published.hybrid), notes.result(run)});
    file.add(published.step, summary.energy_max_error, published.hybrid, summary.status, summary.reason);
  }
  setting.context.print(
      fmt::format("hybrid, trapezoidal, penalty {:.0e}, tolerance {:.0e}; largest energy error beside the published "
                  "one ({})\n\n{}{}\n",
                  kPublishedPenalty, kPublishedTolerance, kPublishedSource, table.text(2), notes.text()));
}

void default_settings(const Setting& setting) {
  ResultFile file(setting.context.out / "default_settings.csv",
                  {"formulation", "step", "energy_error", "published_energy_error", "crank_angle_error",
                   "iterations_per_step", "microseconds_per_step", "status", "end_time", "reason"});
  TextTable table({{"formulation", Align::left},
                   {"h [s]"},
                   {"energy error [J]"},
                   {"published"},
                   {"angle error [rad]"},
                   {"iterations/step"},
                   {"us/step"},
                   {"result", Align::left}});
  Footnotes notes;
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    for (const PublishedEnergyErrors& published : kPublishedEnergyErrors) {
      const LinkageRun run = setting.run(formulation, published.step);
      const RunSummary& summary = run.summary;
      const double microseconds = least_microseconds_per_step(setting, formulation, published.step);
      table.add(
          {formulation, fmt::format("{:.2f}", published.step), fmt::format("{:.4f}", summary.energy_max_error),
           std::string(published.of(formulation)), run.failed() ? "" : fmt::format("{:.1e}", run.crank_angle_error),
           fmt::format("{:.1f}", run.iterations_per_step()), fmt::format("{:.1f}", microseconds), notes.result(run)});
      file.add(formulation, published.step, summary.energy_max_error, published.of(formulation), run.crank_angle_error,
               run.iterations_per_step(), microseconds, summary.status, summary.duration, summary.reason);
    }
  }
  setting.context.print(fmt::format("all defaults; angle error: the crank's at {} s against the closed form\n\n{}{}\n",
                                    kStudyDuration, table.text(2), notes.text()));
}

void crank_angle(const Setting& setting) {
  ResultFile file(setting.context.out / "crank_angle.csv", {"formulation", "step", "crank_angle_error", "status"});
  TextTable table({{"formulation", Align::left}, {"h [s]"}, {"angle error [rad]"}, {"result", Align::left}});
  Footnotes notes;
  for (const char* formulation : {"global", "hybrid"}) {
    for (double step : {0.01, 0.001}) {
      const LinkageRun run = setting.run(formulation, step);
      table.add(
          {formulation, fmt::format("{}", step), fmt::format("{:.2e}", run.crank_angle_error), notes.result(run)});
      file.add(formulation, step, run.crank_angle_error, run.summary.status);
    }
  }
  setting.context.print(fmt::format("crank angle at {} s against the closed form, all defaults\n\n{}{}\n",
                                    kStudyDuration, table.text(2), notes.text()));
}

void lottery(const Setting& setting) {
  ResultFile file(setting.context.out / "lottery.csv",
                  {"formulation", "step", "lost", "energy_error", "crank_angle_error", "coupler_tilt", "status"});
  TextTable table(
      {{"formulation", Align::left}, {"steps [s]", Align::left}, {"runs"}, {"lost"}, {"lost at h [s]", Align::left}});
  const std::vector<LotteryDraw> draws = run_lottery(setting.linkage, setting.closed_form, setting.context);
  for (const LotteryCount& count : count_lost(draws)) {
    table.add({count.formulation, fmt::format("{} ... {}", count.range.first, count.range.last),
               fmt::format("{}", count.runs), fmt::format("{}", count.lost), count.lost_steps});
  }
  for (const LotteryDraw& draw : draws) {
    file.add(draw.formulation, draw.step, draw.lost ? 1 : 0, draw.run.summary.energy_max_error,
             draw.run.crank_angle_error, draw.run.coupler_tilt, draw.run.summary.status);
  }
  setting.context.print(fmt::format(
      "singular positions as a lottery: a run is lost when it fails or leaves the branch (hybrid: crank angle off by\n"
      "more than {} rad; global: energy error above {:.0f} % of the range or a coupler tilted by more than {} "
      "rad)\n\n{}\n",
      kLostAngle, 100 * kLostEnergyFraction, kLostTilt, table.text(2)));
}

}  // namespace

void run_double_four_bar_study(const StudyContext& context) {
  const Setting setting{context};
  published_settings(setting);
  default_settings(setting);
  crank_angle(setting);
  lottery(setting);
  run_runge_kutta_steps(setting.linkage, setting.closed_form, context);
  context.print(fmt::format("written: {}\n", (context.out / "*.csv").string()));
}

}  // namespace cardan
