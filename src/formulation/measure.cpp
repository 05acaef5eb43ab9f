#include "formulation/measure.hpp"

#include <cmath>

#include "formulation/rolling_disc.hpp"
#include "math/by_processor.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

/// A direction that is constant in a body's axes, and the place of such a point.
template <int D>
[[gnu::always_inline]] inline typename Space<D>::Vector direction(const BodyKinematics<D>& k, int body,
                                                                  const typename Space<D>::Vector& local) {
  return turned<D>(k.rotation[body], local);
}
template <int D>
[[gnu::always_inline]] inline typename Space<D>::Vector place(const BodyKinematics<D>& k, int body,
                                                              const typename Space<D>::Vector& local) {
  return k.center[body] + turned<D>(k.rotation[body], local);
}

/// The rate of a direction e that moves with a body.
template <int D>
[[gnu::always_inline]] inline typename Space<D>::Vector turning(const typename Space<D>::Twist& z,
                                                                const typename Space<D>::Vector& e) {
  return cross(angular<D>(z), e);
}

Space<2>::Angular carried_axis(const Space<2>::Rotation&, const Space<2>::Angular& axis) { return axis; }
Vec3 carried_axis(const Mat3& rotation, const Vec3& axis) { return turned<3>(rotation, axis); }
Space<2>::Angular carried_axis_rate(const Space<2>::Angular&, const Space<2>::Angular&) {
  return Space<2>::Angular::Zero();
}
Vec3 carried_axis_rate(const Vec3& w, const Vec3& axis) { return w.cross(axis); }

/// Where a disc or an edge feels its ground, and along which direction: e at r, with their rates where `rates`.
template <int D>
FeltPoint<D> felt_point(const Measure<D>& m, const BodyKinematics<D>& k, bool rates) {
  using Kind = typename Measure<D>::Kind;
  const auto &z1 = k.twist[m.body1], &z2 = k.twist[m.body2];
  DiscPose<D> disc;
  disc.normal = direction<D>(k, m.body1, m.e1);
  disc.axle = direction<D>(k, m.body2, m.e2);
  disc.center = place<D>(k, m.body2, m.point2);
  if (rates) {
    disc.normal_rate = turning<D>(z1, disc.normal);
    disc.axle_rate = turning<D>(z2, disc.axle);
    disc.center_rate = velocity_at<D>(z2, disc.center);
  }
  if (m.kind == Kind::across) return {disc.axle, disc.center, disc.axle_rate, disc.center_rate};
  const DiscContact<D> contact = disc.contact(m.radius);
  const auto& [e, e_rate] = m.kind == Kind::longitudinal ? contact.heading
                            : m.kind == Kind::lateral    ? contact.side
                                                         : contact.normal;
  return {e, contact.point.at, e_rate, contact.point.rate};
}

}  // namespace

/// Of the kinds that most constraints and loads are.
template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR typename Measure<D>::Evaluation evaluate_usual(const Measure<D>& m,
                                                                                    const BodyKinematics<D>& k) {
  using Kind = typename Measure<D>::Kind;
  using Vector = typename Space<D>::Vector;
  if (m.kind == Kind::cosine) {
    const Vector a = direction<D>(k, m.body1, m.e1), b = direction<D>(k, m.body2, m.e2);
    return {a.dot(b) - m.offset, twist<D>(Vector::Zero(), moment(b, a))};
  }
  const Vector p2 = place<D>(k, m.body2, m.point2), d = p2 - place<D>(k, m.body1, m.point1);
  if (m.kind == Kind::along) {
    const Vector e = direction<D>(k, m.body1, m.e1);
    return {e.dot(d) - m.offset, force_at<D>(e, p2)};
  }
  const double s = std::sqrt(d.dot(d));
  // Where the points meet the direction is lost; a zero gradient keeps the numbers finite.
  const Vector u = s > 0 ? Vector(d / s) : Vector(Vector::Zero());
  return {s - m.offset, force_at<D>(u, p2)};
}

