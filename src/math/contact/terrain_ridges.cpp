// Edges and peaks of the ground under the sides of boxes and capsules. An edge of the ground meets an edge of a box, or
// the line of a capsule, where the two cross; a peak meets a face of a box, or the side of a capsule. What is pushed
// has to lie over the edge or peak: the normal leaves the ground there, between the normals of the pieces beside it.
#include <algorithm>
#include <array>

#include "math/contact/terrain.hpp"

namespace cardan {
namespace {

using Kind = ContactFeature::Kind;
using Sort = ContactShape::Sort;

constexpr double kConvex = 1e-9;    // sine from which pieces meet in an edge
constexpr double kStraying = 1e-6;  // sine by which a normal may leave the ground's edge
constexpr double kLeeway = 0.1;     // sine by which faces may be off: what is further down touches by its depth alone
constexpr int kFirstId = 64;        // beyond those of corners
constexpr int kIds = (1 << 30) - 2 * kFirstId;
constexpr int kOnLine = 4, kOnPeaks = 8, kUnderCapsule = 2;

/// A peak, or an edge through it from `low` to `high` along it, with the directions down from there.
struct Ridge {
  Vec3 at = Vec3::Zero(), along = Vec3::Zero();
  double low = -1e300, high = 1e300;
  std::array<Vec3, 6> down;
  int sides = 0;
  int id = 0;

  Ridge() { down.fill(Vec3::Zero()); }

  void add_side(const Vec3& towards) { down[sides++] = towards.normalized(); }
  bool has_normal(const Vec3& n, double leeway) const {
    return std::all_of(down.begin(), down.begin() + sides, [&](const Vec3& side) { return n.dot(side) <= leeway; });
  }
};

void keep(const ContactFeature& f, int most, FeatureList& near) {
  if (near.size() == FeatureList::kMost) near.keep_deepest(most);
  near.add_touching(f);
}

/// Where an edge of the ground crosses the line from p along u, half as long as `half`; the normal is towards the line.
bool crosses(const Ridge& ridge, double half, double leeway, ContactFeature& f) {
  const Vec3 from = f.p - f.q, across = f.u.cross(f.w);
  const double b = f.u.dot(f.w), d = f.u.dot(from), e = f.w.dot(from), square = 1 - b * b;
  if (square < 1e-6) return false;
  const double s = (b * e - d) / square, t = (e - b * d) / square;
  if (std::abs(s) >= half || t < ridge.low || t >= ridge.high) return false;
  f.kind = Kind::line_line;
  f.sign = ridge.has_normal(across.normalized(), leeway) ? 1 : -1;
  return f.sign > 0 || ridge.has_normal(-across.normalized(), leeway);
}

/// An edge of the ground below the edges of a box, of which those count that face it in the direction of least depth.
void meet_box(const Ridge& ridge, const ContactShape& box, int most, FeatureList& near) {
  ContactFeature met[12];
  double least = 1e300;
  int count = 0;
  Vec3 direction = Vec3::Zero(), normal[12];
  for (int edge = 0; edge < 12; ++edge) {
    const int i = edge / 4, j = (i + 1) % 3, k = (i + 2) % 3;
    const Vec3 side_j = ContactShape::side(edge, 0) * box.axes.col(j),
               side_k = ContactShape::side(edge, 1) * box.axes.col(k);
    ContactFeature f;
    f.p = box.center + box.half[j] * side_j + box.half[k] * side_k, f.u = box.axes.col(i);
    f.q = ridge.at, f.w = ridge.along;
    f.id = ridge.id + edge;
    if (!crosses(ridge, box.half[i], kStraying, f)) continue;
    const Vec3 n = f.sign * f.u.cross(f.w).normalized();
    if (n.dot(side_j) > kLeeway || n.dot(side_k) > kLeeway) continue;
    const double deep = depth_of(f);
    if (!(deep > 0)) continue;
    met[count] = f, normal[count] = n, ++count;
    if (deep < least) least = deep, direction = n;
  }
  for (int i = 0; i < count; ++i)
    if (normal[i].dot(direction) > 1 - kStraying) keep(met[i], most, near);
}

/// A peak within a box, pushed out of the nearest face that it may leave by.
void peak_in_box(const Ridge& peak, const ContactShape& box, int most, FeatureList& near) {
  const Vec3 local = box.axes.transpose() * (peak.at - box.center);
  const int axes = box.planar ? 2 : 3;
  ContactFeature f;
  double least = 1e300;
  for (int i = 0; i < axes; ++i) {
    if (std::abs(local[i]) >= box.half[i]) return;
    for (const double side : {-1.0, 1.0}) {
      const Vec3 face = side * box.axes.col(i);
      const double depth = box.half[i] - side * local[i];
      if (depth >= least || !peak.has_normal(-face, kLeeway)) continue;
      least = depth;
      f.w = face, f.q = box.center + box.half[i] * face;
    }
  }
  if (least == 1e300) return;
  f.kind = Kind::point_plane;
  f.flipped = true;
  f.p = peak.at;
  f.id = peak.id;
  keep(f, most, near);
}

void peak_beside_capsule(const Ridge& peak, const ContactShape& capsule, int most, FeatureList& near) {
  ContactFeature f;
  f.kind = Kind::point_line;
  f.flipped = true;
  f.p = peak.at;
  f.q = capsule.center, f.w = capsule.axes.col(0), f.q_radius = capsule.radius;
  f.id = peak.id;
  const double along = f.w.dot(f.p - f.q);
  const Vec3 n = f.q + along * f.w - f.p;
  if (std::abs(along) < capsule.half.x() && peak.has_normal(n.normalized(), kStraying)) keep(f, most, near);
}

void meet(const Ridge& ridge, const ContactShape& shape, int most, FeatureList& near) {
  if (shape.sort == Sort::box) return meet_box(ridge, shape, most, near);
  ContactFeature f;
  f.p = shape.center, f.u = shape.axes.col(0), f.p_radius = shape.radius;
  f.q = ridge.at, f.w = ridge.along;
  f.id = ridge.id;
  if (crosses(ridge, shape.half.x(), kStraying, f)) keep(f, most, near);
}

void meet_peak(const Ridge& peak, const ContactShape& shape, int most, FeatureList& near) {
  shape.sort == Sort::box ? peak_in_box(peak, shape, most, near) : peak_beside_capsule(peak, shape, most, near);
}

/// Of the edges and peaks of a grid.
class GridRidges {
 public:
  explicit GridRidges(const HeightGrid& grid) : grid_(grid), columns_(grid.map().columns), rows_(grid.map().rows) {}

