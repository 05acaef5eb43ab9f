#include "cardan/builder.hpp"

#include "mechanism/resolver.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

JointSpec joint_spec(const std::string& name, JointType type, const std::string& body1, const std::string& body2) {
  JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.body1 = body1;
  spec.body2 = body2;
  return spec;
}

JointSpec joint_spec(const std::string& name, JointType type, const std::string& body1, const std::string& body2,
                     const Place& at) {
  JointSpec spec = joint_spec(name, type, body1, body2);
  spec.at1 = at;
  return spec;
}

JointSpec joint_spec(const std::string& name, JointType type, const std::string& body1, const std::string& body2,
                     const Place& at, const Direction& axis) {
  JointSpec spec = joint_spec(name, type, body1, body2, at);
  spec.axis1 = axis;
  return spec;
}

template <class Shape>
BodySpec body_spec(const std::string& name, Shape shape, double mass) {
  return BodySpec{.name = name, .shape = std::move(shape), .mass = Number(mass), .density = {}, .axes = {}};
}

}  // namespace

MechanismBuilder::MechanismBuilder(std::string name) { spec_.name = std::move(name); }

MechanismBuilder& MechanismBuilder::planar(bool is_planar) {
  spec_.planar = is_planar;
  return *this;
}

MechanismBuilder& MechanismBuilder::gravity(const Vec3& acceleration) {
  spec_.gravity = Located<Vec3>(acceleration);
  return *this;
}

MechanismBuilder& MechanismBuilder::point(const std::string& name, const Place& coordinates) {
  return add(PointSpec{name, coordinates.position});
}

MechanismBuilder& MechanismBuilder::rod(const std::string& name, const Place& from, const Place& to, double mass,
                                        double radius) {
  return add(body_spec(name, RodShape{from, to, radius}, mass));
}

MechanismBuilder& MechanismBuilder::box(const std::string& name, const Vec3& edges, const Place& center, double mass) {
  return add(body_spec(name, BoxShape{edges, center}, mass));
}

MechanismBuilder& MechanismBuilder::cylinder(const std::string& name, const Place& from, const Place& to, double radius,
                                             double mass) {
  return add(body_spec(name, CylinderShape{from, to, radius}, mass));
}

MechanismBuilder& MechanismBuilder::sphere(const std::string& name, double radius, const Place& center, double mass) {
  return add(body_spec(name, SphereShape{radius, center}, mass));
}

MechanismBuilder& MechanismBuilder::body(const std::string& name, double mass, const Place& center,
                                         const Mat3& inertia) {
  return add(body_spec(name, GivenInertia{center, Located<Mat3>(inertia)}, mass));
}

MechanismBuilder& MechanismBuilder::body(const std::string& name, double mass, const Place& center, double inertia) {
  return body(name, mass, center, Mat3(Vec3(0, 0, inertia).asDiagonal()));
}

MechanismBuilder& MechanismBuilder::geometry(const std::string& body, decltype(GeometrySpec::shape) shape,
                                             const std::string& color) {
  return add(GeometrySpec{.body = body, .shape = std::move(shape), .color = color});
}

MechanismBuilder& MechanismBuilder::marker(const std::string& name, const std::string& body, const Place& at) {
  return add(MarkerSpec{.name = name, .body = body, .at = at, .axes = {}});
}

MechanismBuilder& MechanismBuilder::revolute(const std::string& name, const std::string& body1,
                                             const std::string& body2, const Place& at) {
  return add(joint_spec(name, JointType::revolute, body1, body2, at));
}

MechanismBuilder& MechanismBuilder::revolute(const std::string& name, const std::string& body1,
                                             const std::string& body2, const Place& at, const Direction& axis) {
  return add(joint_spec(name, JointType::revolute, body1, body2, at, axis));
}

MechanismBuilder& MechanismBuilder::prismatic(const std::string& name, const std::string& body1,
                                              const std::string& body2, const Place& at, const Direction& axis) {
  return add(joint_spec(name, JointType::prismatic, body1, body2, at, axis));
}

MechanismBuilder& MechanismBuilder::cylindrical(const std::string& name, const std::string& body1,
                                                const std::string& body2, const Place& at, const Direction& axis) {
  return add(joint_spec(name, JointType::cylindrical, body1, body2, at, axis));
}

