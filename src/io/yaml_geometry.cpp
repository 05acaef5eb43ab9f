// geometry of a body: what pictures show of it; docs/model-file.md is the reference.
//
//   geometry: [{box: [a, b, c], at: P, axes: A}                   planar: [a, b] will do
//              {sphere: r, at: P}
//              {cylinder: [P, Q], radius: r}
//              {capsule: [P, Q], radius: r}
//              {polygon: [[u, v], ...], at: P, axes: A, thickness: d}     planar: without thickness
//              {mesh: FILE, at: P, axes: A, scale: s}                     .stl or .obj; three numbers for s too
//              each with `color: C` and `opacity: o` where wanted]
#include <fmt/format.h>

#include "io/mesh_file.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;
using Shape = decltype(GeometrySpec::shape);

constexpr std::string_view kShapeKinds[] = {"box", "sphere", "cylinder", "capsule", "polygon", "mesh"};
constexpr std::string_view kShapeFields[] = {"at", "axes", "radius", "thickness", "scale", "color", "opacity"};

std::optional<std::vector<Vec2>> read_outline(Fields& fields) {
  const YamlNode& node = *fields.node("polygon");
  if (node.kind != Kind::sequence) {
    wrong_kind(fields.reading(), node, fields.element(), "'polygon'", "a list of corners [u, v]");
    return std::nullopt;
  }
  std::vector<Vec2> outline;
  for (const YamlPointer& item : node.items) {
    if (item->kind != Kind::sequence || item->items.size() != 2) {
      wrong_kind(fields.reading(), *item, fields.element(), "a corner of 'polygon'", "[u, v]");
      return std::nullopt;
    }
    const auto corner = read_numbers(fields.reading(), *item, fields.element(), "a corner of 'polygon'");
    if (!corner) return std::nullopt;
    outline.emplace_back((*corner)[0], (*corner)[1]);
  }
  return outline;
}

std::optional<Vec3> read_box(Fields& fields) {
  const YamlNode& node = *fields.node("box");
  const bool planar = fields.reading().planar;
  if (node.kind != Kind::sequence || !(node.items.size() == 3 || (planar && node.items.size() == 2))) {
    wrong_kind(fields.reading(), node, fields.element(), "'box'",
               planar ? "[a, b] or [a, b, c], its edges" : "[a, b, c], its edges");
    return std::nullopt;
  }
  const auto edges = read_numbers(fields.reading(), node, fields.element(), "'box'");
  if (!edges) return std::nullopt;
  return Vec3((*edges)[0], (*edges)[1], edges->size() == 3 ? (*edges)[2] : 0);
}

std::optional<Vec3> read_scale(Fields& fields) {
  const YamlNode* node = fields.node("scale");
  if (node == nullptr) return Vec3::Ones();
  if (node->kind != Kind::sequence) {
    const auto one = fields.number("scale");
    return one ? std::optional<Vec3>(Vec3::Constant(one->value)) : std::nullopt;
  }
  const auto three = read_numbers(fields.reading(), *node, fields.element(), "'scale'");
  if (three && three->size() == 3) return Vec3((*three)[0], (*three)[1], (*three)[2]);
  if (three) wrong_kind(fields.reading(), *node, fields.element(), "'scale'", "a number or [sx, sy, sz]");
  return std::nullopt;
}

std::optional<Shape> read_mesh_shape(Fields& fields) {
  constexpr std::string_view known[] = {"mesh", "at", "axes", "scale", "color", "opacity"};
  fields.allow(known, "a mesh");
  fields.require("at", "add 'at: POINT', from where its coordinates count");
  const auto at = fields.place("at");
  const auto scale = read_scale(fields);
  const auto file = fields.text_file("mesh", kMostMeshBytes);
  if (!file || !at || !scale) return std::nullopt;
  std::string why_not;
  auto mesh = parse_mesh(file->text, file->path, why_not);
  if (!mesh) {
    fields.error(file->where, fmt::format("the mesh '{}' cannot be read: {}", file->path, why_not),
                 "give an STL, OBJ or COLLADA file");
    return std::nullopt;
  }
  return MeshShape{std::move(mesh), *scale, *at};
}

/// The shape, or nothing when it could not be read (which has been reported).
std::optional<Shape> read_drawn_shape(Fields& fields, const std::string& kind) {
  if (kind == "cylinder" || kind == "capsule") {
    const std::string_view known[] = {kind, "radius", "color", "opacity"};
    fields.allow(known, "a " + kind);
    fields.require("radius", "add it, in m");
    const auto ends = fields.two_places(kind.c_str());
    const auto radius = fields.number("radius");
    if (!ends || !radius) return std::nullopt;
    if (kind == "cylinder") return CylinderShape{ends->first, ends->second, radius->value};
    return CapsuleShape{ends->first, ends->second, radius->value};
  }
  if (kind == "mesh") return read_mesh_shape(fields);
  if (kind == "sphere") {
    constexpr std::string_view known[] = {"sphere", "at", "color", "opacity"};
    fields.allow(known, "a sphere");
  } else if (kind == "box") {
    constexpr std::string_view known[] = {"box", "at", "axes", "color", "opacity"};
    fields.allow(known, "a box");
  } else {
    constexpr std::string_view known[] = {"polygon", "at", "axes", "thickness", "color", "opacity"};
    fields.allow(known, "a polygon");
    if (!fields.reading().planar) fields.require("thickness", "add it, in m");
  }
  fields.require("at",
                 kind == "polygon" ? "add 'at: POINT', from where its corners count" : "add 'at: POINT', its centre");
  const auto at = fields.place("at");
  if (kind == "sphere") {
    const auto radius = fields.number("sphere");
    if (!radius || !at) return std::nullopt;
    return SphereShape{radius->value, *at};
  }
  if (kind == "box") {
    const auto edges = read_box(fields);
    if (!edges || !at) return std::nullopt;
    return BoxShape{*edges, *at};
  }
  auto outline = read_outline(fields);
  const auto thickness = fields.number("thickness");
  if (!outline || !at) return std::nullopt;
  return PolygonShape{std::move(*outline), thickness ? thickness->value : 0, *at};
}

}  // namespace

void read_geometry(Reading& reading, const YamlNode& list, const Name& body, MechanismSpec& mechanism) {
  const std::string owner = body.value == "ground" ? body.value : element_label("body", body.value);
  const std::string element = "geometry of " + owner;
  if (list.kind != Kind::sequence) {
    wrong_kind(reading, list, element, "'geometry'", "a list of shapes, such as [{box: [a, b, c], at: P}]");
    return;
  }
  for (const YamlPointer& item : list.items) {
    Fields fields(reading, *item, element, item->where);
    const auto kind = fields.kind(kShapeKinds, kShapeFields);
    if (!kind) continue;
    const auto shape = read_drawn_shape(fields, *kind);
    const auto color = fields.word("color");
    const auto opacity = fields.number("opacity");
    GeometrySpec geometry{.body = body,
                          .shape = shape.value_or(SphereShape{1, Place(Vec3::Zero())}),
                          .axes = fields.axes("axes"),
                          .color = color.value_or(Name()),
                          .opacity = opacity.value_or(Number(1.0)),
                          .where = item->where};
    noted(geometry).incomplete = fields.failed() || !shape;
    mechanism.geometry.push_back(std::move(geometry));
  }
}

}  // namespace cardan
