// One run of the stiff double pendulum: its errors against the reference motion and its work.
#pragma once

#include <utility>
#include <vector>

#include "studies/stiff_double_pendulum/pendulum.hpp"

namespace cardan {

struct PendulumRun {
  RunSummary summary;
  double position_error = 0, velocity_error = 0;          // arm 2's angle and its rate, largest at the end of any step
  double largest_position_error = 0;                      // of all coordinates, at the end of any step
  double end_position_error = 0, end_velocity_error = 0;  // largest of all coordinates at the end

  bool failed() const { return summary.status != RunStatus::ok; }
  double evaluations() const { return static_cast<double>(summary.evaluations); }
};

/// Errors of a run that failed or went astray are infinite.
PendulumRun run_pendulum(const ReferenceMotion& reference, RunOptions options);

/// integrator on cartesian with a constant step
RunOptions constant_step(const std::string& integrator, double step);
/// integrator on cartesian with step control, Atol = Rtol = tolerance
RunOptions controlled_step(const std::string& integrator, double tolerance);

/// Work against error of one method, read between the runs on logarithmic scales.
class WorkCurve {
 public:
  void add(double error, double work);
  /// Work at that error; NaN outside of the runs.
  double at(double error) const;

 private:
  std::vector<std::pair<double, double>> points_;  // logarithms, error falling
};

/// Slope of log error over log step between two runs.
double observed_order(double error1, double step1, double error2, double step2);
/// The same of the straight line through many runs, by least squares: what one reads off a figure.
double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors);

/// The largest constant step at which the position error stays below a bound,
/// found by bisection between a step that does and one that does not.
double largest_step(const ReferenceMotion& reference, const std::string& integrator, double good, double bad,
                    double tolerated_error, double precision);

}  // namespace cardan
