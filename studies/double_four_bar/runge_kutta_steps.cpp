#include "studies/double_four_bar/runge_kutta_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text_table.hpp"
#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/parallel.hpp"
#include "studies/result_file.hpp"

namespace cardan {
namespace {

using Align = TextTable::Align;

constexpr double kUsableAngle = 0.1, kUsableTilt = 0.1;  // rad, at 10 s
constexpr int kSteps = 40;                               // of rising length, from 2 ms on, each 11 % longer

struct StepRun {
  const char *formulation, *integrator;
  double step = 0;
  LinkageRun run;

  bool usable() const {
    return !run.failed() && std::abs(run.crank_angle_error) <= kUsableAngle && run.coupler_tilt <= kUsableTilt;
  }
};

void usable_steps(const Mechanism& linkage, double closed_form_angle, const StudyContext& context) {
  std::vector<StepRun> runs;
  for (const char* integrator : {"sdirk3", "sdirk4", "rk4"}) {
    for (const char* formulation : {"global", "hybrid", "topological"}) {
      for (int i = 0; i < kSteps; ++i) runs.push_back({formulation, integrator, 0.002 * std::pow(1.11, i), {}});
    }
  }
  for_each_index(runs.size(), context.threads, [&](std::size_t i) {
    RunOptions options;
    options.formulation = runs[i].formulation;
    options.integrator = runs[i].integrator;
    options.step = runs[i].step;
    runs[i].run = run_linkage(linkage, options, closed_form_angle);
  });

  ResultFile file(context.out / "runge_kutta_steps.csv", {"integrator", "formulation", "step", "usable", "energy_error",
                                                          "crank_angle_error", "status", "reason"});
  TextTable table({{"integrator", Align::left},
                   {"formulation", Align::left},
                   {"all usable up to h [s]"},
                   {"largest usable h [s]"},
                   {"usable of 40"}});
  for (std::size_t begin = 0; begin < runs.size(); begin += kSteps) {
    double up_to = 0, largest = 0;
    int usable = 0;
    bool all = true;
    for (std::size_t i = begin; i < begin + kSteps; ++i) {
      const StepRun& r = runs[i];
      all = all && r.usable();
      if (all) up_to = r.step;
      if (r.usable()) largest = r.step, ++usable;
      file.add(r.integrator, r.formulation, r.step, r.usable() ? 1 : 0, r.run.summary.energy_max_error,
               r.run.crank_angle_error, r.run.summary.status, r.run.summary.reason);
    }
    table.add({runs[begin].integrator, runs[begin].formulation,
               all || up_to > 0 ? fmt::format("{:.4f}", up_to) : "none",
               largest > 0 ? fmt::format("{:.4f}", largest) : "none", fmt::format("{}", usable)});
  }
  context.print(fmt::format(
      "Runge-Kutta methods, {} steps from 0.002 to {:.3f} s; usable: crank within {} rad of the closed form, "
      "couplers level\n\n{}\n",
      kSteps, runs.back().step, kUsableAngle, table.text(2)));
}

void cost(const StudyContext& context) {
  struct Case {
    int windows;
    double rk4_step, dopri5_tolerance;
    const char* fastest_other;
  };
  TextTable table({{"windows"},
                   {"method", Align::left},
                   {"steps"},
                   {"evaluations"},
                   {"energy error [J]"},
                   {"ms for 10 s"},
                   {"fastest other [ms]"}});
  for (const Case& c : {Case{2, 0.1, 1e-5, "0.82"}, Case{10, 0.0625, 1e-5, "6.2"}, Case{40, 0.06, 3e-6, "52"}}) {
    const Mechanism linkage = n_window_four_bar(c.windows);
    const double closed_form = n_window_closed_form(c.windows, kStudyDuration);
    for (const char* integrator : {"rk4", "dopri5"}) {
      RunOptions options;
      options.integrator = integrator;
      options.step = c.rk4_step;
      if (options.integrator == "dopri5") options.tolerance = c.dopri5_tolerance;
      LinkageRun run;
      double least = 1e300;
      for (int repetition = 0; repetition < 5; ++repetition) {
        run = run_linkage(linkage, options, closed_form);
        least = std::min(least, run.summary.cpu_seconds);
      }
      table.add({fmt::format("{}", c.windows),
                 options.tolerance ? fmt::format("dopri5, tolerance {:g}", *options.tolerance)
                                   : fmt::format("rk4, h = {} s", options.step),
                 fmt::format("{}", run.summary.steps), fmt::format("{}", run.summary.evaluations),
                 run.failed() ? "failed" : fmt::format("{:.3f}", run.summary.energy_max_error),
                 fmt::format("{:.2f}", 1e3 * least), c.fastest_other});
    }
  }
  context.print(
      "N-window four-bar, hybrid: processor time of the steps, best of five, beside the fastest other engine measured\n"
      "for an energy error below 0.1 J (Pinocchio for 2 and 10 windows, MuJoCo for 40)\n\n" +
      table.text(2) + "\n");
}

}  // namespace

void run_runge_kutta_steps(const Mechanism& linkage, double closed_form_angle, const StudyContext& context) {
  usable_steps(linkage, closed_form_angle, context);
  cost(context);
}

}  // namespace cardan
