// scene.json. The keys are a promise to programs that read it: more may follow, none goes.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cardan/scene.hpp"
#include "io/columns.hpp"
#include "io/scene_numbers.hpp"
#include "io/scene_roads.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return scene_number(value); }

Json vector(const Vec3& v) { return scene_vector(v); }

/// The columns one after the other: x axis, y axis, z axis.
Json columns(const Mat3& m) { return Json::array({vector(m.col(0)), vector(m.col(1)), vector(m.col(2))}); }

/// A named place on a body, of which scene.json lists all that joints, loads and markers make.
struct Hardpoint {
  int body;
  std::string name;
  const char* kind;
  Vec3 at;
  double radius = 0;  // of the ball around it with which it touches
};

std::vector<Hardpoint> hardpoints(const Mechanism& mechanism) {
  std::vector<Hardpoint> points;
  for (const Joint& joint : mechanism.joints) {
    if (JointEquations(joint.type, mechanism.planar).empty()) continue;  // holds nothing, so it is nowhere
    // A joint that an event attaches takes hold where the point of body 2 then is; until then body 1 has no such point.
    if (joint.present) points.push_back({joint.body1, joint.name, "joint", joint.frame1.origin});
    points.push_back({joint.body2, joint.name, "joint", joint.frame2.origin});
  }
  for (const SpringDamper& spring : mechanism.springs) {
    points.push_back({spring.body1, spring.name, "spring", spring.point1});
    points.push_back({spring.body2, spring.name, "spring", spring.point2});
  }
  for (const LineForce& pull : mechanism.line_forces) {
    points.push_back({pull.body1, pull.name, "pull", pull.point1});
    points.push_back({pull.body2, pull.name, "pull", pull.point2});
  }
  for (const Driver& driver : mechanism.drivers) {
    if (driver.joint >= 0) continue;
    points.push_back({driver.body1, driver.name, "driver", driver.point1});
    points.push_back({driver.body2, driver.name, "driver", driver.point2});
  }
  for (const PointForce& force : mechanism.forces) points.push_back({force.body, force.name, "force", force.point});
  for (const Marker& marker : mechanism.markers) points.push_back({marker.body, marker.name, "marker", marker.origin});
  return points;
}

/// Whether a body is drawn with this ball in any case, since it is given as one or has it among its shapes.
bool is_drawn(const Geometry& ball, const Mechanism& mechanism) {
  const auto same = [&](const Geometry& g) {
    return g.shape == Geometry::Shape::sphere && g.body == ball.body && g.origin == ball.origin &&
           g.radius == ball.radius;
  };
  if (std::any_of(mechanism.geometry.begin(), mechanism.geometry.end(), same)) return true;
  if (ball.body == kGround) return false;
  const std::optional<Geometry>& own = mechanism.bodies[static_cast<std::size_t>(ball.body)].shape;
  return own && own->shape == Geometry::Shape::sphere && own->origin == ball.origin && own->radius == ball.radius;
}

/// Points by which bodies touch, in place of shapes. They are for the picture alone, and do not count in its size.
void add_contact_points(const Mechanism& mechanism, std::vector<Hardpoint>& points) {
  for (const Contact& contact : mechanism.contacts) {
    for (const Geometry& shape : contact.shapes) {
      if (shape.shape != Geometry::Shape::sphere || is_drawn(shape, mechanism)) continue;
      points.push_back({shape.body, contact.name, "contact", shape.origin, shape.radius});
    }
  }
}

Json points_on(int body, const std::vector<Hardpoint>& points) {
  Json list = Json::array();
  for (const Hardpoint& point : points) {
    if (point.body != body) continue;
    list.push_back({{"name", point.name}, {"kind", point.kind}, {"at", vector(point.at)}});
    if (point.radius > 0) list.back()["radius"] = number(point.radius);
  }
  return list;
}

/// The axis that a picture shows: that of the only coordinate, those of two angles, of all others z.
Vec3 shown_axis(const Joint& joint, bool planar, bool second) {
  const int count = joint_coordinate_count(joint.type, planar);
  const CoordinateDirection last = coordinate_direction(joint.type, planar, count - 1);
  const Mat3& axes = second ? joint.frame2.axes : joint.frame1.axes;
  if (last.turned) return axes.col(second ? last.axis : coordinate_direction(joint.type, planar, count - 2).axis);
  return axes.col(count == 1 ? last.axis : 2);
}

