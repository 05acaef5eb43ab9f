// A scalar that two bodies define between them: a distance, a component, a cosine, an angle, a small turn. Closures,
// drivers, loads and joint coordinates are all written with these, so that each derivative stands in one place.
//
// A measure s does not change when both bodies move together, so one wrench W gives its gradient: with Z the twists,
//     s'  = W . (Z2 - Z1)
//     s'' = W . (Z2' - Z1') + W' . (Z2 - Z1)
// A velocity that is the rate of no such scalar has W and these two lines all the same, and no value.
// A generalized force f on s is the wrench f W on body 2 and -f W on body 1.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "math/space.hpp"

namespace cardan {

struct SignalValues;  // signal_set.hpp

/// R v, written out where it stands; the sums are those of Eigen's product.
template <int D>
[[gnu::always_inline]] inline typename Space<D>::Vector turned(const typename Space<D>::Rotation& R,
                                                               const typename Space<D>::Vector& v) {
  const double* const m = R.data();
  if constexpr (D == 2) {
    return {m[0] * v[0] + m[2] * v[1], m[1] * v[0] + m[3] * v[1]};
  } else {
    return {m[0] * v[0] + (m[3] * v[1] + m[6] * v[2]), m[1] * v[0] + (m[4] * v[1] + m[7] * v[2]),
            m[2] * v[0] + (m[5] * v[1] + m[8] * v[2])};
  }
}

/// Pose and twist of every body; ground is the last entry and never moves.
template <int D>
struct BodyKinematics {
  using S = Space<D>;
  std::vector<typename S::Rotation> rotation;   // position level: columns are the body's axes
  std::vector<typename S::Vector> center;       // position level
  std::vector<typename S::Twist> twist;         // velocity level
  std::vector<typename S::Twist> bias;          // gamma level: the rate of the twist at zero second derivatives of q
  std::vector<typename S::Twist> acceleration;  // acceleration level: the rate of the twist
  SignalValues* signals = nullptr;              // where loads or drivers follow some: see signal_formulation.hpp

  explicit BodyKinematics(int bodies = 0)
      : rotation(bodies + 1, S::Rotation::Identity()),
        center(bodies + 1, S::Vector::Zero()),
        twist(bodies + 1, S::Twist::Zero()),
        bias(bodies + 1, S::Twist::Zero()),
        acceleration(bodies + 1, S::Twist::Zero()) {}

  [[gnu::always_inline]] typename S::Vector point(int body, const typename S::Vector& local) const {
    return center[body] + turned<D>(rotation[body], local);
  }
};

template <int D>
struct Measure {
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;
  enum class Kind {
    along,     // e1 . (P2 - P1) - offset
    cosine,    // e1 . e2 - offset
    distance,  // |P2 - P1| - offset
    angle,     // atan2(f1 . f2, e1 . e2) - offset, about `axis`
    turn,      // (f1 . e2 - e1 . f2) / 2 - offset: sine of the angle from (e1, f1) to (e2, f2), a turn about any axis
    // A thin disc about the axle e2 of body 2 on the plane of normal e1 of body 1: rolling_disc.hpp.
    height,  // e1 . (P2 - P1) - radius |e2 x e1| - offset, that of its lowest point (space)
    // Velocities that belong to no position; the value is zero.
    across,        // of P2 along e2
    longitudinal,  // of the disc's lowest point along the disc
    lateral        // and across it, along the plane
  };
  Kind kind = Kind::along;
  int body1 = 0, body2 = 0;  // indices into BodyKinematics
  Vector point1, point2;     // in the body's own axes, from its centre
  Vector e1, e2, f1, f2;     // directions in the body's own axes
  typename S::Angular axis;  // angle only: in the axes of body 1 or body 2
  bool axis_on_body2 = false;
  double offset = 0;
  double radius = 0;  // of a disc

  bool is_length() const { return kind != Kind::cosine && kind != Kind::angle && kind != Kind::turn; }
  bool is_velocity() const { return kind >= Kind::across; }