template <int D>
typename Measure<D>::Evaluation Measure<D>::evaluate(const BodyKinematics<D>& k) const {
  switch (kind) {
    case Kind::along:
    case Kind::cosine:
    case Kind::distance:
      return evaluate_usual<D>(*this, k);
    case Kind::angle:
      return {value(k), gradient(k)};
    case Kind::turn: {
      const Vector a = direction<D>(k, body1, e1), b = direction<D>(k, body1, f1);
      const Vector c = direction<D>(k, body2, e2), d = direction<D>(k, body2, f2);
      return {0.5 * (b.dot(c) - a.dot(d)) - offset, twist<D>(Vector::Zero(), 0.5 * (moment(c, b) - moment(d, a)))};
    }
    case Kind::height: {
      const FeltPoint<D> felt = felt_point<D>(*this, k, false);
      return {felt.e.dot(felt.point - place<D>(k, body1, point1)) - offset, force_at<D>(felt.e, felt.point)};
    }
    case Kind::across:
    case Kind::longitudinal:
    case Kind::lateral: {
      const FeltPoint<D> felt = felt_point<D>(*this, k, false);
      return {0, force_at<D>(felt.e, felt.point)};
    }
  }
  return {0, Twist::Zero()};
}

template <int D>
double Measure<D>::value(const BodyKinematics<D>& k) const {
  if (kind != Kind::angle) return evaluate(k).value;
  return std::atan2(direction<D>(k, body1, f1).dot(direction<D>(k, body2, f2)),
                    direction<D>(k, body1, e1).dot(direction<D>(k, body2, e2))) -
         offset;
}

template <int D>
typename Space<D>::Twist Measure<D>::gradient(const BodyKinematics<D>& k) const {
  if (kind != Kind::angle) return evaluate(k).gradient;
  return twist<D>(Vector::Zero(), carried_axis(k.rotation[axis_on_body2 ? body2 : body1], axis));
}

template <int D>
double Measure<D>::curvature(const BodyKinematics<D>& k, const Twist& w) const {
  const Twist &z1 = k.twist[body1], &z2 = k.twist[body2];
  Twist w_rate = Twist::Zero();
  switch (kind) {
    case Kind::along: {
      const Vector e = linear<D>(w), p2 = place<D>(k, body2, point2);
      const Vector e_rate = turning<D>(z1, e);
      w_rate = twist<D>(e_rate, moment(velocity_at<D>(z2, p2), e) + moment(p2, e_rate));
      break;
    }
    case Kind::cosine: {
      const Vector a = direction<D>(k, body1, e1), b = direction<D>(k, body2, e2);
      w_rate = twist<D>(Vector::Zero(), moment(turning<D>(z2, b), a) + moment(b, turning<D>(z1, a)));
      break;
    }
    case Kind::distance: {
      const Vector u = linear<D>(w), p2 = place<D>(k, body2, point2), p1 = place<D>(k, body1, point1);
      const double s = (p2 - p1).norm();
      if (s == 0) break;
      const Vector p2_rate = velocity_at<D>(z2, p2), d_rate = p2_rate - velocity_at<D>(z1, p1);
      const Vector u_rate = (d_rate - u * u.dot(d_rate)) / s;
      w_rate = twist<D>(u_rate, moment(p2_rate, u) + moment(p2, u_rate));
      break;
    }
    case Kind::angle:
      w_rate = twist<D>(Vector::Zero(), carried_axis_rate(angular<D>(axis_on_body2 ? z2 : z1), angular<D>(w)));
      break;
    case Kind::turn: {
      const Vector a = direction<D>(k, body1, e1), b = direction<D>(k, body1, f1);
      const Vector c = direction<D>(k, body2, e2), d = direction<D>(k, body2, f2);
      w_rate = twist<D>(Vector::Zero(), 0.5 * (moment(turning<D>(z2, c), b) + moment(c, turning<D>(z1, b)) -
                                               moment(turning<D>(z2, d), a) - moment(d, turning<D>(z1, a))));
      break;
    }
    case Kind::height:
    case Kind::across:
    case Kind::longitudinal:
    case Kind::lateral: {
      const FeltPoint<D> felt = felt_point<D>(*this, k, true);
      w_rate = twist<D>(felt.e_rate, moment(felt.point_rate, felt.e) + moment(felt.point, felt.e_rate));
      break;
    }
  }
  return w_rate.dot(z2 - z1);
}

