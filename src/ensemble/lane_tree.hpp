// Kinematics and dynamics of the spanning tree for four instances at once: formulation/relative/tree_motion.hpp.
#pragma once

#include "ensemble/lane_measure.hpp"

namespace cardan::CARDAN_LANES {

/// T = I + a theta~ + b theta~^2 and the rates of a and b: math/rotation_vector.cpp.
struct BallCoefficients {
  Pack a, b, da, db;
};

CARDAN_INLINE BallCoefficients ball_coefficients(const Pack& p2) {
  const Pack one = 1.0;
  const auto nested = [&](const Pack& value, double over) { return one - p2 / Pack(over) * value; };
  BallCoefficients k;
  k.a = Pack(0.5) - p2 / Pack(24.0) * nested(nested(nested(nested(nested(one, 182), 132), 90), 56), 30);
  k.b = Pack(1.0 / 6) - p2 / Pack(120.0) * nested(nested(nested(nested(nested(one, 210), 156), 110), 72), 42);
  const Pack p4 = p2 * p2, p6 = p4 * p2, p8 = p6 * p2;
  k.da = Pack(-1.0 / 12) + p2 / Pack(180.0) - p4 / Pack(6720.0) + p6 / Pack(453600.0) - p8 / Pack(47900160.0);
  k.db = Pack(-1.0 / 60) + p2 / Pack(1260.0) - p4 / Pack(60480.0) + p6 / Pack(4989600.0) - p8 / Pack(622702080.0);
#if defined(CARDAN_TAPED) || defined(CARDAN_DUAL)
  if (value_of(p2) >= 0.25) {
    const Pack p = sqrt(p2), s = sin(p), c = cos(p), two = 2.0, three = 3.0;
    k.a = (one - c) / p2;
    k.b = (p - s) / (p2 * p);
    k.da = (p * s - two * (one - c)) / p4;
    k.db = (p * (one - c) - three * (p - s)) / (p4 * p);
  }
#else
  for (int lane = 0; lane < kLanes; ++lane) {
    const double square = p2[lane];
    if (square < 0.25) continue;
    const double p = __builtin_sqrt(square), s = __builtin_sin(p), c = __builtin_cos(p);
    k.a.set(lane, (1 - c) / square);
    k.b.set(lane, (p - s) / (square * p));
    k.da.set(lane, (p * s - 2 * (1 - c)) / (square * square));
    k.db.set(lane, (p * (1 - c) - 3 * (p - s)) / (square * square * p));
  }
#endif
  return k;
}

CARDAN_INLINE Matrix<3> polynomial_in_skew(const Vec<3>& theta, const Pack& p2, const Pack& a, const Pack& b) {
  const Vec<3> u = a * theta, w = b * theta;
  const Pack xy = w[0] * theta[1], yz = w[1] * theta[2], zx = w[2] * theta[0], c = Pack(1.0) - b * p2;
  return {{c + w[0] * theta[0], xy + u[2], zx - u[1],  //
           xy - u[2], c + w[1] * theta[1], yz + u[0],  //
           zx + u[1], yz - u[0], c + w[2] * theta[2]}};
}

CARDAN_INLINE Vec<3> ball_bias(const Vec<3>& theta, const Vec<3>& rate) {
  const BallCoefficients k = ball_coefficients(dot(theta, theta));
  const Pack pp = dot(theta, rate);
  const Vec<3> turn = cross(theta, rate);
  return k.da * pp * turn + k.db * pp * cross(theta, turn) + k.b * cross(rate, turn);
}

/// Of a unit quaternion x y z w.
CARDAN_INLINE Matrix<3> quaternion_matrix(const Pack* q) {
  const Pack two = 2.0, one = 1.0;
  const Pack tx = two * q[0], ty = two * q[1], tz = two * q[2];
  const Pack twx = tx * q[3], twy = ty * q[3], twz = tz * q[3], txx = tx * q[0], txy = ty * q[0], txz = tz * q[0],
             tyy = ty * q[1], tyz = tz * q[1], tzz = tz * q[2];
  return {{one - (tyy + tzz), txy + twz, txz - twy,  //
           txy - twz, one - (txx + tzz), tyz + twx,  //
           txz + twy, tyz - twx, one - (txx + tyy)}};
}

/// A ball's motion, measured anew in the axes that its rotation vector has reached: TreeMotion::renew_references().
struct RenewedBall {
  Vec<3> v, a, A;
  Pack reference[4];
};

inline RenewedBall renewed(const Vec<3>& theta, const Vec<3>& v, const Vec<3>& a, const Vec<3>& A, const Pack* e) {
  RenewedBall ball;
  const Pack p2 = dot(theta, theta);
  const BallCoefficients k = ball_coefficients(p2);
  // In the axes reached: exp(-theta~) T = I - a theta~ + b theta~^2, which is T of the opposite turn.
  const Matrix<3> T = polynomial_in_skew(theta, p2, -k.a, k.b);
  const Matrix<3> back = polynomial_in_skew(theta, p2, k.b * p2 - Pack(1.0), k.a);
  const Vec<3> bias = back * ball_bias(theta, v);
  ball.v = T * v;
  ball.a = T * a + bias;
  ball.A = T * A + bias;
  const Pack half = Pack(0.5) * sqrt(p2);
  const Pack sinc = select(half < Pack(1e-4), Pack(1.0) - half * half / Pack(6.0), sin(half) / half);
  const Vec<3> u = Pack(0.5) * sinc * theta;
  const Pack w = cos(half), r = e[3];
  const Vec<3> p{{e[0], e[1], e[2]}};
  const Vec<3> x = r * u + w * p + cross(p, u);
  const Pack s = r * w - dot(p, u);
  const Pack inverse = Pack(1.0) / sqrt(dot(x, x) + s * s);
  for (int j = 0; j < 3; ++j) ball.reference[j] = inverse * x[j];
  ball.reference[3] = inverse * s;
  return ball;
}

/// About a unit axis (space), or in the plane.
template <int D>
CARDAN_INLINE Matrix<D> turn_about(const Vec<D>& axis, const Pack& angle) {
  const Pack c = cos(angle), s = sin(angle);
  if constexpr (D == 2) {
    (void)axis;
    return {{c, s, -s, c}};
  } else {
    const Vec<3> sa = s * axis, ca = (Pack(1.0) - c) * axis;
    const Pack xy = ca[0] * axis[1], xz = ca[0] * axis[2], yz = ca[1] * axis[2];
    return {{ca[0] * axis[0] + c, xy + sa[2], xz - sa[1],  //
             xy - sa[2], ca[1] * axis[1] + c, yz + sa[0],  //
             xz + sa[1], yz - sa[0], ca[2] * axis[2] + c}};
  }
}

template <int D>
CARDAN_INLINE Twist<D> rotation_column(const Vec<D>& point, const Vec<D>& axis) {
  if constexpr (D == 2) {
    (void)axis;
    return {{point[1], -point[0], Pack(1.0)}};
  } else {
    return twist<3>(cross(point, axis), axis);
  }
}

/// Mass, first and second moments about the inertial origin; in space the second by its lower triangle xx yx zx yy zy
/// zz.
template <int D>
struct Inertia {
  static constexpr int kSecond = D == 2 ? 1 : 6;
  Pack mass;
  Vec<D> first;
  Pack second[kSecond];

