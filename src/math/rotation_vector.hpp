// The rotation vector theta: R = exp(theta~), its angular velocity w = T(theta) theta', and what an acceleration needs
// of the rate of T. Regular for |theta| < 2 pi; users measure theta from the orientation at the start of a step.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

inline Mat3 skew(const Vec3& a) {
  Mat3 result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

/// exp(theta~)
Quat rotation_from_vector(const Vec3& theta);
/// The rotation vector of a rotation, |theta| <= pi.
Vec3 vector_from_rotation(const Mat3& rotation);
/// T(theta), with w = T theta' in the axes in which theta is given.
Mat3 rotation_vector_tangent(const Vec3& theta);
/// exp(theta~) and T(theta), which share their coefficients.
struct RotationAndTangent {
  Mat3 rotation, tangent;
};
RotationAndTangent rotation_and_tangent(const Vec3& theta);
/// T'(theta, theta') theta', the part of w' that does not depend on theta''.
Vec3 rotation_vector_bias(const Vec3& theta, const Vec3& rate);

}  // namespace cardan
