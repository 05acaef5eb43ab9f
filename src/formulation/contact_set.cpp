#include "formulation/contact_set.hpp"

#include <algorithm>

#include "math/in_space.hpp"
#include "mechanism/contact_memory.hpp"

namespace cardan {
namespace {

constexpr int kParts = 1, kSettled = 2;  // stages of a contact
constexpr double kFirmer = 2;            // times what an impact is damped by: what lies still may stop at once
constexpr double kLoaded = 3;            // times the speed at which it began: more than an impact explains

/// Of the impact of two bodies that presses them as deep as they are.
template <class Point>
double pressing_speed(const ContactLaw& law, const Point& point) {
  const double s = law.damping, share = s < 1e-4 ? 0.5 : (s - std::log1p(s)) / (s * s);
  return std::sqrt(point.elastic * point.now.depth / ((law.exponent + 1) * point.past.mass * share));
}

/// A pose that is not quite one, as Euler parameters off their sphere have it, counts as the rotation it stands for.
Mat3 rotation_of(const Eigen::Matrix2d& r) { return rotation_in_space(r); }
Mat3 rotation_of(const Mat3& r) { return r / r.col(0).norm(); }

ContactShape shape_of(const Geometry& g, bool planar) {
  ContactShape shape;
  shape.planar = planar;
  shape.center = g.origin;
  shape.radius = g.radius;
  if (g.shape == Geometry::Shape::box) {
    shape.sort = ContactShape::Sort::box;
    shape.half = 0.5 * g.edges;
    shape.axes = g.axes;
    shape.radius = 0;
    if (planar) shape.half.z() = 0;
  } else if (g.shape == Geometry::Shape::capsule) {
    shape.sort = ContactShape::Sort::capsule;
    shape.center = 0.5 * (g.origin + g.end);
    shape.half = Vec3(0.5 * (g.end - g.origin).norm(), 0, 0);
    shape.axes = Quat::FromTwoVectors(Vec3::UnitX(), g.end - g.origin).toRotationMatrix();
  } else {
    shape.sort = g.radius > 0 ? ContactShape::Sort::sphere : ContactShape::Sort::point;
  }
  return shape;
}

template <int D>
Mat3 axes_on_body(int body, const Mat3& drawn, const Mechanism& m) {
  return body == kGround ? drawn : Mat3(m.bodies[static_cast<std::size_t>(body)].axes.transpose() * drawn);
}

template <int D>
Terrain terrain_of(const Road& road, const typename Space<D>::Vector& origin) {
  if (road.sort == Road::Sort::profile) {
    std::vector<Vec2> points = road.profile;
    for (Vec2& point : points) point -= Vec2(origin[0], origin[D - 1]);
    return Terrain::profile(std::move(points), D == 2);
  }
  if (road.sort == Road::Sort::plane) return Terrain::plane(road.origin, road.normal);
  HeightMap map = *road.grid;
  if constexpr (D == 3) {
    map.x0 -= origin[0], map.y0 -= origin[1];
    for (double& height : map.height) height -= origin[2];
  }
  return Terrain::grid(std::move(map));
}

}  // namespace

template <int D>
bool ContactSet<D>::ElementModel::may_touch(int body1, int body2, int ground) const {
  if (body1 == body2 || (body1 == ground && body2 == ground)) return false;
  return !std::binary_search(apart.begin(), apart.end(), std::pair<int, int>(std::minmax(body1, body2)));
}

template <int D>
ContactSet<D>::ContactSet(const Mechanism& mechanism, const MeasureFactory<D>& measures,
                          const typename S::Vector& origin)
    : ground_(static_cast<int>(mechanism.bodies.size())), has_rows_(contact_pairs(mechanism) <= kMostContactPairs) {
  for (const Body& body : mechanism.bodies) mass_.push_back(body.mass);
  for (const Contact& c : mechanism.contacts) {
    ElementModel e;
    e.law = {c.stiffness, c.exponent,          restitution_damping(c.restitution), c.friction, c.tangential_stiffness,
             c.speed,     c.rolling_resistance};
    e.law.share = kFirmer * kFirmer * elastic_share(e.law.damping);
    e.first_body = measures.body_index(c.first_body);
    e.memory_at = c.memory_at;
    e.capacity = contact_capacity(c);
    for (const Geometry& g : c.shapes) {
      ContactShape shape = shape_of(g, D == 2);
      shape.center = in_space(measures.local_point(g.body, shape.center));
      shape.axes = axes_on_body<D>(g.body, shape.axes, mechanism);
      e.shapes.push_back({measures.body_index(g.body), shape});
    }
    for (const int index : c.roads) {
      const Road& road = mechanism.roads[static_cast<std::size_t>(index)];
      e.terrains.push_back({measures.body_index(road.body), terrain_of<D>(road, origin),
                            in_space(measures.local_point(road.body, road.origin)),
                            in_space(measures.local_direction(road.body, road.normal))});
    }
    for (const Joint& joint : mechanism.joints) {
      if (c.despite_joints || joint.type == JointType::free) continue;
      const int b1 = measures.body_index(joint.body1), b2 = measures.body_index(joint.body2);
      e.apart.emplace_back(std::min(b1, b2), std::max(b1, b2));
    }
    std::sort(e.apart.begin(), e.apart.end());
    most_points_ += static_cast<std::size_t>(e.capacity);
    most_shapes_ = std::max(most_shapes_, e.shapes.size());
    elements_.push_back(std::move(e));
  }
  list_slots();
}

/// Ground is tied to what stands on it by joints of all sorts: roads touch all but their own body.
template <int D>
void ContactSet<D>::list_slots() {
  for (ElementModel& e : elements_) {
    if (!has_rows_) continue;
    const auto add = [&](int body1, int body2, int most, bool touches) {
      e.first_slot.push_back(static_cast<int>(slot_bodies_.size()));
      for (int i = 0; touches && i < most; ++i) slot_bodies_.emplace_back(body1, body2);
    };
    for (std::size_t i = 0; i < e.shapes.size(); ++i) {
      for (std::size_t j = i + 1; j < e.shapes.size(); ++j) {
        const ShapeOnBody &a = e.shapes[i], &b = e.shapes[j];
        add(b.body, a.body, most_contacts(a.shape, b.shape), e.may_touch(a.body, b.body, ground_));
      }
    }
    for (const ShapeOnBody& a : e.shapes)
      for (const TerrainOnBody& t : e.terrains) add(t.body, a.body, t.terrain.most_contacts(a.shape), a.body != t.body);
  }
}

template <int D>
typename ContactSet<D>::Scratch& ContactSet<D>::scratch() {
  thread_local Scratch buffers;
  return buffers;
}

template <int D>
const std::vector<typename ContactSet<D>::Point>& ContactSet<D>::find(const BodyKinematics<D>& k,
                                                                      const double* memory) const {
  Scratch& s = scratch();
  s.points.reserve(most_points_);
  s.placed.reserve(most_shapes_);
  s.points.clear();
  for (std::size_t i = 0; i < elements_.size(); ++i) find_in(static_cast<int>(i), k, memory, s);
  return s.points;
}

template <int D>
void ContactSet<D>::find_in(int element, const BodyKinematics<D>& k, const double* memory, Scratch& s) const {
  const ElementModel& e = elements_[static_cast<std::size_t>(element)];
  const int shapes = static_cast<int>(e.shapes.size());
  const std::size_t first = s.points.size();
  s.placed.resize(e.shapes.size());
  for (int i = 0; i < shapes; ++i) {
    const auto& [body, local] = e.shapes[static_cast<std::size_t>(i)];
    ContactShape& placed = s.placed[static_cast<std::size_t>(i)];
    const Mat3 rotation = rotation_of(k.rotation[body]);
    placed = local;
    placed.center = in_space(k.center[body]) + rotation * local.center;
    placed.axes = rotation * local.axes;
  }
  if (shapes > 1) {
    s.broad.resize(shapes);
    for (int i = 0; i < shapes; ++i) {
      const ContactShape& placed = s.placed[static_cast<std::size_t>(i)];
      s.broad.place(i, placed.center, placed.extent());
    }
    s.broad.find([&](int i, int j) {
      const int a = e.shapes[static_cast<std::size_t>(i)].body, b = e.shapes[static_cast<std::size_t>(j)].body;
      if (!e.may_touch(a, b, ground_)) return;
      touch(s.placed[static_cast<std::size_t>(i)], s.placed[static_cast<std::size_t>(j)], s.found);
      add_points(element, e.pair_of(i, j), b, a, s);
    });
  }
  for (int i = 0; i < shapes; ++i) {
    for (std::size_t t = 0; t < e.terrains.size(); ++t) {
      const TerrainOnBody& under = e.terrains[t];
      const int body = e.shapes[static_cast<std::size_t>(i)].body;
      if (body == under.body) continue;
      const Mat3 rotation = rotation_of(k.rotation[under.body]);
      under.terrain.touch(s.placed[static_cast<std::size_t>(i)],
                          in_space(k.center[under.body]) + rotation * under.origin, rotation * under.normal, s.found);
      add_points(element, e.shape_pairs() + i * static_cast<long>(e.terrains.size()) + static_cast<long>(t), under.body,
                 body, s);
    }
  }
  const auto begin = s.points.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, s.points.end(), [](const Point& a, const Point& b) { return a.key < b.key; });
  recall(e, k, memory + e.memory_at, first, s);
}

