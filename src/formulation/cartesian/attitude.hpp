// How a body's orientation is written in Cartesian coordinates: the angle in the plane, Euler parameters p = (e0, e) in
// space, and the derivatives of a vector A(p) s carried by the body. In space A is the homogeneous quadratic
//     A(p) s = (e0^2 - e.e) s + 2 e (e.s) + 2 e0 e x s,
// a rotation where |p| = 1, so that third derivatives vanish and every formula below holds for any p.
// `carried` is A s. What a tangent makes of a vector, or its transpose, stands beside it: that is less than the
// tangent.
#pragma once

#include <cmath>

#include "math/rotation_vector.hpp"
#include "math/space.hpp"

namespace cardan {

template <int D>
struct Attitude;

template <>
struct Attitude<2> {
  static constexpr int kSize = 1;
  using Parameters = Eigen::Matrix<double, 1, 1>;
  using Tangent = Eigen::Matrix<double, 2, 1>;
  using Square = Eigen::Matrix<double, 1, 1>;

  static Parameters identity() { return Parameters::Zero(); }
  static Parameters from_rotation(const Space<2>::Rotation& A) { return Parameters(std::atan2(A(1, 0), A(0, 0))); }
  static Space<2>::Rotation rotation(const Parameters& p) { return rotation_by(p(0)); }
  /// w = 2 E p' in inertial axes
  static Space<2>::Angular angular_velocity(const Parameters&, const Parameters& rate) { return rate; }
  /// (A s)_p
  static Tangent tangent(const Parameters&, const Vec2&, const Vec2& carried) { return perpendicular(carried); }
  /// ((A s)_p p')_p
  static Tangent tangent_rate(const Parameters& rate, const Vec2&, const Vec2& carried) { return -rate(0) * carried; }
  /// (((A s)_p p')_p p')_p
  static Tangent tangent_second(const Parameters& rate, const Vec2&, const Vec2& carried) {
    return -rate(0) * rate(0) * perpendicular(carried);
  }
  /// (A s)_p p', then ((A s)_p p')_p p'
  static Vec2 first(const Parameters&, const Parameters& rate, const Vec2&, const Vec2& carried) {
    return rate(0) * perpendicular(carried);
  }
  static Vec2 second(const Parameters& rate, const Vec2&, const Vec2& carried) { return -rate(0) * rate(0) * carried; }
  /// y^T tangent, y^T tangent_rate
  static Parameters pull(const Parameters&, const Vec2&, const Vec2& carried, const Vec2& y) {
    return Parameters(perpendicular(carried).dot(y));
  }
  static Parameters pull_rate(const Parameters& rate, const Vec2&, const Vec2& carried, const Vec2& y) {
    return Parameters(-rate(0) * carried.dot(y));
  }
  /// y . (A s)_pp
  static Square curvature(const Vec2& y, const Vec2&, const Vec2& carried) { return Square(-y.dot(carried)); }
  /// Generalized force of a torque n in inertial axes, and its derivative.
  static Parameters torque(const Parameters&, const Space<2>::Angular& n) { return n; }
  static Square torque_tangent(const Space<2>::Angular&) { return Square::Zero(); }
};

template <>
struct Attitude<3> {
  static constexpr int kSize = 4;
  using Parameters = Eigen::Vector4d;
  using Tangent = Eigen::Matrix<double, 3, 4>;
  using Square = Eigen::Matrix<double, 4, 4>;

