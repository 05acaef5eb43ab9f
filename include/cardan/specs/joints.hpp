// Joints, couplers between them, and drivers. Part of specs.hpp.
#pragma once

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

/// A joint and how its frames are built. `at1` is the point on body 1, `at2` the one on body 2 (default: the same;
/// fixed and free joints: body 2's centre). `axis1` and `axis2` are the joint's axis on either body (default: the
/// same). The z axis of frame 1 lies along axis1, its other axes follow from the smallest rotation that takes inertial
/// z there (half a turn about x for -z); prismatic joints of planar mechanisms put x along the axis by a turn in the
/// plane. Frame 2 is frame 1 turned by the smallest rotation that takes axis1 to axis2. `x_axis` turns both frames
/// about their z so that x points that way. Universal joints and perpendicular links: x of both frames along axis1, y
/// along axis2. A place that is a marker lends its axes to the frame when no axis is given. Without axis and marker the
/// axes are inertial.
struct JointSpec {
  Name name;
  JointType type = JointType::revolute;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<Direction> axis1, axis2, x_axis;
  std::optional<Number> length;        // distance and revolute_spherical links, m; default: as drawn
  std::optional<Number> pitch;         // screws, m for a full turn; negative: left-handed
  Located<std::vector<double>> drawn;  // what the coordinates are called in the drawn configuration; empty: zeros
  Provenance provenance = {};
};

/// Ends of the way of a joint's coordinate, elastic and damped. A joint of a model file has them as its `stops`.
struct StopSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  std::optional<Number> min, max;          // rad or m; one at least
  Number stiffness;                        // N m/rad or N/m
  std::optional<Number> damping;           // N m s/rad or N s/m
  std::optional<Number> soft;              // rad or m; default: 0.001
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A coupler of two joint coordinates: q2 - q2_0 = ratio (q1 - q1_0). A rack couples an angle to a translation.
struct CouplerSpec {
  Name name;
  Name joint1, joint2;
  bool rack = false;
  std::optional<Located<int>> coordinate1, coordinate2;  // counted from 1; default: the only one
  Number ratio = 1.0;                                    // 1, m/rad or rad/m
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// All motions of a free or spherical joint given by poses over time: rows of t, x, y, z, and qw, qx, qy, qz or roll,
/// pitch, yaw; of spherical joints without x, y, z; planar t, x, y, angle.
struct PathSpec {
  Name name;
  Name joint;
  std::vector<TableRow> poses;
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

/// A motion given over time: either of a joint's coordinate or, without `joint`, of the distance between two points.
/// One of position, speed and acceleration; the others start where the joint does.
struct DriverSpec {
  Name name;
  std::optional<Name> joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Name body1, body2;
  std::optional<Place> at1, at2;
  Located<Varying> position, speed, acceleration;  // rad or m, and over s, s^2
  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;

 private:
  std::optional<Law> path(Lowering& to, double start, double start_rate) const;
};

}  // namespace cardan
