// The ground: a half-space, a line of straight pieces drawn out along y, or heights on a grid. What is below is solid.
// Shapes ask what they touch: their corners and ends with every piece that they are nearest to (terrain.cpp), and the
// ground's own edges and peaks under the sides of boxes and capsules (terrain_ridges.cpp). Wheels ask which pieces are
// near (visit_near).
#pragma once

#include <optional>
#include <vector>

#include "math/contact/contact_shape.hpp"
#include "math/contact/height_grid.hpp"
#include "math/disc_contact.hpp"

namespace cardan {

class Terrain {
 public:
  enum class Sort { plane, profile, grid };
  static Terrain plane(const Vec3& at, const Vec3& normal);
  /// Points with x never falling; in the plane they are (x, y), in space (x, z).
  static Terrain profile(std::vector<Vec2> points, bool planar);
  /// Going on level beyond its ends.
  static Terrain endless_profile(std::vector<Vec2> points, bool planar);
  static Terrain grid(HeightMap map);

  Sort sort() const { return sort_; }
  /// The contacts of a shape. A half-space may have been moved: then where it is now.
  void touch(const ContactShape& shape, FeatureList& found) const { touch(shape, origin_, normal_, found); }
  void touch(const ContactShape& shape, const Vec3& origin, const Vec3& normal, FeatureList& found) const;
  const Vec3& origin() const { return origin_; }
  const Vec3& normal() const { return normal_; }
  int most_contacts(const ContactShape& shape) const;

  /// How far a point lies above the ground, straight up.
  double clearance(const Vec3& point) const;
  /// visit(n, distance, sign) for every contact that a convex body about `center` may have, none of whose points is
  /// further away than reach: the unit vector from the nearest point of a piece to the centre, how far that is, and the
  /// sign with which it counts, so that pieces of one plane count once. Grids go on level beyond their borders.
  template <class T, class Visit>
  void visit_near(const SmallVector<T, 3>& center, double reach, const Visit& visit) const {
    using std::sqrt;
    if (sort_ == Sort::grid) return grid_->visit_near(center, reach, visit);
    if (sort_ == Sort::plane) {
      const SmallVector<T, 3> n{{T(normal_.x()), T(normal_.y()), T(normal_.z())}};
      return visit(n, dot(center, n) - T(normal_.dot(origin_)), 1);
    }
    const int up = planar_ ? 1 : 2;
    const SmallVector<T, 2> c{{center[0], center[up]}};
    line_.visit_near(c, reach, [&](const T& x, const T& height, double sign) {
      const SmallVector<T, 2> from{{c[0] - x, c[1] - height}};
      const T distance = sqrt(dot(from, from));
      if (!(value_of(distance) < reach)) return;
      SmallVector<T, 3> n{{from[0] / distance, T(0), T(0)}};
      n[up] = from[1] / distance;
      visit(n, distance, sign);
    });
  }

 private:
  Terrain() : line_({}) {}
  void touch_profile(const Vec3& point, double radius, int id, FeatureList& found) const;
  void touch_grid(const Vec3& point, double radius, int id, FeatureList& found) const;
  void add_piece(std::size_t piece, const Vec3& point, double radius, int id, FeatureList& found) const;
  std::size_t nearest_piece(std::size_t above, const Vec2& point, double depth) const;
  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point, double radius,
                    FeatureList& found) const;
  static void add_distinct(FeatureList& near, int id, FeatureList& found);
  void touch_ridges(const ContactShape& shape, FeatureList& found) const;
  void profile_ridges(const ContactShape& shape, FeatureList& near) const;
  void grid_ridges(const ContactShape& shape, FeatureList& near) const;
  Vec3 lifted(const Vec2& p) const { return planar_ ? Vec3(p.x(), p.y(), 0) : Vec3(p.x(), 0, p.y()); }

  Sort sort_ = Sort::plane;
  Vec3 origin_ = Vec3::Zero(), normal_ = Vec3::UnitZ();
  bool planar_ = false;
  Profile line_;
  std::optional<HeightGrid> grid_;
};

/// Of the ground's edges and peaks under a shape.
int most_ridge_contacts(const ContactShape& shape, Terrain::Sort sort);

}  // namespace cardan
