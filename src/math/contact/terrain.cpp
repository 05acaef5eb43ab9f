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
  terrain.points_ = std::move(points);
  return terrain;
}

Terrain Terrain::grid(HeightMap map) {
  Terrain terrain;
  terrain.sort_ = Sort::grid;
  terrain.map_ = std::move(map);
  return terrain;
}

int Terrain::most_contacts(const ContactShape& shape) const {
  const bool round = shape.radius > 0;
  return shape.corners() * (!round || sort_ == Sort::plane ? 1 : sort_ == Sort::profile ? kOnProfile : kOnGrid);
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
}

void Terrain::add_piece(std::size_t piece, const Vec3& point, double radius, int id, FeatureList& found) const {
  const Vec2 along = (points_[piece + 1] - points_[piece]).normalized();
  ContactFeature f = round_point(point, radius, id);
  f.q = lifted(points_[piece]), f.w = lifted({-along.y(), along.x()});
  found.add_touching(f);
}

/// A point within the solid is pushed out by the piece above it. A sphere whose centre is outside meets each piece that
/// has the foot of a perpendicular, and each convex corner that is nearer than the pieces beside it.
void Terrain::touch_profile(const Vec3& point, double radius, int id, FeatureList& found) const {
  const double x = point.x(), height = planar_ ? point.y() : point.z();
  const Vec2 center(x, height);
  const auto found_at = std::lower_bound(points_.begin(), points_.end(), x - radius,
                                         [](const Vec2& p, double value) { return p.x() < value; });
  const std::size_t first = found_at == points_.begin() ? 0 : static_cast<std::size_t>(found_at - points_.begin()) - 1;
  const std::size_t pieces = points_.size() - 1;
  double surface = -1e300;
  std::size_t under = pieces;
  for (std::size_t i = first; i < pieces && points_[i].x() <= x; ++i) {
    const Vec2 &a = points_[i], &b = points_[i + 1];
    const double width = b.x() - a.x();
    if (x > b.x() || width <= 0) continue;
    surface = a.y() + (b.y() - a.y()) * (x - a.x()) / width;
    under = i;
  }
  if (under < pieces && height <= surface) return add_piece(under, point, radius, id, found);
  if (radius == 0) return;
  const int before = found.size();
  double left_beyond = 1;  // how far past its end the foot on the piece before is, in parts; before the first: past
  for (std::size_t i = first; i < pieces && points_[i].x() < x + radius && found.size() < before + kOnProfile; ++i) {
    const Vec2 &a = points_[i], along = points_[i + 1] - a;
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
  const auto cell = [](double place, double step, int count) {
    return std::clamp(static_cast<int>(std::floor(std::clamp(place / step, -1.0, 1e9))), 0, count - 2);
  };
  const double x = point.x() - map_.x0, y = point.y() - map_.y0;
  const bool covered = x >= 0 && y >= 0 && x <= map_.dx * (map_.columns - 1) && y <= map_.dy * (map_.rows - 1);
  const auto triangle = [&](int i, int j, bool upper, Vec3(&corner)[3]) {
    corner[0] = map_.point(i, j);
    corner[1] = upper ? map_.point(i + 1, j + 1) : map_.point(i + 1, j);
    corner[2] = upper ? map_.point(i, j + 1) : map_.point(i + 1, j + 1);
  };
  Vec3 t[3];
  if (covered) {
    const int i = cell(x, map_.dx, map_.columns), j = cell(y, map_.dy, map_.rows);
    triangle(i, j, (y / map_.dy - j) > (x / map_.dx - i), t);
    ContactFeature f = round_point(point, radius, id);
    f.q = t[0], f.w = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    if ((point - f.q).dot(f.w) <= 0) return found.add_touching(f);
  }
  if (radius == 0) return;
  FeatureList near;
  const int last_i = cell(x + radius, map_.dx, map_.columns), last_j = cell(y + radius, map_.dy, map_.rows);
  for (int j = cell(y - radius, map_.dy, map_.rows); j <= last_j; ++j) {
    for (int i = cell(x - radius, map_.dx, map_.columns); i <= last_i; ++i) {
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
