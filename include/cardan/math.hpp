// The vector, matrix and rotation types that every public header uses.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace cardan {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using VecX = Eigen::VectorXd;

}  // namespace cardan
