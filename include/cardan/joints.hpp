// Joints and links: what they hold, and what is left to move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cardan/bodies.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/math.hpp"

namespace cardan {

enum class JointType {
  revolute,
  prismatic,
  cylindrical,
  universal,
  spherical,
  planar,
  fixed,
  free,
  distance,
  screw,
  point_on_line,
  point_on_plane,
  parallel,
  perpendicular,
  pin_slot,
  translation,
  revolute_spherical
};

/// A joint between two bodies. `frame1` is fixed on body 1, `frame2` on body 2, both given in the drawn configuration;
/// most often they coincide there, and otherwise the assembly brings them together. Coordinates, from frame 1 to frame
/// 2:
///
///   type         coordinates                                     axis
///   revolute     angle about z                                   z (planar mechanisms: out of the plane)
///   prismatic    translation along z                             z (planar mechanisms: along x, in the plane)
///   cylindrical  translation along z, angle about z              z
///   universal    angle about x of frame 1, about y of frame 2    x of frame 1, y of frame 2, at right angles
///   spherical    rotation vector
///   planar       translations along x and y, angle about z       z is the normal
///   fixed        none
///   free         translations along x, y, z, rotation vector (planar mechanisms: x, y, angle)
///   pin_slot     translation along x, angle about z              z is the pin's axis, x the slot (planar: likewise)
///   translation  translations along x, y, z (planar: x, y)        the axes stay parallel
///   screw        angle about z; translation along z is pitch/(2 pi) times the angle from the drawing
/// and links, which have no coordinates:
///   distance        the origins of the frames stay `length` apart
///   point_on_line   the origin of frame 2 stays on the z axis of frame 1 (planar mechanisms: the x axis)
///   point_on_plane  the origin of frame 2 stays in the x-y plane of frame 1
///   parallel        the z axes stay parallel (planar mechanisms: the x axes)
///   perpendicular   x of frame 1 and y of frame 2 stay at right angles
///   revolute_spherical  a rod without mass, `length` long, that a hinge about z of frame 1 and a ball hold
struct Joint {
  std::string name;
  SourceLocation where;
  JointType type = JointType::revolute;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  double length = 0;                       // distance and revolute_spherical links only, m
  double pitch = 0;                        // screws only, m for a full turn; negative: left-handed
  std::vector<double> drawn;               // values of the coordinates in the drawn configuration; empty means zeros
  std::optional<double> initial_position;  // of a one-coordinate joint, rad or m
  std::optional<double> initial_velocity;  // rad/s or m/s
  SourceLocation initial_where;            // of the initial values
  bool switched = false;  // events attach or release it: always written as constraints, never with coordinates
  bool present = true;    // at the start, or in the phase that a mechanism describes (mechanism/phases.hpp)
};

/// How many coordinates a joint of this type has.
int joint_coordinate_count(JointType type, bool planar);
/// True for joints that can take hold where their bodies are: those whose coordinates, if any, do not depend on where
/// that is.
bool can_be_attached(JointType type, bool planar);
/// True for the types that tie two bodies by a few equations and cannot carry one: they always close a loop.
bool is_link(JointType type);
/// "revolute" and so on, as in model files.
const char* joint_type_name(JointType type);

}  // namespace cardan
