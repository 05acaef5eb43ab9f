// The contact of a disc with a line of straight pieces. Each piece that the disc overlaps has a depth r - d, d the
// distance of the disc's centre c from its nearest point, and pushes along n from there to c. Where two pieces meet,
// both may have the corner as nearest point, which must count once, so
//     E(c) = sum over pieces of (r - d)^2 / 2  -  sum over inner corners of (r - d)^2 / 2      (overlapping ones only)
//     push = -dE/dc = sum of +- (r - d) n
// On a straight line divided anyhow this is the depth of one contact. Over a convex edge the disc turns about the
// corner. In a concave corner both sides push, less what they share. The distance from a straight piece has a
// continuous gradient, so the push is continuous wherever the centre goes, and it has the potential E.
#pragma once

#include <algorithm>
#include <vector>

#include "math/dual.hpp"

namespace cardan {

/// Points with x never falling; what is below the line is solid.
class Profile {
 public:
  explicit Profile(std::vector<Vec2> points) : points_(std::move(points)) {}

  const std::vector<Vec2>& points() const { return points_; }
  double begin() const { return points_.front().x(); }
  double end() const { return points_.back().x(); }
  bool covers(double x) const { return x >= begin() && x <= end(); }
  /// At a vertical face the higher side.
  double height(double x) const;

  /// What the line does to a disc, for T = double or Dual.
  template <class T>
  struct Contact {
    T energy = T(0);                       // E, m^2
    SmallVector<T, 2> push{{T(0), T(0)}};  // m
    SmallVector<T, 2> drag{{T(0), T(0)}};  // sum of +- weight(depth) (n . v) n, m/s
    double normals[3] = {0, 0, 0};         // sum of +- n n^T: xx, xz, zz
    double drags[3] = {0, 0, 0};           // sum of +- weight(depth) n n^T
  };
  /// `engage`: the depth over which `drag` sets in, so that it is continuous too.
  template <class T>
  Contact<T> touch(const SmallVector<T, 2>& center, const SmallVector<T, 2>& velocity, double radius,
                   double engage) const;
  /// visit(x, height, sign) for every point that a disc may touch: of each piece within reach the nearest one, and with
  /// the sign -1 the corners that two pieces share.
  template <class T, class Visit>
  void visit_near(const SmallVector<T, 2>& center, double radius, const Visit& visit) const;

 private:
  std::size_t first_piece(double x) const {
    const auto found = std::lower_bound(points_.begin(), points_.end(), x,
                                        [](const Vec2& point, double value) { return point.x() < value; });
    const std::size_t index = static_cast<std::size_t>(found - points_.begin());
    return index == 0 ? 0 : index - 1;
  }

  std::vector<Vec2> points_;
};

template <class T>
Profile::Contact<T> Profile::touch(const SmallVector<T, 2>& center, const SmallVector<T, 2>& velocity, double radius,
                                   double engage) const {
  using std::sqrt;
  Contact<T> contact;
  // Adds the contact with the point (px, pz).
  const auto add = [&](const T& px, const T& pz, double sign) {
    const SmallVector<T, 2> from{{center[0] - px, center[1] - pz}};
    const T distance = sqrt(dot(from, from));
    const T depth = T(radius) - distance;
    if (!(value_of(depth) > 0)) return;
    const SmallVector<T, 2> n = (T(1) / distance) * from;
    const bool partial = value_of(depth) < engage;
    const T weight = partial ? T(sign / engage) * depth : T(sign);
    contact.energy += T(0.5 * sign) * depth * depth;
    contact.push = contact.push + (T(sign) * depth) * n;
    contact.drag = contact.drag + (weight * dot(n, velocity)) * n;
    const double nx = value_of(n[0]), nz = value_of(n[1]), w = value_of(weight);
    const double outer[3] = {nx * nx, nx * nz, nz * nz};
    for (int i = 0; i < 3; ++i) contact.normals[i] += sign * outer[i], contact.drags[i] += w * outer[i];
  };
  visit_near(center, radius, add);
  return contact;
}

template <class T, class Visit>
void Profile::visit_near(const SmallVector<T, 2>& center, double radius, const Visit& visit) const {
  const double x = value_of(center[0]), z = value_of(center[1]);
  for (std::size_t i = first_piece(x - radius); i + 1 < points_.size() && points_[i].x() < x + radius; ++i) {
    const Vec2& a = points_[i];
    const Vec2 along = points_[i + 1] - a;
    // Where the foot of the perpendicular lies on the piece, from 0 at a to 1 at its end.
    const double place = (along.x() * (x - a.x()) + along.y() * (z - a.y())) / along.squaredNorm();
    if (place <= 0) {
      visit(T(a.x()), T(a.y()), 1);
    } else if (place >= 1) {
      visit(T(points_[i + 1].x()), T(points_[i + 1].y()), 1);
    } else {
      const T s =
          (T(along.x()) * (center[0] - T(a.x())) + T(along.y()) * (center[1] - T(a.y()))) * T(1 / along.squaredNorm());
      visit(T(a.x()) + T(along.x()) * s, T(a.y()) + T(along.y()) * s, 1);
    }
    if (i + 2 < points_.size()) visit(T(points_[i + 1].x()), T(points_[i + 1].y()), -1);
  }
}

inline double Profile::height(double x) const {
  double result = -1e300;
  for (std::size_t i = first_piece(x); i + 1 < points_.size() && points_[i].x() <= x; ++i) {
    const Vec2 &a = points_[i], &b = points_[i + 1];
    if (x > b.x()) continue;
    const double across = b.x() - a.x();
    result = std::max(result, across > 0 ? a.y() + (b.y() - a.y()) * (x - a.x()) / across : std::max(a.y(), b.y()));
  }
  return result;
}

}  // namespace cardan
