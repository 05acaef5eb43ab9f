// A thin disc on a plane: its lowest point, and the directions along the plane there. With the axle a, the normal n
// and the centre c,
//     h = a x n / |a x n|,   u = h x a,   K = c - r u,   l = n x h,
// h along the disc and the plane, u up within the disc, l across it along the plane; and all their rates. K is no
// point of the disc: it moves along its rim. In the plane a is the normal of the plane of drawing, and K = c - r n.
#pragma once

#include "math/space.hpp"

namespace cardan {

/// A direction e felt at a point, and how both move.
template <int D>
struct FeltPoint {
  using Vector = typename Space<D>::Vector;
  Vector e, point, e_rate, point_rate;
};

template <int D>
struct DiscContact {
  using Vector = typename Space<D>::Vector;
  struct Moving {
    Vector at, rate;
  };
  Moving point, normal, heading, side;
};

template <int D>
struct DiscPose {
  using Vector = typename Space<D>::Vector;
  Vector normal, axle, center;
  Vector normal_rate = Vector::Zero(), axle_rate = Vector::Zero(), center_rate = Vector::Zero();

  DiscContact<D> contact(double radius) const;
};

template <>
inline DiscContact<2> DiscPose<2>::contact(double radius) const {
  const DiscContact<2>::Moving heading{perpendicular(normal), perpendicular(normal_rate)};
  return {{center - radius * normal, center_rate - radius * normal_rate}, {normal, normal_rate}, heading, heading};
}

/// A disc that lies flat has no lowest point; zeros keep the numbers finite.
template <>
inline DiscContact<3> DiscPose<3>::contact(double radius) const {
  const Vec3 x = axle.cross(normal), x_rate = axle_rate.cross(normal) + axle.cross(normal_rate);
  const double sine = x.norm();
  const double inverse = sine > 0 ? 1 / sine : 0;
  const Vec3 h = inverse * x, h_rate = inverse * (x_rate - h * h.dot(x_rate));
  const Vec3 up = h.cross(axle), up_rate = h_rate.cross(axle) + h.cross(axle_rate);
  return {{center - radius * up, center_rate - radius * up_rate},
          {normal, normal_rate},
          {h, h_rate},
          {normal.cross(h), normal_rate.cross(h) + normal.cross(h_rate)}};
}

}  // namespace cardan
