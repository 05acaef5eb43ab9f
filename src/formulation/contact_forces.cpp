// ContactSet: the force at a point with its tangents, energy and power.
#include <algorithm>

#include "formulation/contact_set.hpp"
#include "math/in_space.hpp"

namespace cardan {
namespace {

SmallVector<double, 3> to_small(const Vec3& v) { return {{v.x(), v.y(), v.z()}}; }
Vec3 to_vector(const SmallVector<double, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

namespace {

/// Where two bodies are and how they move, with vectors of any scalar type that go along with them.
template <class T>
struct PairMotion {
  SmallVector<T, 3> center[2], velocity[2], spin[2];
  SmallVector<T, 3> turn[2];  // small, from where they are

  SmallVector<T, 3> carried(int body, const Vec3& arm) const {
    const SmallVector<T, 3> fixed{{T(arm.x()), T(arm.y()), T(arm.z())}};
    return fixed + cross(turn[body], fixed);
  }
  SmallVector<T, 3> velocity_at(int body, const SmallVector<T, 3>& place) const {
    return velocity[body] + cross(spin[body], place - center[body]);
  }
};

template <class T>
SmallVector<T, 3> along_surface(const SmallVector<T, 3>& v, const SmallVector<T, 3>& n) {
  return v - dot(v, n) * n;
}

template <class T, class Point>
ContactForce<T> see_contact(const Point& point, const Vec3 (&center)[2], const PairMotion<T>& motion) {
  const ContactFeature& f = point.feature;
  const int p = f.flipped ? 0 : 1, q = 1 - p;
  FeatureGeometry<T> g;
  g.p = motion.center[p] + motion.carried(p, f.p - center[p]);
  g.u = motion.carried(p, f.u);
  g.q = motion.center[q] + motion.carried(q, f.q - center[q]);
  g.w = motion.carried(q, f.w);
  g.m = motion.carried(q, f.m);
  const ContactGeometry<T> where = contact_geometry<T>(f, g);
  ContactForce<T> c;
  c.normal = T(f.flipped ? -1.0 : 1.0) * where.normal;
  c.place = where.place;
  c.depth = where.depth;
  const SmallVector<T, 3> v = motion.velocity_at(1, c.place) - motion.velocity_at(0, c.place);
  c.rate = -dot(c.normal, v);
  c.slide = along_surface(v, c.normal);
  c.spin = motion.spin[1] - motion.spin[0];
  c.displacement = {{T(0), T(0), T(0)}};
  if (point.is_known) {
    const SmallVector<T, 3> apart =
        motion.center[1] + motion.carried(1, point.anchor2) - motion.center[0] - motion.carried(0, point.anchor1);
    c.displacement = along_surface(apart, c.normal);
  }
  return c;
}

/// Of two round ones that of the ball which curves against a plane as they do against each other.
double rolling_radius(const ContactFeature& f) {
  if (f.p_radius == 0 || f.q_radius == 0) return f.p_radius + f.q_radius;
  return f.p_radius * f.q_radius / (f.p_radius + f.q_radius);
}

}  // namespace

template <int D>
void ContactSet<D>::evaluate(const BodyKinematics<D>& k, Point& point) const {
  PairMotion<double> motion;
  Vec3 center[2];
  for (int i = 0; i < 2; ++i) {
    const int body = i == 0 ? point.body1 : point.body2;
    center[i] = in_space(k.center[body]);
    motion.center[i] = to_small(center[i]);
    motion.turn[i] = {{0, 0, 0}};
    motion.velocity[i] = to_small(in_space(velocity_at<D>(k.twist[body], k.center[body])));
    motion.spin[i] = to_small(turn_in_space(angular<D>(k.twist[body])));
  }
  const ContactLaw& law = elements_[static_cast<std::size_t>(point.element)].law;
  point.now = see_contact<double>(point, center, motion);
  if (!point.is_known) point.past.settled = !(point.now.rate > law.speed);
  const NormalForce<double> push(law, point.now.depth, point.now.rate, point.past);
  const FrictionForce<double> friction(law, push.force, point.now.displacement, point.now.slide, point.past);
  point.now.force = push.force * point.now.normal + friction.force;
  point.now.moment = rolling_moment<double>(law, push.force, point.now.spin, rolling_radius(point.feature));
  point.load = push.force, point.elastic = push.elastic;
  point.stiffness = push.stiffness, point.damping = push.damping;
  point.slips = friction.slips;
  point.viscous = friction.viscous, point.viscous_by_limit = friction.by_limit;
  point.g = to_vector(friction.g);
}

template <int D>
typename ContactSet<D>::Derivatives ContactSet<D>::derivatives(const Point& point, const BodyKinematics<D>& k) const {
  constexpr int n = S::kTwist;
  using Number = Dual<4 * n>;
  PairMotion<Number> motion;
  Vec3 center[2];
  for (int i = 0; i < 2; ++i) {
    const int body = i == 0 ? point.body1 : point.body2;
    center[i] = in_space(k.center[body]);
    const Vec3 v = in_space(velocity_at<D>(k.twist[body], k.center[body])),
               w = turn_in_space(angular<D>(k.twist[body]));
    for (int c = 0; c < 3; ++c) {
      motion.center[i][c] = Number(center[i][c]), motion.velocity[i][c] = Number(v[c]);
      motion.turn[i][c] = Number(0), motion.spin[i][c] = Number(w[c]);
      if (c < D) motion.center[i][c].d[i * n + c] = 1, motion.velocity[i][c].d[(2 + i) * n + c] = 1;
      const int turned = D == 2 ? c - 2 : c;  // about z in the plane
      if (turned < 0) continue;
      motion.turn[i][c].d[i * n + D + turned] = 1;
      motion.spin[i][c].d[(2 + i) * n + D + turned] = 1;
    }
  }
  const ContactLaw& law = elements_[static_cast<std::size_t>(point.element)].law;
  const ContactForce<Number> c = see_contact<Number>(point, center, motion);
  const NormalForce<Number> push(law, c.depth, c.rate, point.past);
  const FrictionForce<Number> friction(law, push.force, c.displacement, c.slide, point.past);
  const SmallVector<Number, 3> force = push.force * c.normal + friction.force;
  const SmallVector<Number, 3> couple = rolling_moment<Number>(law, push.force, c.spin, rolling_radius(point.feature));
  Derivatives result;
  for (int i = 0; i < 2; ++i) {
    const double sign = i == 0 ? -1 : 1;
    const SmallVector<Number, 3> moment = cross(c.place - motion.center[i], force) + couple;
    for (int a = 0; a < D; ++a) result.row(i * n + a) = sign * force[a].d.transpose();
    for (int a = 0; a < S::kAngular; ++a) result.row(i * n + D + a) = sign * moment[D == 2 ? 2 : a].d.transpose();
  }
  result.row(2 * n) = push.force.d.transpose();
  result.row(2 * n + 1) = c.depth.d.transpose();
  return result;
}

template <int D>
void ContactSet<D>::add_up(const std::vector<Point>& points, double* totals) const {
  std::fill_n(totals, elements_.size() * kTotals, 0.0);
  for (const Point& point : points) {
    double* own = totals + static_cast<std::size_t>(point.element) * kTotals;
    own[0] += point.load;
    own[1] = std::max(own[1], point.now.depth);
    for (int i = 0; i < D; ++i) own[2 + i] += sign(point) * point.now.force[i];
  }
}

/// x brought back to where the spring along the surface holds it.
template <int D>
Vec3 ContactSet<D>::held_displacement(const Point& point) const {
  const ContactLaw& law = elements_[static_cast<std::size_t>(point.element)].law;
  const Vec3 x = to_vector(point.now.displacement);
  const double limit = law.friction * point.load, pull = law.tangential * x.norm();
  return pull > limit ? Vec3(limit / pull * x) : x;
}

template <int D>
typename ContactSet<D>::Tangent ContactSet<D>::tangent(const Point& point) const {
  const ContactLaw& law = elements_[static_cast<std::size_t>(point.element)].law;
  const Vec3 n = point.normal(), slide = to_vector(point.now.slide);
  Tangent t;
  t.direction[0] = n;
  t.stiffness[0] = point.stiffness, t.damping[0] = point.damping, t.by_load[0] = 0;
  const Vec3 wish = point.slips ? point.g : slide;
  const Vec3 other = n.cross(Vec3::Unit(std::abs(n.x()) < 0.5 ? 0 : 1));
  t.direction[1] = D == 2 ? Vec3(-n.y(), n.x(), 0) : (wish.norm() > 1e-12 ? wish : other).normalized();
  t.direction[2] = n.cross(t.direction[1]);
  const double limit = law.friction * point.load;
  for (int i = 1; i < 3; ++i) {
    const double sliding = t.direction[i].dot(slide);
    t.stiffness[i] = limit > 0 ? law.tangential : 0;
    t.damping[i] = point.viscous;
    t.by_load[i] = -law.friction * point.viscous_by_limit * sliding;
  }
  if (!point.slips) return t;
  const double size = point.g.norm();
  for (int i = 1; i < 3; ++i) {
    const double u = t.direction[i].dot(point.g) / size, across = limit / size * (1 - u * u);
    const double along = -law.friction * (u + across * point.viscous_by_limit * t.direction[i].dot(slide));
    t.stiffness[i] *= across, t.damping[i] *= across, t.by_load[i] = along;
  }
  return t;
}

template <int D>
double ContactSet<D>::energy(const Point& point) const {
  return point.elastic * point.now.depth / (law(point.element).exponent + 1);
}

/// Of springs along the surface too: what they hold is bounded by a load that changes, in ways of its own.
template <int D>
double ContactSet<D>::power(const Point& point) const {
  const Vec3 slide = to_vector(point.now.slide), spin = to_vector(point.now.spin);
  return -(point.load - point.elastic) * point.now.rate + (point.force() - point.load * point.normal()).dot(slide) +
         point.moment().dot(spin);
}

template void ContactSet<2>::evaluate(const BodyKinematics<2>&, Point&) const;
template ContactSet<2>::Derivatives ContactSet<2>::derivatives(const Point&, const BodyKinematics<2>&) const;
template Vec3 ContactSet<2>::held_displacement(const Point&) const;
template ContactSet<2>::Tangent ContactSet<2>::tangent(const Point&) const;
template void ContactSet<2>::add_up(const std::vector<Point>&, double*) const;
template double ContactSet<2>::energy(const Point&) const;
template double ContactSet<2>::power(const Point&) const;
template void ContactSet<3>::evaluate(const BodyKinematics<3>&, Point&) const;
template ContactSet<3>::Derivatives ContactSet<3>::derivatives(const Point&, const BodyKinematics<3>&) const;
template Vec3 ContactSet<3>::held_displacement(const Point&) const;
template ContactSet<3>::Tangent ContactSet<3>::tangent(const Point&) const;
template void ContactSet<3>::add_up(const std::vector<Point>&, double*) const;
template double ContactSet<3>::energy(const Point&) const;
template double ContactSet<3>::power(const Point&) const;

}  // namespace cardan
