// Constraints on velocities alone: they hold no position, and leave more of these to reach than motions at any one
// (docs/theory/nonholonomic.md). Part of mechanism.hpp.
#pragma once

#include <string>

#include "cardan/bodies.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/math.hpp"

namespace cardan {

/// A point of body 2 has no velocity against body 1 along an axis that body 2 carries: a skate, the blade of a sleigh,
/// an ideal wheel seen from above.
struct KnifeEdge {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Vec3 point = Vec3::Zero();  // drawn configuration
  Vec3 axis = Vec3::UnitY();  // unit vector, drawn configuration
};

/// A thin disc on body 2 that stays on a plane of body 1 and does not slip there: its lowest point K has no velocity
/// against body 1 along the plane, neither along the disc (axis x normal) nor across it, as far as these are held.
struct RollingDisc {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Vec3 center = Vec3::Zero();   // of the disc, drawn configuration
  Vec3 axis = Vec3::UnitY();    // its axle, unit vector (planar mechanisms: z)
  double radius = 0;            // m
  Vec3 normal = Vec3::UnitZ();  // of the plane, unit vector towards the side of the disc
  Vec3 ground = Vec3::Zero();   // a point of the plane, drawn configuration
  bool holds_longitudinal = true, holds_lateral = true;
};

}  // namespace cardan
