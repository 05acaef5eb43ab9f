// points, bodies and markers; docs/model-file.md is the reference.
//
//   points:  P: [x, y, z]
//   bodies:  B: {rod: [P, Q], mass: m, radius: r}                     r 0 unless given
//            B: {box: [a, b, c], at: P, mass: m | density: d}         planar: [a, b] will do
//            B: {cylinder: [P, Q], radius: r, mass: m | density: d}
//            B: {sphere: r, at: P, mass: m | density: d}
//            B: {mass: m, center: P, inertia: I}
//               I in the body's axes: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows; planar: one number
//            each with `axes: {x: D, y: D}` (any two; planar {angle: a}), `unphysical: true` and `geometry` where
//            wanted (yaml_geometry.cpp)
//            ground: {geometry: ...}
//   markers: M: {body: B, at: P, axes: ...}
#include <fmt/format.h>

#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

std::optional<Mat3> matrix_rows(Fields& fields, const YamlNode& node) {
  Mat3 matrix;
  for (int row = 0; row < 3; ++row) {
    const YamlNode& item = *node.items[static_cast<std::size_t>(row)];
    const auto values = read_numbers(fields.reading(), item, fields.element(), "a row of 'inertia'");
    if (!values) return std::nullopt;
    if (values->size() != 3) {
      fields.error(item.where,
                   fmt::format("a row of 'inertia' should be a list of 3 numbers, but has {}", values->size()));
      return std::nullopt;
    }
    for (int column = 0; column < 3; ++column) matrix(row, column) = (*values)[static_cast<std::size_t>(column)];
  }
  return matrix;
}

std::optional<Mat3> read_inertia(Fields& fields, const YamlNode& node) {
  if (fields.reading().planar) {
    const auto value = read_number(fields.reading(), node, fields.element(), "'inertia'");
    if (!value) return std::nullopt;
    return Mat3(Vec3(0, 0, *value).asDiagonal());
  }
  if (node.kind == Kind::sequence && node.items.size() == 3 && node.items[0]->kind == Kind::sequence)
    return matrix_rows(fields, node);
  if (node.kind != Kind::sequence || (node.items.size() != 3 && node.items.size() != 6)) {
    wrong_kind(fields.reading(), node, fields.element(), "'inertia'",
               "[Ixx, Iyy, Izz], these and Ixy, Ixz, Iyz, or three rows");
    return std::nullopt;
  }
  const auto values = read_numbers(fields.reading(), node, fields.element(), "'inertia'");
  if (!values) return std::nullopt;
  const auto& v = *values;
  Mat3 matrix = Vec3(v[0], v[1], v[2]).asDiagonal();
  if (v.size() == 6) {
    matrix(0, 1) = matrix(1, 0) = v[3];
    matrix(0, 2) = matrix(2, 0) = v[4];
    matrix(1, 2) = matrix(2, 1) = v[5];
  }
  return matrix;
}

std::optional<Vec3> read_edges(Fields& fields) {
  const YamlNode& node = *fields.node("box");
  const bool planar = fields.reading().planar;
  const std::size_t size = node.items.size();
  if (node.kind != Kind::sequence || !(size == 3 || (planar && size == 2))) {
    wrong_kind(fields.reading(), node, fields.element(), "'box'",
               planar ? "[a, b] or [a, b, c], its edges" : "[a, b, c], its edges");
    return std::nullopt;
  }
  const auto values = read_numbers(fields.reading(), node, fields.element(), "'box'");
  if (!values) return std::nullopt;
  const double third = size == 3 ? (*values)[2] : 0;
  if (size == 3 && !(third > 0)) fields.error(node.where, fmt::format("an edge is {}", third), "give a length above 0");
  return Vec3((*values)[0], (*values)[1], third);
}

/// The shape, or nothing when it could not be read (which has been reported).
std::optional<decltype(BodySpec::shape)> read_shape(Fields& fields, const std::string& kind) {
  if (kind == "rod" || kind == "cylinder") {
    const auto ends = fields.two_places(kind.c_str());
    if (kind == "cylinder") fields.require("radius", "add it, in m");
    const auto radius = fields.number("radius");
    if (!ends || fields.failed()) return std::nullopt;
    const double r = radius ? radius->value : 0;
    if (kind == "rod") return RodShape{ends->first, ends->second, r};
    return CylinderShape{ends->first, ends->second, r};
  }
  if (kind == "box" || kind == "sphere") {
    fields.require("at", "add 'at: POINT', its centre");
    const auto center = fields.place("at");
    if (kind == "box") {
      const auto edges = read_edges(fields);
      if (!edges || !center) return std::nullopt;
      return BoxShape{*edges, *center};
    }
    const auto radius = fields.number("sphere");
    if (!radius || !center) return std::nullopt;
    return SphereShape{radius->value, *center};
  }
  fields.require("center", "add 'center: POINT', the mass centre, or a shape (rod, box, cylinder, sphere)");
  const auto center = fields.place("center");
  std::optional<Located<Mat3>> inertia;
  if (const YamlNode* node = fields.node("inertia"))
    if (const auto matrix = read_inertia(fields, *node)) inertia = Located<Mat3>(*matrix, node->where);
  if (!center) return std::nullopt;
  return GivenInertia{*center, inertia};
}