Json joint_json(const Mechanism& mechanism, const Joint& joint) {
  Json json;
  json["name"] = joint.name;
  json["type"] = joint_type_name(joint.type);
  json["mark"] = traits(joint.type).mark;
  json["bodies"] = {mechanism.body_name(joint.body1), mechanism.body_name(joint.body2)};
  json["points"] = {vector(joint.frame1.origin), vector(joint.frame2.origin)};
  json["axes"] = {vector(shown_axis(joint, mechanism.planar, false)),
                  vector(shown_axis(joint, mechanism.planar, true))};
  json["frame"] = columns(joint.frame1.axes);
  if (traits(joint.type).has_field("length")) json["length"] = number(joint.length);
  if (joint.switched) {
    json["present"] = joint.present;
    json["switches"] = Json::array();
    for (const Event& event : mechanism.events) {
      if (event.action != Event::Action::attach && event.action != Event::Action::release) continue;
      if (event.is_conditional()) continue;  // when that is, only the run tells
      if (event.targets.front() == joint.name) json["switches"].push_back(number(event.time));
    }
  }
  return json;
}

/// With its scale, to a hundred-thousandth of its size: numbers one after the other, which others read by themselves.
void add_mesh(const Geometry& geometry, Json& json) {
  const Mesh& mesh = *geometry.mesh;
  const Vec3 scale = geometry.scale;
  double size = 0;
  for (const auto& v : mesh.vertices) size = std::max(size, v.cast<double>().cwiseProduct(scale).cwiseAbs().maxCoeff());
  const double grain = size > 0 ? std::pow(10, std::floor(std::log10(size)) - 5) : 1;
  Json& vertices = json["vertices"] = Json::array();
  for (const auto& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) vertices.push_back(static_cast<float>(std::round(v[i] * scale[i] / grain) * grain));
  const bool mirrored = scale.prod() < 0;
  Json& triangles = json["triangles"] = Json::array();
  for (const auto& [a, b, c] : mesh.triangles) {
    triangles.push_back(a);
    triangles.push_back(mirrored ? c : b);
    triangles.push_back(mirrored ? b : c);
  }
}

Json geometry_json(const Geometry& geometry) {
  Json json;
  switch (geometry.shape) {
    case Geometry::Shape::box:
      json = {{"shape", "box"}, {"at", vector(geometry.origin)}};
      json["axes"] = columns(geometry.axes);
      json["edges"] = vector(geometry.edges);
      break;
    case Geometry::Shape::sphere:
      json = {{"shape", "sphere"}, {"at", vector(geometry.origin)}, {"radius", number(geometry.radius)}};
      break;
    case Geometry::Shape::cylinder:
    case Geometry::Shape::capsule:
      json["shape"] = geometry.shape == Geometry::Shape::cylinder ? "cylinder" : "capsule";
      json["points"] = {vector(geometry.origin), vector(geometry.end)};
      json["radius"] = number(geometry.radius);
      break;
    case Geometry::Shape::polygon:
      json = {{"shape", "polygon"}, {"at", vector(geometry.origin)}};
      json["axes"] = columns(geometry.axes);
      json["outline"] = Json::array();
      for (const Vec2& corner : geometry.outline)
        json["outline"].push_back(Json::array({number(corner.x()), number(corner.y())}));
      json["thickness"] = number(geometry.thickness);
      break;
    case Geometry::Shape::mesh:
      json = {{"shape", "mesh"}, {"at", vector(geometry.origin)}};
      json["axes"] = columns(geometry.axes);
      break;
  }
  if (geometry.mesh) add_mesh(geometry, json);
  if (!geometry.color.empty()) json["color"] = geometry.color;
  if (geometry.opacity < 1) json["opacity"] = number(geometry.opacity);
  return json;
}

