// Forces and moments on bodies and on coordinates of joints: what every load of a description becomes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cardan/bodies.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/math.hpp"
#include "cardan/signals.hpp"
#include "cardan/wrench.hpp"

namespace cardan {

/// Along the line between two points: tension = spring(s - free_length) + damper(s'), positive pulls the points
/// together. s is their distance or, with an axis, the distance projected on that axis of body 1; the force then acts
/// along the axis, through the point of body 2.
struct SpringDamper {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();  // drawn configuration
  Vec3 point2 = Vec3::Zero();
  std::optional<Vec3> axis;  // unit vector in the drawn configuration, carried by body 1
  double free_length = 0;    // m
  Function spring;           // N over m
  Function damper;           // N over m/s
};

/// On one coordinate q of a joint: generalized force -spring(q - free_position) - damper(q').
struct JointSpringDamper {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;        // counted from 0, as everywhere in a Mechanism
  double free_position = 0;  // rad or m
  Function spring;           // N m over rad, or N over m
  Function damper;           // over rad/s or m/s
};

/// Elastic and damped in all directions between two frames: along the axes of frame 1 the force -k u - c u' with u the
/// translation of frame 2, about them the moment -k s - c s' with s the turn (its sine; planar: the angle).
struct Bushing {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();                        // N/m, N s/m
  Vec3 rotational_stiffness = Vec3::Zero(), rotational_damping = Vec3::Zero();  // N m/rad, N m s/rad; planar: z
};

/// Of one wrench.
inline constexpr int kMostRemembered = 64;

/// A column NAME.quantity beside those of the wrench itself.
struct WrenchReading {
  std::string quantity, unit;
  FrameScalar value;
};

/// A wheel that a wrench is the tyre of: for pictures, and for the road that it rolls on.
struct WheelOutline {
  Vec3 axis = Vec3::UnitY();     // drawn configuration; its centre is the origin of frame 2
  double radius = 0, width = 0;  // m
  int road = -1;                 // on which it rolls; frame 1 goes down with it where an event lets it drop
};

/// A force and a moment between two frames after a law of a program's own.
struct CustomWrench {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  WrenchLaw law;
  WrenchTangentLaw tangent;  // may be empty: differences of second order, over a millionth of `length` and the like
  /// The energy that it stores, a function of the poses alone; may be empty. What the law gives at rest is then taken
  /// as its descent, and only the rest counts as work done on the mechanism; without it, all does.
  FrameScalar energy;
  double length = 1;  // m: how far the frames move until the law has another shape; speeds likewise in a second
  /// The part of the law that `energy` accounts for; may be empty: the law with all velocities zero.
  WrenchLaw elastic;
  int memory = 0;         // numbers that it keeps from step to step, at most kMostRemembered: see FramePair
  WrenchMemory remember;  // must be given with `memory`
  int memory_at = 0;      // where they begin among those of all loads; set when the mechanism is made
  Law given = {};         // a number of time and inputs that the law looks at, as FramePair::given
  std::vector<WrenchReading> readings = {};
  std::optional<WheelOutline> wheel = {};
};

/// A force at a point of a body, its components in inertial or in body axes.
struct PointForce {
  std::string name;
  SourceLocation where;
  int body = kGround;
  Vec3 point = Vec3::Zero();      // drawn configuration
  std::array<Law, 3> components;  // N
  bool body_axes = false;
};

/// A torque on body 2 and its opposite on body 1 (ground takes no notice), in inertial axes or those of body 2.
struct Torque {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  std::array<Law, 3> components;  // N m
  bool body_axes = false;
};

/// An effort (torque or force) on one coordinate of a joint.
struct Actuator {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;
  Law effort;  // N m or N
};

/// A pull along the line between two points, positive towards each other.
struct LineForce {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();  // drawn configuration
  Vec3 point2 = Vec3::Zero();
  Law pull;  // N
  /// Of a cylinder, for pictures: diameters, and the distance of the points when it is all in, m; else 0.
  double bore = 0, rod = 0, retracted = 0;
};

/// Side force and aligning torque of a tyre after the Calspan formulas (Frik, Leister, Schwartz: Vehicle System
/// Dynamics 22 (1993) 215-253), F_z the load, alpha the slip angle, gamma the camber angle, both in rad:
///     C_alpha = a0 + a1 F_z - a1/a2 F_z^2,   C_gamma = a3 F_z - a3/a4 F_z^2        (F_z up to a2, constant above)
///     mu = (b1 F_z + b3 + b4 F_z^2) skid
///     s = (C_alpha alpha + C_gamma gamma) / (mu F_z),   g(s) = s - s|s|/3 + s^3/27 (|s| < 3), sign(s) beyond
///     F_y = mu F_z g(s) towards smaller slip,   M_z = (m1 F_z + m2 |F_y|) F_y v_x / sqrt(v_x^2 + low_speed^2)
struct CalspanTyre {
  double a0 = 0, a1 = 0, a2 = 1, a3 = 0, a4 = 1;  // N, 1, N, 1, N
  double b1 = 0, b3 = 1, b4 = 0;                  // 1/N, 1, 1/N^2
  double skid = 1;
  double m1 = 0, m2 = 0;    // m/N
  double low_speed = 0.05;  // m/s: the slip angle is atan(v_y / sqrt(v_x^2 + low_speed^2))
};

/// A wheel as a disc on a road, pressed flat by the road like a radial spring: each contact pushes the wheel's centre
/// with stiffness times depth (and damping times its rate) along the line from the nearest point of the road.
struct Tyre {
  std::string name;
  SourceLocation where;
  int body = kGround;
  int road = 0;
  Vec3 center = Vec3::Zero();  // drawn configuration, m
  Vec3 axis = Vec3::UnitY();   // the wheel's axle, drawn configuration (space)
  double radius = 0;           // m
  double stiffness = 0;        // N/m
  double damping = 0;          // N s/m
  std::optional<CalspanTyre> lateral;
};

/// Shapes of bodies that touch each other and roads. With d the depth of a contact and N its normal force,
///     N = stiffness d^exponent (1 + s d' / v)
/// where v is the speed at which the contact began and s follows from the restitution (math/contact/contact_law.hpp);
/// friction is a spring along the surface that slips at friction N. Shapes of one body, and those of bodies that a
/// joint ties, do not touch.
struct Contact {
  std::string name;
  SourceLocation where;
  std::vector<Geometry> shapes;  // spheres (of radius 0: points), capsules and boxes
  std::vector<int> roads;
  int first_body = kGround;     // the one whose force is reported
  bool despite_joints = false;  // two bodies that were named each by itself touch, tied or not
  double stiffness = 0;         // N/m^exponent
  double exponent = 1;
  double restitution = 0.5;
  double friction = 0;
  double tangential_stiffness = 0;  // N/m
  double speed = 0.05;              // m/s: contacts that begin slower are taken to begin with this speed
  double rolling_resistance = 0;    // of round shapes: moment over their radius times the load
  int memory_at = 0, memory = 0;    // numbers that it keeps; set when the mechanism is made
};

}  // namespace cardan
