// Bodies, what pictures show of them, and named places on them. Part of mechanism.hpp.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/math.hpp"

namespace cardan {

/// The index of ground wherever a body's index is meant.
inline constexpr int kGround = -1;

/// Triangles of a file, for pictures alone.
struct Mesh {
  std::string file;
  std::vector<Eigen::Vector3f> vertices;
  std::vector<std::array<int, 3>> triangles;  // of vertices, counter-clockwise seen from outside
};

/// A shape that pictures show of a body or of ground. In the drawn configuration, inertial axes, lengths in m. Mass
/// and inertia do not depend on it; contacts do: spheres, capsules and boxes are what touches (ContactSpec).
struct Geometry {
  enum class Shape { box, sphere, cylinder, capsule, polygon, mesh };
  Shape shape = Shape::box;
  int body = kGround;
  Vec3 origin =
      Vec3::Zero();  // centre of a box or sphere, first end of a cylinder or capsule, (0, 0) of an outline or mesh
  Vec3 end = Vec3::Zero();       // cylinder, capsule: the other end, of a capsule the centre of the round one
  Mat3 axes = Mat3::Identity();  // box, polygon, mesh
  Vec3 edges = Vec3::Zero();     // box; planar: the third may be 0, as thick as the viewer likes
  double radius = 0;             // sphere, cylinder, capsule
  std::vector<Vec2> outline;     // polygon, in the plane of x and y
  double thickness = 0;          // polygon: half of it to either side; planar: as the third edge
  std::shared_ptr<const Mesh> mesh;
  Vec3 scale = Vec3::Ones();  // mesh: of its coordinates; negative ones mirror it
  std::string color;          // "#rrggbb"; empty: the viewer's choice
  double opacity = 1;
};

struct Body {
  std::string name;
  SourceLocation where;
  double mass = 0;               // kg; 0 is allowed for links whose inertia does not matter
  Vec3 center = Vec3::Zero();    // mass centre in the drawn configuration, m
  Mat3 inertia = Mat3::Zero();   // about the centre, in inertial axes in the drawn configuration, kg m^2
  Mat3 axes = Mat3::Identity();  // the body's own axes (columns) in the drawn configuration
  bool unphysical = false;       // published data that breaks the triangle inequality: let through with a warning
  std::optional<Vec3> initial_velocity;          // of the centre, m/s; NaN in a component leaves that one free
  std::optional<Vec3> initial_angular_velocity;  // rad/s, likewise; planar mechanisms use z
  SourceLocation initial_where;                  // of the initial velocities
  std::optional<Geometry> shape;                 // box, cylinder, sphere or rod with a radius, where it is given as one
};

/// A named point (m) with axes (columns) on a body, in the drawn configuration, inertial components.
struct Marker {
  std::string name;
  SourceLocation where;
  int body = kGround;
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// Origin (m) and axes (columns), inertial components.
struct Frame {
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

}  // namespace cardan