  CARDAN_INLINE void operator+=(const Inertia& o) {
    mass += o.mass;
    first += o.first;
    for (int i = 0; i < kSecond; ++i) second[i] += o.second[i];
  }
  CARDAN_INLINE Twist<D> operator*(const Twist<D>& z) const {
    const Vec<D> s = linear<D>(z);
    const Angular<D> w = angular<D>(z);
    Angular<D> turned;
    if constexpr (D == 2) {
      turned[0] = second[0] * w[0];
    } else {
      turned[0] = second[0] * w[0] + second[1] * w[1] + second[2] * w[2];
      turned[1] = second[1] * w[0] + second[3] * w[1] + second[4] * w[2];
      turned[2] = second[2] * w[0] + second[4] * w[1] + second[5] * w[2];
    }
    return twist<D>(mass * s + cross(w, first), moment(first, s) + turned);
  }
};

template <int D>
CARDAN_INLINE Inertia<D> inertia_of(const LaneBody& body, const Vec<D>& g, const Matrix<D>& R) {
  Inertia<D> r;
  r.mass = body.mass;
  r.first = r.mass * g;
  if constexpr (D == 2) {
    r.second[0] = Pack(body.middle) + r.mass * dot(g, g);
  } else {
    const Vec<3> a = R * Vec<3>::of(body.less), c = R * Vec<3>::of(body.more);
    const Pack middle = body.middle, square = dot(g, g);
    int at = 0;
    for (int j = 0; j < 3; ++j)
      for (int i = j; i < 3; ++i) {
        Pack entry = c[i] * c[j] - a[i] * a[j];
        if (i == j) entry = middle + entry + r.mass * (square - g[i] * g[j]);
        if (i != j) entry -= r.mass * (g[i] * g[j]);
        r.second[at++] = entry;
      }
  }
  return r;
}

template <int D>
class Tree {
 public:
  Tree(const LaneModel<D>& model, LaneWork<D>& work)
      : model_(model),
        rotation_(reinterpret_cast<Matrix<D>*>(work.rotation.data())),
        center_(reinterpret_cast<Vec<D>*>(work.center.data())),
        twist_(reinterpret_cast<Twist<D>*>(work.twist.data())),
        bias_(reinterpret_cast<Twist<D>*>(work.bias.data())),
        wrench_(reinterpret_cast<Twist<D>*>(work.wrench.data())),
        angle_(packs(work.angle)),
        column_(reinterpret_cast<Twist<D>*>(work.column.data())),
        joint_bias_(reinterpret_cast<Twist<D>*>(work.joint_bias.data())),
        ball_axes_(reinterpret_cast<Matrix<3>*>(work.ball_axes.data())),
        ball_reference_(reinterpret_cast<Matrix<3>*>(work.ball_reference.data())),
        ball_point_(reinterpret_cast<Vec<3>*>(work.ball_point.data())),
        composite_(reinterpret_cast<Inertia<D>*>(work.composite.data())) {}

