// What a mechanism is described with, before names are resolved: the C++ builder and the model file both fill these, so
// that resolving and checking exist once. SI units, radians, inertial axes, drawn configuration. Each part may carry
// the place where it was written, so that a message can point at it.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/math.hpp"
#include "cardan/mechanism.hpp"

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
};
using Name = Located<std::string>;
using Number = Located<double>;

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

/// A direction: components of any length, an inertial axis "x", "y" or "z", or from one place to another.
struct Direction {
  std::string name;  // "x", "y", "z", or empty
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

/// A named hardpoint.
struct PointSpec {
  Name name;
  Vec3 position = Vec3::Zero();
  bool incomplete = false;  // known by name, but its reading failed and was reported already; so in every spec below
};

/// A uniform rod, its x axis from `from` to `to`; slender unless a radius is given: m L^2 / 12 across and none
/// about its axis (unless it is held by ball joints alone: then some, which the motion does not feel).
struct RodShape {
  Place from, to;
  double radius = 0;
};
/// A uniform box with edges along the body's axes; planar mechanisms need no third edge unless a density is given.
struct BoxShape {
  Vec3 edges;
  Place center;
};
/// A uniform solid cylinder, its x axis from `from` to `to`.
struct CylinderShape {
  Place from, to;
  double radius = 0;
};
struct SphereShape {
  double radius = 0;
  Place center;
};
/// Mass centre and inertia about it in the body's own axes; the off-diagonal entries are those of the matrix (Ixy =
/// -∫xy dm). Planar mechanisms use the last diagonal entry.
struct GivenInertia {
  Place center;
  std::optional<Located<Mat3>> inertia;  // may be left out when the mass is 0
};

/// Axes of a part of a mechanism that was moved there as a whole (Placement): they are built by the usual rules in the
/// part's own axes, A, and carried over as turn A diag(signs). `turn` is orthogonal; after a reflection its determinant
/// is -1 and so is the product of the signs, which keep the axes right-handed. Directions given by components or as
/// "x", "y", "z" are in the part's own axes.
struct AxesImage {
  Mat3 turn = Mat3::Identity();
  Vec3 signs = Vec3::Ones();

  bool is_identity() const { return turn == Mat3::Identity() && signs == Vec3::Ones(); }
};

struct BodySpec {
  Name name;
  std::variant<RodShape, BoxShape, CylinderShape, SphereShape, GivenInertia> shape;
  std::optional<Number> mass;     // kg; this or
  std::optional<Number> density;  // kg/m^3 (box, cylinder, sphere)
  std::optional<AxesSpec> axes;   // default: along the rod or cylinder, else inertial
  bool unphysical = false;
  bool incomplete = false;
  AxesImage image = {};
};

/// A cylinder with round ends, whose centres are `from` and `to`.
struct CapsuleShape {
  Place from, to;
  double radius = 0;
};
/// An outline in the plane of x and y, from `origin`, drawn out along z by half the thickness to either side; planar
/// mechanisms need no thickness.
struct PolygonShape {
  std::vector<Vec2> outline;
  double thickness = 0;
  Place origin;
};

/// What pictures show of a body, or of ground.
struct GeometrySpec {
  Name body;
  std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, PolygonShape> shape;
  std::optional<AxesSpec> axes = {};  // box, polygon; default: the body's
  Name color = {};                    // "#rrggbb" or a name of geometry_colors(); default: the viewer's choice
  Number opacity = 1.0;
  SourceLocation where = {};
  bool incomplete = false;
  AxesImage image = {};
};

/// The names of colours that a GeometrySpec may have.
std::vector<std::string> geometry_colors();

struct MarkerSpec {
  Name name;
  Name body;
  Place at;
  std::optional<AxesSpec> axes;
  bool incomplete = false;
  AxesImage image = {};
};

/// A joint and how its frames are built. `at1` is the point on body 1, `at2` the one on body 2 (default: the same;
/// fixed and free joints: body 2's centre). `axis1` and `axis2` are the joint's axis on either body (default: the
/// same). The z axis of frame 1 lies along axis1, its other axes follow from the smallest rotation that takes inertial
/// z there (half a turn about x for -z); prismatic joints of planar mechanisms put x along the axis by a turn in the
/// plane. Frame 2 is frame 1 turned by the smallest rotation that takes axis1 to axis2. `x_axis` turns both frames
/// about their z so that x points that way. Universal joints and perpendicular links: x of both frames along axis1, y
/// along axis2. A place that
/// is a marker lends its axes to the frame when no axis is given. Without axis and marker the axes are inertial.
struct JointSpec {
  Name name;
  JointType type = JointType::revolute;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<Direction> axis1, axis2, x_axis;
  std::optional<Number> length;        // distance links; default: as drawn
  std::optional<Number> pitch;         // screws, m for a full turn; negative: left-handed
  Located<std::vector<double>> drawn;  // what the coordinates are called in the drawn configuration; empty: zeros
  bool incomplete = false;
  AxesImage image = {};
  Vec3 marker_signs1 = Vec3::Ones(), marker_signs2 = Vec3::Ones();  // of the axes that markers lend to the frames
  bool outside1 = false, outside2 = false;  // the place belongs to no part that was mirrored with the joint
};

/// Between two points: a stiffness or a law of the elongation, a damping or a law of the rate. `along`: only the
/// distance along this direction counts, which moves with body 1.
struct SpringSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<Direction> along;
  std::optional<Number> stiffness, damping;
  std::optional<Number> free_length;  // default: as drawn
  std::optional<Located<Function>> force, damping_force;
  bool incomplete = false;
};

