#include "math/contact/terrain.hpp"

#include <algorithm>

namespace cardan {
namespace {

using Kind = ContactFeature::Kind;

constexpr int kOnProfile = 2, kOnGrid = 3;  // contacts of one round point
constexpr double kSameSide = 0.9;           // cosine of normals that are one contact on a grid
constexpr double kBorder = 1e-9;            // of the radius

ContactFeature round_point(const Vec3& point, double radius, int id) {
  ContactFeature f;
  f.p = point, f.p_radius = radius, f.id = id;
  return f;
}

}  // namespace

Terrain Terrain::plane(const Vec3& at, const Vec3& normal) {
  Terrain terrain;
  terrain.origin_ = at, terrain.normal_ = normal.normalized();
  return terrain;
}

Terrain Terrain::profile(std::vector<Vec2> points, bool planar) {
  Terrain terrain;
  terrain.sort_ = Sort::profile, terrain.planar_ = planar;
  terrain.line_ = Profile(std::move(points));
  return terrain;
}

Terrain Terrain::endless_profile(std::vector<Vec2> points, bool planar) {
  constexpr double kFar = 1e6;  // m
  points.insert(points.begin(), Vec2(points.front().x() - kFar, points.front().y()));
  points.emplace_back(points.back().x() + kFar, points.back().y());
  return profile(std::move(points), planar);
}

Terrain Terrain::grid(HeightMap map) {
  Terrain terrain;
  terrain.sort_ = Sort::grid;
  terrain.grid_.emplace(std::move(map));
  return terrain;
}

int Terrain::most_contacts(const ContactShape& shape) const {
  const bool round = shape.radius > 0;
  const int each = !round || sort_ == Sort::plane ? 1 : sort_ == Sort::profile ? kOnProfile : kOnGrid;
  return shape.corners() * each + most_ridge_contacts(shape, sort_);
}

double Terrain::clearance(const Vec3& point) const {
  if (sort_ == Sort::plane) return normal_.dot(point - origin_);
  if (sort_ == Sort::grid) return point.z() - grid_->height(point.x(), point.y());
  return point[planar_ ? 1 : 2] - line_.height(point.x());
}

void Terrain::touch(const ContactShape& shape, const Vec3& origin, const Vec3& normal, FeatureList& found) const {
  found.clear();
  if (sort_ == Sort::plane) {
    const double reach = (shape.axes.transpose() * normal).cwiseAbs().dot(shape.half) + shape.radius;
    if (normal.dot(shape.center - origin) >= reach) return;
  }
  for (int c = 0; c < shape.corners(); ++c) {
    const Vec3 point = shape.corner(c);
    if (sort_ == Sort::profile) touch_profile(point, shape.radius, 4 * c, found);
    if (sort_ == Sort::grid) touch_grid(point, shape.radius, 4 * c, found);
    if (sort_ != Sort::plane) continue;
    ContactFeature f = round_point(point, shape.radius, 4 * c);
    f.q = origin, f.w = normal;
    found.add_touching(f);
  }
  if (most_ridge_contacts(shape, sort_) > 0) touch_ridges(shape, found);
}

void Terrain::add_piece(std::size_t piece, const Vec3& point, double radius, int id, FeatureList& found) const {
  const std::vector<Vec2>& points = line_.points();
  const Vec2 along = (points[piece + 1] - points[piece]).normalized();
  ContactFeature f = round_point(point, radius, id);
  f.q = lifted(points[piece]), f.w = lifted({-along.y(), along.x()});
  found.add_touching(f);
}

/// Of those that have the foot of a perpendicular, and the one straight above, which is `depth` away.
std::size_t Terrain::nearest_piece(std::size_t above, const Vec2& point, double depth) const {
  const std::vector<Vec2>& points = line_.points();
  const auto distance = [&](std::size_t piece) {
    const Vec2 along = (points[piece + 1] - points[piece]).normalized(), from = point - points[piece];
    return along.y() * from.x() - along.x() * from.y();
  };
  const auto first = std::lower_bound(points.begin(), points.end(), point.x() - depth,
                                      [](const Vec2& p, double x) { return p.x() < x; });
  std::size_t i = first == points.begin() ? 0 : static_cast<std::size_t>(first - points.begin()) - 1, best = above;
  double least = distance(above);
  for (; i + 1 < points.size() && points[i].x() <= point.x() + depth; ++i) {
    const Vec2 along = points[i + 1] - points[i];
    const double place = along.dot(point - points[i]) / along.squaredNorm(), off = distance(i);
    if (place >= 0 && place < 1 && off >= 0 && off < least) least = off, best = i;
  }
  return best;
}

/// A point within the solid is pushed out by the nearest piece. A sphere whose centre is outside meets each piece that
/// has the foot of a perpendicular, and each convex corner that is nearer than the pieces beside it.
void Terrain::touch_profile(const Vec3& point, double radius, int id, FeatureList& found) const {
  const double x = point.x(), height = planar_ ? point.y() : point.z();
  const Vec2 center(x, height);
  const std::vector<Vec2>& points = line_.points();
  const auto found_at = std::lower_bound(points.begin(), points.end(), x - radius,
                                         [](const Vec2& p, double value) { return p.x() < value; });
  const std::size_t first = found_at == points.begin() ? 0 : static_cast<std::size_t>(found_at - points.begin()) - 1;
  const std::size_t pieces = points.size() - 1;
  double surface = -1e300;
  std::size_t under = pieces;
  for (std::size_t i = first; i < pieces && points[i].x() <= x; ++i) {
    const Vec2 &a = points[i], &b = points[i + 1];
    const double width = b.x() - a.x();
    if (x > b.x() || width <= 0) continue;
    surface = a.y() + (b.y() - a.y()) * (x - a.x()) / width;
    under = i;
  }
  if (under < pieces && height <= surface)
    return add_piece(nearest_piece(under, center, surface - height), point, radius, id, found);
  if (radius == 0) return;
  const int before = found.size();
  double left_beyond = 1;  // how far past its end the foot on the piece before is, in parts; before the first: past
  for (std::size_t i = first; i < pieces && points[i].x() < x + radius && found.size() < before + kOnProfile; ++i) {
    const Vec2 &a = points[i], along = points[i + 1] - a;
    const double place = along.dot(center - a) / along.squaredNorm();
    if (place < 0 && left_beyond >= 1) {
      ContactFeature f = round_point(point, radius, id + found.size() - before);
      f.kind = planar_ ? Kind::point_point : Kind::point_line;
      f.q = lifted(a), f.w = planar_ ? Vec3(Vec3::Zero()) : Vec3(Vec3::UnitY());
      found.add_touching(f);
    } else if (place >= 0 && place < 1) {
      add_piece(i, point, radius, id + found.size() - before, found);
    }
    left_beyond = place;
  }
}

/// The nearest feature of a triangle: its face, an edge or a corner.
void Terrain::add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point, double radius,
                           FeatureList& found) const {
  const Vec3 corner[3] = {a, b, c}, n = (b - a).cross(c - a).normalized();
  ContactFeature f = round_point(point, radius, 0);
  bool inside = true;
  double nearest = 1e300;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &from = corner[i], edge = corner[(i + 1) % 3] - from;
    if (n.cross(edge).dot(point - from) >= 0) continue;
    inside = false;
    const double place = std::clamp(edge.dot(point - from) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (point - from - place * edge).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    f.kind = place > 0 && place < 1 ? Kind::point_line : Kind::point_point;
    f.q = from + place * edge;
    f.w = edge.normalized();
  }
  if (inside) f.kind = Kind::point_plane, f.q = a, f.w = n;
  found.add_touching(f);
}

