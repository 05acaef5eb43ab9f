// Describes a mechanism in C++, element by element, and makes the same thing of it as the reader does of a model file:
//
//   MechanismBuilder b("pendulum");
//   b.planar().point("O", {0, 0}).rod("arm", "O", {1, 0}, 2.0).revolute("pin", "ground", "arm", "O");
//   Mechanism m = b.build();
//
// The short calls cover the usual case; add() takes the full description of an element (specs.hpp). SI units and
// radians as everywhere: m, kg, s, N, N m, rad; places and directions are those of the drawing, in inertial axes.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/specs.hpp"

namespace cardan {

class MechanismBuilder {
 public:
  using Id = const std::string&;  // a name

  explicit MechanismBuilder(std::string name = "");
  /// Goes on from a description.
  explicit MechanismBuilder(MechanismSpec spec);

  MechanismBuilder& planar(bool is_planar = true);
  /// m/s^2; without this call 9.81 along -z, planar -y.
  MechanismBuilder& gravity(const Vec3& acceleration);
  /// `coordinates` are numbers, not the name of another point.
  MechanismBuilder& point(Id name, const Place& coordinates);

  MechanismBuilder& rod(Id name, const Place& from, const Place& to, double mass, double radius = 0);
  MechanismBuilder& box(Id name, const Vec3& edges, const Place& center, double mass);
  MechanismBuilder& cylinder(Id name, const Place& from, const Place& to, double radius, double mass);
  MechanismBuilder& sphere(Id name, double radius, const Place& center, double mass);
  /// Inertia about the centre in inertial axes of the drawn configuration.
  MechanismBuilder& body(Id name, double mass, const Place& center, const Mat3& inertia);
  /// Planar: about the axis out of the plane.
  MechanismBuilder& body(Id name, double mass, const Place& center, double inertia = 0);
  /// What pictures show of a body or of "ground", in place of a shape guessed from its hardpoints.
  MechanismBuilder& geometry(Id body, decltype(GeometrySpec::shape) shape, Id color = "");
  MechanismBuilder& marker(Id name, Id body, const Place& at);

  MechanismBuilder& revolute(Id name, Id body1, Id body2,
                             const Place& at);  // planar mechanisms
  MechanismBuilder& revolute(Id name, Id body1, Id body2, const Place& at, const Direction& axis);
  MechanismBuilder& prismatic(Id name, Id body1, Id body2, const Place& at, const Direction& axis);
  MechanismBuilder& cylindrical(Id name, Id body1, Id body2, const Place& at, const Direction& axis);
  MechanismBuilder& universal(Id name, Id body1, Id body2, const Place& at, const Direction& axis1,
                              const Direction& axis2);
  MechanismBuilder& spherical(Id name, Id body1, Id body2, const Place& at);
  MechanismBuilder& planar_joint(Id name, Id body1, Id body2, const Place& at, const Direction& normal);
  MechanismBuilder& fixed(Id name, Id body1, Id body2);
  MechanismBuilder& free(Id name, Id body1, Id body2);
  /// A rigid massless rod between a point of body 1 and one of body 2, as long as drawn.
  MechanismBuilder& distance(Id name, Id body1, Id body2, const Place& at1, const Place& at2);

  /// `pitch`: m along the axis for a full turn about it.
  MechanismBuilder& screw(Id name, Id body1, Id body2, const Place& at, const Direction& axis, double pitch);
  /// The point `point` of body 2 stays on the line of body 1 through `at` along `axis`.
  MechanismBuilder& point_on_line(Id name, Id body1, Id body2, const Place& at, const Direction& axis,
                                  const Place& point);
  /// The point `point` of body 2 stays in the plane of body 1 through `at`.
  MechanismBuilder& point_on_plane(Id name, Id body1, Id body2, const Place& at, const Direction& normal,
                                   const Place& point);
  MechanismBuilder& parallel(Id name, Id body1, Id body2, const Direction& axis);
  MechanismBuilder& perpendicular(Id name, Id body1, Id body2, const Direction& axis1, const Direction& axis2);
  /// The second joint's coordinate moves by `ratio` times the first's (joints with one coordinate; else add()).
  MechanismBuilder& gear(Id name, Id joint1, Id joint2, double ratio);
  /// An angle moves a translation by `radius` (m) for every radian.
  MechanismBuilder& rack(Id name, Id pinion, Id rack, double radius);

