// Measure of formulation/measure.hpp for four instances at once.
#pragma once

#include "ensemble/pack.hpp"

namespace cardan::CARDAN_LANES {

/// Poses and twists of the bodies, as LaneWork holds them.
template <int D>
struct Bodies {
  const Matrix<D>* rotation;
  const Vec<D>* center;
  const Twist<D>*twist, *bias;

  CARDAN_INLINE Vec<D> direction(int body, const Lanes* local) const { return rotation[body] * Vec<D>::of(local); }
  CARDAN_INLINE Vec<D> place(int body, const Lanes* local) const { return center[body] + direction(body, local); }
};

template <int D>
struct Evaluation {
  Pack value;
  Twist<D> gradient;
};

template <int D>
CARDAN_INLINE Angular<D> carried_axis(const LaneMeasure<D>& m, const Bodies<D>& b) {
  if constexpr (D == 2) {
    return Vec<1>::of(m.axis);
  } else {
    return b.direction(m.axis_on_body2 ? m.body2 : m.body1, m.axis);
  }
}

template <int D>
CARDAN_INLINE Twist<D> turning(const Angular<D>& w) {
  return twist<D>(Vec<D>::zero(), w);
}

template <int D>
Evaluation<D> evaluate(const LaneMeasure<D>& m, const Bodies<D>& b) {
  using Kind = typename LaneMeasure<D>::Kind;
  const Pack offset = m.offset;
  switch (m.kind) {
    case Kind::along: {
      const Vec<D> e = b.direction(m.body1, m.e1), p2 = b.place(m.body2, m.point2);
      return {dot(e, p2 - b.place(m.body1, m.point1)) - offset, force_at<D>(e, p2)};
    }
    case Kind::cosine: {
      const Vec<D> a1 = b.direction(m.body1, m.e1), a2 = b.direction(m.body2, m.e2);
      return {dot(a1, a2) - offset, turning<D>(moment(a2, a1))};
    }
    case Kind::distance: {
      const Vec<D> p2 = b.place(m.body2, m.point2), d = p2 - b.place(m.body1, m.point1);
      const Pack s = sqrt(dot(d, d));
      const Pack inverse = select(s > Pack(0.0), Pack(1.0) / s, Pack(0.0));
      return {s - offset, force_at<D>(inverse * d, p2)};
    }
    case Kind::angle:
      return {atan2(dot(b.direction(m.body1, m.f1), b.direction(m.body2, m.f2)),
                    dot(b.direction(m.body1, m.e1), b.direction(m.body2, m.e2))) -
                  offset,
              turning<D>(carried_axis<D>(m, b))};
    case Kind::turn: {
      const Vec<D> a1 = b.direction(m.body1, m.e1), b1 = b.direction(m.body1, m.f1);
      const Vec<D> a2 = b.direction(m.body2, m.e2), b2 = b.direction(m.body2, m.f2);
      const Pack half = 0.5;
      return {half * (dot(b1, a2) - dot(a1, b2)) - offset, turning<D>(half * (moment(a2, b1) - moment(b2, a1)))};
    }
  }
  __builtin_unreachable();
}

template <int D>
CARDAN_INLINE Twist<D> gradient(const LaneMeasure<D>& m, const Bodies<D>& b) {
  if (m.kind == LaneMeasure<D>::Kind::angle) return turning<D>(carried_axis<D>(m, b));
  return evaluate<D>(m, b).gradient;
}

template <int D>
CARDAN_INLINE Pack rate(const LaneMeasure<D>& m, const Bodies<D>& b, const Twist<D>& w) {
  return dot(w, b.twist[m.body2] - b.twist[m.body1]);
}

/// W' . (Z2 - Z1)
template <int D>
Pack curvature(const LaneMeasure<D>& m, const Bodies<D>& b, const Twist<D>& w) {
  using Kind = typename LaneMeasure<D>::Kind;
  const Twist<D>&z1 = b.twist[m.body1], &z2 = b.twist[m.body2];
  const Angular<D> w1 = angular<D>(z1), w2 = angular<D>(z2);
  Twist<D> change = Twist<D>::zero();
  switch (m.kind) {
    case Kind::along: {
      const Vec<D> e = linear<D>(w), p2 = b.place(m.body2, m.point2), turned = cross(w1, e);
      change = twist<D>(turned, moment(velocity_at<D>(z2, p2), e) + moment(p2, turned));
      break;
    }
    case Kind::cosine: {
      const Vec<D> a1 = b.direction(m.body1, m.e1), a2 = b.direction(m.body2, m.e2);
      change = turning<D>(moment(cross(w2, a2), a1) + moment(a2, cross(w1, a1)));
      break;
    }
    case Kind::distance: {
      const Vec<D> u = linear<D>(w), p2 = b.place(m.body2, m.point2), p1 = b.place(m.body1, m.point1), d = p2 - p1;
      const Pack s = sqrt(dot(d, d));
      const Pack inverse = select(s > Pack(0.0), Pack(1.0) / s, Pack(0.0));
      const Vec<D> p2_rate = velocity_at<D>(z2, p2), d_rate = p2_rate - velocity_at<D>(z1, p1);
      const Vec<D> u_rate = inverse * (d_rate - dot(u, d_rate) * u);
      change = twist<D>(u_rate, moment(p2_rate, u) + moment(p2, u_rate));
      break;
    }
    case Kind::angle:
      if constexpr (D == 3) change = turning<3>(cross(m.axis_on_body2 ? w2 : w1, angular<3>(w)));
      break;
    case Kind::turn: {
      const Vec<D> a1 = b.direction(m.body1, m.e1), b1 = b.direction(m.body1, m.f1);
      const Vec<D> a2 = b.direction(m.body2, m.e2), b2 = b.direction(m.body2, m.f2);
      change = turning<D>(Pack(0.5) * (moment(cross(w2, a2), b1) + moment(a2, cross(w1, b1)) -
                                       moment(cross(w2, b2), a1) - moment(b2, cross(w1, a1))));
      break;
    }
  }
  return dot(change, z2 - z1);
}

/// s'' at zero second derivatives of the coordinates.
template <int D>
CARDAN_INLINE Pack bias(const LaneMeasure<D>& m, const Bodies<D>& b, const Twist<D>& w) {
  return dot(w, b.bias[m.body2] - b.bias[m.body1]) + curvature<D>(m, b, w);
}

}  // namespace cardan::CARDAN_LANES
