// What shapes stand on: a half-space, a line of straight pieces drawn out along y, or heights on a grid. What is below
// is solid. Corners of boxes, ends of capsules and spheres touch it, with every piece that they are nearest to; the
// sides of a box or capsule over a ridge do not.
#pragma once

#include <vector>

#include "cardan/height_map.hpp"
#include "math/contact/contact_shape.hpp"

namespace cardan {

class Terrain {
 public:
  enum class Sort { plane, profile, grid };
  static Terrain plane(const Vec3& at, const Vec3& normal);
  /// Points with x never falling; in the plane they are (x, y), in space (x, z).
  static Terrain profile(std::vector<Vec2> points, bool planar);
  static Terrain grid(HeightMap map);

  Sort sort() const { return sort_; }
  /// The contacts of a shape. A half-space may have been moved: then where it is now.
  void touch(const ContactShape& shape, FeatureList& found) const { touch(shape, origin_, normal_, found); }
  void touch(const ContactShape& shape, const Vec3& origin, const Vec3& normal, FeatureList& found) const;
  const Vec3& origin() const { return origin_; }
  const Vec3& normal() const { return normal_; }
  int most_contacts(const ContactShape& shape) const;

 private:
  void touch_profile(const Vec3& point, double radius, int id, FeatureList& found) const;
  void touch_grid(const Vec3& point, double radius, int id, FeatureList& found) const;
  void add_piece(std::size_t piece, const Vec3& point, double radius, int id, FeatureList& found) const;
  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point, double radius,
                    FeatureList& found) const;
  static void add_distinct(FeatureList& near, int id, FeatureList& found);
  Vec3 lifted(const Vec2& p) const { return planar_ ? Vec3(p.x(), p.y(), 0) : Vec3(p.x(), 0, p.y()); }

  Sort sort_ = Sort::plane;
  Vec3 origin_ = Vec3::Zero(), normal_ = Vec3::UnitZ();
  bool planar_ = false;
  std::vector<Vec2> points_;
  HeightMap map_;
};

}  // namespace cardan