  struct Evaluation {
    double value;
    Twist gradient;
  };
  double value(const BodyKinematics<D>& k) const;
  Twist gradient(const BodyKinematics<D>& k) const;
  /// Both, which for most kinds is no more work than one.
  Evaluation evaluate(const BodyKinematics<D>& k) const;
  double rate(const BodyKinematics<D>& k, const Twist& gradient) const {
    return gradient.dot(k.twist[body2] - k.twist[body1]);
  }
  /// W' . (Z2 - Z1)
  double curvature(const BodyKinematics<D>& k, const Twist& gradient) const;
  /// s'' at zero second derivatives of the coordinates.
  double bias(const BodyKinematics<D>& k, const Twist& gradient) const {
    return gradient.dot(k.bias[body2] - k.bias[body1]) + curvature(k, gradient);
  }
  /// s''
  double acceleration(const BodyKinematics<D>& k, const Twist& gradient) const {
    return gradient.dot(k.acceleration[body2] - k.acceleration[body1]) + curvature(k, gradient);
  }
};

/// A measure with the name of what it stands for.
template <int D>
struct NamedMeasure {
  Measure<D> measure;
  std::string name;
  int record = -1;  // of joints that events attach or release: which record of Context::attached it goes by
  /// Of a cosine that says e1 . e2 = 0 so that two axes coincide: the axis of frame 1 that e2 lies along, since the
  /// equation holds half a turn away from there too. Zero: either will do.
  typename Space<D>::Vector facing = Space<D>::Vector::Zero();
};

/// Turns elements of the drawn configuration into measures between two bodies.
template <int D>
class MeasureFactory {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  /// `origin`: what places are taken from, a drawn point.
  MeasureFactory(const Mechanism& mechanism, const Vector& origin) : mechanism_(mechanism), origin_(origin) {}

  /// The equations that the joint imposes and that are one measure each, e.g. five for a spatial revolute joint; none
  /// when it is not there. (A screw has one more of two measures: see ConstraintRows.)
  std::vector<NamedMeasure<D>> constraints(const Joint& joint) const;
  /// One coordinate of the joint (not those of a rotation vector, which are no measures).
  Measure<D> coordinate(const Joint& joint, int index) const;
  /// Along z of frame 1 (space).
  Measure<D> translation(const Joint& joint) const { return along(joint, D - 1); }
  /// What a bushing between the two frames opposes: translations along the axes of frame 1, then turns about them (the
  /// angle itself in the plane).
  std::vector<Measure<D>> deflections(const Joint& frames) const;
  /// e1 . (P2 - P1), e1 a drawn direction carried by body 1
  Measure<D> projected(int body1, const Vec3& point1, int body2, const Vec3& point2, const Vec3& direction) const;
  /// The sine of the turn about axis `axis` of frame 2 from frame 1, turned by `rotation`, to frame 2 (space).
  Measure<D> turn(const Joint& joint, int axis, const Mat3& rotation) const;
  /// Of two axes of the frames.
  Measure<D> cosine(const Joint& joint, int axis1, int axis2) const;
  Measure<D> across(const KnifeEdge& edge) const;
  /// Of a disc: its height over the plane, the velocities of its lowest point.
  Measure<D> height(const RollingDisc& disc) const;
  Measure<D> longitudinal(const RollingDisc& disc) const;
  Measure<D> lateral(const RollingDisc& disc) const;
  /// |P2 - P1| - offset
  Measure<D> distance(int body1, const Vec3& point1, int body2, const Vec3& point2, double offset) const;

  /// Which record of Context::attached belongs to the joint: those that events attach or release have one each, in
  /// order.
  int record_index(const Joint& joint) const;

  int body_index(int body) const { return body == kGround ? static_cast<int>(mechanism_.bodies.size()) : body; }
  /// A drawn point in the axes of the body, from its centre; of ground from the origin of places.
  Vector local_point(int body, const Vec3& drawn) const;
  /// A drawn direction in the axes of the body.
  Vector local_direction(int body, const Vec3& drawn) const;

 private:
  std::vector<NamedMeasure<D>> joint_equations(const Joint& joint) const;
  Measure<D> between(const Joint& joint) const;
  Measure<D> along(const Joint& joint, int axis) const;
  Measure<D> of_disc(const RollingDisc& disc, typename Measure<D>::Kind kind) const;

  const Mechanism& mechanism_;
  const Vector& origin_;
};

}  // namespace cardan