BodySpec read_body(Reading& reading, const YamlEntry& entry) {
  Fields fields(reading, *entry.value, element_label("body", entry.key), entry.where);
  std::string kind = "center";
  bool several = false;
  for (const char* shape : {"rod", "box", "cylinder", "sphere"}) {
    if (!fields.has(shape)) continue;
    if (kind != "center")
      fields.error(fields.where_of(shape), fmt::format("the body is a {} and a {}", kind, shape), "give one shape");
    several = kind != "center";
    if (!several) kind = shape;
  }
  if (several) {
    // Said already; the fields of either shape would only repeat it.
  } else if (kind == "rod") {
    constexpr std::string_view known[] = {"rod", "mass", "radius", "axes", "unphysical", "geometry", "density"};
    fields.allow(known, "a rod");
  } else if (kind == "cylinder") {
    constexpr std::string_view known[] = {"cylinder", "radius", "mass", "density", "axes", "unphysical", "geometry"};
    fields.allow(known, "a cylinder");
  } else if (kind == "box" || kind == "sphere") {
    const std::string_view known[] = {kind, "at", "mass", "density", "axes", "unphysical", "geometry"};
    fields.allow(known, "a " + kind);
  } else {
    constexpr std::string_view known[] = {"rod",     "box",  "cylinder",   "sphere",   "mass",   "center",
                                          "inertia", "axes", "unphysical", "geometry", "density"};
    fields.allow(known);
  }
  std::optional<decltype(BodySpec::shape)> shape;
  if (entry.value->kind == Kind::map && !fields.failed()) shape = read_shape(fields, kind);
  BodySpec body{.name = Name(entry.key, entry.where),
                .shape = shape.value_or(GivenInertia{Place(Vec3::Zero()), {}}),
                .mass = fields.number("mass"),
                .density = fields.number("density"),
                .axes = fields.axes("axes"),
                .unphysical = fields.flag("unphysical", false)};
  noted(body).incomplete = fields.failed() || !shape;
  return body;
}

}  // namespace

void read_points(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  mechanism.points.reserve(mechanism.points.size() + section.entries.size());
  for (const YamlEntry& entry : section.entries) {
    const std::string element = element_label("point", entry.key);
    const auto position = read_vector(reading, *entry.value, element, "the point");
    // In planar models [P, Q] must be told from [a, b].
    if (reading.planar && reading.parameters.count(entry.key) > 0)
      reading.problems.error(entry.where, element, "there is a parameter of that name", "rename one of the two");
    if (entry.key == "x" || entry.key == "y" || entry.key == "z")
      reading.problems.error(entry.where, element, "x, y and z are the names of the axes", "choose another name");
    PointSpec point{Name(entry.key, entry.where), position.value_or(Vec3::Zero())};
    noted(point).incomplete = !position;
    mechanism.points.push_back(std::move(point));
  }
}

void read_bodies(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  mechanism.bodies.reserve(mechanism.bodies.size() + section.entries.size());
  for (const YamlEntry& entry : section.entries) {
    const YamlEntry* geometry = entry.value->kind == Kind::map ? entry.value->find("geometry") : nullptr;
    const bool is_ground = entry.key == "ground" && geometry != nullptr && entry.value->entries.size() == 1;
    if (!is_ground) mechanism.bodies.push_back(read_body(reading, entry));
    if (geometry != nullptr) read_geometry(reading, *geometry->value, Name(entry.key, entry.where), mechanism);
  }
}

void read_markers(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label("marker", entry.key), entry.where);
    constexpr std::string_view known[] = {"body", "at", "axes"};
    fields.allow(known);
    fields.require("body", "add 'body: BODY', the body it sits on");
    fields.require("at", "add 'at: POINT'");
    const auto body = fields.word("body");
    const auto at = fields.place("at");
    MarkerSpec marker{.name = Name(entry.key, entry.where),
                      .body = body.value_or(Name()),
                      .at = at.value_or(Place(Vec3::Zero())),
                      .axes = fields.axes("axes")};
    noted(marker).incomplete = fields.failed();
    mechanism.markers.push_back(std::move(marker));
  }
}

}  // namespace cardan
