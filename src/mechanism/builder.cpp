#include "cardan/builder.hpp"

#include "mechanism/resolver.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

using Id = MechanismBuilder::Id;

template <class Shape>
BodySpec body_spec(Id name, Shape shape, double mass) {
  return BodySpec{.name = name, .shape = std::move(shape), .mass = Number(mass), .density = {}, .axes = {}};
}

}  // namespace

MechanismBuilder::MechanismBuilder(std::string name) { spec_.name = std::move(name); }

MechanismBuilder::MechanismBuilder(MechanismSpec spec) : spec_(std::move(spec)) {}

MechanismBuilder& MechanismBuilder::planar(bool is_planar) {
  spec_.planar = is_planar;
  return *this;
}

MechanismBuilder& MechanismBuilder::gravity(const Vec3& acceleration) {
  spec_.gravity = Located<Vec3>(acceleration);
  return *this;
}

MechanismBuilder& MechanismBuilder::point(Id name, const Place& coordinates) {
  return add(PointSpec{name, coordinates.position});
}

MechanismBuilder& MechanismBuilder::rod(Id name, const Place& from, const Place& to, double mass, double radius) {
  return add(body_spec(name, RodShape{from, to, radius}, mass));
}

MechanismBuilder& MechanismBuilder::box(Id name, const Vec3& edges, const Place& center, double mass) {
  return add(body_spec(name, BoxShape{edges, center}, mass));
}

MechanismBuilder& MechanismBuilder::cylinder(Id name, const Place& from, const Place& to, double radius, double mass) {
  return add(body_spec(name, CylinderShape{from, to, radius}, mass));
}

MechanismBuilder& MechanismBuilder::sphere(Id name, double radius, const Place& center, double mass) {
  return add(body_spec(name, SphereShape{radius, center}, mass));
}

MechanismBuilder& MechanismBuilder::body(Id name, double mass, const Place& center, const Mat3& inertia) {
  return add(body_spec(name, GivenInertia{center, Located<Mat3>(inertia)}, mass));
}

MechanismBuilder& MechanismBuilder::body(Id name, double mass, const Place& center, double inertia) {
  return body(name, mass, center, Mat3(Vec3(0, 0, inertia).asDiagonal()));
}

MechanismBuilder& MechanismBuilder::geometry(Id body, decltype(GeometrySpec::shape) shape, Id color) {
  return add(GeometrySpec{.body = body, .shape = std::move(shape), .color = color});
}

MechanismBuilder& MechanismBuilder::marker(Id name, Id body, const Place& at) {
  return add(MarkerSpec{.name = name, .body = body, .at = at, .axes = {}});
}

MechanismBuilder& MechanismBuilder::revolute(Id name, Id body1, Id body2, const Place& at) {
  return add(JointSpec{.name = name, .type = JointType::revolute, .body1 = body1, .body2 = body2, .at1 = at});
}

MechanismBuilder& MechanismBuilder::revolute(Id name, Id body1, Id body2, const Place& at, const Direction& axis) {
  return add(
      JointSpec{.name = name, .type = JointType::revolute, .body1 = body1, .body2 = body2, .at1 = at, .axis1 = axis});
}

MechanismBuilder& MechanismBuilder::prismatic(Id name, Id body1, Id body2, const Place& at, const Direction& axis) {
  return add(
      JointSpec{.name = name, .type = JointType::prismatic, .body1 = body1, .body2 = body2, .at1 = at, .axis1 = axis});
}

MechanismBuilder& MechanismBuilder::cylindrical(Id name, Id body1, Id body2, const Place& at, const Direction& axis) {
  return add(JointSpec{
      .name = name, .type = JointType::cylindrical, .body1 = body1, .body2 = body2, .at1 = at, .axis1 = axis});
}

MechanismBuilder& MechanismBuilder::universal(Id name, Id body1, Id body2, const Place& at, const Direction& axis1,
                                              const Direction& axis2) {
  return add(JointSpec{.name = name,
                       .type = JointType::universal,
                       .body1 = body1,
                       .body2 = body2,
                       .at1 = at,
                       .axis1 = axis1,
                       .axis2 = axis2});
}

MechanismBuilder& MechanismBuilder::spherical(Id name, Id body1, Id body2, const Place& at) {
  return add(JointSpec{.name = name, .type = JointType::spherical, .body1 = body1, .body2 = body2, .at1 = at});
}

