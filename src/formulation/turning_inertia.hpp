// A body's inertia about its mass centre, kept so that turning it into inertial axes takes few operations: with the
// principal values j1 <= j2 <= j3 along e1, e2, e3,
//     J = j2 + c c^T - a a^T,   a = sqrt(j2 - j1) e1,  c = sqrt(j3 - j2) e3
// so that two vectors are turned instead of a matrix from both sides.
#pragma once

#include "math/space.hpp"

namespace cardan {

template <int D>
class TurningInertia;

template <>
class TurningInertia<3> {
 public:
  TurningInertia() = default;
  explicit TurningInertia(const Mat3& J);
  /// The same body in other axes.
  TurningInertia in_axes(const Mat3& axes) const {
    TurningInertia result(*this);
    result.less_ = axes * less_;
    result.more_ = axes * more_;
    return result;
  }

  /// R J R^T
  Mat3 turned(const Mat3& R) const {
    const Vec3 a = R * less_, c = R * more_;
    Mat3 J;
    J(0, 0) = middle_ + (c[0] * c[0] - a[0] * a[0]);
    J(1, 1) = middle_ + (c[1] * c[1] - a[1] * a[1]);
    J(2, 2) = middle_ + (c[2] * c[2] - a[2] * a[2]);
    J(1, 0) = J(0, 1) = c[1] * c[0] - a[1] * a[0];
    J(2, 0) = J(0, 2) = c[2] * c[0] - a[2] * a[0];
    J(2, 1) = J(1, 2) = c[2] * c[1] - a[2] * a[1];
    return J;
  }

 private:
  double middle_ = 0;
  Vec3 less_ = Vec3::Zero(), more_ = Vec3::Zero();
};

template <>
class TurningInertia<2> {
 public:
  TurningInertia() = default;
  explicit TurningInertia(const Space<2>::Inertia& J) : J_(J) {}
  TurningInertia in_axes(const Eigen::Matrix2d&) const { return *this; }
  Space<2>::Inertia turned(const Eigen::Matrix2d&) const { return J_; }

 private:
  Space<2>::Inertia J_ = Space<2>::Inertia::Zero();
};

}  // namespace cardan
