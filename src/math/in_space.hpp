// What moves in a plane, seen in space.
#pragma once

#include "math/space.hpp"

namespace cardan {

inline Vec3 in_space(const Vec2& v) { return {v.x(), v.y(), 0}; }
inline Vec3 in_space(const Vec3& v) { return v; }
inline Vec3 turn_in_space(const Space<2>::Angular& w) { return {0, 0, w(0)}; }
inline Vec3 turn_in_space(const Vec3& w) { return w; }
inline Mat3 rotation_in_space(const Eigen::Matrix2d& r) {
  Mat3 result = Mat3::Identity();
  result.topLeftCorner<2, 2>() = r;
  return result;
}
inline Mat3 rotation_in_space(const Mat3& r) { return r; }

}  // namespace cardan
