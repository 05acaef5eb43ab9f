#include "studies/double_four_bar/runge_kutta_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/double_four_bar/n_window_four_bar.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

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

  ResultTable all_runs(context.out / "runge_kutta_steps.csv", {{"integrator", ""},
                                                               {"formulation", ""},
                                                               {"step", ""},
                                                               {"usable", ""},
                                                               {"energy_error", ""},
                                                               {"crank_angle_error", ""},
                                                               {"status", ""},
                                                               {"reason", ""}});
  ResultTable table(context.out / "runge_kutta_usable.csv",
                    {{"integrator", "integrator"},
                     {"formulation", "formulation"},
                     {"all_usable_up_to", "all usable up to h [s]", decimals(4)},
                     {"largest_usable", "largest usable h [s]", decimals(4)},
                     {"usable", "usable of 40", whole()}});
  for (std::size_t begin = 0; begin < runs.size(); begin += kSteps) {
    double up_to = 0, largest = 0;
    int usable = 0;
    bool all = true;
    for (std::size_t i = begin; i < begin + kSteps; ++i) {
      const StepRun& r = runs[i];
      all = all && r.usable();
      if (all) up_to = r.step;
      if (r.usable()) largest = r.step, ++usable;
      all_runs.add(r.integrator, r.formulation, r.step, r.usable() ? 1 : 0, r.run.summary.energy_max_error,
                   r.run.crank_angle_error, status_name(r.run.summary.status), r.run.summary.reason);
    }
    table.add(runs[begin].integrator, runs[begin].formulation, up_to, largest, usable);
  }
  context.show(table, "Runge-Kutta methods: usable steps",
               fmt::format("{} steps from 0.002 to {:.3f} s; usable: crank within {} rad of the closed form, couplers "
                           "level; 0: none",
                           kSteps, runs.back().step, kUsableAngle));
  context.report.plots.push_back(
      measurements("Runge-Kutta methods: error against the step", "h, s", "error of the crank at 10 s, rad",
                   all_runs.curves("step", "crank_angle_error", "integrator", "formulation")));
}

void cost(const StudyContext& context) {
  struct Case {
    int windows;
    double rk4_step, dopri5_tolerance;
    const char* fastest_other;
  };
  ResultTable table(context.out / "cost.csv", {{"windows", "windows", whole()},
                                               {"method", "method"},
                                               {"integrator", ""},
                                               {"steps", "steps", whole()},
                                               {"evaluations", "evaluations", whole()},
                                               {"energy_error", "energy error [J]", decimals(3)},
                                               {"milliseconds", "ms for 10 s", decimals(2)},
                                               {"fastest_other", "fastest other [ms]", decimals(2)}});
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
      const std::string method = options.tolerance ? fmt::format("dopri5, tolerance {:g}", *options.tolerance)
                                                   : fmt::format("rk4, h = {} s", options.step);
      const double energy_error = run.failed() ? std::nan("") : run.summary.energy_max_error;
      table.add(c.windows, method, integrator, run.summary.steps, run.summary.evaluations, energy_error, 1e3 * least,
                c.fastest_other);
    }
  }
  context.show(
      table, "N-window four-bar: cost",
      "hybrid: processor time of the steps, best of five, beside the fastest other engine measured for an energy "
      "error below 0.1 J (Pinocchio for 2 and 10 windows, MuJoCo for 40)");
  context.report.plots.push_back(
      measurements("Cost against the number of windows", "windows", "ms for 10 s",
                   joined(table.curves("windows", "milliseconds", "integrator"),
                          grouped(table.curves("windows", "fastest_other", ""), "fastest other engine"))));
}

}  // namespace

void run_runge_kutta_steps(const Mechanism& linkage, double closed_form_angle, const StudyContext& context) {
  usable_steps(linkage, closed_form_angle, context);
  cost(context);
}

}  // namespace cardan
