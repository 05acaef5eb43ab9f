#include "studies/double_four_bar/lottery.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

constexpr int kDrawsPerRange = 100;
constexpr int kStepsNamed = 8;  // of those lost, in the table; the file has them all
constexpr StepRange kRanges[] = {{0.002, 0.037}, {0.037, 0.067}};

bool is_lost(const std::string& formulation, const LinkageRun& run) {
  if (run.failed()) return true;
  // Written so that a result that is not a number counts as lost.
  if (formulation == "hybrid") return !(std::abs(run.crank_angle_error) <= kLostAngle);
  const double allowed = kLostEnergyFraction * n_window_energy_range(2);
  return !(std::abs(run.summary.energy_max_error) <= allowed) || !(run.coupler_tilt <= kLostTilt);
}

}  // namespace

std::vector<LotteryDraw> run_lottery(const Mechanism& linkage, double closed_form_angle, const StudyContext& context) {
  std::vector<LotteryDraw> draws;
  for (const char* formulation : {"hybrid", "global"}) {
    for (const StepRange& range : kRanges) {
      for (int i = 0; i < kDrawsPerRange; ++i) {
        LotteryDraw& draw = draws.emplace_back();
        draw.formulation = formulation;
        draw.range = range;
        draw.step = range.first + (range.last - range.first) * i / (kDrawsPerRange - 1);
      }
    }
  }
  double work = 0;
  for (const LotteryDraw& draw : draws) work += kStudyDuration / draw.step;
  std::atomic<double> work_done = 0;
  for_each_index(draws.size(), context.threads, [&](std::size_t i) {
    LotteryDraw& draw = draws[i];
    RunOptions options;
    options.formulation = draw.formulation;
    options.step = draw.step;
    draw.run = run_linkage(linkage, options, closed_form_angle);
    draw.lost = is_lost(draw.formulation, draw.run);
    work_done += kStudyDuration / draw.step;
    if (context.progress) context.progress(work_done / work);
  });
  return draws;
}

std::vector<LotteryCount> count_lost(const std::vector<LotteryDraw>& draws) {
  std::vector<LotteryCount> counts;
  for (const LotteryDraw& draw : draws) {
    if (counts.empty() || counts.back().formulation != draw.formulation || counts.back().range != draw.range) {
      counts.push_back({draw.formulation, draw.range, 0, 0, ""});
    }
    LotteryCount& count = counts.back();
    ++count.runs;
    if (!draw.lost) continue;
    ++count.lost;
    if (count.lost <= kStepsNamed) count.lost_steps += fmt::format("{:.5f} ", draw.step);
    if (count.lost == kStepsNamed + 1) count.lost_steps += "...";
  }
  return counts;
}

}  // namespace cardan
