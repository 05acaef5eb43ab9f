#include "simulation/trial_motion.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

double pose_distance(const double* pose, const double* other, double length) {
  const Eigen::Map<const Vec3> place(pose), other_place(other);
  const Eigen::Map<const Mat3> turn(pose + 3), other_turn(other + 3);
  // |R1 - R2| = 2 sqrt(2) sin(angle / 2)
  const double angle = 2 * std::asin(std::min(1.0, (turn - other_turn).norm() / std::sqrt(8.0)));
  return std::max((place - other_place).norm() / length, angle);
}

TrialMotion::TrialMotion(const Mechanism& mechanism, double until)
    : until_(until), bodies_(mechanism.bodies.size()), poses_(kInstants * kEntry * bodies_) {}

void TrialMotion::see(Simulation& simulation) {
  length_ = simulation.length();
  const double slack = 1e-9 * until_;
  for (; seen_ < kInstants && instant(seen_) <= simulation.time() + slack; ++seen_)
    poses_at(simulation, std::min(instant(seen_), simulation.time()), poses_.data() + seen_ * kEntry * bodies_);
}

PoseDifference TrialMotion::difference(const TrialMotion& other) const {
  PoseDifference largest;
  const std::size_t count = std::min(seen_, other.seen_) * bodies_;
  for (std::size_t i = 0; i < count; ++i) {
    const double here = pose_distance(&poses_[i * kEntry], &other.poses_[i * kEntry], length_);
    if (here > largest.size) largest = {here, instant(i / bodies_), i % bodies_};
  }
  return largest;
}

}  // namespace cardan
