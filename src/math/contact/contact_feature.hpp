// Where two solids touch, reduced to what meets there: a round point or line P against a point, line or plane Q. All
// shapes and terrains come down to these, so that distances and their derivatives are written once, for any scalar
// type.
#pragma once

#include "math/dual.hpp"

namespace cardan {

struct ContactFeature {
  enum class Kind {
    point_plane,  // normal w
    point_point,
    point_line,  // the line through q along w
    line_line,   // along u and w, normal sign (u x w)
    cut_plane    // the line through p along u, cut by the plane (x - q) . m = offset, against the plane of normal w
  };
  Kind kind = Kind::point_plane;
  bool flipped = false;  // P belongs to the second of the two solids
  Vec3 p = Vec3::Zero(), u = Vec3::Zero();
  Vec3 q = Vec3::Zero(), w = Vec3::Zero(), m = Vec3::Zero();  // directions are unit vectors
  double offset = 0;
  double sign = 1;
  double p_radius = 0, q_radius = 0;
  int id = 0;  // tells it from others of the same two solids, from one instant to the next
};

/// The same with vectors of any scalar type.
template <class T>
struct FeatureGeometry {
  SmallVector<T, 3> p, u, q, w, m;
};

/// n is out of Q, towards P; the place is halfway between the two surfaces.
template <class T>
struct ContactGeometry {
  SmallVector<T, 3> normal, place;
  T depth = T(0);
};

template <class T>
ContactGeometry<T> contact_geometry(const ContactFeature& f, const FeatureGeometry<T>& g) {
  using Kind = ContactFeature::Kind;
  using std::sqrt;
  ContactGeometry<T> result;
  const SmallVector<T, 3> from = g.p - g.q;
  SmallVector<T, 3> point = g.p;
  const T reach(f.p_radius + f.q_radius);
  switch (f.kind) {
    case Kind::point_plane:
      result.normal = g.w;
      result.depth = reach - dot(from, g.w);
      break;
    case Kind::point_point:
    case Kind::point_line: {
      const SmallVector<T, 3> across = f.kind == Kind::point_point ? from : from - dot(from, g.w) * g.w;
      const T distance = sqrt(dot(across, across));
      result.normal = (T(1) / distance) * across;
      result.depth = reach - distance;
      break;
    }
    case Kind::line_line: {
      result.normal = T(f.sign) * normalized(cross(g.u, g.w));
      result.depth = reach - dot(from, result.normal);
      const T b = dot(g.u, g.w), d = dot(g.u, from), e = dot(g.w, from);
      point = point + ((b * e - d) / (T(1) - b * b)) * g.u;
      break;
    }
    case Kind::cut_plane:
      point = point + ((T(f.offset) - dot(from, g.m)) / dot(g.u, g.m)) * g.u;
      result.normal = g.w;
      result.depth = -dot(point - g.q, g.w);
      break;
  }
  result.place = point - (T(f.p_radius) - T(0.5) * result.depth) * result.normal;
  return result;
}

}  // namespace cardan