template <int D>
typename Space<D>::Vector MeasureFactory<D>::local_point(int body, const Vec3& drawn) const {
  if (body == kGround) return drawn.head<D>() - origin_;
  const Body& b = mechanism_.bodies[body];
  return (b.axes.transpose() * (drawn - b.center)).template head<D>();
}

template <int D>
typename Space<D>::Vector MeasureFactory<D>::local_direction(int body, const Vec3& drawn) const {
  if (body == kGround) return drawn.head<D>();
  return (mechanism_.bodies[body].axes.transpose() * drawn).template head<D>();
}

template <int D>
Measure<D> MeasureFactory<D>::between(const Joint& joint) const {
  Measure<D> m;
  m.body1 = body_index(joint.body1);
  m.body2 = body_index(joint.body2);
  m.point1 = local_point(joint.body1, joint.frame1.origin);
  m.point2 = local_point(joint.body2, joint.frame2.origin);
  m.e1 = m.e2 = m.f1 = m.f2 = Vector::Zero();
  m.axis.setZero();
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::along(const Joint& joint, int axis) const {
  Measure<D> m = between(joint);
  m.kind = Measure<D>::Kind::along;
  m.e1 = local_direction(joint.body1, joint.frame1.axes.col(axis));
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::cosine(const Joint& joint, int axis1, int axis2) const {
  Measure<D> m = between(joint);
  m.kind = Measure<D>::Kind::cosine;
  m.e1 = local_direction(joint.body1, joint.frame1.axes.col(axis1));
  m.e2 = local_direction(joint.body2, joint.frame2.axes.col(axis2));
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::projected(int body1, const Vec3& point1, int body2, const Vec3& point2,
                                        const Vec3& direction) const {
  Measure<D> m = distance(body1, point1, body2, point2, 0);
  m.kind = Measure<D>::Kind::along;
  m.e1 = local_direction(body1, direction);
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::distance(int body1, const Vec3& point1, int body2, const Vec3& point2,
                                       double offset) const {
  Joint ends;
  ends.body1 = body1;
  ends.body2 = body2;
  ends.frame1.origin = point1;
  ends.frame2.origin = point2;
  Measure<D> m = between(ends);
  m.kind = Measure<D>::Kind::distance;
  m.offset = offset;
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::across(const KnifeEdge& edge) const {
  Measure<D> m = distance(edge.body1, edge.point, edge.body2, edge.point, 0);
  m.kind = Measure<D>::Kind::across;
  m.e2 = local_direction(edge.body2, edge.axis);
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::of_disc(const RollingDisc& disc, typename Measure<D>::Kind kind) const {
  Measure<D> m = projected(disc.body1, disc.ground, disc.body2, disc.center, disc.normal);
  m.kind = kind;
  m.e2 = local_direction(disc.body2, disc.axis);
  m.radius = disc.radius;
  return m;
}

/// In the plane the lowest point is straight below the centre.
template <int D>
Measure<D> MeasureFactory<D>::height(const RollingDisc& disc) const {
  if constexpr (D == 3) return of_disc(disc, Measure<D>::Kind::height);
  Measure<D> m = of_disc(disc, Measure<D>::Kind::along);
  m.offset = disc.radius;
  return m;
}

template <int D>
Measure<D> MeasureFactory<D>::longitudinal(const RollingDisc& disc) const {
  return of_disc(disc, Measure<D>::Kind::longitudinal);
}

template <int D>
Measure<D> MeasureFactory<D>::lateral(const RollingDisc& disc) const {
  return of_disc(disc, Measure<D>::Kind::lateral);
}

template <int D>
int MeasureFactory<D>::record_index(const Joint& joint) const {
  if (!joint.switched) return -1;
  int index = 0;
  for (const Joint& other : mechanism_.joints) {
    if (other.name == joint.name) break;
    if (other.switched) ++index;
  }
  return index;
}

template <int D>
std::vector<NamedMeasure<D>> MeasureFactory<D>::constraints(const Joint& joint) const {
  std::vector<NamedMeasure<D>> result;
  if (!joint.present) return result;
  result = joint_equations(joint);
  for (NamedMeasure<D>& equation : result) equation.record = record_index(joint);
  return result;
}

template <int D>
std::vector<NamedMeasure<D>> MeasureFactory<D>::joint_equations(const Joint& joint) const {
  static const char* const kAxis[] = {"x", "y", "z"};
  std::vector<NamedMeasure<D>> result;
  const JointEquations equations(joint.type, D == 2);
  for (const JointEquation& e : equations) {
    switch (e.kind) {
      case JointEquation::Kind::position:
        result.push_back({along(joint, e.axis1), joint.name + " position " + kAxis[e.axis1]});
        break;
      case JointEquation::Kind::right_angle:
        result.push_back(
            {cosine(joint, e.axis1, e.axis2), joint.name + " direction " + kAxis[e.axis1] + "-" + kAxis[e.axis2]});
        if (equations.same_axis()) result.back().facing = local_direction(joint.body1, joint.frame1.axes.col(e.axis2));
        break;
      case JointEquation::Kind::length:
        result.push_back({distance(joint.body1, joint.frame1.origin, joint.body2, joint.frame2.origin, joint.length),
                          joint.name + " length"});
        break;
      case JointEquation::Kind::pitch:  // two measures: see ConstraintRows
        break;
    }
  }
  return result;
}

/// An angle about axis k of frame 1, with i and j the axes that follow k: axis i of frame 2 turns from i to j of frame
/// 1. About axis k of frame 2, after an angle about axis i of frame 1: axis i of frame 1 seen from frame 2 turns the
/// other way, from i to minus j, k being the one that follows i.
template <int D>
Measure<D> MeasureFactory<D>::coordinate(const Joint& joint, int index) const {
  const auto [k, angular, turned] = coordinate_direction(joint.type, D == 2, index);
  Measure<D> m = angular ? between(joint) : along(joint, k);
  if (angular) {
    const auto axis1 = [&](int i) { return local_direction(joint.body1, joint.frame1.axes.col(i % 3)); };
    const auto axis2 = [&](int i) { return local_direction(joint.body2, joint.frame2.axes.col(i % 3)); };
    m.kind = Measure<D>::Kind::angle;
    m.axis_on_body2 = turned;
    m.e1 = axis1(turned ? k + 2 : k + 1);
    m.e2 = axis2(turned ? k + 2 : k + 1);
    m.f1 = axis1(k + 2);
    m.f2 = axis2(k + 1);
    if constexpr (D == 2) {
      m.axis(0) = 1;
    } else {
      m.axis = turned ? axis2(k) : axis1(k);
    }
  }
  if (index < static_cast<int>(joint.drawn.size())) m.offset = -joint.drawn[index];
  return m;
}

/// About z from (x1, y1) to (x2, y2), and so on round.
template <int D>
Measure<D> MeasureFactory<D>::turn(const Joint& joint, int axis, const Mat3& rotation) const {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const Mat3 turned = joint.frame1.axes * rotation;
  Measure<D> m = between(joint);
  m.kind = Measure<D>::Kind::turn;
  m.e1 = local_direction(joint.body1, turned.col(x));
  m.f1 = local_direction(joint.body1, turned.col(y));
  m.e2 = local_direction(joint.body2, joint.frame2.axes.col(x));
  m.f2 = local_direction(joint.body2, joint.frame2.axes.col(y));
  return m;
}

template <int D>
std::vector<Measure<D>> MeasureFactory<D>::deflections(const Joint& frames) const {
  std::vector<Measure<D>> result;
  for (int i = 0; i < D; ++i) result.push_back(along(frames, i));
  if constexpr (D == 2) {
    Joint pin = frames;
    pin.type = JointType::revolute;
    pin.drawn.clear();
    result.push_back(coordinate(pin, 0));
  } else {
    for (int i = 0; i < 3; ++i) result.push_back(turn(frames, i, Mat3::Identity()));
  }
  return result;
}

template struct Measure<2>;
template struct Measure<3>;
template class MeasureFactory<2>;
template class MeasureFactory<3>;

}  // namespace cardan
