// Contact of shapes with each other and with roads.
#include "cardan/specs/contact.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cardan/element.hpp"
#include "mechanism/contact_memory.hpp"
#include "mechanism/trajectory_columns.hpp"

namespace cardan {
namespace {

bool is_contact_shape(const Geometry& g) {
  return g.shape == Geometry::Shape::sphere || g.shape == Geometry::Shape::capsule || g.shape == Geometry::Shape::box;
}

/// What the drawing has of a body, or else what it is given as.
std::vector<Geometry> shapes_of(int body, const Mechanism& m) {
  std::vector<Geometry> shapes;
  for (const Geometry& g : m.geometry)
    if (g.body == body && is_contact_shape(g)) shapes.push_back(g);
  if (!shapes.empty() || body == kGround) return shapes;
  const std::optional<Geometry>& own = m.bodies[static_cast<std::size_t>(body)].shape;
  if (own && is_contact_shape(*own)) shapes.push_back(*own);
  return shapes;
}

/// How far it reaches from a place.
double reach(const Geometry& g, const Vec3& from) {
  const double near = (g.origin - from).norm();
  if (g.shape == Geometry::Shape::box) return near + 0.5 * g.edges.norm();
  return g.radius + (g.shape == Geometry::Shape::capsule ? std::max(near, (g.end - from).norm()) : near);
}

/// Shapes that were meant to decorate a body take the place of its own: where nothing of them comes near its surface,
/// that is said.
void warn_of_replaced_shape(Lowering& to, int body, const std::vector<Geometry>& shapes, const SourceLocation& where) {
  if (body == kGround || shapes.empty()) return;
  const std::optional<Geometry>& own = to.mechanism().bodies[static_cast<std::size_t>(body)].shape;
  if (!own || !is_contact_shape(*own)) return;
  double furthest = 0;
  for (const Geometry& g : shapes) furthest = std::max(furthest, reach(g, own->origin));
  if (furthest > 0.9 * reach(*own, own->origin)) return;
  to.warning(where,
             fmt::format("body '{}' touches with the shapes of its geometry, which are within the {} that it is "
                         "given as",
                         to.mechanism().body_name(body), own->shape == Geometry::Shape::box ? "box" : "sphere"),
             "add that shape to its 'geometry' if it is to touch too");
}

template <class Elements>
std::vector<int> named(const Elements& elements, const std::string& name) {
  std::vector<int> found;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].name == name || !columns_like({elements[i].name}, name).empty())
      found.push_back(static_cast<int>(i));
  return found;
}

void add_once(std::vector<int>& list, const std::vector<int>& more) {
  for (const int i : more)
    if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
}

}  // namespace

ElementKind ContactSpec::kind() const { return {"contact", "a contact"}; }

void ContactSpec::fields(FieldVisitor& visit) {
  visit.touching(Field("contact", "bodies and roads that touch each other; `*` stands for anything")
                     .required("write 'contact: [BODY, ROAD]'")
                     .like("[BODY, ROAD]"),
                 between);
  visit.places(Field("points", "points of the first body, in place of its shapes", "", "its shapes"), points);
  visit.number(Field("radius", "of balls around the points", "m", "0").bounded(Bound::not_negative), radius);
  visit.number(Field("stiffness", "k", "N/m^n").required("add 'stiffness'").bounded(Bound::positive), stiffness);
  visit.number(Field("exponent", "n, 1 at least; Hertz: 1.5", "1", "1").bounded(Bound::positive), exponent);
  visit.number(Field("restitution", "e, 0 to 1", "1", "0.5"), restitution);
  visit.number(Field("friction", "mu", "1", "0").bounded(Bound::not_negative), friction);
  visit.number(Field("tangential_stiffness", "k_t", "N/m", "k, where n is 1").bounded(Bound::positive),
               tangential_stiffness);
  visit.number(
      Field("speed", "v_0: slower contacts are damped as at this speed, and slip is resisted in proportion up to it",
            "m/s", "0.05")
          .bounded(Bound::positive),
      speed);
  visit.number(
      Field("rolling_resistance", "f: the moment f N R against the rolling and spinning of what is round", "1", "0")
          .bounded(Bound::not_negative),
      rolling_resistance);
}

void ContactSpec::lower(Lowering& to) const {
  const Mechanism& m = to.mechanism();
  Contact contact{.stiffness = stiffness->value};
  std::vector<int> bodies;
  for (const Name& name : between) {
    if (name.value == "ground") add_once(bodies, {kGround});
    add_once(bodies, named(m.bodies, name.value));
    add_once(contact.roads, named(m.roads, name.value));
  }
  if (bodies.empty()) return to.error(between.front().where, "no body is named, and roads do not touch each other");
  if (bodies.size() + contact.roads.size() < 2)
    return to.error(between.front().where, "it names one body, which has nothing to touch",
                    "name a road, or another body");
  contact.first_body = bodies.front();
  contact.despite_joints = bodies.size() == 2 && between.size() == 2;
  for (const int body : bodies) {
    std::vector<Geometry> shapes = shapes_of(body, m);
    if (body != bodies.front() || points.empty()) warn_of_replaced_shape(to, body, shapes, between.front().where);
    if (body == bodies.front() && !points.empty()) {
      shapes.clear();
      for (const Place& point : points)
        shapes.push_back({.shape = Geometry::Shape::sphere,
                          .body = body,
                          .origin = to.place(point),
                          .radius = radius ? radius->value : 0});
    }
    if (shapes.empty())
      return to.error({}, fmt::format("'{}' has no sphere, capsule or box that could touch", m.body_name(body)),
                      "give the body as a box or sphere, add one to its 'geometry', or name 'points'");
    contact.shapes.insert(contact.shapes.end(), shapes.begin(), shapes.end());
  }
  if (radius && points.empty())
    return to.error(radius->where, "'radius' belongs to 'points'", "add 'points', or leave it out");
  if (exponent) contact.exponent = exponent->value;
  if (contact.exponent < 1)
    return to.error(exponent->where, fmt::format("the exponent is {}", contact.exponent),
                    "give it as 1 or more: below, a contact would be infinitely stiff where it begins");
  if (friction) contact.friction = friction->value;
  if (speed) contact.speed = speed->value;
  if (rolling_resistance) contact.rolling_resistance = rolling_resistance->value;
  if (restitution) contact.restitution = restitution->value;
  if (!(contact.restitution >= 0 && contact.restitution <= 1))
    return to.error(restitution->where, fmt::format("the restitution is {}", contact.restitution),
                    "give it from 0 (they stay together) to 1 (nothing is lost)");
  if (!tangential_stiffness && contact.exponent != 1 && contact.friction > 0)
    return to.error(friction->where, "friction needs a stiffness along the surface, and k has another unit",
                    "add 'tangential_stiffness', in N/m");
  contact.tangential_stiffness = tangential_stiffness ? tangential_stiffness->value : contact.stiffness;
  contact.memory = contact_memory(contact, m.planar);
  to.add(std::move(contact));
}

}  // namespace cardan
