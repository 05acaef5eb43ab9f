#include "studies/stiff_double_pendulum/stiff_double_pendulum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cardan/io.hpp"
#include "studies/model_file.hpp"
#include "studies/parallel.hpp"
#include "studies/stiff_double_pendulum/fast_mode.hpp"
#include "studies/stiff_double_pendulum/pendulum_run.hpp"
#include "studies/stiff_double_pendulum/published.hpp"

namespace cardan {
namespace {

struct Method {
  std::string name;  // in tables
  std::string integrator;
  bool controlled;
  std::vector<double> settings;  // steps or tolerances
};

struct Point {
  const Method* method;
  double setting;
  PendulumRun run;
};

/// All runs of all methods, on the context's threads.
std::vector<Point> run_all(const StudyContext& context, const ReferenceMotion& reference,
                           const std::vector<Method>& methods) {
  std::vector<Point> points;
  for (const Method& m : methods) {
    for (double setting : m.settings) points.push_back({&m, setting, {}});
  }
  for_each_index(points.size(), context.threads, [&](std::size_t i) {
    const Method& m = *points[i].method;
    points[i].run = run_pendulum(reference, m.controlled ? controlled_step(m.integrator, points[i].setting)
                                                         : constant_step(m.integrator, points[i].setting));
  });
  return points;
}

std::vector<double> ladder(double first, double last, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first * std::pow(last / first, i / (count - 1.0)));
  return values;
}

/// Slopes of straight lines through the runs of one method in a range of steps, beside those of the fast mode alone.
void fitted_slopes(const StudyContext& context, const FastMode& fast, const std::vector<Point>& points) {
  ResultTable table(context.out / "fitted_slopes.csv", {{"integrator", "integrator"},
                                                        {"range", "steps"},
                                                        {"step_largest", "from", powers(2)},
                                                        {"step_smallest", "to", powers(2)},
                                                        {"position_slope", "position", decimals(2)},
                                                        {"velocity_slope", "velocity", decimals(2)},
                                                        {"fast_mode_slope", "fast mode alone", decimals(2)}});
  struct Range {
    const char *integrator, *name;
    double most, least;
    bool position, velocity, fast;
  };
  const double limit = 2 / -fast.rate, all = 1;
  // Slow motion rules where the angle's error is above what the fast mode can have.
  double slow = all;
  for (const Point& p : points) {
    if (p.method->name == "trapezoidal" && p.run.position_error > fast.position_error("trapezoidal", p.setting)) {
      slow = std::min(slow, p.setting);
    }
  }
  const std::vector<Range> ranges{
      {"trapezoidal", "all", all, 0, true, false, false},
      {"trapezoidal", "slow motion rules", all, slow, true, true, true},
      {"trapezoidal", "below 2e-4 s", 2e-4, 0, true, true, true},
      {"trapezoidal", "fast mode resolved", fast.resolved_step("trapezoidal"), 0, true, true, true},
      {"abm2", "stable", limit, 0, true, true, true},
      {"abm2", "fast mode resolved", fast.resolved_step("abm2"), 0, true, true, true},
      {"sdirk4", "above 5e-5 s: order reduction", all, 5e-5, true, true, true},
      {"sdirk4", "5e-5 to 1e-5 s", 5e-5, 1e-5, true, true, true}};
  for (const Range& range : ranges) {
    std::vector<double> steps, position, velocity, alone;
    for (const Point& p : points) {
      const double margin = 1 + 1e-9;
      if (p.method->name != range.integrator || p.setting > range.most * margin) continue;
      if (p.setting * margin < range.least) continue;
      steps.push_back(p.setting);
      position.push_back(p.run.position_error);
      velocity.push_back(p.run.velocity_error);
      alone.push_back(fast.velocity_error(range.integrator, p.setting));
    }
    if (steps.size() < 2) continue;
    const auto slope = [&](const std::vector<double>& errors, bool shown) {
      return shown ? fitted_order(steps, errors) : NAN;
    };
    table.add(range.integrator, range.name, steps.front(), steps.back(), slope(position, range.position),
              slope(velocity, range.velocity), slope(alone, range.fast));
  }
  context.show(
      table, "Slopes of straight lines through these, by least squares",
      fmt::format("resolved: the second term of ln R(z) - z is at most a tenth of the first, |z| <= {:.2f} for "
                  "trapezoidal (3/20 z^2), {:.2f} for abm2 (3/4 |z|); above, theory itself has the slope of "
                  "the last column",
                  -fast.rate * fast.resolved_step("trapezoidal"), -fast.rate * fast.resolved_step("abm2")));
}

/// Figures 2 and 3: largest error of arm 2's angle and rate over the step, with the slope between neighbours, and what
/// theory says of the fast mode alone.
void errors_over_step(const StudyContext& context, const FastMode& fast, const std::vector<Point>& points) {
  ResultTable table(context.out / "error_over_step.csv", {{"integrator", "integrator"},
                                                          {"step", "h [s]", powers(2)},
                                                          {"", "|z|", significant(3)},
                                                          {"position_error", "position error", powers(2)},
                                                          {"position_slope", "slope", decimals(2)},
                                                          {"velocity_error", "velocity error", powers(2)},
                                                          {"velocity_slope", "slope", decimals(2)},
                                                          {"fast_mode_velocity_error", "fast mode alone", powers(2)},
                                                          {"fast_mode_slope", "slope", decimals(2)},
                                                          {"status", ""}});
  const Point* before = nullptr;
  for (const Point& p : points) {
    if (p.method->controlled) continue;
    const std::string& rule = p.method->integrator;
    const double alone = fast.velocity_error(rule, p.setting);
    double slope[3] = {NAN, NAN, NAN};
    if (before && before->method == p.method) {
      slope[0] = observed_order(before->run.position_error, before->setting, p.run.position_error, p.setting);
      slope[1] = observed_order(before->run.velocity_error, before->setting, p.run.velocity_error, p.setting);
      slope[2] = observed_order(fast.velocity_error(rule, before->setting), before->setting, alone, p.setting);
    }
    table.add(p.method->name, p.setting, -fast.rate * p.setting, p.run.position_error, slope[0], p.run.velocity_error,
              slope[1], alone, slope[2], status_name(p.run.summary.status));
    before = &p;
  }
  context.show(
      table, "Figures 2 and 3, set 1: error against the step",
      fmt::format("largest error of arm 2 at the end of any step, over 0.1 s\n{}\n"
                  "(velocity of trapezoidal above 2e-4 s: the transient of {:.1e} s is not resolved and flattens it; "
                  "sdirk4 above 5e-5 s: order reduction; fast mode alone: what y' = lambda y gives for the velocity, "
                  "lambda = {:.0f}/s, z = h lambda)",
                  kPublishedOrder, -1 / fast.rate, fast.rate));
  for (const char* what : {"position", "velocity"}) {
    context.report.plots.push_back(
        measurements(fmt::format("Set 1: {} error against the step", what), "h, s",
                     fmt::format("largest {} error of arm 2, {}", what, what[0] == 'p' ? "rad" : "rad/s"),
                     table.curves("step", fmt::format("{}_error", what), "integrator")));
  }
}

/// Figures 4 and 6: error against tolerance.
void errors_over_tolerance(const StudyContext& context, InitialSet set, const std::vector<Point>& points) {
  const bool first = set == InitialSet::tilted;
  ResultTable table(context.out / (first ? "error_over_tolerance_set1.csv" : "error_over_tolerance_set2.csv"),
                    {{"integrator", "integrator"},
                     {"tolerance", "tolerance", powers(2)},
                     {"position_error", "position error", powers(2)},
                     {"velocity_error", "velocity error", powers(2)},
                     {"steps", "steps", whole()},
                     {"rejected", "rejected", whole()},
                     {"evaluations", "evaluations", whole()},
                     {"step_smallest", ""},
                     {"step_largest", ""},
                     {"", "met"},
                     {"status", ""}});
  for (const Point& p : points) {
    if (!p.method->controlled) continue;
    const double position = first ? p.run.position_error : p.run.end_position_error;
    const double velocity = first ? p.run.velocity_error : p.run.end_velocity_error;
    const RunSummary& s = p.run.summary;
    const bool met = position <= p.setting && velocity <= 10 * p.setting;
    table.add(p.method->name, p.setting, position, velocity, s.steps, s.rejected_steps, s.evaluations, s.step_smallest,
              s.step_largest, met ? "yes" : "no", status_name(s.status));
  }
  context.show(
      table, fmt::format("Figure {}, set {}: error against the tolerance", first ? 4 : 6, first ? 1 : 2),
      fmt::format("{} against the tolerance (velocities: ten times it)\n{}",
                  first ? "largest error of arm 2" : "largest error of all coordinates at the end", kPublishedControl));
  context.report.plots.push_back(
      measurements(fmt::format("Set {}: position error against the tolerance", first ? 1 : 2), "tolerance",
                   first ? "largest error of arm 2, rad" : "largest error at the end, rad or m",
                   joined(table.curves("tolerance", "position_error", "integrator"),
                          grouped(table.curves("tolerance", "tolerance", ""), "the tolerance itself"))));
}

/// What the paper says of the variable step's gain at this error; it measures set 1 by the largest velocity error, set
/// 2 by the position error at the end.
std::string published_speedup(const std::string& measure, double error) {
  if (measure == "velocity_error" && error >= 0.9e-5) return std::string(kPublishedSpeedup[0]);
  if (measure == "end_position_error" && error >= 0.9e-3) return std::string(kPublishedSpeedup[1]);
  return "";
}

/// Figures 5 and 7: work against error, and the ratios that the paper speaks of.
void precision_and_work(const StudyContext& context, InitialSet set, const std::vector<Point>& points) {
  const bool first = set == InitialSet::tilted;
  const double duration = pendulum_duration(set);
  ResultTable all(context.out / (first ? "precision_work_set1.csv" : "precision_work_set2.csv"),
                  {{"method", ""},
                   {"setting", ""},
                   {"position_error", ""},
                   {"velocity_error", ""},
                   {"largest_position_error", ""},
                   {"end_position_error", ""},
                   {"evaluations", ""},
                   {"cpu_per_second", ""}});
  for (const Point& p : points) {
    all.add(p.method->name, p.setting, p.run.position_error, p.run.velocity_error, p.run.largest_position_error,
            p.run.end_position_error, p.run.evaluations(), p.run.summary.cpu_seconds / duration);
  }
  struct Measure {
    const char *name, *column;
    double PendulumRun::*error;
  };
  const std::vector<Measure> measures =
      first ? std::vector<Measure>{{"largest velocity error", "velocity_error", &PendulumRun::velocity_error},
                                   {"largest position error", "position_error", &PendulumRun::position_error}}
            : std::vector<Measure>{
                  {"largest position error", "largest_position_error", &PendulumRun::largest_position_error},
                  {"position error at the end", "end_position_error", &PendulumRun::end_position_error}};
  for (const Measure& measure : measures) {
    ResultTable table(context.out / fmt::format("work_at_equal_{}_set{}.csv", measure.column, first ? 1 : 2),
                      {{"error", "error", powers(2)},
                       {"trapezoidal_constant", "trapezoidal constant", whole()},
                       {"trapezoidal_variable", "variable", whole()},
                       {"ratio", "ratio", decimals(1)},
                       {"ratio_in_time", "ratio in time", decimals(1)},
                       {"published_ratio", "published"},
                       {"sdirk4_variable", "sdirk4", whole()},
                       {"ratio_to_sdirk4", "variable/sdirk4", decimals(1)},
                       {"abm2", "abm2", whole()}});
    const auto curve = [&](const std::string& method, bool time) {
      WorkCurve c;
      for (const Point& p : points) {
        if (p.method->name == method)
          c.add(p.run.*measure.error, time ? p.run.summary.cpu_seconds : p.run.evaluations());
      }
      return c;
    };
    const WorkCurve constant = curve("trapezoidal", false), variable = curve("trapezoidal, variable", false);
    const WorkCurve sdirk = curve("sdirk4, variable", false), explicit_rule = curve("abm2", false);
    const WorkCurve constant_time = curve("trapezoidal", true), variable_time = curve("trapezoidal, variable", true);
    for (double error : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      table.add(error, constant.at(error), variable.at(error), constant.at(error) / variable.at(error),
                constant_time.at(error) / variable_time.at(error), published_speedup(measure.column, error),
                sdirk.at(error), variable.at(error) / sdirk.at(error), explicit_rule.at(error));
    }
    const bool last = &measure == &measures.back();
    context.show(
        table, fmt::format("Figure {}, set {}: evaluations at equal {}", first ? 5 : 7, first ? 1 : 2, measure.name),
        "", last ? fmt::format("{}\n{}", first ? kPublishedWork1 : kPublishedWork2, kPublishedImprovement) : "");
    context.report.plots.push_back(measurements(fmt::format("Set {}: {} against work", first ? 1 : 2, measure.name),
                                                "evaluations of the equations of motion", measure.name,
                                                all.curves("evaluations", measure.column, "method")));
    if (last) {
      context.report.plots.push_back(measurements(fmt::format("Set {}: {} against time", first ? 1 : 2, measure.name),
                                                  "processor time for a second of motion, s", measure.name,
                                                  all.curves("cpu_per_second", measure.column, "method")));
    }
  }
}

/// The longest constant steps: of the explicit rule the stable ones, of the implicit one those that converge.
void largest_steps(const StudyContext& context, const ReferenceMotion& tilted, const ReferenceMotion& thrown,
                   const FastMode& fast) {
  ResultTable table(context.out / "largest_steps.csv", {{"set", "set", whole()},
                                                        {"integrator", "integrator"},
                                                        {"step", "largest h [s]", significant(4)},
                                                        {"published", "published", significant(2)}});
  int set = 0;
  for (const ReferenceMotion* reference : {&tilted, &thrown}) {
    // Beyond its limit of stability the explicit rule grows without bound.
    const double explicit_step = largest_step(*reference, "abm2", 2e-5, 4e-4, 0.05, set == 0 ? 0.005 : 0.02);
    double implicit_step = 0;
    for (double step : {6e-4, 1.2e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1}) {
      if (!run_pendulum(*reference, constant_step("trapezoidal", step)).failed()) implicit_step = step;
    }
    table.add(set + 1, "abm2", explicit_step, kPublishedExplicitStep[set]);
    table.add(set + 1, "trapezoidal", implicit_step, kPublishedImplicitStep[set]);
    table.add(set + 1, "ratio", implicit_step / explicit_step,
              kPublishedImplicitStep[set] / kPublishedExplicitStep[set]);
    ++set;
  }
  context.show(table, "Largest steps",
               fmt::format("abm2: the largest stable one (2/|lambda| = {:.3e} s for uniform rods, set 1); trapezoidal: "
                           "the largest tried that converges; the paper says that the ratio of set 1 is 200",
                           -2 / fast.rate));
}

/// Set 2 with variable steps.
void animation(StudyContext& context) {
  const std::string file = model_file("stiff_double_pendulum.yaml").string();
  context.give_models(read_mechanism(file));
  for (const char* integrator : {"sdirk4", "trapezoidal"}) {
    RunOptions options = controlled_step(integrator, 1e-6);
    options.until = pendulum_duration(InitialSet::thrown);
    context.animate(fmt::format("set 2, {}", integrator),
                    fmt::format("cardan run {} --set tilt=0 --set spin=60 --until {} --step {} --formulation cartesian "
                                "--integrator {} --step-control error",
                                file, options.until, options.step, integrator),
                    stiff_double_pendulum(InitialSet::thrown), options);
  }
  context.plot_histories();
}

}  // namespace

