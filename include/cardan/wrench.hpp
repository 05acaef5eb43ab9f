// Laws of a program's own between two frames, one on each of two bodies (or on ground): a wrench, which is a load, or a
// scalar, which is a column. Functions of where the frames are, how they move, and the time. Inertial axes, SI units,
// radians; planar mechanisms move in x and y and turn about z, and what points elsewhere does nothing there.
#pragma once

#include <functional>

#include "cardan/math.hpp"

namespace cardan {

struct FrameMotion {
  Vec3 position = Vec3::Zero();          // of the origin, m
  Mat3 rotation = Mat3::Identity();      // columns are its axes
  Vec3 velocity = Vec3::Zero();          // of the origin, m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s
};

/// What a law looks at.
struct FramePair {
  double t = 0;  // s
  FrameMotion one, two;
  /// What the law remembered at the end of the last step, and how long ago that was. A law that remembers is a function
  /// of these and of the motion now: it carries its variables over the step itself, implicitly.
  const double* memory = nullptr;  // as many numbers as it asked for, zero before the first step
  double elapsed = 0;              // s
  double given = 0;                // what CustomWrench::given is now
};

/// On body 2, the force at the origin of frame 2; body 1 takes the opposite of both, at the same point.
struct Wrench {
  Vec3 force = Vec3::Zero();   // N
  Vec3 moment = Vec3::Zero();  // N m
};

/// Derivatives of (force, moment): with respect to small motions of each frame, the translation of its origin and then
/// its turn about inertial axes, velocities as they are; and with respect to the velocity of its origin and then its
/// angular velocity.
struct WrenchTangent {
  using Block = Eigen::Matrix<double, 6, 6>;
  Block position1 = Block::Zero(), position2 = Block::Zero();
  Block velocity1 = Block::Zero(), velocity2 = Block::Zero();
};

/// Called in the stepping loop and by any thread: the same answer for the same question, and no allocation.
using WrenchLaw = std::function<Wrench(const FramePair&)>;
using WrenchTangentLaw = std::function<WrenchTangent(const FramePair&)>;
using FrameScalar = std::function<double(const FramePair&)>;
/// At the end of a step, and at the start: writes what is to be remembered. `FramePair::memory` is what was.
using WrenchMemory = std::function<void(const FramePair&, double*)>;

}  // namespace cardan
