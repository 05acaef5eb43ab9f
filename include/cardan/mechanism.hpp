// What exists: bodies, joints, loads, drivers, events. Plain data in the drawn reference configuration, inertial axes,
// SI units and radians; immutable once built (MechanismBuilder, read_mechanism). No coordinates, no time steps; what
// the description asks of a run (SimulationDefaults) and where it was written are carried along for who runs it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/bodies.hpp"
#include "cardan/companion.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/height_map.hpp"
#include "cardan/math.hpp"
#include "cardan/run_options.hpp"
#include "cardan/signals.hpp"
#include "cardan/velocity_constraints.hpp"
#include "cardan/wrench.hpp"

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
  Vec3 axis = Vec3::UnitY();  // drawn configuration; its centre is the origin of frame 2
  double radius = 0, width = 0;
  int road = -1;  // on which it rolls; frame 1 goes down with it where an event lets it drop
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

/// A column: a scalar of the motion of two frames. Nothing depends on it.
struct Sensor {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  FrameScalar value;
};

/// The inertia of what turns with a joint coordinate behind a gear: kinetic energy 1/2 inertia (gear q')^2.
struct Rotor {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;
  double inertia = 0;  // kg m^2, of the rotor
  double gear = 1;     // its speed, rad/s, for a unit of q'
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

/// What stands under wheels and shapes: a line of height over x, the same all along y (planar mechanisms: in the
/// plane), in which x never falls and two points at the same x make a vertical face; a plane of any orientation, which
/// may belong to a body; or heights on a grid (space). What is below is solid.
struct Road {
  enum class Sort { profile, plane, grid };
  std::string name;
  SourceLocation where;
  Sort sort = Sort::profile;
  std::vector<Vec2> profile;      // x and height, m
  Vec3 origin = Vec3::Zero();     // plane: a point of it, drawn configuration
  Vec3 normal = Vec3::UnitZ();    // plane: out of the solid, unit vector
  int body = kGround;             // plane
  std::optional<HeightMap> grid;  // grid
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
  Vec3 center = Vec3::Zero();  // drawn configuration
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

/// Ties two joint coordinates: q2 - q2_0 = ratio (q1 - q1_0), q_0 being those of the drawing.
struct Coupler {
  std::string name;
  SourceLocation where;
  int joint1 = 0, joint2 = 0;
  int coordinate1 = 0, coordinate2 = 0;
  double ratio = 1;  // 1, m/rad or rad/m
};

class RotationPath;  // math/rotation_path.hpp

/// A joint coordinate, or the distance of two points, given as a function of time and inputs; or the turn of a free or
/// spherical joint about one axis of frame 2, as a path gives it with two others.
struct Driver {
  std::string name;
  std::string element = {};  // of which it is part, where that has several; else empty
  SourceLocation where;
  int joint = -1;  // index of the joint, or -1 for a distance
  int coordinate = 0;
  int body1 = kGround;  // distance drivers only
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();
  Vec3 point2 = Vec3::Zero();
  Function position;  // rad or m, over s; where it follows a signal: with all inputs as they start
  int signal = -1;    // of level `given`
  std::shared_ptr<const RotationPath> rotation = nullptr;  // of frame 2 in frame 1; `position` is then part of it
  int axis = 0;                                            // of the rotation
};

/// What happens to the mechanism at a given time, or whenever a condition comes to hold. The motion stops for none of
/// it: positions stay, velocities take the jump that the new constraints ask for.
struct Event {
  /// `note` changes nothing and is told; `end` ends the run.
  enum class Action { attach, release, on, off, drop, set, end, note };
  /// A state or input takes the value of a signal.
  struct Assignment {
    bool is_state = true;
    int index = 0;   // of Mechanism::states or inputs
    int signal = 0;  // of Mechanism::signals
  };
  std::string name;
  SourceLocation where;
  double time = 0;  // s; infinity where a condition says when
  Action action = Action::attach;
  std::vector<std::string> targets;     // attach, release: a joint; on, off: loads and drivers; drop: a road
  double by = 0;                        // drop: how much lower the road is from then on, m
  std::vector<Assignment> assignments;  // set: at once, each from the values before
  std::string condition;                // as it is written
  int guard = -1;                       // the signal that is above 0 where the condition holds, or -1
  double hysteresis = 0;                // how far below 0 the guard must have been before it counts again
  bool once = false;                    // the first time only
  bool is_conditional() const { return guard >= 0; }
};

/// Columns of trajectory.csv that somebody asked to see: reports and the viewer show them first, one plot for each
/// unit.
struct Plot {
  std::string title;  // empty: the columns say it
  SourceLocation where;
  std::vector<std::string> columns;
};

struct Mechanism {
  std::string name;
  std::string file;  // empty when built in C++
  bool planar = false;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  std::vector<Body> bodies;
  std::vector<Marker> markers;
  std::vector<Joint> joints;
  std::vector<SpringDamper> springs;
  std::vector<JointSpringDamper> joint_springs;
  std::vector<Bushing> bushings;
  std::vector<CustomWrench> custom_wrenches;
  int load_memory = 0;  // numbers that loads keep from step to step, those that events have switched off too
  std::vector<Rotor> rotors;
  std::vector<PointForce> forces;
  std::vector<Torque> torques;
  std::vector<Actuator> actuators;
  std::vector<LineForce> line_forces;
  std::vector<Road> roads;
  std::vector<Tyre> tyres;
  std::vector<Contact> contacts;
  std::vector<Coupler> couplers;
  std::vector<Driver> drivers;
  std::vector<KnifeEdge> knife_edges;
  std::vector<RollingDisc> rolling_discs;
  std::vector<Sensor> sensors;
  std::vector<Input> inputs;
  std::vector<Companion> companions;
  std::vector<StateVariable> states;
  std::vector<Signal> signals;  // in any order; none depends on itself
  std::vector<Event> events;    // those at given times in the order in which they happen, then those with conditions
  std::vector<Geometry> geometry;
  std::vector<Plot> plots;
  std::vector<std::string> outputs;  // columns that results have, `*` standing for anything; empty: all
  /// How the whole moves at the start where nothing more is said, m/s: bodies stand still against those that joints tie
  /// them to, and what joints to ground let move goes with this velocity.
  std::optional<Vec3> initial_motion;
  SimulationDefaults simulation;
  std::vector<Diagnostic> warnings;

  /// The name of a body by index, "ground" for kGround.
  const std::string& body_name(int body) const;
};

}  // namespace cardan
