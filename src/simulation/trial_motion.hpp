// Where the bodies are in a run at some instants, evenly spread, so that runs of one motion can be told apart.
#pragma once

#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

/// How far a pose is from another one: the distance of the centres in `length`, or the angle of the turn between them
/// in radians, whichever is larger. 12 numbers each, as of Simulation::poses().
double pose_distance(const double* pose, const double* other, double length);

/// Poses within the last step of an integrator that chooses its steps, as Simulation::poses().
void poses_at(Simulation& simulation, double t, double* numbers);

/// The largest distance of two motions, when, and of which body.
struct PoseDifference {
  double size = 0, time = 0;
  std::size_t body = 0;
};

class TrialMotion {
 public:
  TrialMotion(const Mechanism& mechanism, double until);

  /// After every step.
  void see(Simulation& simulation);
  /// Of poses at the same instants, as far as both have come.
  PoseDifference difference(const TrialMotion& other) const;

 private:
  static constexpr int kInstants = 256;
  static constexpr std::size_t kEntry = 12;  // numbers of a pose

  double instant(std::size_t i) const { return until_ * static_cast<double>(i + 1) / kInstants; }

  double until_;
  std::size_t bodies_;
  double length_ = 1;          // size of the mechanism, m
  std::size_t seen_ = 0;       // instants
  std::vector<double> poses_;  // of all bodies, one instant after the other
};

}  // namespace cardan