void run_stiff_double_pendulum_study(StudyContext& context) {
  const auto progress = [&](double fraction) {
    if (context.progress) context.progress(fraction);
  };
  const ReferenceMotion tilted(InitialSet::tilted);
  const FastMode fast = FastMode::of(tilted);
  std::vector<double> steps = ladder(0.025, 2e-4, 9);
  for (double step : ladder(2e-4, 1e-6, 11)) {
    if (step < steps.back()) steps.push_back(step);
  }
  const std::vector<Method> methods1{{"trapezoidal", "trapezoidal", false, steps},
                                     {"abm2", "abm2", false, ladder(1e-4, 1e-6, 9)},
                                     {"rk4", "rk4", false, ladder(1e-4, 5e-6, 5)},
                                     {"sdirk4", "sdirk4", false, {1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5}},
                                     {"trapezoidal, variable", "trapezoidal", true, ladder(1e-2, 1e-9, 15)},
                                     {"sdirk4, variable", "sdirk4", true, ladder(1e-2, 1e-12, 21)}};
  const std::vector<Point> points1 = run_all(context, tilted, methods1);
  progress(0.3);
  errors_over_step(context, fast, points1);
  fitted_slopes(context, fast, points1);
  errors_over_tolerance(context, InitialSet::tilted, points1);
  precision_and_work(context, InitialSet::tilted, points1);

  const ReferenceMotion thrown(InitialSet::thrown);
  largest_steps(context, tilted, thrown, fast);
  const std::vector<Method> methods2{{"trapezoidal", "trapezoidal", false, ladder(1.2e-3, 4e-6, 12)},
                                     {"abm2", "abm2", false, {9e-5, 5e-5, 3e-5, 1e-5}},
                                     {"trapezoidal, variable", "trapezoidal", true, ladder(1e-2, 1e-9, 15)},
                                     {"sdirk4, variable", "sdirk4", true, ladder(1e-2, 1e-12, 21)}};
  const std::vector<Point> points2 = run_all(context, thrown, methods2);
  progress(1);
  errors_over_tolerance(context, InitialSet::thrown, points2);
  precision_and_work(context, InitialSet::thrown, points2);
  animation(context);
}

}  // namespace cardan