MechanismBuilder& MechanismBuilder::universal(const std::string& name, const std::string& body1,
                                              const std::string& body2, const Place& at, const Direction& axis1,
                                              const Direction& axis2) {
  JointSpec spec = joint_spec(name, JointType::universal, body1, body2, at, axis1);
  spec.axis2 = axis2;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::spherical(const std::string& name, const std::string& body1,
                                              const std::string& body2, const Place& at) {
  return add(joint_spec(name, JointType::spherical, body1, body2, at));
}

MechanismBuilder& MechanismBuilder::planar_joint(const std::string& name, const std::string& body1,
                                                 const std::string& body2, const Place& at, const Direction& normal) {
  return add(joint_spec(name, JointType::planar, body1, body2, at, normal));
}

MechanismBuilder& MechanismBuilder::fixed(const std::string& name, const std::string& body1, const std::string& body2) {
  return add(joint_spec(name, JointType::fixed, body1, body2));
}

MechanismBuilder& MechanismBuilder::free(const std::string& name, const std::string& body1, const std::string& body2) {
  return add(joint_spec(name, JointType::free, body1, body2));
}

MechanismBuilder& MechanismBuilder::distance(const std::string& name, const std::string& body1,
                                             const std::string& body2, const Place& at1, const Place& at2) {
  JointSpec spec = joint_spec(name, JointType::distance, body1, body2, at1);
  spec.at2 = at2;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::screw(const std::string& name, const std::string& body1, const std::string& body2,
                                          const Place& at, const Direction& axis, double pitch) {
  JointSpec spec = joint_spec(name, JointType::screw, body1, body2, at, axis);
  spec.pitch = Number(pitch);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::point_on_line(const std::string& name, const std::string& body1,
                                                  const std::string& body2, const Place& at, const Direction& axis,
                                                  const Place& point) {
  JointSpec spec = joint_spec(name, JointType::point_on_line, body1, body2, at, axis);
  spec.at2 = point;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::point_on_plane(const std::string& name, const std::string& body1,
                                                   const std::string& body2, const Place& at, const Direction& normal,
                                                   const Place& point) {
  JointSpec spec = joint_spec(name, JointType::point_on_plane, body1, body2, at, normal);
  spec.at2 = point;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::parallel(const std::string& name, const std::string& body1,
                                             const std::string& body2, const Direction& axis) {
  JointSpec spec = joint_spec(name, JointType::parallel, body1, body2);
  spec.axis1 = axis;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::perpendicular(const std::string& name, const std::string& body1,
                                                  const std::string& body2, const Direction& axis1,
                                                  const Direction& axis2) {
  JointSpec spec = joint_spec(name, JointType::perpendicular, body1, body2);
  spec.axis1 = axis1;
  spec.axis2 = axis2;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::gear(const std::string& name, const std::string& joint1, const std::string& joint2,
                                         double ratio) {
  CouplerSpec spec;
  spec.name = name;
  spec.joint1 = joint1;
  spec.joint2 = joint2;
  spec.ratio = ratio;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::rack(const std::string& name, const std::string& pinion, const std::string& rack,
                                         double radius) {
  CouplerSpec spec;
  spec.name = name;
  spec.joint1 = pinion;
  spec.joint2 = rack;
  spec.rack = true;
  spec.ratio = radius;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::friction(const std::string& name, const std::string& joint, double viscous,
                                             double coulomb) {
  FrictionSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.viscous = Number(viscous);
  spec.coulomb = Number(coulomb);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::rotor(const std::string& name, const std::string& joint, double inertia,
                                          double gear) {
  RotorSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.inertia = inertia;
  spec.gear = Number(gear);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::spring(const std::string& name, const std::string& body1, const std::string& body2,
                                           const Place& at1, const Place& at2, double stiffness, double damping) {
  SpringSpec spec;
  spec.name = name;
  spec.body1 = body1;
  spec.body2 = body2;
  spec.at1 = at1;
  spec.at2 = at2;
  spec.stiffness = Number(stiffness);
  spec.damping = Number(damping);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::torsion(const std::string& name, const std::string& joint, double stiffness,
                                            double damping, double free_angle) {
  JointSpringSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.stiffness = Number(stiffness);
  spec.damping = Number(damping);
  spec.free_position = Number(free_angle);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::actuator(const std::string& name, const std::string& joint,
                                             const Function& effort) {
  return add(ActuatorSpec{.name = name, .joint = joint, .coordinate = {}, .effort = effort});
}

MechanismBuilder& MechanismBuilder::driver(const std::string& name, const std::string& joint,
                                           const Function& position) {
  DriverSpec spec;
  spec.name = name;
  spec.joint = Name(joint);
  spec.position = position;
  return add(std::move(spec));
}

namespace {

EventSpec event_at(const std::string& name, double time, Event::Action action,
                   const std::vector<std::string>& targets) {
  EventSpec spec;
  spec.name = name;
  spec.time = time;
  spec.action = action;
  spec.targets.assign(targets.begin(), targets.end());
  return spec;
}

}  // namespace

MechanismBuilder& MechanismBuilder::attach(const std::string& name, double time, const std::string& joint) {
  return add(event_at(name, time, Event::Action::attach, {joint}));
}

MechanismBuilder& MechanismBuilder::release(const std::string& name, double time, const std::string& joint) {
  return add(event_at(name, time, Event::Action::release, {joint}));
}

MechanismBuilder& MechanismBuilder::switch_on(const std::string& name, double time,
                                              const std::vector<std::string>& elements) {
  return add(event_at(name, time, Event::Action::on, elements));
}

MechanismBuilder& MechanismBuilder::switch_off(const std::string& name, double time,
                                               const std::vector<std::string>& elements) {
  return add(event_at(name, time, Event::Action::off, elements));
}

MechanismBuilder& MechanismBuilder::drop(const std::string& name, double time, const std::string& road, double by) {
  EventSpec spec = event_at(name, time, Event::Action::drop, {road});
  spec.by = by;
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::velocity(const std::string& body, const Vec3& velocity) {
  InitialSpec spec;
  spec.name = body;
  spec.velocity = Located<Vec3>(velocity);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::angular_velocity(const std::string& body, const Vec3& angular_velocity) {
  InitialSpec spec;
  spec.name = body;
  spec.angular_velocity = Located<Vec3>(angular_velocity);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::joint_velocity(const std::string& joint, double velocity) {
  InitialSpec spec;
  spec.name = joint;
  spec.joint_velocity = Number(velocity);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::joint_position(const std::string& joint, double position) {
  InitialSpec spec;
  spec.name = joint;
  spec.joint_position = Number(position);
  return add(std::move(spec));
}

MechanismBuilder& MechanismBuilder::simulation(SimulationSpec spec) {
  spec_.simulation = std::move(spec);
  return *this;
}

MechanismBuilder& MechanismBuilder::connection(const std::string& name, const std::string& kind) {
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