/// The same on one coordinate of a joint: an angle (torsion) or a translation.
struct JointSpringSpec {
  Name name;
  Name joint;
  bool torsion = true;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one of its sort
  std::optional<Number> stiffness, damping;
  std::optional<Number> free_position;  // default: 0
  std::optional<Located<Function>> force, damping_force;
  bool incomplete = false;
};

/// Between two frames, whose axes are inertial in the drawing, those of the markers at1 and at2, or `axes`. Each list
/// has a value for every axis of frame 1; planar mechanisms: x and y, and z of the rotational ones.
struct BushingSpec {
  Name name;
  Name body1, body2;
  std::optional<Place> at1, at2;
  std::optional<AxesSpec> axes;
  std::optional<Located<Vec3>> stiffness, damping;                        // N/m, N s/m
  std::optional<Located<Vec3>> rotational_stiffness, rotational_damping;  // N m/rad, N m s/rad
  AxesImage image = {};
  Vec3 marker_signs1 = Vec3::Ones(), marker_signs2 = Vec3::Ones();  // of the axes that markers lend to the frames
  bool incomplete = false;
};

/// Viscous and Coulomb friction on one coordinate of a joint, given at the motor behind a gear.
struct FrictionSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  std::optional<Number> viscous;           // N m s/rad or N s/m
  std::optional<Number> coulomb;           // torque or force at positive speed, 0 or more
  std::optional<Number> coulomb_backward;  // at negative speed, 0 or less; default: -coulomb
  std::optional<Number> gear;              // default: 1
  std::optional<Number> velocity;          // of the joint, where tanh reaches 76 %; default: 0.01
  bool incomplete = false;
};

/// A rotor behind a gear on one coordinate of a joint.
struct RotorSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Number inertia;                          // kg m^2
  std::optional<Number> gear;              // default: 1
  bool incomplete = false;
};

/// A coupler of two joint coordinates: q2 - q2_0 = ratio (q1 - q1_0). A rack couples an angle to a translation.
struct CouplerSpec {
  Name name;
  Name joint1, joint2;
  bool rack = false;
  std::optional<Located<int>> coordinate1, coordinate2;  // counted from 1; default: the only one
  Number ratio = 1.0;
  bool incomplete = false;
};

struct ForceSpec {
  Name name;
  Name body;
  std::optional<Place> at;
  std::array<Located<Function>, 3> components;
  bool body_axes = false;
  bool incomplete = false;
};

struct TorqueSpec {
  Name name;
  Name body1 = "ground";
  Name body2;
  std::array<Located<Function>, 3> components;
  bool body_axes = false;
  bool incomplete = false;
};

struct ActuatorSpec {
  Name name;
  Name joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Located<Function> effort;
  bool incomplete = false;
};

/// A road of height over x, from a list of points or from a function that is sampled: the straight pieces stay within
/// `deviation` of it.
struct RoadSpec {
  Name name;
  std::optional<Located<std::vector<Vec2>>> profile;
  std::optional<Located<Function>> height;
  std::optional<Number> from, to;   // m, of `height`
  std::optional<Number> deviation;  // m, of `height`; default 1e-4
  bool incomplete = false;
};