  Bodies<D> bodies() const { return {rotation_, center_, twist_, bias_}; }
  Twist<D>* wrenches() const { return wrench_; }
  const Twist<D>* columns() const { return column_; }
  Vec<D> point(int body, const Lanes* local) const { return bodies().place(body, local); }

  /// At the start of a step: the axes that rotation vectors are measured from.
  void see_references(const Pack* quaternions) {
    for (int i = 0; i < model_.balls; ++i) ball_reference_[i] = quaternion_matrix(quaternions + 4 * i);
  }

  void position(const Pack* z) {
    for (const LaneLink<D>& link : model_.links) {
      if (link.is_hinge) {
        turn_hinge(link, z[link.first]);
        continue;
      }
      Pack angle = angle_[link.parent] + Pack(link.angle);
      Matrix<D> R = rotation_[link.parent];
      Vec<D> p = center_[link.parent];
      for (int i = link.first_motion; i < link.last_motion; ++i) move(model_.motions[i], z, R, p, angle);
      rotation_[link.body] = R * Matrix<D>::of(link.rotation);
      center_[link.body] = p + R * Vec<D>::of(link.center);
      if constexpr (D == 2) angle_[link.body] = angle;
    }
  }

  void velocity(const Pack* v, const Pack* z) {
    for (std::size_t l = 0; l < model_.links.size(); ++l) {
      const LaneLink<D>& link = model_.links[l];
      Twist<D> carried = twist_[link.parent], bias = Twist<D>::zero();
      for (int i = link.first_motion; i < link.last_motion; ++i) {
        const LaneMotion<D>& motion = model_.motions[i];
        const int first = motion.first;
        Twist<D> own = v[first] * column_[first];
        if constexpr (D == 3) {
          if (motion.kind == LaneMotion<D>::Kind::ball) {
            own += v[first + 1] * column_[first + 1];
            own += v[first + 2] * column_[first + 2];
            const Vec<3> theta{{z[first], z[first + 1], z[first + 2]}}, rate{{v[first], v[first + 1], v[first + 2]}};
            bias += rotation_column<3>(ball_point_[motion.ball], ball_axes_[motion.ball] * ball_bias(theta, rate));
          }
        }
        bias += carried_rate<D>(carried, own);
        carried += own;
      }
      twist_[link.body] = carried;
      joint_bias_[l] = bias;
    }
  }

  void find_bias() {
    for (std::size_t l = 0; l < model_.links.size(); ++l)
      bias_[model_.links[l].body] = bias_[model_.links[l].parent] + joint_bias_[l];
  }

  void apply_gravity() {
    const Vec<D> g = Vec<D>::of(model_.gravity);
    for (int b = 0; b < model_.bodies; ++b) wrench_[b] = force_at<D>(Pack(model_.body[b].mass) * g, center_[b]);
  }

  /// M on the pattern and Q, from the applied wrenches.
  void dynamics(Pack* mass, Pack* force) {
    for (const LaneLink<D>& link : model_.links) {
      const Inertia<D> M = inertia_of<D>(model_.body[link.body], center_[link.body], rotation_[link.body]);
      composite_[link.body] = M;
      wrench_[link.body] -= carried_wrench_rate<D>(twist_[link.body], M * twist_[link.body]) + M * bias_[link.body];
    }
    for (std::size_t l = model_.links.size(); l-- > 0;) {
      const LaneLink<D>& link = model_.links[l];
      const Inertia<D>& composite = composite_[link.body];
      for (int i = link.first; i < link.last; ++i) {
        force[i] = dot(column_[i], wrench_[link.body]);
        const Twist<D> momentum = composite * column_[i];
        const int* slot = model_.mass_slot.data() + model_.mass_slot_start[i];
        for (int p = model_.path_start[l]; p < model_.path_start[l + 1] && model_.path[p] <= i; ++p)
          mass[*slot++] = dot(column_[model_.path[p]], momentum);
      }
      if (link.parent < model_.bodies) {
        composite_[link.parent] += composite;
        wrench_[link.parent] += wrench_[link.body];
      }
    }
  }

