// Constraints on velocities: knife edges and discs that roll. Part of specs.hpp.
#pragma once

#include <optional>

#include "cardan/mechanism.hpp"
#include "cardan/specs/places.hpp"

namespace cardan {

class FieldVisitor;
class Lowering;
struct ElementKind;

/// No velocity of a point of body 2 against body 1 (default: ground) along an axis that body 2 carries.
struct KnifeEdgeSpec {
  Name name;
  Name body1 = "ground", body2;
  std::optional<Place> at;        // default: the centre of body 2
  std::optional<Direction> axis;  // default: y
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A thin disc of body 2 that rolls on a plane of body 1 (default: ground).
struct RollingSpec {
  enum class Grip { both, lateral, longitudinal };  // which slip there is not
  Name name;
  Name body1 = "ground", body2;
  std::optional<Place> at;          // the disc's centre; default: that of body 2
  std::optional<Direction> axis;    // its axle; default: y (planar mechanisms: z)
  std::optional<Number> radius;     // m
  std::optional<Direction> normal;  // of the plane; default: z (planar mechanisms: y)
  std::optional<Place> on;          // a point of the plane; default: the disc touches it as drawn
  Grip grip = Grip::both;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
