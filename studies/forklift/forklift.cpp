#include "studies/forklift/forklift.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "studies/forklift/rollover.hpp"
#include "studies/parallel.hpp"

namespace cardan {
namespace {

constexpr double kStepMin = 1e-4, kStepMax = 0.02;  // s, of the paper
constexpr double kErrorStepMin = 1e-6;              // s, of steps by the error, which is not of the paper
constexpr double kExactStep = 5e-5;                 // s, of the runs that errors are against
constexpr double kPlainStep = 1e-3;                 // s, of the constant steps that costs are against

struct Case {
  std::string formulation, control;  // "fixed", or the measure of step control
  double step = 0;                   // s, of constant steps, or the first
  double tolerance = 0;              // of step control
  bool fixed_penalty = false;
  double penalty = 0;  // one number for all constraints, at the first step; 0: automatic
  RolloverRun run = {};
};

RunOptions options_of(const Case& one) {
  RunOptions options;
  options.formulation = one.formulation;
  options.step = one.step > 0 ? one.step : 1e-3;
  if (one.penalty > 0) options.penalty = one.penalty;
  if (one.control == "fixed") return options;
  options.step_control = one.control;
  options.tolerance = one.tolerance;
  options.step_min = one.control == "error" ? kErrorStepMin : kStepMin;
  options.step_max = kStepMax;
  options.fixed_penalty = one.fixed_penalty;
  return options;
}

bool came_through(const RolloverRun& run) { return run.summary.status == RunStatus::ok; }

std::string name_of(const Case& one) {
  if (one.control == "fixed") return fmt::format("{}, {:g} s", one.formulation, one.step);
  return fmt::format("{}, {} {:g}", one.formulation, one.control, one.tolerance);
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const char* formulation : {"global", "hybrid"}) {
    for (const double step : {0.01, 0.004, 0.002, kPlainStep, 5e-4, 2.5e-4, kExactStep})
      list.push_back({formulation, "fixed", step});
    for (const char* control : {"increment", "residual"})
      for (const double tolerance : {1e-4, 1e-6}) list.push_back({formulation, control, 0, tolerance});
    for (const double tolerance : {1e-4, 5e-6, 2e-6, 1e-6, 5e-7, 2e-7, 1.5e-7, 1e-7})
      list.push_back({formulation, "error", 0, tolerance});
  }
  return list;
}

/// The first step is the longest one, since the machine starts straight ahead: the penalty is one that serves there.
std::vector<Case> penalty_cases() {
  std::vector<Case> list;
  for (const char* formulation : {"global", "hybrid"})
    for (const double penalty : {0.0, 1e7, 1e8, 3e8, 1e9, 3e9, 1e10})
      for (const bool kept : {false, true}) list.push_back({formulation, "increment", kStepMax, 1e-5, kept, penalty});
  return list;
}

void show_penalties(const StudyContext& context, const std::vector<Case>& list) {
  ResultTable table(context.out / "penalties.csv", {{"formulation", "formulation"},
                                                    {"penalty", "penalty at the first step"},
                                                    {"kept", "with the step"},
                                                    {"steps", "steps"},
                                                    {"rejected", "rejected"},
                                                    {"iterations", "iterations"},
                                                    {"until", "until [s]", decimals(3)},
                                                    {"impact", "hits the ground [s]", decimals(3)},
                                                    {"cpu", "CPU [s]", decimals(2)},
                                                    {"", "result"},
                                                    {"status", ""},
                                                    {"reason", ""}});
  for (const Case& one : list) {
    const RunSummary& s = one.run.summary;
    table.add(one.formulation, one.penalty > 0 ? fmt::format("{:g}", one.penalty) : "automatic",
              one.fixed_penalty ? "kept" : "follows", std::to_string(s.steps), std::to_string(s.rejected_steps),
              std::to_string(s.iterations), one.run.step_t.empty() ? 0 : one.run.step_t.back(),
              one.run.impact < 0 ? std::numeric_limits<double>::quiet_NaN() : one.run.impact, s.cpu_seconds,
              came_through(one.run) ? "ok" : table.failed(s.reason), status_name(s.status), s.reason);
  }
  context.show(
      table, "The penalty and the step",
      "One number for all constraints at a first step of 0.02 s, as in the paper, and the automatic penalties; "
      "following the step by alpha <- alpha (h_old / h_new)^2, or kept. Steps by the increment, tolerance "
      "1e-5, from 1e-4 to 0.02 s.",
      "Published: the variation of the penalty proved to be crucial, otherwise the simulation fails.");
}

void show_cases(const StudyContext& context, const std::vector<Case>& list) {
  ResultTable table(context.out / "forklift.csv", {{"formulation", "formulation"},
                                                   {"control", "step control"},
                                                   {"step", "h [s]", significant()},
                                                   {"tolerance", "tolerance", powers(1)},
                                                   {"steps", "steps"},
                                                   {"rejected", "rejected"},
                                                   {"iterations", "iterations"},
                                                   {"gain", "iterations of 0.001 s over these", decimals(1)},
                                                   {"lift_off", "lifts off [s]", decimals(3)},
                                                   {"impact", "hits the ground [s]", decimals(3)},
                                                   {"rest_off", "rests off by [mm]", decimals(2, 1e3)},
                                                   {"last_speed", "speed at the end [mm/s]", decimals(3, 1e3)},
                                                   {"created", "energy created [%]", decimals(3, 1e2)},
                                                   {"real_time_factor", "x real time", decimals(2)},
                                                   {"", "result"},
                                                   {"status", ""},
                                                   {"reason", ""}});
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const Case& one : list) {
    const RunSummary& s = one.run.summary;
    const bool ok = came_through(one.run);
    const auto constant = [&](double step) -> const Case& {
      return *std::find_if(list.begin(), list.end(), [&](const Case& other) {
        return other.formulation == one.formulation && other.control == "fixed" && other.step == step;
      });
    };
    const RolloverRun &exact = constant(kExactStep).run, &plain = constant(kPlainStep).run;
    const auto count = [](const RolloverRun& run) { return static_cast<double>(run.summary.iterations); };
    const auto time = [&](double t) { return t < 0 ? none : t; };
    table.add(one.formulation, one.control, one.control == "fixed" ? one.step : none,
              one.control == "fixed" ? none : one.tolerance, std::to_string(s.steps), std::to_string(s.rejected_steps),
              std::to_string(s.iterations), ok ? count(plain) / count(one.run) : none, time(one.run.lift_off),
              time(one.run.impact), ok && came_through(exact) ? (one.run.rest - exact.rest).norm() : none,
              ok ? one.run.last_speed : none, one.run.created / one.run.energy, ok ? s.real_time_factor : none,
              ok ? "ok" : table.failed(s.reason), status_name(s.status), s.reason);
  }
  context.show(
      table, "The rollover",
      "Constant steps, and steps chosen by the paper's two measures (increments, residual) within its limits "
      "of 1e-4 and 0.02 s and by the local error, from 1e-6 s on. Where the load comes to rest is compared with "
      "steps of 0.00005 s in the same formulation; energy created is the largest rise of mechanical energy less the "
      "work of drivers and motors, relative to what the machine can lose. Times of one core.",
      "Published: a constant step of 0.01 s crashes soon, 0.001 s works; the machine loses stability from "
      "about 1.5 s, the load hits the pavement at 4.25 s. Masses, dimensions, tyres and contacts of the "
      "machine are not published: those here are "
      "assumed.");
}

