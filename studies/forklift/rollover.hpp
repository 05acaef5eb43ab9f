// The rollover of models/forklift.yaml: what happens when, and what it costs to find out.
#pragma once

#include <string>
#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

/// Where the model is.
std::string rollover_file();
/// `speed`: as part of the published one.
Mechanism rollover_machine(double speed = 1);
/// As machines are built: the mast hangs on two hinges and slides in two rails, the wheel turns in two bearings, of
/// which the second ones add nothing but redundant equations.
Mechanism rollover_machine_with_second_joints();

/// A row every kRolloverSampling, and after every step what the run is judged by.
struct RolloverRun {
  RunSummary summary;
  double lift_off = -1;     // s: when the right front wheel first carries nothing after the steering began; -1: never
  double impact = -1;       // s: when the load first reaches the ground; -1: never
  double largest_roll = 0;  // rad, of the chassis
  double created = 0;       // J: largest rise of the mechanical energy less the work of drivers and motors
  double energy = 0;      // J: kinetic energy, and potential energy above that of the load on the ground, at the start
  double last_speed = 0;  // m/s: largest of any body's centre within the last second
  Vec3 rest = Vec3::Zero();                                            // where the load is at the end
  std::vector<double> t;                                               // of the samples
  std::vector<double> front_left, front_right, rear_left, rear_right;  // m, heights of the wheels' centres
  std::vector<double> load, steering;                                  // m, height of the load; rad, of the right wheel
  std::vector<Vec3> wheel[4];                                          // in the order above
  std::vector<double> step_t, step;                                    // s, of every step that was taken
};

constexpr double kRolloverTime = 22, kRolloverSampling = 0.02;  // s; it rocks on a tyre for a while
constexpr double kTippedOver = 1.0;                             // rad

RolloverRun roll_over(const Mechanism& machine, RunOptions options);

}  // namespace cardan
