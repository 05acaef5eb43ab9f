// Heights on a grid as a surface of triangles, and its pieces near a convex body. With phi of the nearest point of
// each,
//     sum over triangles of phi - sum over edges of phi + sum over nodes of phi
// is phi of the nearest point of a plane wherever the surface is one, however it is divided: where two convex pieces
// make a convex whole, the nearest point of the one that is further away lies on what they share. So pieces push as
// one, and since the distance from a convex piece has a continuous gradient, the push is continuous over every edge.
#pragma once

#include <memory>

#include "cardan/height_map.hpp"
#include "math/dual.hpp"

namespace cardan {

class HeightGrid {
 public:
  explicit HeightGrid(HeightMap map) : map_(std::make_shared<const HeightMap>(std::move(map))) {}

  const HeightMap& map() const { return *map_; }
  /// Beyond the borders it goes on level.
  Vec3 node(int i, int j) const {
    const int column = std::clamp(i, 0, map_->columns - 1), row = std::clamp(j, 0, map_->rows - 1);
    return {map_->x0 + i * map_->dx, map_->y0 + j * map_->dy, map_->at(column, row)};
  }
  int column_of(double x) const { return cell((x - map_->x0) / map_->dx); }
  int row_of(double y) const { return cell((y - map_->y0) / map_->dy); }
  double height(double x, double y) const {
    const int i = column_of(x), j = row_of(y);
    const Vec3 a = node(i, j), b = node(i + 1, j + 1);
    const double s = (x - a.x()) / map_->dx, t = (y - a.y()) / map_->dy;
    const Vec3 c = t > s ? node(i, j + 1) : node(i + 1, j);
    return a.z() + std::min(s, t) * (b.z() - a.z()) + std::abs(s - t) * (c.z() - a.z());
  }

  /// visit(n, distance, sign) for every piece nearer than reach: the unit vector from its nearest point to the centre,
  /// how far that is, and the sign with which it counts.
  template <class T, class Visit>
  void visit_near(const SmallVector<T, 3>& center, double reach, const Visit& visit) const {
    const Vec3 c(value_of(center[0]), value_of(center[1]), value_of(center[2]));
    const int last_i = column_of(c.x() + reach), last_j = row_of(c.y() + reach);
    for (int j = row_of(c.y() - reach); j <= last_j; ++j) {
      for (int i = column_of(c.x() - reach); i <= last_i; ++i) {
        const Vec3 a = node(i, j), b = node(i + 1, j), d = node(i, j + 1), e = node(i + 1, j + 1);
        if (std::max({a.z(), b.z(), d.z(), e.z()}) < c.z() - reach) continue;
        see_triangle(a, b, e, center, c, reach, visit);
        see_triangle(a, e, d, center, c, reach, visit);
        for (const Vec3& end : {b, d, e}) see_edge(a, end, center, c, reach, -1, visit);
        see_point(a, center, c, reach, 1, visit);
      }
    }
  }

 private:
  static int cell(double place) {
    constexpr double kFar = 1e9;
    return static_cast<int>(std::floor(std::clamp(place, -kFar, kFar)));
  }
  template <class T>
  static SmallVector<T, 3> fixed(const Vec3& v) {
    return {{T(v.x()), T(v.y()), T(v.z())}};
  }
  template <class T, class Visit>
  static void see_from(const SmallVector<T, 3>& from, double sign, const Visit& visit) {
    using std::sqrt;
    const T distance = sqrt(dot(from, from));
    visit((T(1) / distance) * from, distance, sign);
  }
  template <class T, class Visit>
  static void see_point(const Vec3& a, const SmallVector<T, 3>& center, const Vec3& c, double reach, double sign,
                        const Visit& visit) {
    if ((c - a).squaredNorm() < reach * reach) see_from<T>(center - fixed<T>(a), sign, visit);
  }
  template <class T, class Visit>
  static void see_edge(const Vec3& a, const Vec3& b, const SmallVector<T, 3>& center, const Vec3& c, double reach,
                       double sign, const Visit& visit) {
    const Vec3 along = b - a;
    const double place = along.dot(c - a) / along.squaredNorm();
    if (place <= 0) return see_point(a, center, c, reach, sign, visit);
    if (place >= 1) return see_point(b, center, c, reach, sign, visit);
    if ((c - a - place * along).squaredNorm() >= reach * reach) return;
    const SmallVector<T, 3> unit = fixed<T>(along.normalized()), from = center - fixed<T>(a);
    see_from<T>(from - dot(from, unit) * unit, sign, visit);
  }
  /// Its face where the centre is over it, or else the edge that is nearest.
  template <class T, class Visit>
  static void see_triangle(const Vec3& p, const Vec3& q, const Vec3& r, const SmallVector<T, 3>& center, const Vec3& c,
                           double reach, const Visit& visit) {
    const Vec3 corner[3] = {p, q, r}, n = (q - p).cross(r - p).normalized();
    int nearest = -1;
    double least = 1e300;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &from = corner[i], edge = corner[(i + 1) % 3] - from;
      if (n.cross(edge).dot(c - from) >= 0) continue;
      const double place = std::clamp(edge.dot(c - from) / edge.squaredNorm(), 0.0, 1.0);
      const double square = (c - from - place * edge).squaredNorm();
      if (square < least) least = square, nearest = i;
    }
    if (nearest >= 0) return see_edge(corner[nearest], corner[(nearest + 1) % 3], center, c, reach, 1, visit);
    const double side = n.dot(c - p) < 0 ? -1 : 1;
    if (side * n.dot(c - p) >= reach) return;
    const SmallVector<T, 3> normal = fixed<T>(side * n);
    visit(normal, dot(center - fixed<T>(p), normal), 1);
  }

  std::shared_ptr<const HeightMap> map_;
};

}  // namespace cardan
