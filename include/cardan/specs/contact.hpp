// Shapes of bodies that touch each other and roads. Part of specs.hpp.
#pragma once

#include <optional>
#include <vector>

#include "cardan/specs/places.hpp"

namespace cardan {

struct ElementKind;
class FieldVisitor;
class Lowering;

/// Everything named touches everything else named. The shapes of a body are the spheres, capsules and boxes of its
/// geometry, or else its own; `points` stand for those of the first body. See Contact for the law.
struct ContactSpec {
  Name name;
  std::vector<Name> between;  // bodies and roads, `*` in them standing for anything
  std::vector<Place> points;  // of the first body
  std::optional<Number> radius;
  std::optional<Number> stiffness, exponent, restitution, friction, tangential_stiffness, speed, rolling_resistance;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