  static Parameters identity() { return {1, 0, 0, 0}; }
  static Parameters from_rotation(const Mat3& A) {
    const Quat q = Quat(A).normalized();
    return {q.w(), q.x(), q.y(), q.z()};
  }
  static Mat3 rotation(const Parameters& p) {
    const double e0 = p(0);
    const Vec3 e = p.tail<3>();
    return (e0 * e0 - e.squaredNorm()) * Mat3::Identity() + 2 * e * e.transpose() + 2 * e0 * skew(e);
  }
  /// E(p) = [-e, e0 I + e~]: w = 2 E p' in inertial axes
  static Tangent inertial_map(const Parameters& p) {
    Tangent E;
    E.col(0) = -p.tail<3>();
    E.rightCols<3>() = p(0) * Mat3::Identity() + skew(p.tail<3>());
    return E;
  }
  /// G(p) = [-e, e0 I - e~]: w = 2 G p' in body axes
  static Tangent body_map(const Parameters& p) {
    Tangent G;
    G.col(0) = -p.tail<3>();
    G.rightCols<3>() = p(0) * Mat3::Identity() - skew(p.tail<3>());
    return G;
  }
  static Vec3 angular_velocity(const Parameters& p, const Parameters& rate) { return 2 * inertial_map(p) * rate; }
  static Tangent tangent(const Parameters& p, const Vec3& s, const Vec3&) {
    const double e0 = p(0);
    const Vec3 e = p.tail<3>();
    Tangent B;
    B.col(0) = 2 * (e0 * s + e.cross(s));
    B.rightCols<3>() = 2 * (e.dot(s) * Mat3::Identity() + e * s.transpose() - s * e.transpose() - e0 * skew(s));
    return B;
  }
  static Tangent tangent_rate(const Parameters& rate, const Vec3& s, const Vec3& carried) {
    return tangent(rate, s, carried);
  }
  static Tangent tangent_second(const Parameters&, const Vec3&, const Vec3&) { return Tangent::Zero(); }
  static Vec3 first(const Parameters& p, const Parameters& rate, const Vec3& s, const Vec3&) {
    const Vec3 e = p.tail<3>(), f = rate.tail<3>();
    return 2 * ((p(0) * rate(0) - e.dot(f)) * s + e.dot(s) * f + f.dot(s) * e + (rate(0) * e + p(0) * f).cross(s));
  }
  static Vec3 second(const Parameters& rate, const Vec3& s, const Vec3& carried) {
    return first(rate, rate, s, carried);
  }
  static Parameters pull(const Parameters& p, const Vec3& s, const Vec3&, const Vec3& y) {
    const Vec3 e = p.tail<3>(), moment = s.cross(y);
    Parameters result;
    result << p(0) * s.dot(y) + e.dot(moment), e.dot(s) * y + e.dot(y) * s - s.dot(y) * e + p(0) * moment;
    return 2 * result;
  }
  static Parameters pull_rate(const Parameters& rate, const Vec3& s, const Vec3& carried, const Vec3& y) {
    return pull(rate, s, carried, y);
  }
  static Square curvature(const Vec3& y, const Vec3& s, const Vec3&) {
    const Vec3 c = s.cross(y);
    const double d = y.dot(s);
    Square K;
    K(0, 0) = d;
    K.block<1, 3>(0, 1) = c.transpose();
    K.block<3, 1>(1, 0) = c;
    K.bottomRightCorner<3, 3>() = s * y.transpose() + y * s.transpose() - d * Mat3::Identity();
    return 2 * K;
  }
  static Parameters torque(const Parameters& p, const Vec3& n) { return 2 * inertial_map(p).transpose() * n; }
  static Square torque_tangent(const Vec3& n) {
    Square N = Square::Zero();
    N.block<1, 3>(0, 1) = -2 * n.transpose();
    N.block<3, 1>(1, 0) = 2 * n;
    N.bottomRightCorner<3, 3>() = 2 * skew(n);
    return N;
  }
};

/// Coordinates and velocities of one body: its centre, then the attitude.
template <int D>
struct BodyCoordinates {
  static constexpr int kSize = D + Attitude<D>::kSize;
  typename Space<D>::Vector r = Space<D>::Vector::Zero(), r_rate = Space<D>::Vector::Zero();
  typename Attitude<D>::Parameters p = Attitude<D>::identity(), p_rate = Attitude<D>::Parameters::Zero();
  typename Space<D>::Rotation rotation = Space<D>::Rotation::Identity();  // A(p)

  void place(const typename Space<D>::Vector& center, const typename Attitude<D>::Parameters& attitude) {
    r = center;
    p = attitude;
    rotation = Attitude<D>::rotation(p);
  }
};

}  // namespace cardan