  /// From a node to the next one along x, y or the diagonal; false where it is no edge, or the border.
  bool edge(int i, int j, int which, Ridge& ridge) const {
    static constexpr int kStep[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    static constexpr int kBeside[3][2][2] = {{{1, 1}, {0, -1}}, {{1, 1}, {-1, 0}}, {{1, 0}, {0, 1}}};
    const auto node = [&](const int(&by)[2]) { return grid_.node(i + by[0], j + by[1]); };
    if (!is_inside(i + kStep[which][0], j + kStep[which][1])) return false;
    ridge = Ridge{};
    ridge.at = grid_.node(i, j);
    const Vec3 along = node(kStep[which]) - ridge.at;
    ridge.along = along.normalized();
    ridge.low = 0, ridge.high = along.norm();
    for (const auto& beside : kBeside[which]) {
      if (!is_inside(i + beside[0], j + beside[1])) return false;
      const Vec3 to = node(beside) - ridge.at;
      ridge.add_side(to - ridge.along.dot(to) * ridge.along);
    }
    ridge.id = id(i, j, which);
    return is_convex(ridge.down[0], ridge.down[1]);
  }
  /// False where it lies on no edge.
  bool peak(int i, int j, Ridge& peak) const {
    static constexpr int kAround[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
    peak = Ridge{};
    peak.at = grid_.node(i, j);
    bool convex = false;
    for (const auto& by : kAround) {
      if (!is_inside(i + by[0], j + by[1])) return false;
      peak.add_side(grid_.node(i + by[0], j + by[1]) - peak.at);
    }
    for (int k = 0; k < 6; k += 2) convex = convex || is_convex(peak.down[k], peak.down[k + 1]);
    peak.id = id(i, j, 3);
    return convex;
  }

 private:
  static bool is_convex(const Vec3& one, const Vec3& other) { return one.z() + other.z() < -kConvex; }
  bool is_inside(int i, int j) const { return i >= 0 && j >= 0 && i < columns_ && j < rows_; }
  int id(int i, int j, int which) const {
    const long long number = (static_cast<long long>(j) * columns_ + i) * 4 + which;
    return kFirstId + static_cast<int>(number * 16 % kIds);
  }

  const HeightGrid& grid_;
  int columns_, rows_;
};

}  // namespace

int most_ridge_contacts(const ContactShape& shape, Terrain::Sort sort) {
  if (sort == Terrain::Sort::plane) return 0;
  if (shape.sort == Sort::box) return sort == Terrain::Sort::grid ? kOnPeaks : shape.planar ? kOnLine / 2 : kOnLine;
  return shape.sort == Sort::capsule ? kUnderCapsule : 0;
}

void Terrain::touch_ridges(const ContactShape& shape, FeatureList& found) const {
  FeatureList near;
  sort_ == Sort::grid ? grid_ridges(shape, near) : profile_ridges(shape, near);
  near.keep_deepest(most_ridge_contacts(shape, sort_));
  for (int i = 0; i < near.size(); ++i) found.add(near[i]);
}

/// Its ends fall off straight down.
void Terrain::profile_ridges(const ContactShape& shape, FeatureList& near) const {
  const std::vector<Vec2>& points = line_.points();
  const Vec3 extent = shape.extent();
  const double low = shape.center.x() - extent.x(), high = shape.center.x() + extent.x();
  const int up = planar_ ? 1 : 2, most = most_ridge_contacts(shape, sort_);
  auto point = std::lower_bound(points.begin(), points.end(), low, [](const Vec2& p, double x) { return p.x() < x; });
  for (; point != points.end() && point->x() <= high; ++point) {
    if (point->y() < shape.center[up] - extent[up]) continue;
    const Vec2 before = point == points.begin() ? Vec2(0, -1) : Vec2(*(point - 1) - *point).normalized();
    const Vec2 after = point + 1 == points.end() ? Vec2(0, -1) : Vec2(*(point + 1) - *point).normalized();
    if (before.x() * after.y() - before.y() * after.x() < kConvex) continue;
    Ridge ridge;
    ridge.at = lifted(*point);
    ridge.along = Vec3::UnitY();
    ridge.add_side(lifted(before)), ridge.add_side(lifted(after));
    ridge.id = kFirstId + static_cast<int>((point - points.begin()) * 16 % kIds);
    planar_ ? meet_peak(ridge, shape, most, near) : meet(ridge, shape, most, near);
  }
}

void Terrain::grid_ridges(const ContactShape& shape, FeatureList& near) const {
  const HeightMap& map = grid_->map();
  const GridRidges ridges(*grid_);
  const Vec3 extent = shape.extent(), low = shape.center - extent, high = shape.center + extent;
  const int most = most_ridge_contacts(shape, sort_);
  const int last_i = std::min(grid_->column_of(high.x()), map.columns - 1);
  const int last_j = std::min(grid_->row_of(high.y()), map.rows - 1);
  Ridge ridge;
  for (int j = std::max(grid_->row_of(low.y()), 0); j <= last_j; ++j) {
    for (int i = std::max(grid_->column_of(low.x()), 0); i <= last_i; ++i) {
      const double top =
          std::max({map.at(i, j), grid_->node(i + 1, j).z(), grid_->node(i, j + 1).z(), grid_->node(i + 1, j + 1).z()});
      if (top < low.z()) continue;
      for (int which = 0; which < 3; ++which)
        if (ridges.edge(i, j, which, ridge)) meet(ridge, shape, most, near);
      if (ridges.peak(i, j, ridge)) meet_peak(ridge, shape, most, near);
    }
  }
}

}  // namespace cardan
