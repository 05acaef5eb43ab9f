// What acts on bodies and joints: springs, bushings, friction, forces, tyres and the roads under them. Part of
// specs.hpp. Each load states its fields and lowers itself to primitives in its own file of src/elements/ (element.hpp
// says how).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "cardan/function.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/signal_expression.hpp"
#include "cardan/specs/places.hpp"

namespace cardan {

class FieldVisitor;
class Lowering;
struct ElementKind;

/// Between two points: a stiffness or a law of the elongation, a damping or a law of the rate. `along`: only the
/// distance along this direction counts, which moves with body 1.
struct SpringSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<Direction> along;
  std::optional<Number> stiffness, damping;               // N/m, N s/m
  std::optional<Number> free_length;                      // m; default: as drawn
  std::optional<Located<Function>> force, damping_force;  // N over m, N over m/s
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// The same on one coordinate of a joint: an angle (torsion) or a translation.
struct JointSpringSpec {
  Name name;
  Name joint;
  bool torsion = true;
  std::optional<Located<int>> coordinate;                 // counted from 1; default: the only one of its sort
  std::optional<Number> stiffness, damping;               // N m/rad and N m s/rad, or N/m and N s/m
  std::optional<Number> free_position;                    // rad or m; default: 0
  std::optional<Located<Function>> force, damping_force;  // N m or N, over x and its rate
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// Between two frames, whose axes are inertial in the drawing, those of the markers at1 and at2, or `axes`. Each list
/// has a value for every axis of frame 1; planar mechanisms: x and y, and z of the rotational ones.
struct BushingSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<AxesSpec> axes;
  std::optional<Located<Vec3>> stiffness, damping;                        // N/m, N s/m
  std::optional<Located<Vec3>> rotational_stiffness, rotational_damping;  // N m/rad, N m s/rad
  Provenance provenance = {};
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// Viscous and Coulomb friction on one coordinate of a joint, given at the motor behind a gear.
struct FrictionSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  std::optional<Number> viscous;           // N m s/rad or N s/m
  std::optional<Number> coulomb;           // N m or N, at positive speed, 0 or more
  std::optional<Number> coulomb_backward;  // at negative speed, 0 or less; default: -coulomb
  std::optional<Number> gear;              // default: 1
  std::optional<Number> velocity;          // rad/s or m/s of the joint, where tanh reaches 76 %; default: 0.01
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// Friction on a hinge up to a torque that may vary, which holds at rest.
struct BrakeSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;
  Located<Varying> torque;        // N m
  Number stiffness;               // N m/rad
  std::optional<Number> damping;  // N m s/rad
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A rotor behind a gear on one coordinate of a joint.
struct RotorSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Number inertia;                          // kg m^2
  std::optional<Number> gear;              // default: 1
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A force at a point of a body.
struct ForceSpec {
  Name name;
  Name body;
  std::optional<Place> at;
  std::array<Located<Varying>, 3> components;  // N
  bool body_axes = false;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A pull between two points of two bodies, along the line through them.
struct LineForceSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  Located<Varying> pull;  // N, positive towards each other
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A torque on body 2 and its opposite on body 1.
struct TorqueSpec {
  Name name;
  Name body1 = "ground";
  Name body2;
  std::array<Located<Varying>, 3> components;  // N m
  bool body_axes = false;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// An effort on one coordinate of a joint.
struct ActuatorSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Located<Varying> effort;                 // N m or N
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A road of height over x, from a list of points or from a function that is sampled: the straight pieces stay within
/// `deviation` of it. Or a plane, on ground or on a body, or heights on a grid.
struct RoadSpec {
  Name name;
  std::optional<Located<std::vector<Vec2>>> profile;
  std::optional<Located<Function>> height;
  std::optional<Number> from, to;   // m, of `height`
  std::optional<Number> deviation;  // m, of `height`; default 1e-4
  std::optional<Place> plane;       // a point of it
  std::optional<Direction> normal;  // of the plane, out of the solid; default: z, planar y
  std::optional<Name> body;         // that the plane belongs to; default: ground
  std::optional<Located<HeightMap>> grid;
  Provenance provenance = {};
};

/// A wheel on a road.
struct TyreSpec {
  Name name;
  Name body;
  Name road;
  std::optional<Place> at;                           // the wheel's centre; default: the body's
  std::optional<Direction> axis;                     // default: y
  std::optional<Number> radius, stiffness, damping;  // m, N/m, N s/m
  std::optional<Located<CalspanTyre>> lateral;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
