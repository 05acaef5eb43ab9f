// Values with the place where they were written, and where something is in the drawing: points, directions, axes. Part
// of specs.hpp.
#pragma once

#include <concepts>
#include <memory>
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

/// Numbers of a row of a table.
struct TableRow {
  std::vector<double> values;
  SourceLocation where = {};
};

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
  struct Content;
  friend struct ProvenanceAccess;  // src/mechanism/provenance.hpp
  std::shared_ptr<Content> content_;
};

/// A named hardpoint.
struct PointSpec {
  Name name;
  Vec3 position = Vec3::Zero();
  Provenance provenance = {};
};

}  // namespace cardan
