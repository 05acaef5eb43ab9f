// The shapes that touch: all points within `radius` of a box, whose edges may be zero. A sphere is a point with a
// radius, a capsule a line with one, a box has none.
#pragma once

#include <array>

#include "math/contact/contact_feature.hpp"

namespace cardan {

/// On a body, or placed in space.
struct ContactShape {
  enum class Sort { point, sphere, capsule, box };
  Sort sort = Sort::point;
  Vec3 center = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  Vec3 half = Vec3::Zero();  // half the edges along the axes; capsule: x alone; planar boxes: x and y
  double radius = 0;
  bool planar = false;  // in the plane of x and y

  /// Corners of a box, ends of a capsule, or the one point.
  int corners() const { return sort == Sort::box ? (planar ? 4 : 8) : sort == Sort::capsule ? 2 : 1; }
  /// Which half along axis i corner c is on.
  static double side(int c, int i) { return (c >> i & 1) != 0 ? 1 : -1; }
  Vec3 corner(int c) const {
    Vec3 p = center;
    for (int i = 0; i < 3; ++i)
      if (half[i] != 0) p += side(c, i) * half[i] * axes.col(i);
    return p;
  }
  /// Half the edges of the box around it, along inertial axes.
  Vec3 extent() const { return (axes.cwiseAbs() * half).array() + radius; }
};

/// What is found of two solids, at most kMost; sized once.
class FeatureList {
 public:
  static constexpr int kMost = 16;
  int size() const { return size_; }
  const ContactFeature& operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }
  void clear() { size_ = 0; }
  void add(const ContactFeature& f) {
    if (size_ < kMost) items_[static_cast<std::size_t>(size_++)] = f;
  }
  /// If it is a contact: its depth is above 0.
  void add_touching(const ContactFeature& f);
  /// Those that are deepest.
  void keep_deepest(int count);

 private:
  std::array<ContactFeature, kMost> items_;
  int size_ = 0;
};

double depth_of(const ContactFeature& f);

/// The contacts of two shapes; n is towards the first.
void touch(const ContactShape& a, const ContactShape& b, FeatureList& found);
/// The most of them that there can be.
int most_contacts(const ContactShape& a, const ContactShape& b);

// The pieces of which touch() is made.
void touch_round(const ContactShape& a, const ContactShape& b, FeatureList& found);
void touch_round_box(const ContactShape& round, const ContactShape& box, bool flipped, FeatureList& found);
void touch_boxes(const ContactShape& a, const ContactShape& b, FeatureList& found);
void touch_flat_boxes(const ContactShape& a, const ContactShape& b, FeatureList& found);

}  // namespace cardan