template <int D>
void ContactSet<D>::add_points(int element, long pair, int body1, int body2, Scratch& s) const {
  for (int i = 0; i < s.found.size(); ++i) {
    Point point;
    point.element = element;
    point.body1 = body1, point.body2 = body2;
    point.pair = pair;
    point.feature = s.found[i];
    point.key = pair * kFeatures + point.feature.id;
    s.points.push_back(point);
  }
}

/// Of two bodies that nothing else holds; 0 where one of them has no mass.
template <int D>
double ContactSet<D>::reduced_mass(int body1, int body2) const {
  const auto mass = [&](int body) { return mass_[static_cast<std::size_t>(body)]; };
  if (body1 == ground_) return mass(body2);
  if (body2 == ground_) return mass(body1);
  const double sum = mass(body1) + mass(body2);
  return sum > 0 ? mass(body1) * mass(body2) / sum : 0;
}

/// Both lists are sorted, so that one walk along them finds what was there before.
template <int D>
void ContactSet<D>::recall(const ElementModel& e, const BodyKinematics<D>& k, const double* memory, std::size_t first,
                           Scratch& s) const {
  const int records = static_cast<int>(memory[0]);
  const double* record = memory + 1;
  int r = 0, ordinal = 0;
  for (std::size_t i = first; i < s.points.size(); ++i) {
    Point& point = s.points[i];
    ordinal = i > first && s.points[i - 1].pair == point.pair ? ordinal + 1 : 0;
    if (has_rows_) {
      const int slot = e.first_slot[static_cast<std::size_t>(point.pair)] + ordinal;
      const auto next = static_cast<std::size_t>(point.pair) + 1;
      const int end = next < e.first_slot.size() ? e.first_slot[next] : slots();
      point.slot = slot < end ? slot : -1;
    }
    point.past.mass = reduced_mass(point.body1, point.body2);
    const auto key = static_cast<double>(point.key);
    while (r < records && record[r * kRecord] < key) ++r;
    if (r < records && record[r * kRecord] == key) {
      const double* own = record + r * kRecord;
      const auto stage = static_cast<int>(own[2]);
      point.is_known = true;
      point.past.began = own[1], point.past.settled = (stage & kSettled) != 0;
      point.parts = (stage & kParts) != 0;
      const auto arm = [&](int body, const double* local) {
        const Vec3 place = in_space(typename S::Vector(Eigen::Map<const typename S::Vector>(local)));
        return Vec3(rotation_of(k.rotation[body]) * place);
      };
      point.anchor1 = arm(point.body1, own + 3);
      point.anchor2 = arm(point.body2, own + 3 + D);
    }
    evaluate(k, point);
  }
}

