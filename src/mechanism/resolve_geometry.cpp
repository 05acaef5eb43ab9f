// What pictures show: shapes of bodies and of ground. Checked like everything else, so that a mistake is told where it
// was made and not by a viewer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism/frames.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

namespace {

constexpr std::pair<const char*, const char*> kColors[] = {
    {"red", "#c7545a"},   {"orange", "#e08a3c"}, {"yellow", "#e3bd3f"}, {"green", "#59a14f"},
    {"olive", "#6f7650"}, {"cyan", "#3f9c9c"},   {"blue", "#4e79a7"},   {"purple", "#b07aa1"},
    {"brown", "#9c755f"}, {"black", "#2b2f33"},  {"gray", "#8b929a"},   {"white", "#eceef0"}};

bool is_hexadecimal_color(const std::string& text) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  return text.size() == 7 && text[0] == '#' && std::all_of(text.begin() + 1, text.end(), digit);
}

}  // namespace

std::vector<std::string> geometry_colors() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : kColors) names.emplace_back(name);
  return names;
}

void Resolver::resolve_geometry() {
  for (const GeometrySpec& spec : spec_.geometry) {
    const std::string element =
        spec.body.value == "ground" ? "geometry of ground" : "geometry of " + element_label("body", spec.body.value);
    Geometry geometry;
    if (!noted(spec).incomplete && resolve_geometry(spec, element, geometry))
      result_.geometry.push_back(std::move(geometry));
  }
}

std::optional<std::string> Resolver::find_color(const Name& color, const std::string& element) {
  if (color.value.empty() || is_hexadecimal_color(color.value)) return color.value;
  for (const auto& [name, value] : kColors)
    if (color.value == name) return value;
  problems_.error(color.where, element, fmt::format("'{}' is no colour", color.value),
                  fmt::format("give '#rrggbb' in quotes, or one of {}", fmt::join(geometry_colors(), ", ")));
  return std::nullopt;
}

bool Resolver::resolve_geometry(const GeometrySpec& spec, const std::string& element, Geometry& geometry) {
  const SourceLocation& where = spec.where;
  const auto body = find_body(spec.body, element);
  const auto color = find_color(spec.color, element);
  if (!body || !color) return false;
  if (*body != kGround && !body_is_sound_[static_cast<std::size_t>(*body)]) return false;
  if (!(spec.opacity.value > 0 && spec.opacity.value <= 1)) {
    problems_.error(first_known(spec.opacity.where, where), element,
                    fmt::format("the opacity is {}", spec.opacity.value), "give it above 0, and 1 at most");
    return false;
  }
  geometry.body = *body;
  geometry.color = *color;
  geometry.opacity = spec.opacity.value;

  return resolve_drawn_shape(spec, element, geometry);
}

bool Resolver::orient(const GeometrySpec& spec, const std::string& element, Geometry& geometry) {
  if (!spec.axes) {
    if (geometry.body != kGround) geometry.axes = result_.bodies[static_cast<std::size_t>(geometry.body)].axes;
    return true;
  }
  const auto axes = find_axes(*spec.axes, element, noted(spec).image);
  if (axes) geometry.axes = carried_over(*axes, noted(spec).image);
  return axes.has_value();
}

bool Resolver::check_outline(const PolygonShape& polygon, const std::string& element, const SourceLocation& where) {
  double area = 0;  // twice, with its sign
  bool finite = true;
  for (std::size_t i = 0; i < polygon.outline.size(); ++i) {
    const Vec2 &p = polygon.outline[i], &q = polygon.outline[(i + 1) % polygon.outline.size()];
    finite = finite && p.allFinite();
    area += p.x() * q.y() - p.y() * q.x();
  }
  if (polygon.outline.size() >= 3 && finite && area != 0) return true;
  problems_.error(where, element,
                  polygon.outline.size() < 3 ? fmt::format("the polygon has {} corners", polygon.outline.size())
                  : !finite                  ? "a corner of the polygon is not finite"
                                             : "the polygon has no area",
                  "give three corners or more, one after the other around it");
  return false;
}

bool Resolver::resolve_drawn_shape(const GeometrySpec& spec, const std::string& element, Geometry& geometry) {
  const auto above_zero = [&](double value, const char* what) {
    return check_length(value, what, element, spec.where);
  };
  const auto place = [&](const Place& at, Vec3& result) {
    const auto found = find_place(at, element);
    result = found.value_or(Vec3::Zero());
    return found.has_value();
  };
  const auto between = [&](const Place& from, const Place& to, double radius) {
    geometry.radius = radius;
    if (!above_zero(radius, "the radius") || !place(from, geometry.origin) || !place(to, geometry.end)) return false;
    if (geometry.origin != geometry.end) return true;
    problems_.error(first_known(from.where, spec.where), element, "its two ends are at the same place",
                    "give two points apart from each other, or a sphere");
    return false;
  };
  if (const auto* box = std::get_if<BoxShape>(&spec.shape)) {
    geometry.shape = Geometry::Shape::box;
    geometry.edges = box->edges;
    for (int i = 0; i < 3; ++i)
      if (!(spec_.planar && i == 2 && box->edges[i] == 0) && !above_zero(box->edges[i], "an edge")) return false;
    return place(box->center, geometry.origin) && orient(spec, element, geometry);
  }
  if (const auto* sphere = std::get_if<SphereShape>(&spec.shape)) {
    geometry.shape = Geometry::Shape::sphere;
    geometry.radius = sphere->radius;
    return above_zero(sphere->radius, "the radius") && place(sphere->center, geometry.origin);
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&spec.shape)) {
    geometry.shape = Geometry::Shape::cylinder;
    return between(cylinder->from, cylinder->to, cylinder->radius);
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&spec.shape)) {
    geometry.shape = Geometry::Shape::capsule;
    return between(capsule->from, capsule->to, capsule->radius);
  }
  if (const auto* mesh = std::get_if<MeshShape>(&spec.shape)) {
    geometry.shape = Geometry::Shape::mesh;
    geometry.mesh = mesh->mesh;
    geometry.scale = mesh->scale;
    if (!mesh->mesh || !mesh->scale.allFinite() || mesh->scale.cwiseAbs().minCoeff() == 0) {
      problems_.error(spec.where, element, mesh->mesh ? "the scale of the mesh is 0 or not finite" : "it has no mesh",
                      "give a number, or three, other than 0");
      return false;
    }
    return place(mesh->origin, geometry.origin) && orient(spec, element, geometry);
  }
  const auto& polygon = std::get<PolygonShape>(spec.shape);
  geometry.shape = Geometry::Shape::polygon;
  geometry.outline = polygon.outline;
  geometry.thickness = polygon.thickness;
  if (!check_outline(polygon, element, spec.where)) return false;
  if (!(spec_.planar && polygon.thickness == 0) && !above_zero(polygon.thickness, "the thickness")) return false;
  return place(polygon.origin, geometry.origin) && orient(spec, element, geometry);
}

}  // namespace cardan
