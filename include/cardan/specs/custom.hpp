// A load and a sensor by a C++ function, for programs that need no element of their own (element.hpp): MechanismBuilder
// takes them, model files do not have them. Part of specs.hpp.
#pragma once

#include <optional>

#include "cardan/specs/places.hpp"
#include "cardan/wrench.hpp"

namespace cardan {

struct ElementKind;
class FieldVisitor;
class Lowering;

/// See CustomWrench. A law that looks only at one frame from the other is carried and mirrored with its frames.
struct WrenchSpec {
  Name name;
  Name body1 = std::string("ground"), body2;
  std::optional<Place> at1, at2;  // of frame 1 and frame 2; one alone: of both
  std::optional<AxesSpec> axes;   // of both in the drawing; default: inertial, or those of markers
  Provenance provenance = {};
  WrenchLaw law;
  WrenchTangentLaw tangent;  // default: by differences
  FrameScalar energy;        // default: all that it does is work
  Number length = 1.0;       // m
  WrenchLaw elastic;         // default: the law with all velocities zero
  int memory = 0;            // numbers that it keeps from step to step
  WrenchMemory remember;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// See Sensor; frames as above.
struct SensorSpec {
  Name name;
  Name body1 = std::string("ground"), body2;
  std::optional<Place> at1, at2;
  std::optional<AxesSpec> axes;
  Provenance provenance = {};
  FrameScalar value;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
