#include "studies/robustness/window_lottery.hpp"

#include <atomic>
#include <cmath>

#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

constexpr double kShortest = 0.03, kLongest = 0.066;  // s
constexpr double kLoosest = 1e-4, kTightest = 1e-9;   // tolerances of dopri5

void draw_window_run(const Mechanism& linkage, double closed_form, WindowRun& draw) {
  RunOptions options;
  options.formulation = draw.formulation;
  options.integrator = draw.integrator;
  if (draw.integrator == "dopri5") {
    options.step = 0.01;
    options.absolute_tolerance = options.relative_tolerance = draw.step;
  } else {
    options.step = draw.step;
  }
  RunControl control;
  control.estimate_error = true;  // as `cardan run` does
  const LinkageRun run = run_linkage(linkage, options, closed_form, control);
  draw.energy_error = run.summary.energy_max_error;
  draw.angle_error = run.crank_angle_error;
  draw.tilt = run.coupler_tilt;
  draw.lost = run.failed() || !(run.coupler_tilt <= kFoldedApart);
  draw.off = !(std::abs(run.crank_angle_error) <= kFarOff);
  draw.said = run.failed();
  for (const std::string& warning : run.summary.warnings) {
    for (const char* part : {"energy balance", "not resolved", "may not be resolved"})
      draw.said = draw.said || warning.find(part) != std::string::npos;
    if (draw.reason.empty()) draw.reason = warning.substr(0, warning.find(':'));
  }
  if (run.failed()) draw.reason = run.summary.reason;
}

}  // namespace

std::vector<WindowRun> run_window_lottery(int draws, const StudyContext& context) {
  std::vector<WindowRun> runs;
  for (const int windows : kLotteryWindows) {
    for (const char* formulation : {"hybrid", "global"}) {
      for (const char* integrator : {"trapezoidal", "generalized-alpha", "rk4", "dopri5"}) {
        for (int i = 0; i < draws; ++i) {
          WindowRun& draw = runs.emplace_back();
          draw.windows = windows;
          draw.formulation = formulation;
          draw.integrator = integrator;
          const double part = static_cast<double>(i) / (draws - 1);
          draw.step = draw.integrator == "dopri5" ? kLoosest * std::pow(kTightest / kLoosest, part)
                                                  : kShortest + (kLongest - kShortest) * part;
        }
      }
    }
  }
  std::atomic<std::size_t> done = 0;
  for_each_index(runs.size(), context.threads, [&](std::size_t i) {
    const int windows = runs[i].windows;
    draw_window_run(n_window_four_bar(windows), n_window_closed_form(windows, kStudyDuration), runs[i]);
    if (context.progress) context.progress(static_cast<double>(++done) / static_cast<double>(runs.size()));
  });
  return runs;
}

}  // namespace cardan
