// What one type of joint is: a row for each in joint_types.cpp. From it the reader, the checks, mirroring, pictures and
// results know its fields, relative coordinates the motions that it allows, and all formulations the equations that it
// imposes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct JointTraits {
  enum class Attach { never, in_plane, always };
  /// In space, and the same in planar mechanisms.
  struct Written {
    /// One letter for each coordinate, in the order in which the motions follow each other from frame 1 to frame 2: x,
    /// y, z is a translation along that axis, X, Y, Z an angle about it, 1, 2, 3 a component of a rotation vector. Two
    /// angles at most, and then about axes that follow each other in the alphabet.
    std::string_view coordinates;
    /// One word for each equation: x, the origins are at the same place along axis x of frame 1; xz, axis x of frame 1
    /// and axis z of frame 2 are at right angles; length, the origins are so far apart; pitch, the translation along z
    /// is that of a thread.
    std::string_view equations;
  };

  std::string_view name;  // as in model files
  Written in_space, in_plane;
  std::string_view mark;      // how pictures show it: pin, cross, long, ball, slider, block, plate, or not
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

/// Along or about which axis of its frames a coordinate of a joint goes.
struct CoordinateDirection {
  int axis;      // 0 to 2: x, y, z
  bool angular;  // about it, not along it
  bool turned;   // an angle about the axis of frame 2, since another angle comes before it
};
CoordinateDirection coordinate_direction(JointType type, bool planar, int index);
/// True when coordinate `index` of a joint is a component of a rotation vector, true when it is an angle, else a
/// translation.
bool is_rotation_vector(JointType type, bool planar, int index);
bool is_angle(JointType type, bool planar, int index);
bool has_rotation_vector(JointType type, bool planar);

struct JointEquation {
  enum class Kind { position, right_angle, length, pitch };
  Kind kind = Kind::position;
  int axis1 = 0, axis2 = 0;  // of frame 1; of frame 2 (right angles)
};
/// All equations of a type, and what they say together.
class JointEquations {
 public:
  using Kind = JointEquation::Kind;
  JointEquations(JointType type, bool planar);

  const JointEquation* begin() const { return list_; }
  const JointEquation* end() const { return list_ + count_; }
  bool empty() const { return count_ == 0; }
  bool has(Kind kind) const;
  bool has_position(int axis) const;
  bool has_right_angle(int axis1, int axis2) const;
  /// The origins coincide.
  bool same_point() const;
  /// The main axes, x in the plane and z in space, are parallel: no right angle of theirs can be exchanged for half a
  /// turn.
  bool same_axis() const;
  /// All axes are parallel.
  bool same_axes() const;

 private:
  bool planar_;
  int count_ = 0;
  JointEquation list_[6];
};

}  // namespace cardan