void Terrain::touch_grid(const Vec3& point, double radius, int id, FeatureList& found) const {
  const HeightMap& map = grid_->map();
  const auto cell = [](double place, double step, int count) {
    return std::clamp(static_cast<int>(std::floor(std::clamp(place / step, -1.0, 1e9))), 0, count - 2);
  };
  const double x = point.x() - map.x0, y = point.y() - map.y0;
  const bool covered = x >= 0 && y >= 0 && x <= map.dx * (map.columns - 1) && y <= map.dy * (map.rows - 1);
  const auto triangle = [&](int i, int j, bool upper, Vec3(&corner)[3]) {
    corner[0] = map.point(i, j);
    corner[1] = upper ? map.point(i + 1, j + 1) : map.point(i + 1, j);
    corner[2] = upper ? map.point(i, j + 1) : map.point(i + 1, j + 1);
  };
  Vec3 t[3];
  if (covered) {
    const int i = cell(x, map.dx, map.columns), j = cell(y, map.dy, map.rows);
    triangle(i, j, (y / map.dy - j) > (x / map.dx - i), t);
    ContactFeature f = round_point(point, radius, id);
    f.q = t[0], f.w = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    if ((point - f.q).dot(f.w) <= 0) return found.add_touching(f);
  }
  if (radius == 0) return;
  FeatureList near;
  const int last_i = cell(x + radius, map.dx, map.columns), last_j = cell(y + radius, map.dy, map.rows);
  for (int j = cell(y - radius, map.dy, map.rows); j <= last_j; ++j) {
    for (int i = cell(x - radius, map.dx, map.columns); i <= last_i; ++i) {
      for (const bool upper : {false, true}) {
        triangle(i, j, upper, t);
        if (std::min({t[0].z(), t[1].z(), t[2].z()}) > point.z() + radius) continue;
        if (near.size() == FeatureList::kMost) near.keep_deepest(kOnGrid);
        add_triangle(t[0], t[1], t[2], point, radius, near);
      }
    }
  }
  add_distinct(near, id, found);
}

/// Of two neighbours, the one whose nearest point is on the border of both is not met: the other is nearer. `one` is
/// the deeper of the two.
static bool shares_border(const ContactFeature& one, const ContactFeature& other) {
  if (other.kind == Kind::point_plane) return false;
  const Vec3 from = other.q - one.q;
  const double off = one.kind == Kind::point_plane  ? std::abs(from.dot(one.w))
                     : one.kind == Kind::point_line ? from.cross(one.w).norm()
                                                    : from.norm();
  return off < kBorder * one.p_radius;
}

/// The deepest, and those whose normals are another.
void Terrain::add_distinct(FeatureList& near, int id, FeatureList& found) {
  const int before = found.size();
  Vec3 normal[kOnGrid];
  bool taken[FeatureList::kMost] = {};
  double depth[FeatureList::kMost];
  for (int i = 0; i < near.size(); ++i) depth[i] = depth_of(near[i]);
  for (int count = 0; count < kOnGrid; ++count) {
    int best = -1;
    for (int i = 0; i < near.size(); ++i) {
      if (taken[i]) continue;
      const Vec3 n = near[i].kind == Kind::point_plane ? near[i].w : Vec3((near[i].p - near[i].q).normalized());
      bool same = false;
      for (int k = 0; k < count; ++k) same = same || n.dot(normal[k]) > kSameSide;
      for (int k = 0; k < near.size(); ++k) same = same || (depth[k] > depth[i] && shares_border(near[k], near[i]));
      taken[i] = same;
      if (!same && (best < 0 || depth[i] > depth[best])) best = i, normal[count] = n;
    }
    if (best < 0) return;
    taken[best] = true;
    ContactFeature f = near[best];
    f.id = id + found.size() - before;
    found.add(f);
  }
}

}  // namespace cardan
