// The state of a simulation: a value that holds everything the next step depends on.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

struct State {
  double t = 0;
  VecX q, v;                  // coordinates and velocities of the formulation, n each
  VecX acceleration;          // the true accelerations A, n
  VecX algorithmic;           // the Newmark accelerations a of HHT and generalized-alpha, n
  VecX lambda;                // multipliers, m
  VecX memory;                // what the formulation remembers: reference orientations, the full set of coordinates
  VecX stepper;               // what step control remembers: the next step and the error of the last
  Eigen::VectorXi partition;  // which coordinates are independent (topological)
  VecX attached;              // what joints hold that events attach or release: see formulation/held_rows.hpp
  VecX books;      // of the simulation: its energy balance, the signs of quaternions; may be empty: to be cleared by
                   // whoever changes q or v
  int events = 0;  // how many events have happened
};

/// The same where it is asked about (system.hpp): the time, coordinates and velocities at which a System is evaluated.
using Context = State;

enum class StepStatus { Ok, NotConverged, Singular, NonFinite, Overrun, TableEnd };

const char* status_name(StepStatus status);

}  // namespace cardan
