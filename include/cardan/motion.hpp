// Where a body is and how it moves.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

/// Where a body is: its mass centre and axes (columns), inertial components.
struct BodyPose {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
};

/// The pose and motion of one body, inertial axes, of the mass centre.
struct BodyMotion {
  Vec3 position, velocity, acceleration;
  Mat3 rotation;  // columns are the body's axes
  Vec3 angular_velocity, angular_acceleration;
};

}  // namespace cardan
