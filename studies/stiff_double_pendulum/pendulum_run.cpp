#include "studies/stiff_double_pendulum/pendulum_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

RunOptions constant_step(const std::string& integrator, double step) {
  RunOptions options;
  options.formulation = "cartesian";
  options.integrator = integrator;
  options.step_control = "fixed";
  options.step = step;
  return options;
}

RunOptions controlled_step(const std::string& integrator, double tolerance) {
  RunOptions options = constant_step(integrator, 1e-3);
  options.step_control = "error";
  options.absolute_tolerance = options.relative_tolerance = tolerance;
  return options;
}

PendulumRun run_pendulum(const ReferenceMotion& reference, RunOptions options) {
  options.until = pendulum_duration(reference.set());
  Simulation simulation(stiff_double_pendulum(reference.set()), options);
  PendulumRun run;
  const auto grow = [](double& largest, double value) { largest = std::max(largest, std::abs(value)); };
  PendulumMotion here{}, there{};
  bool astray = false;
  while (options.until - simulation.time() > 1e-9 * options.step && !astray) {
    const double rest = options.until - simulation.time();
    const double h = simulation.chooses_steps() || rest < options.step * (1 + 1e-9) ? rest : options.step;
    if (simulation.step(h) != StepStatus::ok) break;
    here = PendulumMotion::of(simulation.state());
    there = reference.at(here.t);
    grow(run.position_error, here.angle[1] - there.angle[1]);
    grow(run.velocity_error, here.rate[1] - there.rate[1]);
    grow(run.largest_position_error, PendulumMotion::coordinate_difference(here, there));
    astray = !(run.position_error < 100);
  }
  run.summary = simulation.summary();
  run.end_position_error = PendulumMotion::coordinate_difference(here, there);
  run.end_velocity_error = PendulumMotion::velocity_difference(here, there);
  if (astray || run.failed()) {
    for (double* e : {&run.position_error, &run.velocity_error, &run.largest_position_error, &run.end_position_error,
                      &run.end_velocity_error}) {
      *e = std::numeric_limits<double>::infinity();
    }
  }
  return run;
}

void WorkCurve::add(double error, double work) {
  if (!std::isfinite(error) || error <= 0) return;
  points_.emplace_back(std::log(error), std::log(work));
  std::sort(points_.begin(), points_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
}

double WorkCurve::at(double error) const {
  const double x = std::log(error);
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    const auto [x0, y0] = points_[i];
    const auto [x1, y1] = points_[i + 1];
    if (x <= x0 && x >= x1) return std::exp(x0 == x1 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double observed_order(double error1, double step1, double error2, double step2) {
  return std::log(error1 / error2) / std::log(step1 / step2);
}

double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors) {
  const double n = static_cast<double>(steps.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double u = std::log(steps[i]), w = std::log(errors[i]);
    x += u / n, y += w / n, xx += u * u / n, xy += u * w / n;
  }
  return (xy - x * y) / (xx - x * x);
}

double largest_step(const ReferenceMotion& reference, const std::string& integrator, double good, double bad,
                    double tolerated_error, double precision) {
  while (bad / good > 1 + precision) {
    const double middle = std::sqrt(good * bad);
    const PendulumRun run = run_pendulum(reference, constant_step(integrator, middle));
    (run.position_error <= tolerated_error ? good : bad) = middle;
  }
  return good;
}

}  // namespace cardan
