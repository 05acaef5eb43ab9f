// The same mechanism in other units of length and mass, and the same mechanism elsewhere.
#pragma once

#include "cardan/mechanism.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

/// A metre is `length` new units, a kilogram `mass` of them; seconds stay.
inline Mechanism in_units(Mechanism m, double length, double mass) {
  const double force = mass * length, torque = force * length, inertia = mass * length * length;
  const auto is_length = [&](int joint, int coordinate) {
    return !is_angle(m.joints[joint].type, m.planar, coordinate);
  };
  m.gravity *= length;
  for (Body& body : m.bodies) {
    body.mass *= mass, body.center *= length, body.inertia *= inertia;
    if (body.initial_velocity) *body.initial_velocity *= length;
  }
  for (Marker& marker : m.markers) marker.origin *= length;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    Joint& joint = m.joints[j];
    joint.frame1.origin *= length, joint.frame2.origin *= length;
    joint.length *= length, joint.pitch *= length;
    for (std::size_t i = 0; i < joint.drawn.size(); ++i) {
      if (is_length(static_cast<int>(j), static_cast<int>(i))) joint.drawn[i] *= length;
    }
    if (!is_length(static_cast<int>(j), 0)) continue;
    if (joint.initial_position) *joint.initial_position *= length;
    if (joint.initial_velocity) *joint.initial_velocity *= length;
  }
  for (SpringDamper& s : m.springs) {
    s.point1 *= length, s.point2 *= length, s.free_length *= length;
    s.spring = s.spring.scaled(force, 1 / length), s.damper = s.damper.scaled(force, 1 / length);
  }
  for (JointSpringDamper& s : m.joint_springs) {
    const double unit = is_length(s.joint, s.coordinate) ? length : 1, effort = unit == 1 ? torque : force;
    s.free_position *= unit;
    s.spring = s.spring.scaled(effort, 1 / unit), s.damper = s.damper.scaled(effort, 1 / unit);
  }
  for (Bushing& b : m.bushings) {
    b.frame1.origin *= length, b.frame2.origin *= length, b.stiffness *= mass, b.damping *= mass;
    b.rotational_stiffness *= inertia, b.rotational_damping *= inertia;
  }
  for (Rotor& r : m.rotors) r.inertia *= is_length(r.joint, r.coordinate) ? mass : inertia;
  for (PointForce& f : m.forces) {
    f.point *= length;
    for (Law& component : f.components) component.function = component.function.scaled(force);
  }
  for (Torque& t : m.torques) {
    for (Law& component : t.components) component.function = component.function.scaled(torque);
  }
  for (Actuator& a : m.actuators)
    a.effort.function = a.effort.function.scaled(is_length(a.joint, a.coordinate) ? force : torque);
  for (Road& road : m.roads) {
    for (Vec2& point : road.profile) point *= length;
  }
  for (Tyre& t : m.tyres) {
    t.center *= length, t.radius *= length, t.stiffness *= mass, t.damping *= mass;
    if (!t.lateral) continue;
    CalspanTyre& c = *t.lateral;
    c.a0 *= force, c.a2 *= force, c.a4 *= force, c.b1 /= force, c.b4 /= force * force;
    c.m1 *= length / force, c.m2 *= length / force, c.low_speed *= length;
  }
  for (Coupler& c : m.couplers) {
    if (is_length(c.joint2, c.coordinate2)) c.ratio *= length;
    if (is_length(c.joint1, c.coordinate1)) c.ratio /= length;
  }
  for (Driver& d : m.drivers) {
    d.point1 *= length, d.point2 *= length;
    if (d.joint < 0 || is_length(d.joint, d.coordinate)) d.position = d.position.scaled(length);
  }
  for (Event& event : m.events) event.by *= length;
  return m;
}

inline Mechanism moved(Mechanism m, const Vec3& by) {
  for (Body& body : m.bodies) body.center += by;
  for (Marker& marker : m.markers) marker.origin += by;
  for (Joint& joint : m.joints) joint.frame1.origin += by, joint.frame2.origin += by;
  for (SpringDamper& s : m.springs) s.point1 += by, s.point2 += by;
  for (Bushing& b : m.bushings) b.frame1.origin += by, b.frame2.origin += by;
  for (PointForce& f : m.forces) f.point += by;
  for (Road& road : m.roads) {
    for (Vec2& point : road.profile) point += m.planar ? Vec2(by.x(), by.y()) : Vec2(by.x(), by.z());
  }
  for (Tyre& tyre : m.tyres) tyre.center += by;
  for (Driver& d : m.drivers) d.point1 += by, d.point2 += by;
  return m;
}

}  // namespace cardan
