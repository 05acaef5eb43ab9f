// SignalTable: ELEMENT.QUANTITY as a signal, at the lowest level at which it is known. What is a law of other signals
// is made of those, so that its derivatives are theirs.
#include <fmt/format.h>

#include <algorithm>

#include "mechanism/joint_types.hpp"
#include "mechanism/phases.hpp"
#include "mechanism/quantities.hpp"
#include "mechanism/signal_table.hpp"
#include "mechanism/trajectory_columns.hpp"

namespace cardan {
namespace {

using Kind = Signal::Kind;

template <class List>
int index_of(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

/// "q2" as a number: 2; a field without one: `alone`.
std::optional<int> number_behind(const std::string& field, char letter, int alone) {
  if (field.empty() || field[0] != letter) return std::nullopt;
  if (field.size() == 1) return alone;
  if (field.size() > 2 || field[1] < '1' || field[1] > '9') return std::nullopt;
  return field[1] - '0';
}

/// Of "PREFIXx" 0, of "PREFIXy" 1, of "PREFIXz" 2, which planar mechanisms have not; of others -1.
int axis_behind(const std::string& field, const std::string& prefix, bool planar) {
  if (field.size() != prefix.size() + 1 || !field.starts_with(prefix)) return -1;
  const int axis = field.back() - 'x';
  return axis < 0 || axis > (planar ? 1 : 2) ? -1 : axis;
}

/// Of "PREFIXfx" to "PREFIXmz" 0 to 5, of others -1; planar mechanisms have fx, fy and mz.
int wrench_component(const std::string& field, const std::string& prefix, bool planar) {
  if (const int axis = axis_behind(field, prefix + "f", planar); axis >= 0) return axis;
  if (planar) return field == prefix + "mz" ? 5 : -1;
  const int axis = axis_behind(field, prefix + "m", planar);
  return axis < 0 ? -1 : 3 + axis;
}

Signal of_kind(Kind kind, int index, int component = 0) {
  Signal s;
  s.kind = kind;
  s.index = index;
  s.component = component;
  return s;
}

/// From ground, along an inertial axis.
Signal along_axis(Kind kind, int body, const Vec3& point, int axis) {
  Signal s = of_kind(kind, -1);
  s.body2 = body;
  s.point2 = point;
  s.direction = Vec3::Unit(axis);
  return s;
}

}  // namespace

/// factors[0] parts[0] + ...; 0 of none.
int SignalTable::sum(const std::vector<double>& factors, std::vector<int> parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{:.17g}*s{}", i == 0 ? "" : " + ", factors[i], i);
  Signal s = of_kind(Kind::expression, -1);
  s.expression = SignalExpression::parse(parts.empty() ? "0" : text);
  s.arguments = std::move(parts);
  return add(std::move(s));
}

int SignalTable::product(int one, int other) {
  Signal s = of_kind(Kind::expression, -1);
  s.expression = SignalExpression::parse("one*other");
  s.arguments = {one, other};
  return add(std::move(s));
}

/// A signal of its own, so that it can be switched off with what follows the law.
int SignalTable::value_of(const Law& law) {
  std::vector<int> parts;
  if (!law.function.is_zero()) {
    Signal over_time = of_kind(Kind::function, -1);
    over_time.of = law.function;
    over_time.arguments = {time()};
    parts.push_back(add(std::move(over_time)));
  }
  if (law.signal >= 0) parts.push_back(law.signal);
  return sum(std::vector<double>(parts.size(), 1), parts);
}

/// Along an inertial axis e: sum of (e . b_j) law_j over the axes b_j of the body, or the law itself.
int SignalTable::component(const std::array<Law, 3>& laws, int axis, int body, bool body_axes) {
  if (!body_axes || body == kGround || (m_.planar && axis == 2)) return value_of(laws[static_cast<std::size_t>(axis)]);
  std::vector<int> parts;
  for (int j = 0; j < (m_.planar ? 2 : 3); ++j) {
    const Law& law = laws[static_cast<std::size_t>(j)];
    if (law.is_zero()) continue;
    Signal cosine = along_axis(Kind::cosine, body, Vec3::Zero(), axis);
    cosine.direction2 = m_.bodies[static_cast<std::size_t>(body)].axes.col(j);
    parts.push_back(product(add(std::move(cosine)), value_of(law)));
  }
  return sum(std::vector<double>(parts.size(), 1), parts);
}

std::optional<int> SignalTable::of_point(int body, const Vec3& point, const std::string& field) {
  const bool planar = m_.planar;
  if (const int axis = axis_behind(field, "", planar); axis >= 0)
    return body == kGround ? value_of(Function::constant(point[axis]))
                           : add(along_axis(Kind::place, body, point, axis));
  if (const int axis = axis_behind(field, "v", planar); axis >= 0) {
    if (body == kGround) return sum({}, {});
    Signal s = along_axis(Kind::place, body, point, axis);
    s.rate = true;
    return add(std::move(s));
  }
  if (const int axis = axis_behind(field, "a", planar); axis >= 0)
    return body == kGround ? sum({}, {}) : add(along_axis(Kind::acceleration, body, point, axis));
  return std::nullopt;
}

std::optional<int> SignalTable::of_body(int body, const std::string& field) {
  const Vec3 center = m_.bodies[static_cast<std::size_t>(body)].center;
  if (m_.planar && (field == "angle" || field == "w")) {
    Signal s = along_axis(Kind::plane_angle, body, center, 0);
    s.rate = field == "w";
    return add(std::move(s));
  }
  if (m_.planar && field == "alpha") return add(along_axis(Kind::angular_acceleration, body, center, 2));
  if (const int axis = axis_behind(field, "w", false); axis >= 0 && !m_.planar)
    return add(along_axis(Kind::spin, body, center, axis));
  if (const int axis = axis_behind(field, "alpha", false); axis >= 0 && !m_.planar)
    return add(along_axis(Kind::angular_acceleration, body, center, axis));
  return of_point(body, center, field);
}

/// What the rates of a rotation vector are told as: e . (w2 - w1), e an axis of frame 1.
int SignalTable::relative_spin(const Joint& joint, int axis) {
  std::vector<double> factors;
  std::vector<int> parts;
  for (const auto& [body, factor] : {std::pair(joint.body2, 1.0), std::pair(joint.body1, -1.0)}) {
    if (body == kGround) continue;
    Signal s = along_axis(Kind::spin, body, Vec3::Zero(), 0);
    s.body1 = joint.body1;
    s.direction = joint.frame1.axes.col(axis);
    factors.push_back(factor);
    parts.push_back(add(std::move(s)));
  }
  return sum(factors, parts);
}

std::optional<int> SignalTable::of_joint(int joint, const std::string& field) {
  const Joint& j = m_.joints[static_cast<std::size_t>(joint)];
  const int count = joint_coordinate_count(j.type, m_.planar);
  for (const char letter : {'q', 'v', 'a'}) {
    const auto number = number_behind(field, letter, count == 1 ? 1 : 0);
    if (!number || *number < 1 || *number > count || (count == 1) != (field.size() == 1)) continue;
    const int index = *number - 1;
    if (is_rotation_vector(j.type, m_.planar, index)) {
      if (letter != 'v') return std::nullopt;
      return relative_spin(j, coordinate_direction(j.type, m_.planar, index).axis);
    }
    Signal s = of_kind(letter == 'a' ? Kind::coordinate_acceleration : Kind::coordinate, joint, index);
    s.rate = letter == 'v';
    return add(std::move(s));
  }
  if (const int component = wrench_component(field, "inertial_", m_.planar); component >= 0)
    return add(of_kind(Kind::reaction, joint, component));
  return std::nullopt;
}

/// Of centre, axle (space) and velocity of the wheel.
int SignalTable::of_tyre(int tyre, int component) {
  const Tyre& t = m_.tyres[static_cast<std::size_t>(tyre)];
  const int axes = m_.planar ? 2 : 3;
  Signal s = of_kind(Kind::tyre, tyre, component);
  for (int i = 0; i < axes; ++i) s.arguments.push_back(add(along_axis(Kind::place, t.body, t.center, i)));
  for (int i = 0; i < axes && !m_.planar; ++i) {
    Signal cosine = along_axis(Kind::cosine, t.body, Vec3::Zero(), i);
    cosine.direction2 = t.axis;
    s.arguments.push_back(add(std::move(cosine)));
  }
  for (int i = 0; i < axes; ++i) {
    Signal rate = along_axis(Kind::place, t.body, t.center, i);
    rate.rate = true;
    s.arguments.push_back(add(std::move(rate)));
  }
  return add(std::move(s));
}

/// Length or rate between two points; `ends`: their bodies, kind and direction.
int SignalTable::of_line(const Vec3& point1, const Vec3& point2, const Signal& ends) {
  Signal s = ends;
  s.point1 = point1;
  s.point2 = point2;
  return add(std::move(s));
}

/// With springs of its name on the same coordinate, which stops have.
int SignalTable::of_actuator(int actuator) {
  const Actuator& a = m_.actuators[static_cast<std::size_t>(actuator)];
  const int law = value_of(a.effort);
  std::vector<double> factors{1};
  std::vector<int> parts{law};
  for (const int spring : springs_beside(m_, a)) {
    factors.push_back(-1);
    parts.push_back(add(of_kind(Kind::joint_pull, spring)));
  }
  return parts.size() == 1 ? law : sum(factors, parts);
}

std::optional<int> SignalTable::of_load(const std::string& element, std::string field) {
  Signal line = of_kind(Kind::distance, -1);
  line.rate = field == "rate";
  const bool is_length = field == "length" || field == "rate";
  if (const int i = index_of(m_.springs, element); i >= 0) {
    const SpringDamper& spring = m_.springs[static_cast<std::size_t>(i)];
    line.body1 = spring.body1, line.body2 = spring.body2;
    if (spring.axis) line.kind = Kind::place, line.direction = *spring.axis;
    if (is_length) return of_line(spring.point1, spring.point2, line);
    if (field == "force") return add(of_kind(Kind::tension, i));
  }
  if (const int i = index_of(m_.line_forces, element); i >= 0) {
    const LineForce& force = m_.line_forces[static_cast<std::size_t>(i)];
    line.body1 = force.body1, line.body2 = force.body2;
    if (is_length) return of_line(force.point1, force.point2, line);
    if (field == "force") return value_of(force.pull);
  }
  if (const int i = index_of(m_.actuators, element); i >= 0 && field == "effort") return of_actuator(i);
  const int wrench = wrench_component(field, "", m_.planar);
  if (const int i = index_of(m_.forces, element); i >= 0 && wrench >= 0 && wrench < 3) {
    const PointForce& force = m_.forces[static_cast<std::size_t>(i)];
    return component(force.components, wrench, force.body, force.body_axes);
  }
  if (const int i = index_of(m_.torques, element); i >= 0 && wrench >= 3) {
    const Torque& torque = m_.torques[static_cast<std::size_t>(i)];
    return component(torque.components, wrench - 3, torque.body2, torque.body_axes);
  }
  if (const int i = index_of(m_.tyres, element); i >= 0 && (field == "load" || (wrench >= 0 && wrench < 3)))
    return of_tyre(i, field == "load" ? 0 : 1 + wrench);
  if (const int i = index_of(m_.contacts, element); i >= 0) {
    if (field == "load") return add(of_kind(Kind::contact, i, 0));
    if (field == "depth") return add(of_kind(Kind::contact, i, 1));
    if (wrench >= 0 && wrench < 3) return add(of_kind(Kind::contact, i, 2 + wrench));
  }
  if (const int i = find_primitive(m_.rotors, element, field); i >= 0 && field == "effort")
    return add(of_kind(Kind::rotor, i));
  if (const int i = find_primitive(m_.joint_springs, element, field); i >= 0 && field == "effort")
    return sum({-1}, {add(of_kind(Kind::joint_pull, i))});
  if (const int i = find_primitive(m_.bushings, element, field); i >= 0) {
    const int axis = wrench_component(field, "", m_.planar);
    if (axis < 0) return std::nullopt;
    const Bushing& b = m_.bushings[static_cast<std::size_t>(i)];
    const auto along = static_cast<Eigen::Index>(axis % 3);
    const bool acts = axis < 3 ? b.stiffness[along] != 0 || b.damping[along] != 0
                               : b.rotational_stiffness[along] != 0 || b.rotational_damping[along] != 0;
    return acts ? sum({-1}, {add(of_kind(Kind::bushing_pull, i, axis))}) : sum({}, {});
  }
  return std::nullopt;
}

std::optional<int> SignalTable::find_quantity(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string element = name.substr(0, dot), field = dot == std::string::npos ? "" : name.substr(dot + 1);
  const std::size_t before = m_.signals.size();
  std::optional<int> found;
  if (const int body = index_of(m_.bodies, element); body >= 0) found = of_body(body, field);
  if (const int marker = index_of(m_.markers, element); marker >= 0)
    found = of_point(m_.markers[static_cast<std::size_t>(marker)].body,
                     m_.markers[static_cast<std::size_t>(marker)].origin, field);
  if (const int joint = index_of(m_.joints, element); joint >= 0) found = of_joint(joint, field);
  if (!found) found = of_load(element, field);
  const auto energies = energy_quantities();
  if (const auto energy = std::find(energies.begin(), energies.end(), field);
      !found && element == "energy" && energy != energies.end())
    found = add(of_kind(Kind::energy, -1, static_cast<int>(energy - energies.begin())));
  if (!found) {
    const std::vector<std::string> columns = trajectory_columns(m_);
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) return std::nullopt;
    found = add(of_kind(Kind::column, -1));
  }
  // All that belongs to one signal goes with its element, where that can be switched.
  visit_switchable(m_, [&](const auto& elements) {
    if (index_of(elements, element) < 0) return;
    for (std::size_t i = before; i < m_.signals.size(); ++i)
      if (m_.signals[i].kind != Kind::time) m_.signals[i].owner = element;
  });
  return found;
}

}  // namespace cardan