  /// Unloaded as drawn; for a free length or a law use add(SpringSpec).
  MechanismBuilder& spring(Id name, Id body1, Id body2, const Place& at1, const Place& at2, double stiffness,
                           double damping = 0);
  MechanismBuilder& torsion(Id name, Id joint, double stiffness, double damping = 0, double free_angle = 0);
  /// Viscous friction and Coulomb friction of equal level in both directions, at the joint.
  MechanismBuilder& friction(Id name, Id joint, double viscous, double coulomb);
  MechanismBuilder& rotor(Id name, Id joint, double inertia, double gear = 1);
  MechanismBuilder& actuator(Id name, Id joint, const Varying& effort);
  MechanismBuilder& driver(Id name, Id joint, const Varying& position);
  /// A pull between two points, positive towards each other.
  MechanismBuilder& pull(Id name, Id body1, Id body2, const Place& at1, const Place& at2, const Varying& force);

  /// A value from outside: see Simulation::set_input().
  MechanismBuilder& input(Id name, double start = 0);
  /// A state z' = rate.
  MechanismBuilder& state(Id name, double start, const Varying& rate);
  /// A name for an expression, with a column of its own.
  MechanismBuilder& signal(Id name, const Varying& value);

  /// At `time` seconds a joint takes hold where its bodies are, or lets go; loads and drivers are switched.
  MechanismBuilder& attach(Id name, double time, Id joint);
  MechanismBuilder& release(Id name, double time, Id joint);
  MechanismBuilder& switch_on(Id name, double time, const std::vector<std::string>& elements);
  MechanismBuilder& switch_off(Id name, double time, const std::vector<std::string>& elements);

  /// At `time` seconds a road is lower by so much, m.
  MechanismBuilder& drop(Id name, double time, Id road, double by);

  MechanismBuilder& velocity(Id body, const Vec3& velocity);
  MechanismBuilder& angular_velocity(Id body, const Vec3& angular_velocity);
  MechanismBuilder& joint_velocity(Id joint, double velocity);
  MechanismBuilder& joint_position(Id joint, double position);
  /// Everything else moves along with this velocity, as far as it can.
  MechanismBuilder& initial_motion(const Vec3& velocity);

  MechanismBuilder& add(PointSpec spec);
  MechanismBuilder& add(BodySpec spec);
  MechanismBuilder& add(MarkerSpec spec);
  MechanismBuilder& add(JointSpec spec);
  /// A load, coupler or driver: SpringSpec and the others of specs/, or one of a program's own (element.hpp).
  MechanismBuilder& add(Element spec);
  MechanismBuilder& add(RoadSpec spec);
  MechanismBuilder& add(InputSpec spec);
  MechanismBuilder& add(StateSpec spec);
  MechanismBuilder& add(SignalSpec spec);
  MechanismBuilder& add(InitialSpec spec);
  MechanismBuilder& add(EventSpec spec);
  MechanismBuilder& add(GeometrySpec spec);
  MechanismBuilder& simulation(SimulationSpec spec);

  /// A name that this mechanism uses and the one that includes it connects; kind: "body", "joint", "point",
  /// "road", "load" or "signal".
  MechanismBuilder& connection(Id name, Id kind = "body");
  /// Includes a mechanism as a part: placed, mirrored, its names prefixed, its connections made. Its name and
  /// simulation do not count. Throws ModelError when the part does not fit.
  MechanismBuilder& add(const MechanismSpec& part, const SubsystemUse& use);
  const MechanismSpec& spec() const { return spec_; }

  /// Resolves names, checks everything, and throws ModelError with all problems found.
  Mechanism build() const;

 private:
  MechanismSpec spec_;
};

}  // namespace cardan
