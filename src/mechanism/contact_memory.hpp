// How large contacts are. What they remember from step to step: a count, and a record for each point that touches, of
// which a shape can have so many. (A ball has twelve neighbours of its own size at most, each of them counted once;
// with points beyond that the law goes on without memory.)
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

inline int contact_capacity(const Contact& contact) {
  int points = 0;
  for (const Geometry& shape : contact.shapes)
    points += shape.shape == Geometry::Shape::box ? 32 : shape.shape == Geometry::Shape::capsule ? 16 : 8;
  return points;
}

/// Pairs that may touch, for which formulations have rows of tangents, some kilobytes each; with more they have none.
inline constexpr long kMostContactPairs = 20000;

inline long contact_pairs(const Mechanism& mechanism) {
  long pairs = 0;
  for (const Contact& contact : mechanism.contacts) {
    const long shapes = static_cast<long>(contact.shapes.size());
    pairs += shapes * (shapes - 1) / 2 + shapes * static_cast<long>(contact.roads.size());
  }
  return pairs;
}

/// What touches, the speed at which it began, how far it has come since, and a point on each body.
inline int contact_record(bool planar) { return 3 + 2 * (planar ? 2 : 3); }

inline int contact_memory(const Contact& contact, bool planar) {
  return 1 + contact_capacity(contact) * contact_record(planar);
}

}  // namespace cardan
