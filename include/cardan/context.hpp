// The one value that a motion is: everything the next step of a Simulation depends on, and where a System is asked.
#pragma once

#include <cstdint>

#include "cardan/math.hpp"

namespace cardan {

/// Made by System::start(), with_joints() or Simulation::state(); copied, changed and given back. One that nobody has
/// made is of no system, and is refused like that of another.
struct Context {
  double t = 0;       // s
  VecX q, v;          // coordinates and velocities of the formulation, n each, rad and m; states of the model are last
  VecX acceleration;  // the true accelerations A, n
  VecX lambda;        // multipliers, one for each constraint: N or N m
  VecX inputs;        // of the mechanism, four numbers each: the value that was given, what signals saw of it when it
                      // was, when that was (s), and its slope (1/s); input_value() and with_input() read and set them

  // What follows belongs to those who step: it is copied with the rest.
  std::int64_t system = 0;     // which mechanism, in which formulation, phase and assembly: a fingerprint
  int events = 0;              // how many events at given times have happened
  int phase = 0;               // which of the mechanisms that events leave behind holds
  Eigen::VectorXi conditions;  // of events with conditions: whether each holds, waits or is due
  VecX algorithmic;            // the Newmark accelerations a of HHT and generalized-alpha, n
  VecX memory;                 // what the formulation remembers: reference orientations, the full set of coordinates
  VecX stepper;                // what step control remembers: the next step and the error of the last
  Eigen::VectorXi partition;   // which coordinates are independent (topological)
  VecX attached;               // what joints hold that events attach or release: where and how far apart
  VecX companions;             // all that they save, as bytes in numbers
  VecX books;  // of the simulation: its energy balance, the signs of quaternions; may be empty: to be cleared by
               // whoever changes q or v
};

}  // namespace cardan
