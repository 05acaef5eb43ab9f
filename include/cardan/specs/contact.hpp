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
  std::vector<Name> between;        // bodies and roads, `*` in them standing for anything
  std::vector<Place> points;        // of the first body
  std::optional<Number> radius;     // m, of balls around the points; else 0
  std::optional<Number> stiffness;  // N/m^exponent
  std::optional<Number> exponent;   // of the depth; this and the next two are pure numbers
  std::optional<Number> restitution, friction;
  std::optional<Number> tangential_stiffness;  // N/m, of friction that holds
  std::optional<Number>
      speed;  // m/s: slower contacts are damped as at this speed, slip is resisted in proportion up to it
  std::optional<Number> rolling_resistance;  // f of the moment f N R; a pure number
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