MechanismBuilder& MechanismBuilder::planar_joint(Id name, Id body1, Id body2, const Place& at,
                                                 const Direction& normal) {
  return add(
      JointSpec{.name = name, .type = JointType::planar, .body1 = body1, .body2 = body2, .at1 = at, .axis1 = normal});
}

MechanismBuilder& MechanismBuilder::fixed(Id name, Id body1, Id body2) {
  return add(JointSpec{.name = name, .type = JointType::fixed, .body1 = body1, .body2 = body2});
}

MechanismBuilder& MechanismBuilder::free(Id name, Id body1, Id body2) {
  return add(JointSpec{.name = name, .type = JointType::free, .body1 = body1, .body2 = body2});
}

MechanismBuilder& MechanismBuilder::distance(Id name, Id body1, Id body2, const Place& at1, const Place& at2) {
  return add(
      JointSpec{.name = name, .type = JointType::distance, .body1 = body1, .body2 = body2, .at1 = at1, .at2 = at2});
}

MechanismBuilder& MechanismBuilder::screw(Id name, Id body1, Id body2, const Place& at, const Direction& axis,
                                          double pitch) {
  return add(JointSpec{.name = name,
                       .type = JointType::screw,
                       .body1 = body1,
                       .body2 = body2,
                       .at1 = at,
                       .axis1 = axis,
                       .pitch = Number(pitch)});
}

MechanismBuilder& MechanismBuilder::point_on_line(Id name, Id body1, Id body2, const Place& at, const Direction& axis,
                                                  const Place& point) {
  return add(JointSpec{.name = name,
                       .type = JointType::point_on_line,
                       .body1 = body1,
                       .body2 = body2,
                       .at1 = at,
                       .at2 = point,
                       .axis1 = axis});
}

MechanismBuilder& MechanismBuilder::point_on_plane(Id name, Id body1, Id body2, const Place& at,
                                                   const Direction& normal, const Place& point) {
  return add(JointSpec{.name = name,
                       .type = JointType::point_on_plane,
                       .body1 = body1,
                       .body2 = body2,
                       .at1 = at,
                       .at2 = point,
                       .axis1 = normal});
}

MechanismBuilder& MechanismBuilder::parallel(Id name, Id body1, Id body2, const Direction& axis) {
  return add(JointSpec{.name = name, .type = JointType::parallel, .body1 = body1, .body2 = body2, .axis1 = axis});
}

MechanismBuilder& MechanismBuilder::perpendicular(Id name, Id body1, Id body2, const Direction& axis1,
                                                  const Direction& axis2) {
  return add(JointSpec{
      .name = name, .type = JointType::perpendicular, .body1 = body1, .body2 = body2, .axis1 = axis1, .axis2 = axis2});
}

MechanismBuilder& MechanismBuilder::gear(Id name, Id joint1, Id joint2, double ratio) {
  return add(CouplerSpec{.name = name, .joint1 = joint1, .joint2 = joint2, .ratio = ratio});
}

MechanismBuilder& MechanismBuilder::rack(Id name, Id pinion, Id rack, double radius) {
  return add(CouplerSpec{.name = name, .joint1 = pinion, .joint2 = rack, .rack = true, .ratio = radius});
}

MechanismBuilder& MechanismBuilder::friction(Id name, Id joint, double viscous, double coulomb) {
  return add(FrictionSpec{.name = name, .joint = joint, .viscous = Number(viscous), .coulomb = Number(coulomb)});
}

MechanismBuilder& MechanismBuilder::rotor(Id name, Id joint, double inertia, double gear) {
  return add(RotorSpec{.name = name, .joint = joint, .inertia = inertia, .gear = Number(gear)});
}

MechanismBuilder& MechanismBuilder::spring(Id name, Id body1, Id body2, const Place& at1, const Place& at2,
                                           double stiffness, double damping) {
  return add(SpringSpec{.name = name,
                        .body1 = body1,
                        .body2 = body2,
                        .at1 = at1,
                        .at2 = at2,
                        .stiffness = Number(stiffness),
                        .damping = Number(damping)});
}

MechanismBuilder& MechanismBuilder::torsion(Id name, Id joint, double stiffness, double damping, double free_angle) {
  return add(JointSpringSpec{.name = name,
                             .joint = joint,
                             .stiffness = Number(stiffness),
                             .damping = Number(damping),
                             .free_position = Number(free_angle)});
}

MechanismBuilder& MechanismBuilder::actuator(Id name, Id joint, const Varying& effort) {
  return add(ActuatorSpec{.name = name, .joint = joint, .effort = effort});
}

