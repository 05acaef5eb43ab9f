#include "studies/iltis/vehicle_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {
namespace {

int chassis_index(const Mechanism& mechanism) {
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
    if (mechanism.bodies[i].name == "chassis") return static_cast<int>(i);
  throw std::invalid_argument("the model has no body 'chassis'");
}

/// Chassis x axis against the horizontal, positive nose up.
double pitch_of(const Mat3& rotation) { return std::asin(std::clamp(rotation(2, 0), -1.0, 1.0)); }

}  // namespace

double ChassisMotion::interpolate(double time, const std::vector<double>& values) const {
  const auto after = std::lower_bound(t.begin(), t.end(), time);
  if (after == t.begin()) return values.front();
  if (after == t.end()) return values.back();
  const std::size_t i = static_cast<std::size_t>(after - t.begin());
  const double share = (time - t[i - 1]) / (t[i] - t[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

VehicleRun run_vehicle(const Mechanism& mechanism, const RunOptions& options, int repetitions) {
  VehicleRun result;
  result.options = options;
  const int chassis = chassis_index(mechanism);
  {
    Simulation simulation(mechanism, options);
    const auto record = [&] {
      const BodyMotion body = simulation.body(chassis);
      result.motion.t.push_back(simulation.time());
      result.motion.height.push_back(body.position.z());
      result.motion.pitch.push_back(pitch_of(body.rotation));
      result.peak_acceleration = std::max(result.peak_acceleration, body.acceleration.norm());
    };
    record();
    for (double rest; (rest = options.until - simulation.time()) > 1e-9 * options.step;) {
      const double h = simulation.chooses_steps() || rest < options.step * (1 + 1e-9) ? rest : options.step;
      if (simulation.step(h) != StepStatus::ok) break;
      record();
    }
    result.summary = simulation.summary();
    result.cpu_seconds = result.summary.cpu_seconds;
  }
  // Short runs are repeated more often: a disturbance of the machine must not outlast them.
  constexpr double kLongEnough = 0.3, kLong = 1;  // s
  double spent = result.cpu_seconds;
  for (int i = 0; i < repetitions && spent < (i < 2 ? kLong : kLongEnough) && !result.failed(); ++i) {
    const RunSummary again = run(mechanism, options);
    spent += again.cpu_seconds;
    result.summary.allocations = again.allocations;
    result.cpu_seconds = std::min(result.cpu_seconds, again.cpu_seconds);
  }
  return result;
}

Deviation deviation(const VehicleRun& run, const ChassisMotion& reference, double until) {
  Deviation sum;
  std::size_t count = 0;
  for (std::size_t i = 0; i < run.motion.t.size() && run.motion.t[i] <= until * (1 + 1e-12); ++i, ++count) {
    const double t = run.motion.t[i];
    sum.height += std::pow(run.motion.height[i] - reference.height_at(t), 2);
    sum.pitch += std::pow(run.motion.pitch[i] - reference.pitch_at(t), 2);
  }
  if (count == 0) return sum;
  return {std::sqrt(sum.height / static_cast<double>(count)), std::sqrt(sum.pitch / static_cast<double>(count))};
}

double height_error(const VehicleRun& run, const ChassisMotion& reference) {
  double sum = 0, before = 0;
  const ChassisMotion& motion = run.motion;
  for (std::size_t i = 1; i < motion.t.size(); ++i) {
    const double square = std::pow(motion.height[i] - reference.height_at(motion.t[i]), 2);
    sum += 0.5 * (before + square) * (motion.t[i] - motion.t[i - 1]);
    before = square;
  }
  return std::sqrt(sum / motion.t.back());
}

bool is_within(const Deviation& d, double part) {
  return d.height <= part * kGoodHeight && d.pitch <= part * kGoodPitch;
}

bool is_good(const VehicleRun& run, const ChassisMotion& reference) {
  return !run.failed() && is_within(deviation(run, reference, run.options.until), 1);
}

double StepScan::all_within(double part) const {
  double longest = 0;
  for (const Step& step : steps) {
    if (step.failed || !is_within(step.error, part)) break;
    longest = step.step;
  }
  return longest;
}

double StepScan::largest_good() const {
  double largest = 0;
  for (const Step& step : steps)
    if (!step.failed && is_within(step.error, 1)) largest = step.step;
  return largest;
}

double StepScan::first_failed() const {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.failed; });
  return found == steps.end() ? 0 : found->step;
}

StepScan scan_steps(const Mechanism& mechanism, RunOptions options, const ChassisMotion& reference) {
  constexpr double kGrain = 0.0025, kLargest = 0.1;  // s
  constexpr int kEnough = 8;                         // bad ones in a row
  StepScan scan;
  int bad = 0;
  for (int i = 1; i * kGrain <= kLargest * (1 + 1e-12) && bad < kEnough; ++i) {
    options.step = i * kGrain;
    const VehicleRun run = run_vehicle(mechanism, options, 0);
    scan.steps.push_back(
        {options.step, deviation(run, reference, options.until), run.failed(), run.summary.iterations});
    bad = is_good(run, reference) ? 0 : bad + 1;
  }
  return scan;
}

VehicleRun reference_run(const Mechanism& mechanism) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = "hybrid";
  options.integrator = "trapezoidal";
  options.step = 1e-4;
  return run_vehicle(mechanism, options, 0);
}

}  // namespace cardan