Json geometry_of(int body, const Mechanism& mechanism) {
  Json list = Json::array();
  for (const Geometry& geometry : mechanism.geometry)
    if (geometry.body == body) list.push_back(geometry_json(geometry));
  return list;
}

/// An effort on a coordinate of a joint: where it acts on the second body, along or about which axis. All axes move
/// with the first body but the second one of a cross.
Json effort_json(const Mechanism& mechanism, const std::string& name, int joint_index, int coordinate) {
  const Joint& joint = mechanism.joints[static_cast<std::size_t>(joint_index)];
  const CoordinateDirection direction = coordinate_direction(joint.type, mechanism.planar, coordinate);
  const bool second = direction.turned;
  Json json;
  json["name"] = name;
  json["joint"] = joint.name;
  json["angular"] = direction.angular;
  json["body"] = mechanism.body_name(joint.body2);
  json["point"] = vector(joint.frame2.origin);
  json["axis"] = vector((second ? joint.frame2 : joint.frame1).axes.col(direction.axis));
  json["axis_body"] = mechanism.body_name(second ? joint.body2 : joint.body1);
  return json;
}

Json between(const Mechanism& mechanism, const std::string& name, int body1, int body2, const Vec3& point1,
             const Vec3& point2) {
  Json json;
  json["name"] = name;
  json["bodies"] = {mechanism.body_name(body1), mechanism.body_name(body2)};
  json["points"] = {vector(point1), vector(point2)};
  return json;
}

/// Where a shape may touch first: corners of a box, ends of a capsule, the centre of a sphere, with the radius around.
void add_touching(const Geometry& shape, bool planar, Json& points) {
  const auto add = [&](const Vec3& at) { points.push_back({{"at", vector(at)}, {"radius", number(shape.radius)}}); };
  if (shape.shape != Geometry::Shape::box) {
    add(shape.origin);
    if (shape.shape == Geometry::Shape::capsule) add(shape.end);
    return;
  }
  for (int corner = 0; corner < (planar ? 4 : 8); ++corner) {
    const Vec3 side((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5,
                    planar              ? 0
                    : (corner & 4) != 0 ? 0.5
                                        : -0.5);
    add(shape.origin + shape.axes * side.cwiseProduct(shape.edges));
  }
}

/// Contacts by the body whose force is reported.
Json contacts_json(const Mechanism& mechanism) {
  Json contacts = Json::array();
  for (const Contact& contact : mechanism.contacts) {
    Json entry{{"name", contact.name}, {"body", mechanism.body_name(contact.first_body)}};
    Json& points = entry["points"] = Json::array();
    for (const Geometry& shape : contact.shapes)
      if (shape.body == contact.first_body) add_touching(shape, mechanism.planar, points);
    Json& roads = entry["roads"] = Json::array();
    for (const int road : contact.roads) roads.push_back(mechanism.roads[static_cast<std::size_t>(road)].name);
    contacts.push_back(std::move(entry));
  }
  return contacts;
}

/// What acts, where a picture can show it.
void add_loads(const Mechanism& mechanism, Json& json) {
  Json& springs = json["springs"] = Json::array();
  for (const SpringDamper& s : mechanism.springs) {
    Json entry = between(mechanism, s.name, s.body1, s.body2, s.point1, s.point2);
    entry["free_length"] = number(s.free_length);
    if (s.axis) entry["axis"] = vector(*s.axis);
    springs.push_back(std::move(entry));
  }
  Json& pulls = json["pulls"] = Json::array();
  for (const LineForce& f : mechanism.line_forces) {
    Json entry = between(mechanism, f.name, f.body1, f.body2, f.point1, f.point2);
    if (f.bore > 0) entry["cylinder"] = {{"bore", f.bore}, {"rod", f.rod}, {"retracted", f.retracted}};
    pulls.push_back(std::move(entry));
  }
  Json& drivers = json["drivers"] = Json::array();
  for (const Driver& d : mechanism.drivers) {
    if (d.joint < 0) drivers.push_back(between(mechanism, d.name, d.body1, d.body2, d.point1, d.point2));
  }
  json["roads"] = scene_roads(mechanism);
  Json& wheels = json["wheels"] = Json::array();
  for (const Tyre& tyre : mechanism.tyres) {
    wheels.push_back({{"body", mechanism.body_name(tyre.body)},
                      {"center", vector(tyre.center)},
                      {"axis", vector(mechanism.planar ? Vec3::UnitZ() : tyre.axis)},
                      {"radius", number(tyre.radius)},
                      {"tyre", tyre.name},
                      {"road", mechanism.roads[static_cast<std::size_t>(tyre.road)].name}});
  }
  for (const CustomWrench& wrench : mechanism.custom_wrenches) {
    if (!wrench.wheel) continue;
    const int road = wrench.wheel->road;
    Json wheel{{"body", mechanism.body_name(wrench.body2)},
               {"center", vector(wrench.frame2.origin)},
               {"axis", vector(wrench.wheel->axis)},
               {"radius", number(wrench.wheel->radius)},
               {"tyre", wrench.name},
               {"road", road < 0 ? std::string() : mechanism.roads[static_cast<std::size_t>(road)].name}};
    if (wrench.wheel->width > 0) wheel["width"] = number(wrench.wheel->width);
    wheels.push_back(std::move(wheel));
  }
  Json& efforts = json["efforts"] = Json::array();
  for (const Driver& d : mechanism.drivers)
    if (d.joint >= 0) efforts.push_back(effort_json(mechanism, d.name, d.joint, d.coordinate));
  for (const Actuator& a : mechanism.actuators)
    efforts.push_back(effort_json(mechanism, a.name, a.joint, a.coordinate));
  Json& forces = json["forces"] = Json::array();
  for (const PointForce& f : mechanism.forces)
    forces.push_back({{"name", f.name}, {"body", mechanism.body_name(f.body)}, {"point", vector(f.point)}});
  json["contacts"] = contacts_json(mechanism);
  Json& torques = json["torques"] = Json::array();
  for (const Torque& t : mechanism.torques)
    torques.push_back({{"name", t.name}, {"bodies", {mechanism.body_name(t.body1), mechanism.body_name(t.body2)}}});
}

}  // namespace

