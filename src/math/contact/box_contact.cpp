// Two boxes: the direction of least overlap among the normals of faces and the cross products of edges (separating
// axes; Gottschalk, Lin, Manocha: OBBTree, SIGGRAPH 1996), then either the two edges that meet, or the face of one that
// faces the other, cut along the sides of the face it meets.
#include <algorithm>

#include "math/contact/contact_shape.hpp"

namespace cardan {
namespace {

using Kind = ContactFeature::Kind;

constexpr double kEdgeGain = 0.95;  // edges count where their overlap is this much less than that of all faces
constexpr double kParallel = 1e-6;  // squared sine of edges that have no cross product

// What a contact of two boxes is called does not depend on which of them the normal is taken from, so that it keeps its
// name when that changes: corners of a, corners of b, and crossings of an edge of a and one of b.
constexpr int kCornerOfB = 8, kCrossingOfEdges = 64;

/// Of the edge whose middle is given: its axis, and on which side it is along the two others.
int edge_code(const ContactShape& box, const Vec3& middle) {
  const Vec3 local = (box.axes.transpose() * (middle - box.center)).cwiseQuotient(box.half);
  int axis = 0;
  local.cwiseAbs().minCoeff(&axis);
  return 4 * axis + (local[(axis + 1) % 3] > 0 ? 1 : 0) + (local[(axis + 2) % 3] > 0 ? 2 : 0);
}

int crossing_id(int edge_of_a, int edge_of_b) { return kCrossingOfEdges + 16 * edge_of_a + edge_of_b; }

struct Axis {
  Vec3 direction = Vec3::Zero();  // from b to a
  double overlap = 1e300;
  int of_a = -1, of_b = -1;  // axes of the boxes; both where edges meet
};

double reach_along(const ContactShape& box, const Vec3& n) {
  return (box.axes.transpose() * n).cwiseAbs().dot(box.half);
}

/// False when they are apart along n.
bool see(const ContactShape& a, const ContactShape& b, const Vec3& n, int of_a, int of_b, double gain, Axis& best) {
  const double distance = n.dot(a.center - b.center);
  const double overlap = reach_along(a, n) + reach_along(b, n) - std::abs(distance);
  if (overlap <= 0) return false;
  if (overlap < gain * best.overlap) best = {distance < 0 ? Vec3(-n) : n, overlap, of_a, of_b};
  return true;
}

bool overlap(const ContactShape& a, const ContactShape& b, int axes, Axis& best) {
  for (int i = 0; i < axes; ++i)
    if (!see(a, b, a.axes.col(i), i, -1, 1, best)) return false;
  // In favour of the first, so that rounding does not choose.
  for (int i = 0; i < axes; ++i)
    if (!see(a, b, b.axes.col(i), -1, i, kEdgeGain, best)) return false;
  if (axes == 2) return true;
  Axis edges;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 n = a.axes.col(i).cross(b.axes.col(j));
      if (n.squaredNorm() < kParallel) continue;
      if (!see(a, b, n.normalized(), i, j, 1, edges)) return false;
    }
  }
  if (edges.overlap < kEdgeGain * best.overlap) best = edges;
  return true;
}

/// The middle of the edge along axis i that reaches farthest along n.
Vec3 farthest_edge(const ContactShape& box, int axis, const Vec3& n) {
  Vec3 p = box.center;
  for (int i = 0; i < 3; ++i)
    if (i != axis) p += (n.dot(box.axes.col(i)) < 0 ? -1 : 1) * box.half[i] * box.axes.col(i);
  return p;
}

void add_meeting_edges(const ContactShape& a, const ContactShape& b, const Axis& axis, FeatureList& found) {
  ContactFeature f;
  f.kind = Kind::line_line;
  f.p = farthest_edge(a, axis.of_a, -axis.direction), f.u = a.axes.col(axis.of_a);
  f.q = farthest_edge(b, axis.of_b, axis.direction), f.w = b.axes.col(axis.of_b);
  f.sign = axis.direction.dot(f.u.cross(f.w)) < 0 ? -1 : 1;
  f.id = crossing_id(edge_code(a, f.p), edge_code(b, f.q));
  found.add_touching(f);
}