  /// Entries of w2 on body 2 and -w1 on body 1.
  CARDAN_INLINE void write_row(const LaneSpan& span, const Twist<D>& w1, const Twist<D>& w2, Pack* row) const {
    const int* column = model_.columns.data();
    for (int i = span.first; i < span.split; ++i) *row++ = dot(column_[column[i]], w2);
    for (int i = span.split; i < span.last; ++i) *row++ = -dot(column_[column[i]], w1);
  }
  CARDAN_INLINE void add_to_row(const LaneSpan& span, const int* place, const Twist<D>& w, Pack* row) const {
    const int* column = model_.columns.data();
    for (int i = span.first; i < span.split; ++i) row[*place++] += dot(column_[column[i]], w);
    for (int i = span.split; i < span.last; ++i) row[*place++] -= dot(column_[column[i]], w);
  }

 private:
  void turn_hinge(const LaneLink<D>& link, const Pack& z) {
    const LaneMotion<D>& motion = model_.motions[link.first_motion];
    const Matrix<D>& R = rotation_[link.parent];
    const Vec<D>& p = center_[link.parent];
    const Vec<D> point = p + R * Vec<D>::of(motion.point);
    if constexpr (D == 2) {
      column_[motion.first] = rotation_column<2>(point, point);
      const Pack angle = angle_[link.parent] + (z + Pack(link.angle)), c = cos(angle), s = sin(angle);
      const Pack x = link.arm[0], y = link.arm[1];
      angle_[link.body] = angle;
      rotation_[link.body] = {{c, s, -s, c}};
      center_[link.body] = {{point[0] + (c * x - s * y), point[1] + (s * x + c * y)}};
    } else {
      column_[motion.first] = rotation_column<3>(point, R * Vec<3>::of(motion.axis));
      const Pack c = cos(z), s = sin(z);
      Vec<3> turned[4];
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 3; ++i)
          turned[j][i] = Pack(link.fixed[3 * j + i]) + c * Pack(link.even[3 * j + i]) + s * Pack(link.odd[3 * j + i]);
      for (int j = 0; j < 3; ++j) rotation_[link.body].set_column(j, R * turned[j]);
      center_[link.body] = p + R * turned[3];
    }
  }

  void move(const LaneMotion<D>& motion, const Pack* z, Matrix<D>& R, Vec<D>& p, Pack& angle) {
    using Kind = typename LaneMotion<D>::Kind;
    const Vec<D> axis = Vec<D>::of(motion.axis), point = Vec<D>::of(motion.point);
    const Pack own = z[motion.first];
    if (motion.kind == Kind::rotation) {
      const Vec<D> at = p + R * point, carried = R * axis;
      column_[motion.first] = rotation_column<D>(at, carried);
      R = R * turn_about<D>(axis, own);
      p = at - R * point;
      angle += own;
      if (motion.has_lead) {
        const Pack lead = motion.lead;
        for (int i = 0; i < D; ++i) column_[motion.first][i] += lead * carried[i];
        p += lead * own * carried;
      }
    } else if (motion.kind == Kind::translation) {
      const Vec<D> carried = R * axis;
      column_[motion.first] = twist<D>(carried, Angular<D>::zero());
      p += own * carried;
    } else if constexpr (D == 3) {
      const Vec<3> theta{{z[motion.first], z[motion.first + 1], z[motion.first + 2]}};
      const Pack p2 = dot(theta, theta);
      const BallCoefficients k = ball_coefficients(p2);
      const Vec<3> at = p + R * point;
      const Matrix<3> axes = R * ball_reference_[motion.ball];
      const Matrix<3> tangent = axes * polynomial_in_skew(theta, p2, k.a, k.b);
      for (int j = 0; j < 3; ++j) column_[motion.first + j] = rotation_column<3>(at, tangent.column(j));
      R = axes * polynomial_in_skew(theta, p2, Pack(1.0) - k.b * p2, k.a);
      p = at - R * point;
      ball_axes_[motion.ball] = axes;
      ball_point_[motion.ball] = at;
    }
  }

  const LaneModel<D>& model_;
  Matrix<D>* rotation_;
  Vec<D>* center_;
  Twist<D>*twist_, *bias_, *wrench_;
  Pack* angle_;
  Twist<D>*column_, *joint_bias_;
  Matrix<3>*ball_axes_, *ball_reference_;
  Vec<3>* ball_point_;
  Inertia<D>* composite_;
};

}  // namespace cardan::CARDAN_LANES
