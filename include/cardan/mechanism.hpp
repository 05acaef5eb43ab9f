// What exists: bodies, joints, loads, drivers. Plain data in the drawn reference configuration, inertial axes, SI units
// and radians; immutable once built (MechanismBuilder, read_mechanism). Knows nothing of coordinates, time steps or
// files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/math.hpp"

namespace cardan {

/// The index of ground wherever a body's index is meant.
inline constexpr int kGround = -1;

struct Body {
  std::string name;
  SourceLocation where;
  double mass = 0;               // kg; 0 is allowed for links whose inertia does not matter
  Vec3 center = Vec3::Zero();    // mass centre in the drawn configuration, m
  Mat3 inertia = Mat3::Zero();   // about the centre, in inertial axes in the drawn configuration, kg m^2
  Mat3 axes = Mat3::Identity();  // the body's own axes (columns) in the drawn configuration
  bool unphysical = false;       // published data that breaks the triangle inequality: let through with a warning
  std::optional<Vec3> initial_velocity;          // of the centre; NaN in a component leaves that component free
  std::optional<Vec3> initial_angular_velocity;  // likewise; planar mechanisms use z
};

/// A named point with axes on a body, in the drawn configuration.
struct Marker {
  std::string name;
  SourceLocation where;
  int body = kGround;
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// Origin and axes (columns), inertial components.
struct Frame {
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

enum class JointType { revolute, prismatic, cylindrical, universal, spherical, planar, fixed, free, distance };

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
///   distance     none: the origins of the frames stay `length` apart
struct Joint {
  std::string name;
  SourceLocation where;
  JointType type = JointType::revolute;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  double length = 0;                       // distance links only, m
  std::vector<double> drawn;               // values of the coordinates in the drawn configuration; empty means zeros
  std::optional<double> initial_position;  // of a one-coordinate joint
  std::optional<double> initial_velocity;
};

/// How many coordinates a joint of this type has.
int joint_coordinate_count(JointType type, bool planar);
/// "revolute" and so on, as in model files.
const char* joint_type_name(JointType type);

/// Along the line between two points: tension = spring(s - free_length) + damper(s'), positive pulls the points
/// together.
struct SpringDamper {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();  // drawn configuration
  Vec3 point2 = Vec3::Zero();
  double free_length = 0;
  Function spring;
  Function damper;
};

/// On one coordinate q of a joint: generalized force -spring(q - free_position) - damper(q').
struct JointSpringDamper {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;
  double free_position = 0;
  Function spring;
  Function damper;
};

/// A force at a point of a body, its components functions of time in inertial or in body axes.
struct PointForce {
  std::string name;
  SourceLocation where;
  int body = kGround;
  Vec3 point = Vec3::Zero();  // drawn configuration
  std::array<Function, 3> components;
  bool body_axes = false;
};

/// A torque on body 2 and its opposite on body 1 (ground takes no notice), functions of time in inertial axes or those
/// of body 2.
struct Torque {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  std::array<Function, 3> components;
  bool body_axes = false;
};

/// An effort (torque or force) on one coordinate of a joint as a function of time.
struct Actuator {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;
  Function effort;
};

/// A joint coordinate, or the distance of two points, given as a function of time.
struct Driver {
  std::string name;
  SourceLocation where;
  int joint = -1;  // index of the joint, or -1 for a distance
  int coordinate = 0;
  int body1 = kGround;  // distance drivers only
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();
  Vec3 point2 = Vec3::Zero();
  Function position;
};

/// What the model file asks for under `simulation:`; the command line and RunOptions (simulation.hpp) override it.
struct SimulationDefaults {
  std::optional<double> until, step, tolerance, penalty, dissipation, spectral_radius;
  std::optional<double> absolute_tolerance, relative_tolerance, step_min, step_max;
  std::optional<int> iterations, every, index;
  std::optional<bool> fixed_penalty, projections;
  std::optional<std::string> formulation, integrator, solver, step_control, jacobian;
  std::vector<std::string> cut;  // joints at which relative coordinates open the loops
};

struct Mechanism {
  std::string name;
  std::string file;  // empty when built in C++
  bool planar = false;
  Vec3 gravity = Vec3::Zero();
  std::vector<Body> bodies;
  std::vector<Marker> markers;
  std::vector<Joint> joints;
  std::vector<SpringDamper> springs;
  std::vector<JointSpringDamper> joint_springs;
  std::vector<PointForce> forces;
  std::vector<Torque> torques;
  std::vector<Actuator> actuators;
  std::vector<Driver> drivers;
  SimulationDefaults simulation;
  std::vector<Diagnostic> warnings;

  /// The name of a body by index, "ground" for kGround.
  const std::string& body_name(int body) const;
};

}  // namespace cardan