double drawn_size(const Mechanism& mechanism) {
  Eigen::AlignedBox3d box;
  for (const Body& body : mechanism.bodies) box.extend(body.center);
  for (const Hardpoint& point : hardpoints(mechanism)) box.extend(point.at);
  const double size = box.isEmpty() ? 0 : box.diagonal().norm();
  return std::isfinite(size) && size > 0 ? size : 1;
}

std::string scene_json(const Mechanism& mechanism) {
  std::vector<Hardpoint> points = hardpoints(mechanism);
  add_contact_points(mechanism, points);
  Json json;
  json["cardan_scene"] = 1;
  json["name"] = mechanism.name;
  json["planar"] = mechanism.planar;
  json["gravity"] = vector(mechanism.gravity);
  json["size"] = number(drawn_size(mechanism));
  json["ground"] = {{"points", points_on(kGround, points)}, {"geometry", geometry_of(kGround, mechanism)}};

  Json& bodies = json["bodies"] = Json::array();
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    Json entry;
    entry["name"] = body.name;
    entry["mass"] = number(body.mass);
    entry["center"] = vector(body.center);
    entry["axes"] = columns(body.axes);
    entry["inertia"] = columns(body.axes.transpose() * body.inertia * body.axes);
    entry["points"] = points_on(static_cast<int>(i), points);
    entry["geometry"] = geometry_of(static_cast<int>(i), mechanism);
    if (body.shape) entry["shape"] = geometry_json(*body.shape);
    bodies.push_back(std::move(entry));
  }

  Json& joints = json["joints"] = Json::array();
  for (const Joint& joint : mechanism.joints) joints.push_back(joint_json(mechanism, joint));

  add_loads(mechanism, json);
  Json& plots = json["plots"] = Json::array();
  for (const Plot& plot : mechanism.plots) plots.push_back({{"title", plot.title}, {"columns", plot.columns}});
  Json& units = json["units"] = Json::object();
  for (const auto& [column, unit] : column_units(mechanism)) units[column] = unit;
  // Names come from files and may not be valid UTF-8; the output must be.
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cardan
