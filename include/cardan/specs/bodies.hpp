// Bodies with their shapes, what pictures show of them, and markers on them. Part of specs.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cardan/specs/places.hpp"

namespace cardan {

struct Mesh;  // cardan/bodies.hpp

/// A uniform rod, its x axis from `from` to `to`; slender unless a radius is given: m L^2 / 12 across and none
/// about its axis (unless it is held by ball joints alone: then some, which only loads that turn it about its axis
/// would feel; the mechanism warns of those).
struct RodShape {
  Place from, to;
  double radius = 0;
};
/// A uniform box with edges along the body's axes; planar mechanisms need no third edge unless a density is given.
struct BoxShape {
  Vec3 edges;
  Place center;
};
/// A uniform solid cylinder, its x axis from `from` to `to`.
struct CylinderShape {
  Place from, to;
  double radius = 0;
};
struct SphereShape {
  double radius = 0;
  Place center;
};
/// Mass centre and inertia about it in the body's own axes; the off-diagonal entries are those of the matrix (Ixy =
/// -∫xy dm). Planar mechanisms use the last diagonal entry.
struct GivenInertia {
  Place center;
  std::optional<Located<Mat3>> inertia;  // may be left out when the mass is 0
};

struct BodySpec {
  Name name;
  std::variant<RodShape, BoxShape, CylinderShape, SphereShape, GivenInertia> shape;
  std::optional<Number> mass;     // kg; this or
  std::optional<Number> density;  // kg/m^3 (box, cylinder, sphere)
  std::optional<AxesSpec> axes;   // default: along the rod or cylinder, else inertial
  bool unphysical = false;
  Provenance provenance = {};
};

/// A cylinder with round ends, whose centres are `from` and `to`.
struct CapsuleShape {
  Place from, to;
  double radius = 0;
};
/// An outline in the plane of x and y, from `origin`, drawn out along z by half the thickness to either side; planar
/// mechanisms need no thickness.
struct PolygonShape {
  std::vector<Vec2> outline;
  double thickness = 0;
  Place origin;
};

/// Triangles, counted along the axes from `origin`.
struct MeshShape {
  std::shared_ptr<const Mesh> mesh;
  Vec3 scale = Vec3::Ones();
  Place origin;
};

/// What pictures show of a body, or of ground.
struct GeometrySpec {
  Name body;
  std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, PolygonShape, MeshShape> shape;
  std::optional<AxesSpec> axes = {};  // box, polygon, mesh; default: the body's
  Name color = {};                    // "#rrggbb" or a name of geometry_colors(); default: the viewer's choice
  Number opacity = 1.0;
  SourceLocation where = {};
  Provenance provenance = {};
};

/// The names of colours that a GeometrySpec may have.
std::vector<std::string> geometry_colors();

struct MarkerSpec {
  Name name;
  Name body;
  Place at;
  std::optional<AxesSpec> axes;
  Provenance provenance = {};
};

}  // namespace cardan