struct TyreSpec {
  Name name;
  Name body;
  Name road;
  std::optional<Place> at;        // the wheel's centre; default: the body's
  std::optional<Direction> axis;  // default: y
  std::optional<Number> radius, stiffness, damping;
  std::optional<Located<CalspanTyre>> lateral;
  bool incomplete = false;
};

/// Either of a joint's coordinate or, without `joint`, of the distance between two points.
struct DriverSpec {
  Name name;
  std::optional<Name> joint;
  std::optional<Located<int>> coordinate;  // counted from 1; default: the only one
  Name body1, body2;
  std::optional<Place> at1, at2;
  Located<Function> position;
  bool incomplete = false;
};

/// Something that happens at a time.
struct EventSpec {
  Name name;
  Number time;
  Event::Action action = Event::Action::attach;
  std::vector<Name> targets;  // attach, release: one joint; on, off: loads and drivers; drop: one road
  Number by;                  // drop: m
  bool incomplete = false;
};

/// Columns of trajectory.csv to be shown, `*` in them standing for anything.
struct PlotSpec {
  Name title;
  std::vector<Name> columns;
};

/// How a body or a joint with one coordinate starts. NaN in a component leaves it to the constraints.
struct InitialSpec {
  Name name;
  std::optional<Located<Vec3>> velocity, angular_velocity;  // bodies
  std::optional<Number> joint_position, joint_velocity;
  bool incomplete = false;
};

template <class T>
using OptionalLocated = std::optional<Located<T>>;
struct SimulationSpec : GivenOptions<OptionalLocated> {
  std::vector<Name> cut;
};

/// A name that a part of a mechanism uses and does not define: whoever includes the part says what it stands for.
struct ConnectionSpec {
  Name name;
  std::string kind = "body";  // or "joint", "point" (a point or a marker), "road"
};

/// What a connection of an included part stands for.
struct ConnectedSpec {
  Name target;
  std::string kind;
  std::string element;  // for messages: "subsystem 'front_left'"
};

/// Moves a part as a whole: p goes to at + turn S p, where S reverses the components along the axes marked in `mirror`.
struct Placement {
  Vec3 at = Vec3::Zero();
  Mat3 turn = Mat3::Identity();  // a rotation
  std::array<bool, 3> mirror{};  // about the planes through the part's origin normal to x, y, z
};

/// How a mechanism is included in another one. Its elements are then called NAME/ELEMENT (just ELEMENT when the name is
/// empty), unless `rename` says otherwise.
struct SubsystemUse {
  Name name;
  Placement placement = {};
  std::map<std::string, Name> connect = {};  // connection of the part -> element of the whole
  std::map<std::string, Name> rename = {};   // element of the part -> its name in the whole
};

struct MechanismSpec {
  std::string name;
  std::string file;
  bool planar = false;
  std::optional<Located<Vec3>> gravity;  // default: 9.81 along -z, planar -y
  std::vector<PointSpec> points;
  std::vector<BodySpec> bodies;
  std::vector<MarkerSpec> markers;
  std::vector<JointSpec> joints;
  std::vector<SpringSpec> springs;
  std::vector<JointSpringSpec> joint_springs;
  std::vector<BushingSpec> bushings;
  std::vector<FrictionSpec> frictions;
  std::vector<RotorSpec> rotors;
  std::vector<ForceSpec> forces;
  std::vector<TorqueSpec> torques;
  std::vector<ActuatorSpec> actuators;
  std::vector<RoadSpec> roads;
  std::vector<TyreSpec> tyres;
  std::vector<CouplerSpec> couplers;
  std::vector<DriverSpec> drivers;
  std::vector<InitialSpec> initial;
  std::vector<EventSpec> events;
  std::vector<GeometrySpec> geometry;
  std::vector<PlotSpec> plots;
  SimulationSpec simulation;
  std::vector<ConnectionSpec> connections;       // of a part, open until it is included
  std::vector<ConnectedSpec> connected;          // of the parts that were included
  std::vector<Located<Vec3>> subsystem_gravity;  // what included parts say: must be the gravity of the whole
  bool incomplete = false;                       // a whole section could not be read, so that elements may be missing
  bool subsystem_missing = false;                // a part could not be included, which has been reported
};

}  // namespace cardan
