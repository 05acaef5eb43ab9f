// One run of the Iltis and what the published tables say of it: height and pitch of the chassis against a reference,
// its largest acceleration, iterations and time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

/// Height and pitch of the chassis over time.
struct ChassisMotion {
  std::vector<double> t, height, pitch;  // s, m, rad

  /// Linear between the samples, which must be fine.
  double height_at(double time) const { return interpolate(time, height); }
  double pitch_at(double time) const { return interpolate(time, pitch); }

 private:
  double interpolate(double time, const std::vector<double>& values) const;
};

struct VehicleRun {
  RunOptions options;
  RunSummary summary;
  ChassisMotion motion;          // at the ends of the steps
  double peak_acceleration = 0;  // m/s^2, of the chassis centre, on top of gravity
  double cpu_seconds = 0;        // the least of several equal runs

  bool failed() const { return summary.status != RunStatus::ok; }
  double real_time_factor() const { return cpu_seconds > 0 ? summary.duration / cpu_seconds : 0; }
};

/// `repetitions`: how often it is run for its time, short runs more often; other programs on the machine can only add
/// to it. Long runs are measured once.
VehicleRun run_vehicle(const Mechanism& mechanism, const RunOptions& options, int repetitions = 1);

/// Root mean square over the common steps up to `until`.
struct Deviation {
  double height = 0, pitch = 0;  // m, rad
};
Deviation deviation(const VehicleRun& run, const ChassisMotion& reference, double until);
/// Of the height, m: root mean square over time, however long the steps are.
double height_error(const VehicleRun& run, const ChassisMotion& reference);

/// A step is good when height and pitch stay this close to the reference over the whole run.
inline constexpr double kGoodHeight = 0.020, kGoodPitch = 0.017453292519943295;  // m, rad: 20 mm, 1 degree
bool is_within(const Deviation& deviation, double part);                         // of that
bool is_good(const VehicleRun& run, const ChassisMotion& reference);

/// The runs with steps of 2.5 ms, 5 ms, ... An edge of the stairs falls into the steps of one length otherwise than
/// into those of the next, so that good and bad ones take turns over a range: the largest good step is luck. What
/// counts is up to where all are good.
struct StepScan {
  struct Step {
    double step = 0;  // s
    Deviation error;
    bool failed = false;
    std::int64_t iterations = 0;
  };
  std::vector<Step> steps;  // rising; ends after some bad ones in a row, or at 100 ms

  /// The longest step such that it and all shorter ones are within `part` of what is good; 0: none.
  double all_within(double part = 1) const;
  double largest_good() const;
  double first_failed() const;  // 0: none
};
StepScan scan_steps(const Mechanism& mechanism, RunOptions options, const ChassisMotion& reference);

/// hybrid, trapezoidal, h = 1e-4 s
VehicleRun reference_run(const Mechanism& mechanism);

}  // namespace cardan
