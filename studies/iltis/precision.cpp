#include "studies/iltis/precision.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan {
namespace {

constexpr double kReferenceTolerance = 1e-9, kReferenceStep = 1e-3;  // s: between whose ends it is nearly linear
constexpr double kBounds[] = {0.010, 0.005, 0.002, 0.001, 0.0005};   // m RMS

struct PrecisionMethod {
  const char* formulation;
  const char* integrator;
  bool by_error;  // step by the error: a tolerance for a step
  int settings;   // from the coarsest on
};
constexpr int kAll = 11, kFew = 4;
constexpr PrecisionMethod kMethods[] = {
    {"hybrid", "trapezoidal", false, kAll},
    {"hybrid", "generalized-alpha", false, kAll},
    {"hybrid", "hht", false, kAll},
    {"hybrid", "newmark", false, kAll},
    {"hybrid", "sdirk3", false, kAll},
    {"hybrid", "gauss4", false, kAll},
    {"hybrid", "radau5", false, kAll},
    {"hybrid", "rk4", false, kAll},
    {"hybrid", "trapezoidal", true, kAll},
    {"hybrid", "dopri5", true, kAll},
    {"topological", "trapezoidal", false, kAll},
    {"topological", "dopri5", true, kAll},
    {"global", "trapezoidal", false, kAll},
    {"global", "dopri5", true, kAll},
    {"recursive", "trapezoidal", false, kAll},
    {"cartesian", "trapezoidal", false, kFew},
    {"cartesian", "bdf", true, 2},  // seconds each
};

/// 20 ms, 14 ms, ... with eleven of them 0.6 ms; tolerances of 1e-2, 3e-3, ... 1e-7.
double setting_of(const PrecisionMethod& method, int i) {
  return method.by_error ? std::pow(10, -2 - 0.5 * i) : 0.02 * std::pow(2, -0.5 * i);
}

RunOptions options_of(const Mechanism& mechanism, const PrecisionMethod& method, double setting) {
  RunOptions options =
      vehicle_options(mechanism, method.formulation, method.integrator, method.by_error ? 0.01 : setting);
  if (!method.by_error) return options;
  if (std::string(method.integrator) == "trapezoidal") options.step_control = "error";
  options.absolute_tolerance = options.relative_tolerance = setting;
  return options;
}

struct Point {
  double setting, error, seconds;
};

/// The cheapest of those that are within the bound together with all finer ones; null: none.
const Point* cheapest_within(const std::vector<Point>& points, double bound) {
  const Point* cheapest = nullptr;
  for (auto point = points.rbegin(); point != points.rend() && point->error <= bound; ++point) {
    if (!cheapest || point->seconds < cheapest->seconds) cheapest = &*point;
  }
  return cheapest;
}

std::string name_of(const PrecisionMethod& method) {
  const bool controlled = method.by_error && std::string(method.integrator) == "trapezoidal";
  return fmt::format("{} {}{}", method.formulation, method.integrator, controlled ? " by error" : "");
}

}  // namespace

void precision_against_work(StudyContext& context, const Mechanism& mechanism) {
  RunOptions exact = options_of(mechanism, {"hybrid", "dopri5", true, 1}, kReferenceTolerance);
  exact.step_max = kReferenceStep;
  const VehicleRun reference = run_vehicle(mechanism, exact, 0);
  ResultTable points(context.out / "precision.csv", {{"method", "method"},
                                                     {"formulation", ""},
                                                     {"integrator", ""},
                                                     {"setting", "step [s] or tolerance", significant()},
                                                     {"rms_height", "height [mm]", decimals(3, 1e3)},
                                                     {"cpu_seconds", "time", seconds()},
                                                     {"iterations", "iterations", whole()},
                                                     {"evaluations", "evaluations", whole()},
                                                     {"status", ""}});
  ResultTable ranking(context.out / "ranking.csv", {{"method", "method"},
                                                    {"bound", "within [mm]", decimals(1, 1e3)},
                                                    {"setting", "from [s], or tolerance", significant()},
                                                    {"cpu_seconds", "time", seconds()}});
  for (const PrecisionMethod& method : kMethods) {
    std::vector<Point> run_points;
    for (int i = 0; i < method.settings; ++i) {
      const double setting = setting_of(method, i);
      const VehicleRun run = attempt(mechanism, options_of(mechanism, method, setting), 2);
      const double error = run.failed() ? kNone : height_error(run, reference.motion);
      points.add(name_of(method), method.formulation, method.integrator, setting, error,
                 run.failed() ? kNone : run.cpu_seconds, run.summary.iterations, run.summary.evaluations,
                 status_name(run.summary.status));
      run_points.push_back({setting, run.failed() ? INFINITY : error, run.cpu_seconds});
    }
    for (const double bound : kBounds) {
      const Point* point = cheapest_within(run_points, bound);
      ranking.add(name_of(method), bound, point ? point->setting : kNone, point ? point->seconds : kNone);
    }
  }
  context.show(
      ranking, "Precision against work, all methods",
      "time of the cheapest setting such that it and all finer ones stay within the error (height, RMS over time)",
      "Single steps are a lottery of where the edges fall; this is what methods are ranked by.");
  context.report.plots.push_back(measurements("Error against time, all methods", "processor time for 8 s, s",
                                              "height, m RMS from the reference",
                                              points.curves("cpu_seconds", "rms_height", "method")));
}

}  // namespace cardan
