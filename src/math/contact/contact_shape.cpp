#include "math/contact/contact_shape.hpp"

#include <algorithm>

namespace cardan {
namespace {

using Kind = ContactFeature::Kind;
using Sort = ContactShape::Sort;

constexpr double kCrossing = 0.1;  // sine of the angle from which capsules cross, and below which they lie side by side
constexpr double kFlush = 1e-6;    // sine by which a normal may leave the edge that it belongs to

SmallVector<double, 3> small(const Vec3& v) { return {{v.x(), v.y(), v.z()}}; }

/// An end of a segment against another segment, whose ends are round points too.
void add_end(const Vec3& end, double radius, const ContactShape& other, bool flipped, int id, bool side_only,
             FeatureList& found) {
  const Vec3 axis = other.axes.col(0);
  const double along = axis.dot(end - other.center), half = other.half.x();
  ContactFeature f;
  f.flipped = flipped;
  f.p = end, f.p_radius = radius, f.q_radius = other.radius;
  f.id = id;
  if (half > 0 && std::abs(along) < half) {
    f.kind = Kind::point_line, f.q = other.center, f.w = axis;
  } else if (!side_only) {
    f.kind = Kind::point_point, f.q = other.center + std::clamp(along, -half, half) * axis;
  } else {
    return;
  }
  found.add_touching(f);
}

/// Where along the lines through `from` apart from each other, s along u and t along w, they are closest.
struct Crossing {
  double s, t;
  bool exists;
  Crossing(const Vec3& from, const Vec3& u, const Vec3& w) {
    const double b = u.dot(w), d = u.dot(from), e = w.dot(from), square = 1 - b * b;
    exists = square > 1e-12;
    s = exists ? (b * e - d) / square : 0;
    t = exists ? (e - b * d) / square : 0;
  }
};

void touch_capsules(const ContactShape& a, const ContactShape& b, FeatureList& found) {
  const Vec3 u = a.axes.col(0), w = b.axes.col(0);
  const Crossing crossing(a.center - b.center, u, w);
  const double sine = u.cross(w).norm();
  if (sine > kCrossing && std::abs(crossing.s) < a.half.x() && std::abs(crossing.t) < b.half.x()) {
    ContactFeature f;
    f.kind = Kind::line_line;
    f.p = a.center, f.u = u, f.p_radius = a.radius;
    f.q = b.center, f.w = w, f.q_radius = b.radius;
    f.sign = (a.center - b.center).dot(u.cross(w)) < 0 ? -1 : 1;
    f.id = 4;
    return found.add_touching(f);
  }
  for (int i = 0; i < 2; ++i) add_end(a.corner(i), a.radius, b, false, i, true, found);
  for (int i = 0; i < 2; ++i) add_end(b.corner(i), b.radius, a, true, 2 + i, true, found);
  found.keep_deepest(2);
  if (found.size() > 0) return;
  for (int i = 0; i < 2; ++i) add_end(a.corner(i), a.radius, b, false, i, false, found);
  found.keep_deepest(1);
}

}  // namespace

double depth_of(const ContactFeature& f) {
  return contact_geometry<double>(f, {small(f.p), small(f.u), small(f.q), small(f.w), small(f.m)}).depth;
}

void FeatureList::add_touching(const ContactFeature& f) {
  if (depth_of(f) > 0) add(f);
}

void FeatureList::keep_deepest(int count) {
  if (size_ <= count) return;
  std::array<std::pair<double, int>, kMost> order;
  for (int i = 0; i < size_; ++i) order[static_cast<std::size_t>(i)] = {-depth_of((*this)[i]), i};
  std::sort(order.begin(), order.begin() + size_);
  std::sort(order.begin(), order.begin() + count, [](const auto& x, const auto& y) { return x.second < y.second; });
  for (int i = 0; i < count; ++i)
    items_[static_cast<std::size_t>(i)] = items_[static_cast<std::size_t>(order[static_cast<std::size_t>(i)].second)];
  size_ = count;
}

void touch(const ContactShape& a, const ContactShape& b, FeatureList& found) {
  found.clear();
  if (a.sort == Sort::box && b.sort == Sort::box)
    return a.planar ? touch_flat_boxes(a, b, found) : touch_boxes(a, b, found);
  if (a.sort == Sort::box) return touch_round_box(b, a, true, found);
  if (b.sort == Sort::box) return touch_round_box(a, b, false, found);
  touch_round(a, b, found);
}

int most_contacts(const ContactShape& a, const ContactShape& b) {
  if (a.sort == Sort::box && b.sort == Sort::box) return a.planar ? 2 : 8;
  const int lines = (a.sort == Sort::capsule) + (b.sort == Sort::capsule);
  if (a.sort == Sort::box || b.sort == Sort::box) return lines > 0 ? 4 : 1;
  return lines == 2 ? 2 : 1;
}

/// Points, spheres and capsules.
void touch_round(const ContactShape& a, const ContactShape& b, FeatureList& found) {
  if (a.half.x() > 0 && b.half.x() > 0) return touch_capsules(a, b, found);
  if (a.half.x() > 0) return add_end(b.center, b.radius, a, true, 0, false, found);
  add_end(a.center, a.radius, b, false, 0, false, found);
}

/// The nearest feature of a box to a round point: inside of it, the nearest face.
static ContactFeature nearest_of_box(const Vec3& point, double radius, const ContactShape& box) {
  const Vec3 local = box.axes.transpose() * (point - box.center);
  ContactFeature f;
  f.p = point, f.p_radius = radius;
  Vec3 near = local;
  int beyond = 0, axis = 0, free = 0;
  double least = 1e300;
  const int axes = box.planar ? 2 : 3;
  for (int i = 0; i < axes; ++i) {
    const double room = box.half[i] - std::abs(local[i]);
    if (room < 0) {
      near[i] = std::copysign(box.half[i], local[i]);
      ++beyond;
    } else {
      free = i;
    }
    if (room < least) least = room, axis = i;
  }
  if (beyond <= 1) {
    const double side = local[axis] > 0 ? 1 : -1;
    f.kind = Kind::point_plane;
    f.w = side * box.axes.col(axis);
    f.q = box.center + box.half[axis] * f.w;
  } else if (beyond == 2 && axes == 3) {
    f.kind = Kind::point_line;
    f.w = box.axes.col(free);
    f.q = box.center + box.axes * near;
  } else {
    f.kind = Kind::point_point;
    f.q = box.center + box.axes * near;
  }
  return f;
}

/// A segment and the edges of a box, where both are closest between their ends and the normal is between those of the
/// faces that meet in the edge.
static void add_edges(const ContactShape& round, const ContactShape& box, bool flipped, FeatureList& found) {
  const Vec3 u = round.axes.col(0);
  for (int edge = 0; edge < 12; ++edge) {
    const int i = edge / 4, j = (i + 1) % 3, k = (i + 2) % 3;
    if (box.planar && i != 2) continue;
    const double sj = ContactShape::side(edge, 0), sk = ContactShape::side(edge, 1);
    ContactFeature f;
    f.kind = Kind::line_line;
    f.flipped = flipped;
    f.p = round.center, f.u = u, f.p_radius = round.radius;
    f.w = box.axes.col(i);
    f.q = box.center + sj * box.half[j] * box.axes.col(j) + sk * box.half[k] * box.axes.col(k);
    f.id = 2 + edge;
    const Crossing crossing(f.p - f.q, u, f.w);
    const bool inside = box.planar || std::abs(crossing.t) < box.half[i];
    if (!crossing.exists || std::abs(crossing.s) >= round.half.x() || !inside) continue;
    const Vec3 across = u.cross(f.w).normalized();
    f.sign = (f.p - f.q).dot(across) < 0 ? -1 : 1;
    const Vec3 n = f.sign * across;
    if (sj * n.dot(box.axes.col(j)) < -kFlush || sk * n.dot(box.axes.col(k)) < -kFlush) continue;
    found.add_touching(f);
  }
}

/// Corners of a box beside a segment, where the normal is between those of the three faces that meet there.
static void add_corners(const ContactShape& round, const ContactShape& box, bool flipped, FeatureList& found) {
  for (int c = 0; c < 8; ++c) {
    ContactFeature f;
    f.kind = Kind::point_line;
    f.flipped = !flipped;  // the corner is the point
    f.p = box.corner(c);
    f.q = round.center, f.w = round.axes.col(0), f.q_radius = round.radius;
    f.id = 14 + c;
    const double along = f.w.dot(f.p - f.q);
    if (std::abs(along) >= round.half.x()) continue;
    const Vec3 out = f.q + along * f.w - f.p;
    bool between = true;
    for (int i = 0; i < 3; ++i) between = between && ContactShape::side(c, i) * out.dot(box.axes.col(i)) > 0;
    if (between) found.add_touching(f);
  }
}

void touch_round_box(const ContactShape& round, const ContactShape& box, bool flipped, FeatureList& found) {
  for (int i = 0; i < round.corners(); ++i) {
    ContactFeature f = nearest_of_box(round.corner(i), round.radius, box);
    f.flipped = flipped;
    f.id = i;  // whichever feature of the box it meets
    found.add_touching(f);
  }
  if (round.sort == Sort::capsule) add_edges(round, box, flipped, found);
  if (round.sort == Sort::capsule && !box.planar) add_corners(round, box, flipped, found);
  found.keep_deepest(most_contacts(round, box));
}

}  // namespace cardan