void show_counts(const StudyContext& context, const Mechanism& machine) {
  ResultTable table(context.out / "counts.csv", {{"machine", "machine"},
                                                 {"formulation", "formulation"},
                                                 {"coordinates", "coordinates", whole()},
                                                 {"constraints", "constraints", whole()},
                                                 {"redundant", "redundant", whole()},
                                                 {"degrees_of_freedom", "degrees of freedom", whole()},
                                                 {"driven", "guided", whole()},
                                                 {"names", "redundant ones"}});
  for (const bool twice : {false, true}) {
    for (const char* formulation : {"global", "hybrid"}) {
      const Simulation simulation(twice ? rollover_machine_with_second_joints() : machine,
                                  options_of({formulation, "fixed", kPlainStep}));
      const RunSummary& s = simulation.summary();
      table.add(twice ? "with a second hinge, rail and bearing" : "as it is", formulation, s.coordinates, s.constraints,
                s.redundant_constraints, s.degrees_of_freedom - s.driven, s.driven,
                fmt::format("{}", fmt::join(s.redundant, "; ")));
    }
  }
  context.show(
      table, "Counts", "Degrees of freedom without the guided motions.",
      "Published: 10 bodies, 11 degrees of freedom, 5 guided motions; 101 mixed coordinates with 103 constraints, "
      "13 of them redundant. Points and unit vectors that neighbours share leave none here.");
}