/// A face: its normal, and its sides as planes (x - middle) . m <= offset.
struct Face {
  int axis;
  double side;
  Vec3 normal, middle;
  Face(const ContactShape& box, int i, double s)
      : axis(i), side(s), normal(s * box.axes.col(i)), middle(box.center + box.half[i] * normal) {}
  /// Its side j of four (two in the plane): the outward normal.
  static Vec3 out(const ContactShape& box, int axis, int j, double& offset) {
    const int i = (axis + 1 + j / 2) % 3;
    offset = box.half[i];
    return (j % 2 == 0 ? 1.0 : -1.0) * box.axes.col(i);
  }
};

/// The face of the box that looks most against n.
Face facing(const ContactShape& box, const Vec3& n, int axes) {
  const Vec3 along = box.axes.transpose() * n;
  int axis = 0;
  for (int i = 1; i < axes; ++i)
    if (std::abs(along[i]) > std::abs(along[axis])) axis = i;
  return {box, axis, along[axis] > 0 ? -1.0 : 1.0};
}

/// A corner of the polygon that is left of the facing face, and the line to the next one: an edge of that face (0 to
/// 3), or a side of the face it meets (4 to 7).
struct Corner {
  Vec3 place;
  int id;    // corner of the facing box (0 to 7), edge and side that cut each other (8 on), or two sides (64 on)
  int line;  // to the next one
};

struct Polygon {
  std::array<Corner, 12> corner;
  int size = 0;
  void add(const Corner& c) {
    if (size < static_cast<int>(corner.size())) corner[static_cast<std::size_t>(size++)] = c;
  }
};

int corner_index(const ContactShape& box, const Vec3& place) {
  const Vec3 local = box.axes.transpose() * (place - box.center);
  return (local.x() > 0 ? 1 : 0) + (local.y() > 0 ? 2 : 0) + (local.z() > 0 ? 4 : 0);
}

Polygon outline(const ContactShape& box, const Face& face) {
  Polygon polygon;
  const int i = (face.axis + 1) % 3, j = (face.axis + 2) % 3;
  const double turn[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int c = 0; c < 4; ++c) {
    const Vec3 place =
        face.middle + turn[c][0] * box.half[i] * box.axes.col(i) + turn[c][1] * box.half[j] * box.axes.col(j);
    polygon.add({place, corner_index(box, place), c});
  }
  return polygon;
}

Polygon cut(const Polygon& polygon, const Vec3& origin, const Vec3& out, double offset, int side) {
  Polygon left;
  for (int c = 0; c < polygon.size; ++c) {
    const Corner& here = polygon.corner[static_cast<std::size_t>(c)];
    const Corner& next = polygon.corner[static_cast<std::size_t>((c + 1) % polygon.size)];
    const double beyond = out.dot(here.place - origin) - offset, then = out.dot(next.place - origin) - offset;
    if (beyond <= 0) left.add(here);
    if ((beyond <= 0) == (then <= 0)) continue;
    const Vec3 place = here.place + beyond / (beyond - then) * (next.place - here.place);
    const int id = here.line < 4 ? 8 + 4 * here.line + side : 64 + 4 * (here.line - 4) + side;
    // Going out, the polygon continues along the side; coming in, along the line that was cut.
    left.add({place, id, beyond <= 0 ? 4 + side : here.line});
  }
  return left;
}

}  // namespace