template <int D>
void ContactSet<D>::remember(const BodyKinematics<D>& k, double* memory) const {
  const std::vector<Point>& points = find(k, memory);
  std::size_t next = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const ElementModel& e = elements_[i];
    double* count = memory + e.memory_at;
    double* record = count + 1;
    *count = 0;
    for (; next < points.size() && points[next].element == static_cast<int>(i); ++next) {
      if (*count >= e.capacity) continue;
      const Point& point = points[next];
      const bool parts = !(point.now.rate > 0), again = point.parts && !parts;
      record[0] = static_cast<double>(point.key);
      // Compression that follows expansion begins a contact of its own, which is no impact.
      record[1] = std::max(again ? 0 : point.past.began, point.now.rate);
      const bool loaded =
          parts && point.past.mass > 0 && pressing_speed(e.law, point) > kLoaded * std::max(record[1], e.law.speed);
      record[2] = (point.past.settled || again || loaded ? kSettled : 0) + (parts ? kParts : 0);
      const Vec3 place = point.place(), held = place - held_displacement(point);
      const auto write = [&](int body, const Vec3& at, double* out) {
        const Vec3 local = rotation_of(k.rotation[body]).transpose() * (at - in_space(k.center[body]));
        std::copy_n(local.data(), D, out);
      };
      write(point.body1, held, record + 3);
      write(point.body2, place, record + 3 + D);
      record += kRecord;
      ++*count;
    }
    std::fill(record, count + 1 + e.capacity * kRecord, 0.0);
  }
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace cardan