void plot_manoeuvre(const StudyContext& context, const RolloverRun& run) {
  ReportPlot heights{.title = "The manoeuvre (figure 5 of the paper)", .x_label = "t, s", .y_label = "m, rad"};
  heights.series = {{"right front wheel", run.t, run.front_right},
                    {"right rear wheel", run.t, run.rear_right},
                    {"left front wheel", run.t, run.front_left},
                    {"left rear wheel", run.t, run.rear_left},
                    {"load", run.t, run.load},
                    {"steering of the right wheel, rad", run.t, run.steering}};
  context.report.plots.push_back(heights);
  ReportPlot paths{.title = "Paths of the wheels from above (figure 6)", .x_label = "x, m", .y_label = "y, m"};
  const char* names[] = {"left front", "right front", "left rear", "right rear"};
  for (int i = 0; i < 4; ++i) {
    ReportSeries& path = paths.series.emplace_back();
    path.name = names[i];
    for (const Vec3& place : run.wheel[i]) path.x.push_back(place.x()), path.y.push_back(place.y());
  }
  context.report.plots.push_back(paths);
}

void plot_steps(const StudyContext& context, const std::vector<Case>& list) {
  ReportPlot steps{.title = "Steps taken (figure 7)", .x_label = "t, s", .y_label = "h, s", .y_log = true};
  for (const Case& one : list) {
    if (one.formulation != "global" || one.control == "fixed") continue;
    steps.series.push_back({.name = name_of(one), .x = one.run.step_t, .y = one.run.step});
  }
  context.report.plots.push_back(steps);
}

}  // namespace

void run_forklift_study(StudyContext& context) {
  const Mechanism machine = rollover_machine();
  show_counts(context, machine);
  std::vector<Case> list = cases();
  for_each_index(list.size(), context.threads,
                 [&](std::size_t i) { list[i].run = roll_over(machine, options_of(list[i])); });
  show_cases(context, list);
  std::vector<Case> penalties = penalty_cases();
  for_each_index(penalties.size(), context.threads,
                 [&](std::size_t i) { penalties[i].run = roll_over(machine, options_of(penalties[i])); });
  show_penalties(context, penalties);

  ResultTable speeds(context.out / "speeds.csv", {{"speed", "part of 10 km/h", decimals(2)},
                                                  {"roll", "largest roll [deg]", decimals(1, 180 / M_PI)},
                                                  {"", "result"},
                                                  {"status", ""}});
  for (const double part : {0.5, 0.6, 0.7, 0.8, 0.9, 1.0}) {
    const RolloverRun run = roll_over(rollover_machine(part), options_of({"hybrid", "fixed", 0.001}));
    speeds.add(part, run.largest_roll,
               !came_through(run)               ? speeds.failed(run.summary.reason)
               : run.largest_roll > kTippedOver ? "tips over"
                                                : "stays on its wheels",
               status_name(run.summary.status));
  }
  context.show(speeds, "How fast is too fast");

  for (const Case& one : list)
    if (one.formulation == "global" && one.control == "fixed" && one.step == 0.001) plot_manoeuvre(context, one.run);
  plot_steps(context, list);
  context.give_models(machine);
  RunOptions options = options_of({"hybrid", "fixed", 0.001});
  options.until = kRolloverTime;
  options.every = 20;
  context.animate("hybrid at 0.001 s", "cardan study forklift-rollover", machine, options);
  context.plot_histories();
}

}  // namespace cardan
