// The outer shape of a wheel: a convex body of revolution about its axle, given by its support function, the distance
// from the centre to the furthest plane with the unit normal n. With a = n . axle and r^2 = 1 - a^2,
//     H(n) = rho sqrt(r^2 + eta^2 a^2) + beta sqrt(a^2 + eps^2 r^2) + s
// the sum of a flat disc, a lens that makes the crown of the tread, and a ball, which rounds the shoulders. It has no
// corner and no flat, so that the point that touches a plane, the gradient of H, moves continuously from upright
// through any camber to lying on the side.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/dual.hpp"

namespace cardan {

class WheelShape {
 public:
  /// `shoulder`: the radius of the edges of the tread, less than half the width; m.
  WheelShape(double radius, double width, double shoulder) : round_(shoulder) {
    const double half = 0.5 * width - shoulder;
    bulge_ = std::min(kBulge, 0.5 * half / (radius - shoulder));
    side_ = (half - bulge_ * (radius - shoulder)) / (1 - bulge_ * kCrown);
    disc_ = radius - shoulder - side_ * kCrown;
    reach_ = std::hypot(radius, 0.5 * width);
  }

  /// No point is further from the centre.
  double reach() const { return reach_; }

  /// From the centre to the point that lies furthest along the unit vector n; H(n) is its part along n.
  template <class T>
  SmallVector<T, 3> furthest(const SmallVector<T, 3>& axle, const SmallVector<T, 3>& n) const {
    using std::sqrt;
    const T a = dot(n, axle);
    const SmallVector<T, 3> along = a * axle, across = n - along;
    const T r2 = dot(across, across), a2 = a * a;
    const T disc = T(disc_) / sqrt(r2 + T(bulge_ * bulge_) * a2);
    const T side = T(side_) / sqrt(a2 + T(kCrown * kCrown) * r2);
    return (disc + T(kCrown * kCrown) * side) * across + (T(bulge_ * bulge_) * disc + side) * along + T(round_) * n;
  }

 private:
  static constexpr double kCrown = 0.15;  // height of the crown over the half-width that it spans
  static constexpr double kBulge = 0.02;  // of the sides, over the radius

  double disc_, side_, round_, bulge_, reach_;
};

}  // namespace cardan