MechanismBuilder& MechanismBuilder::driver(Id name, Id joint, const Varying& position) {
  return add(DriverSpec{.name = name, .joint = Name(joint), .position = position});
}

MechanismBuilder& MechanismBuilder::pull(Id name, Id body1, Id body2, const Place& at1, const Place& at2,
                                         const Varying& force) {
  return add(LineForceSpec{.name = name, .body1 = body1, .body2 = body2, .at1 = at1, .at2 = at2, .pull = force});
}

MechanismBuilder& MechanismBuilder::input(Id name, double start) {
  return add(InputSpec{.name = name, .start = Number(start)});
}

MechanismBuilder& MechanismBuilder::state(Id name, double start, const Varying& rate) {
  return add(StateSpec{.name = name, .start = Number(start), .rate = rate});
}

MechanismBuilder& MechanismBuilder::signal(Id name, const Varying& value) {
  return add(SignalSpec{.name = name, .value = value});
}

namespace {

EventSpec event_at(Id name, double time, Event::Action action, const std::vector<std::string>& targets) {
  EventSpec spec;
  spec.name = name;
  spec.time = time;
  spec.action = action;
  spec.targets.assign(targets.begin(), targets.end());
  return spec;
}

}  // namespace

MechanismBuilder& MechanismBuilder::attach(Id name, double time, Id joint) {
  return add(event_at(name, time, Event::Action::attach, {joint}));
}

MechanismBuilder& MechanismBuilder::release(Id name, double time, Id joint) {
  return add(event_at(name, time, Event::Action::release, {joint}));
}

MechanismBuilder& MechanismBuilder::switch_on(Id name, double time, const std::vector<std::string>& elements) {
  return add(event_at(name, time, Event::Action::on, elements));
}

MechanismBuilder& MechanismBuilder::switch_off(Id name, double time, const std::vector<std::string>& elements) {
  return add(event_at(name, time, Event::Action::off, elements));
}

MechanismBuilder& MechanismBuilder::drop(Id name, double time, Id road, double by) {
  EventSpec spec = event_at(name, time, Event::Action::drop, {road});
  spec.by = by;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::velocity(Id body, const Vec3& velocity) {
  return add(InitialSpec{.name = body, .velocity = Located<Vec3>(velocity)});
}

MechanismBuilder& MechanismBuilder::angular_velocity(Id body, const Vec3& angular_velocity) {
  return add(InitialSpec{.name = body, .angular_velocity = Located<Vec3>(angular_velocity)});
}

MechanismBuilder& MechanismBuilder::joint_velocity(Id joint, double velocity) {
  return add(InitialSpec{.name = joint, .joint_velocity = Number(velocity)});
}

MechanismBuilder& MechanismBuilder::initial_motion(const Vec3& velocity) {
  return add(InitialSpec{.name = std::string(InitialSpec::kWhole), .velocity = Located<Vec3>(velocity)});
}

MechanismBuilder& MechanismBuilder::joint_position(Id joint, double position) {
  return add(InitialSpec{.name = joint, .joint_position = Number(position)});
}

MechanismBuilder& MechanismBuilder::simulation(SimulationSpec spec) {
  spec_.simulation = std::move(spec);
  return *this;
}

MechanismBuilder& MechanismBuilder::connection(Id name, Id kind) {
  spec_.connections.push_back({name, kind});
  return *this;
}

MechanismBuilder& MechanismBuilder::add(const MechanismSpec& part, const SubsystemUse& use) {
  Problems problems;
  include_subsystem(part, use, spec_, problems);
  problems.throw_errors();
  return *this;
}

#define CARDAN_ADD(Type, list)                         \
  MechanismBuilder& MechanismBuilder::add(Type spec) { \
    spec_.list.push_back(std::move(spec));             \
    return *this;                                      \
  }
CARDAN_ADD(PointSpec, points)
CARDAN_ADD(InputSpec, inputs)
CARDAN_ADD(StateSpec, states)
CARDAN_ADD(SignalSpec, signals)
CARDAN_ADD(BodySpec, bodies)
CARDAN_ADD(MarkerSpec, markers)
CARDAN_ADD(JointSpec, joints)
CARDAN_ADD(Element, elements)
CARDAN_ADD(RoadSpec, roads)
CARDAN_ADD(InitialSpec, initial)
CARDAN_ADD(EventSpec, events)
CARDAN_ADD(GeometrySpec, geometry)
#undef CARDAN_ADD

Mechanism MechanismBuilder::build() const {
  Problems problems;
  return resolve_mechanism(spec_, problems);
}

}  // namespace cardan