static void add_meeting_faces(const ContactShape& reference, const ContactShape& other, const Face& face, bool flipped,
                              FeatureList& found) {
  const Face met = facing(other, face.normal, 3);
  Polygon polygon = outline(other, met);
  const Polygon whole = polygon;
  for (int side = 0; side < 4; ++side) {
    double offset = 0;
    const Vec3 out = Face::out(reference, face.axis, side, offset);
    polygon = cut(polygon, face.middle, out, offset, side);
  }
  for (int c = 0; c < polygon.size; ++c) {
    const Corner& corner = polygon.corner[static_cast<std::size_t>(c)];
    ContactFeature f;
    f.flipped = flipped;
    f.p = corner.place;
    f.q = face.middle, f.w = face.normal;
    f.id = (flipped ? kCornerOfB : 0) + corner.id;
    if (corner.id >= 64) {
      // A corner of the reference, met by the other's face.
      f.flipped = !flipped;
      const Vec3 above = corner.place - face.middle;
      f.p = corner.place - above.dot(face.normal) * face.normal;
      f.id = (flipped ? 0 : kCornerOfB) + corner_index(reference, f.p);
      f.q = met.middle, f.w = met.normal;
    } else if (corner.id >= 8) {
      const auto line = static_cast<std::size_t>((corner.id - 8) / 4);
      f.kind = Kind::cut_plane;
      f.p = whole.corner[line].place;
      f.u = (whole.corner[(line + 1) % 4].place - f.p).normalized();
      f.m = Face::out(reference, face.axis, (corner.id - 8) % 4, f.offset);
      const int own = edge_code(other, 0.5 * (whole.corner[line].place + whole.corner[(line + 1) % 4].place));
      const int met_edge = edge_code(reference, face.middle + f.offset * f.m);
      f.id = flipped ? crossing_id(met_edge, own) : crossing_id(own, met_edge);
    }
    found.add_touching(f);
  }
}

void touch_boxes(const ContactShape& a, const ContactShape& b, FeatureList& found) {
  Axis axis;
  if (!overlap(a, b, 3, axis)) return;
  if (axis.of_a >= 0 && axis.of_b >= 0) return add_meeting_edges(a, b, axis, found);
  // Normals out of the reference, towards the other: those of features are out of Q, which the reference is.
  if (axis.of_b >= 0) {
    const double side = axis.direction.dot(b.axes.col(axis.of_b)) < 0 ? -1 : 1;
    add_meeting_faces(b, a, Face(b, axis.of_b, side), false, found);
  } else {
    const double side = axis.direction.dot(a.axes.col(axis.of_a)) < 0 ? 1 : -1;
    add_meeting_faces(a, b, Face(a, axis.of_a, side), true, found);
  }
  found.keep_deepest(most_contacts(a, b));
}

/// In the plane a face is an edge: its ends, each cut at the sides of the edge it meets.
void touch_flat_boxes(const ContactShape& a, const ContactShape& b, FeatureList& found) {
  Axis axis;
  if (!overlap(a, b, 2, axis)) return;
  const bool flipped = axis.of_b < 0;
  const ContactShape &reference = flipped ? a : b, &other = flipped ? b : a;
  const Vec3 n = flipped ? Vec3(-axis.direction) : axis.direction;
  const int i = flipped ? axis.of_a : axis.of_b, along = 1 - i;
  const Face face(reference, i, n.dot(reference.axes.col(i)) < 0 ? -1 : 1);
  const Face met = facing(other, face.normal, 2);
  const Vec3 edge = other.axes.col(1 - met.axis), m = reference.axes.col(along);
  const double slope = edge.dot(m), middle = m.dot(met.middle - face.middle), half = other.half[1 - met.axis];
  for (int end = 0; end < 2; ++end) {
    const double side = end == 0 ? -1 : 1, reached = middle + side * half * slope;
    ContactFeature f;
    f.flipped = flipped;
    f.q = face.middle, f.w = face.normal;
    f.p = met.middle + side * half * edge;
    f.id = (flipped ? 8 : 0) + 2 * met.axis + end;
    if (std::abs(reached) > reference.half[along]) {
      const double limit = std::copysign(reference.half[along], reached);
      if (std::abs(slope) < 1e-9 || std::abs(limit - middle) > half * std::abs(slope)) continue;
      f.kind = Kind::cut_plane;
      f.u = edge, f.m = limit > 0 ? m : Vec3(-m), f.offset = reference.half[along];
      f.id += 16;
    }
    found.add_touching(f);
  }
}

}  // namespace cardan
