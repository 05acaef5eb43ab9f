// Values with the place where they were written, and where something is in the drawing: points, directions, axes. Part
// of specs.hpp.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/math.hpp"

namespace cardan {

/// A value and where it was written (nowhere when it comes from C++).
template <class T>
struct Located {
  T value{};
  SourceLocation where;

  Located() = default;
  Located(T v, SourceLocation w = {}) : value(std::move(v)), where(std::move(w)) {}
  template <class U>
  requires(std::convertible_to<const U&, T> && !std::same_as<U, T>) Located(const U& v, SourceLocation w = {})
      : value(v), where(std::move(w)) {}
  template <class U>
  requires(std::convertible_to<const U&, T> && !std::same_as<U, T>) Located(const Located<U>& other)
      : value(other.value), where(other.where) {}
};
using Name = Located<std::string>;
using Number = Located<double>;

/// A text file beside the model, and what it holds.
struct TextFile {
  std::string path, text;
  SourceLocation where;  // that names it
};

/// Where something is: the name of a point or marker, or coordinates.
struct Place {
  std::string name;  // empty: `position` counts
  Vec3 position = Vec3::Zero();
  SourceLocation where;

  Place(const char* point) : name(point) {}
  Place(std::string point, SourceLocation w = {}) : name(std::move(point)), where(std::move(w)) {}
  Place(const Vec3& coordinates, SourceLocation w = {}) : position(coordinates), where(std::move(w)) {}
  Place(double x, double y, double z = 0) : position(x, y, z) {}
};

/// A direction: components of any length, an inertial axis "x", "y" or "z" or its opposite "-x", "-y" or "-z", or from
/// one place to another.
struct Direction {
  std::string name;  // "x", "-x", ..., or empty
  Vec3 components = Vec3::Zero();
  std::vector<Place> between;  // empty or two
  SourceLocation where;

  Direction(const char* axis) : name(axis) {}
  Direction(std::string axis, SourceLocation w = {}) : name(std::move(axis)), where(std::move(w)) {}
  Direction(const Vec3& direction, SourceLocation w = {}) : components(direction), where(std::move(w)) {}
  Direction(double x, double y, double z = 0) : components(x, y, z) {}
  Direction(Place from, Place to, SourceLocation w = {})
      : between{std::move(from), std::move(to)}, where(std::move(w)) {}
};

/// The orientation of a body's or marker's axes. Spatial: two of x, y, z; the first given, in that order, is kept and
/// the other made perpendicular to it. Planar: the angle of the x axis, or its direction alone.
struct AxesSpec {
  std::optional<Direction> x, y, z;
  std::optional<Number> angle;
  SourceLocation where;
};

/// What reading a file and placing a part leave at a description, for the library alone: one that is written in C++ has
/// none of it.
class Provenance {
 private:
  friend struct ProvenanceAccess;  // src/mechanism/provenance.hpp
  /// Axes of a part of a mechanism that was moved there as a whole (Placement): they are built by the usual rules in
  /// the part's own axes, A, and carried over as turn A diag(signs). `turn` is orthogonal; after a reflection its
  /// determinant is -1 and so is the product of the signs, which keep the axes right-handed. Directions given by
  /// components or as "x", "y", "z" are in the part's own axes.
  struct AxesImage {
    Mat3 turn = Mat3::Identity();
    Vec3 signs = Vec3::Ones();
  };
  struct Content {
    bool incomplete = false;  // its reading, or that of a section, failed and was reported
    AxesImage image;
    Vec3 marker_signs1 = Vec3::Ones(), marker_signs2 = Vec3::Ones();  // of the axes that markers lend to the frames
    bool outside1 = false, outside2 = false;  // the place belongs to no part that was mirrored with the joint
    bool part_missing = false;                // of a mechanism: one could not be included, which was reported
  };
  Content content_;
};

/// A named hardpoint.
struct PointSpec {
  Name name;
  Vec3 position = Vec3::Zero();
  Provenance provenance = {};
};

}  // namespace cardan
