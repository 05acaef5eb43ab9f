// What tells one type of joint from another apart from its equations: a row for each in joint_types.cpp, which the
// reader, the checks, mirroring and the results read.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct JointTraits {
  enum class Attach { never, in_plane, always };

  std::string_view name;  // as in model files
  /// One letter for each coordinate: x, y, z is a translation along that axis, X, Y, Z an angle about it, 1, 2, 3 a
  /// component of a rotation vector.
  std::string_view coordinates;
  std::string_view in_plane;  // the same in planar mechanisms
  const char* instead;        // set when planar mechanisms have no such joint: what would be right there
  std::string_view fields;    // of model files, after its name
  std::string_view reversed;  // axes of its frames that a mirror reverses (subsystem.hpp); empty: those of the mirror
  bool link = false;          // ties two bodies by a few equations and cannot carry one
  bool needs_place = true;
  Attach attach = Attach::never;  // can take hold where its bodies are

  /// The fields one by one, its name first.
  std::vector<std::string_view> all_fields() const;
  bool has_field(std::string_view field) const;
};

const JointTraits& traits(JointType type);
/// Of all types, in the order of JointType.
std::span<const JointTraits> joint_types();

/// Along or about which axis of its frames a coordinate of a joint goes (the table above Joint in mechanism.hpp).
struct CoordinateDirection {
  int axis;      // 0 to 2: x, y, z
  bool angular;  // about it, not along it
};
CoordinateDirection coordinate_direction(JointType type, bool planar, int index);
/// True when coordinate `index` of a joint is a component of a rotation vector, true when it is an angle, else a
/// translation.
bool is_rotation_vector(JointType type, bool planar, int index);
bool is_angle(JointType type, bool planar, int index);

}  // namespace cardan
