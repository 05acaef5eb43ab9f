// The plane (D = 2) and space (D = 3) behind one set of names, so that every method is written once and planar
// mechanisms still carry two components and one angle. A twist is [s'; w]: the velocity of the body point that passes
// the origin, and the angular velocity. A wrench is [f; n]: force, and moment about the origin, which is the inertial
// one or a point near the mechanism, as places are taken from (BodyModel::origin()).
#pragma once

#include <cmath>

#include "cardan/math.hpp"

namespace cardan {

template <int D>
struct Space {
  static constexpr int kAngular = D == 2 ? 1 : 3;
  static constexpr int kTwist = D + kAngular;
  using Vector = Eigen::Matrix<double, D, 1>;
  using Angular = Eigen::Matrix<double, kAngular, 1>;
  using Rotation = Eigen::Matrix<double, D, D>;
  using Twist = Eigen::Matrix<double, kTwist, 1>;
  using Inertia = Eigen::Matrix<double, kAngular, kAngular>;
};

inline Vec2 perpendicular(const Vec2& r) { return {-r.y(), r.x()}; }

/// w x r
inline Vec2 cross(const Space<2>::Angular& w, const Vec2& r) { return w(0) * perpendicular(r); }
inline Vec3 cross(const Vec3& w, const Vec3& r) { return w.cross(r); }

/// r x f, the moment of a force
inline Space<2>::Angular moment(const Vec2& r, const Vec2& f) {
  return Space<2>::Angular(r.x() * f.y() - r.y() * f.x());
}
inline Vec3 moment(const Vec3& r, const Vec3& f) { return r.cross(f); }

template <int D>
typename Space<D>::Vector linear(const typename Space<D>::Twist& twist) {
  return twist.template head<D>();
}
template <int D>
typename Space<D>::Angular angular(const typename Space<D>::Twist& twist) {
  return twist.template tail<Space<D>::kAngular>();
}
template <int D>
typename Space<D>::Twist twist(const typename Space<D>::Vector& linear, const typename Space<D>::Angular& angular) {
  typename Space<D>::Twist result;
  result.template head<D>() = linear;
  result.template tail<Space<D>::kAngular>() = angular;
  return result;
}

/// The velocity of the point r that moves with this twist: s' + w x r.
template <int D>
typename Space<D>::Vector velocity_at(const typename Space<D>::Twist& z, const typename Space<D>::Vector& r) {
  return linear<D>(z) + cross(angular<D>(z), r);
}

/// The wrench of the force f at the point r.
template <int D>
typename Space<D>::Twist force_at(const typename Space<D>::Vector& f, const typename Space<D>::Vector& r) {
  return twist<D>(f, moment(r, f));
}

/// The rate of a twist h that is carried along by a frame moving with twist z.
template <int D>
typename Space<D>::Twist carried_rate(const typename Space<D>::Twist& z, const typename Space<D>::Twist& h);
template <>
inline Space<2>::Twist carried_rate<2>(const Space<2>::Twist& z, const Space<2>::Twist& h) {
  return {-z(2) * h(1) + z(1) * h(2), z(2) * h(0) - z(0) * h(2), 0};
}
template <>
inline Space<3>::Twist carried_rate<3>(const Space<3>::Twist& z, const Space<3>::Twist& h) {
  const Vec3 w = z.tail<3>();
  return twist<3>(w.cross(h.head<3>()) + z.head<3>().cross(h.tail<3>()), w.cross(h.tail<3>()));
}

/// The rate of a wrench that is carried along by a frame moving with twist z.
template <int D>
typename Space<D>::Twist carried_wrench_rate(const typename Space<D>::Twist& z, const typename Space<D>::Twist& p);
template <>
inline Space<2>::Twist carried_wrench_rate<2>(const Space<2>::Twist& z, const Space<2>::Twist& p) {
  return {-z(2) * p(1), z(2) * p(0), z(0) * p(1) - z(1) * p(0)};
}
template <>
inline Space<3>::Twist carried_wrench_rate<3>(const Space<3>::Twist& z, const Space<3>::Twist& p) {
  const Vec3 w = z.tail<3>();
  return twist<3>(w.cross(p.head<3>()), w.cross(p.tail<3>()) + z.head<3>().cross(p.head<3>()));
}

/// Mass, first and second moments of a rigid body (or of several that move as one) about the origin of twists.
template <int D>
struct RigidInertia {
  using Vector = typename Space<D>::Vector;
  using Twist = typename Space<D>::Twist;
  double mass = 0;
  Vector first = Vector::Zero();                                  // mass times centre
  typename Space<D>::Inertia second = Space<D>::Inertia::Zero();  // inertia about the origin

  /// A body with its centre at g and inertia J about it, in inertial axes.
  static RigidInertia of_body(double mass, const Vector& g, const typename Space<D>::Inertia& J) {
    RigidInertia result{mass, mass * g, J};
    if constexpr (D == 2) {
      result.second(0, 0) += mass * g.squaredNorm();
    } else {
      result.second += mass * (g.squaredNorm() * Mat3::Identity() - g * g.transpose());
    }
    return result;
  }

  RigidInertia& operator+=(const RigidInertia& other) {
    mass += other.mass;
    first += other.first;
    second += other.second;
    return *this;
  }

  /// The momentum wrench of a twist.
  Twist operator*(const Twist& z) const {
    const Vector s = linear<D>(z);
    const auto w = angular<D>(z);
    return twist<D>(mass * s + cross(w, first), moment(first, s) + second * w);
  }
};

inline Eigen::Matrix2d rotation_by(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return Eigen::Matrix2d{{c, -s}, {s, c}};
}

/// Shifts an angle by full turns to lie within half a turn of `reference`.
inline double nearest_turn(double angle, double reference) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  if (std::abs(reference - angle) < kTurn / 2) [[likely]]
    return angle;
  return angle + kTurn * std::round((reference - angle) / kTurn);
}

}  // namespace cardan
