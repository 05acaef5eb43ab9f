// Where a body is and how it moves.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

/// Where a body is: its mass centre and axes (columns), inertial components.
struct BodyPose {
  Vec3 position = Vec3::Zero();  // m
  Mat3 rotation = Mat3::Identity();
};

/// The pose and motion of one body, inertial axes, of the mass centre.
struct BodyMotion {
  Vec3 position, velocity, acceleration;        // m, m/s, m/s^2
  Mat3 rotation;                                // columns are the body's axes
  Vec3 angular_velocity, angular_acceleration;  // rad/s, rad/s^2
};

}  // namespace cardan
