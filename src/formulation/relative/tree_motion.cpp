#include "formulation/relative/tree_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "math/by_processor.hpp"
#include "math/decomposition/decompositions.hpp"
#include "math/rotation_vector.hpp"
#include "math/sine_cosine.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

Space<2>::Twist rotation_column(const Vec2& point, const Vec2&) { return {point.y(), -point.x(), 1}; }
Space<3>::Twist rotation_column(const Vec3& point, const Vec3& axis) { return twist<3>(point.cross(axis), axis); }

// Written out where they stand: Eigen's would be calls.

[[gnu::always_inline]] inline Vec2 product(const Eigen::Matrix2d& R, const Vec2& v) {
  const double* const m = R.data();
  return {m[0] * v[0] + m[2] * v[1], m[1] * v[0] + m[3] * v[1]};
}
[[gnu::always_inline]] inline Vec3 product(const Mat3& R, const Vec3& v) {
  const double* const m = R.data();
  return {m[0] * v[0] + (m[3] * v[1] + m[6] * v[2]), m[1] * v[0] + (m[4] * v[1] + m[7] * v[2]),
          m[2] * v[0] + (m[5] * v[1] + m[8] * v[2])};
}
[[gnu::always_inline]] inline Eigen::Matrix2d product(const Eigen::Matrix2d& A, const Eigen::Matrix2d& B) {
  return A.lazyProduct(B);
}
[[gnu::always_inline]] inline Mat3 product(const Mat3& A, const Mat3& B) {
  Mat3 C;
  for (int j = 0; j < 3; ++j) C.col(j) = product(A, Vec3(B.col(j)));
  return C;
}

Eigen::Matrix2d turn(const Vec2&, double angle) { return rotation_by(angle); }
Mat3 turn(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

}  // namespace

template <int D>
TreeMotion<D>::Buffers::Buffers(const TreeMotion& tree)
    : kinematics(tree.model_->bodies()),
      angle(tree.model_->bodies() + 1, 0.0),
      column(tree.coordinates(), Twist::Zero()),
      ball(tree.memory_size() / 4),
      joint_bias(tree.links().size(), Twist::Zero()),
      composite(tree.model_->bodies() + 1),
      wrench(tree.model_->bodies() + 1, Twist::Zero()) {}

template <int D>
TreeMotion<D>::TreeMotion(std::shared_ptr<const BodyModel<D>> model, const BodyKinematics<D>& assembled,
                          const SpanningTree& tree, int first_reference)
    : model_(std::move(model)), first_reference_(first_reference) {
  for (const TreeLink& link : tree.links) add_link(link, assembled);
}

template <int D>
void TreeMotion<D>::add_link(const TreeLink& tree_link, const BodyKinematics<D>& assembled) {
  const Joint& joint = model_->mechanism().joints[tree_link.joint];
  const auto& measures = model_->measures();
  Link link;
  link.body = tree_link.body;
  link.joint = tree_link.joint;
  link.parent = measures.body_index(tree_link.parent);
  link.first = coordinates_;
  link.first_motion = static_cast<int>(motions_.size());
  const auto& parent_rotation = assembled.rotation[link.parent];
  link.rotation = parent_rotation.transpose() * assembled.rotation[link.body];
  link.center = parent_rotation.transpose() * (assembled.center[link.body] - assembled.center[link.parent]);

  add_motions(joint, tree_link, link);
  link.last = coordinates_;
  is_length_.resize(coordinates_, false);
  for (int i = link.first_motion; i < static_cast<int>(motions_.size()); ++i) {
    is_length_[motions_[i].first] = motions_[i].kind == JointMotion<D>::Kind::translation;
  }
  link.last_motion = static_cast<int>(motions_.size());
  link_of_.resize(coordinates_, static_cast<int>(links_.size()));
  add_hinge(link);
  links_.push_back(link);
}

/// About the axis a through the point o: Rot(z) = a a^T + cos z (1 - a a^T) + sin z a~, the body's axes Rot L and its
/// centre o + Rot (c - o).
template <int D>
void TreeMotion<D>::add_hinge(Link& link) {
  if constexpr (D == 2) link.angle = std::atan2(link.rotation(1, 0), link.rotation(0, 0));
  if (link.last_motion != link.first_motion + 1) return;
  const JointMotion<D>& motion = motions_[link.first_motion];
  if (motion.kind != JointMotion<D>::Kind::rotation || motion.lead != 0) return;
  link.hinge = static_cast<int>(hinges_.size());
  Hinge& hinge = hinges_.emplace_back();
  if constexpr (D == 2) {
    hinge.arm = link.rotation.transpose() * (link.center - motion.point);
  } else {
    Eigen::Matrix<double, 3, 4> carried;
    carried << link.rotation, link.center - motion.point;
    const Mat3 along = motion.axis * motion.axis.transpose() / motion.axis.squaredNorm();
    hinge.fixed = along * carried;
    hinge.even = carried - hinge.fixed;
    hinge.odd = skew(motion.axis) * carried;
    hinge.fixed.col(3) += motion.point;
  }
}

/// The motions that the joint allows, one for each letter of its coordinates (joint_types.hpp), from the parent to the
/// body: backwards when the parent is body 2. Those before the first angle go along axes of the parent, those after it
/// along axes of the body; an angle that follows a translation is about the body's own point. A joint that imposes
/// nothing has no point of its own: its rotation is about the mass centre, where it does not depend on the translation.
template <int D>
void TreeMotion<D>::add_motions(const Joint& joint, const TreeLink& tree_link, const Link& link) {
  using Motion = JointMotion<D>;
  const auto& measures = model_->measures();
  const Frame& parent_frame = tree_link.reversed ? joint.frame2 : joint.frame1;
  const Frame& child_frame = tree_link.reversed ? joint.frame1 : joint.frame2;
  const bool imposes_nothing = JointEquations(joint.type, D == 2).empty();
  const bool backwards = tree_link.reversed && !imposes_nothing;
  const int count = joint_coordinate_count(joint.type, D == 2);
  int lengths = 0, angles = 0;
  for (int i = 0; i < count; ++i) {
    if (is_rotation_vector(joint.type, D == 2, i)) continue;
    ++(is_angle(joint.type, D == 2, i) ? angles : lengths);
  }
  // In the parent's axes, as assembled.
  const Vector on_parent = measures.local_point(tree_link.parent, parent_frame.origin);
  const Vector on_child = link.center + link.rotation * measures.local_point(tree_link.body, child_frame.origin);
  const auto add = [&](Motion motion, const std::string& name) {
    motion.first = coordinates_++;
    motions_.push_back(motion);
    names_.push_back(joint.name + name);
  };
  bool translated = false, turned = false;
  for (int n = 0; n < count; ++n) {
    const int i = backwards ? count - 1 - n : n;
    const CoordinateDirection direction = coordinate_direction(joint.type, D == 2, i);
    const Vector point = imposes_nothing ? link.center : translated ? on_child : on_parent;
    if (is_rotation_vector(joint.type, D == 2, i)) {
      add({Motion::Kind::ball, 0, Vector::Zero(), point, first_reference_ + memory_size_}, " rotation x");
      for (const char* name : {" rotation y", " rotation z"}) names_.push_back(joint.name + name);
      coordinates_ += 2;
      memory_size_ += 4;
      break;
    }
    const Vector axis =
        turned ? Vector(link.rotation * measures.local_direction(tree_link.body, child_frame.axes.col(direction.axis)))
               : measures.local_direction(tree_link.parent, parent_frame.axes.col(direction.axis));
    if (direction.angular) {
      add({Motion::Kind::rotation, 0, axis, point}, angles == 1 ? " angle" : fmt::format(" angle {}", i + 1));
      motions_.back().lead = joint.pitch / (2 * std::numbers::pi);
      turned = true;
    } else {
      add({Motion::Kind::translation, 0, axis, Vector::Zero()},
          lengths == 1 ? " translation" : std::string{' ', "xyz"[direction.axis]});
      translated = true;
    }
  }
}

template <int D>
void TreeMotion<D>::find_paths() {
  path_.assign(model_->bodies() + 1, {});
  for (const Link& link : links_) {
    path_[link.body] = path_[link.parent];
    for (int k = link.first; k < link.last; ++k) path_[link.body].push_back(k);
  }
}

template <int D>
void TreeMotion<D>::start(VecX& memory) const {
  for (int i = first_reference_; i < first_reference_ + memory_size_; i += 4) memory.segment<4>(i) << 0, 0, 0, 1;
}

template <int D>
void TreeMotion<D>::turn_hinge(const Link& link, double z, Buffers& b) const {
  BodyKinematics<D>& k = b.kinematics;
  const JointMotion<D>& motion = motions_[link.first_motion];
  const Hinge& hinge = hinges_[link.hinge];
  const typename S::Rotation& R = k.rotation[link.parent];
  const Vector& p = k.center[link.parent];
  const Vector point = p + product(R, motion.point);
  if constexpr (D == 2) {
    b.column[motion.first] = rotation_column(point, motion.axis);
    const double angle = b.angle[link.parent] + (z + link.angle);
    const auto [s, c] = sine_and_cosine(angle);
    b.angle[link.body] = angle;
    double* const axes = k.rotation[link.body].data();
    axes[0] = axes[3] = c, axes[1] = s, axes[2] = -s;
    k.center[link.body] = {point.x() + (c * hinge.arm.x() - s * hinge.arm.y()),
                           point.y() + (s * hinge.arm.x() + c * hinge.arm.y())};
  } else {
    b.column[motion.first] = rotation_column(point, product(R, motion.axis));
    const auto [s, c] = sine_and_cosine(z);
    const Eigen::Matrix<double, 3, 4> turned = hinge.fixed + c * hinge.even + s * hinge.odd;
    for (int j = 0; j < 3; ++j) k.rotation[link.body].col(j) = product(R, Vec3(turned.col(j)));
    k.center[link.body] = p + product(R, Vec3(turned.col(3)));
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::position(const VecX& z, const VecX& memory, Buffers& b) const {
  BodyKinematics<D>& k = b.kinematics;
  for (const Link& link : links_) {
    if (link.hinge >= 0) {
      turn_hinge(link, z[link.first], b);
      continue;
    }
    double angle = b.angle[link.parent] + link.angle;
    // G: the frame that stood on the parent at z = 0 and is carried along by one motion after the other.
    typename S::Rotation R = k.rotation[link.parent];
    Vector p = k.center[link.parent];
    for (int i = link.first_motion; i < link.last_motion; ++i) {
      const JointMotion<D>& motion = motions_[i];
      switch (motion.kind) {
        case JointMotion<D>::Kind::rotation: {
          const Vector point = p + product(R, motion.point);
          const Vector axis = product(R, motion.axis);
          b.column[motion.first] = rotation_column(point, axis);
          R = product(R, turn(motion.axis, z[motion.first]));
          p = point - product(R, motion.point);
          angle += z[motion.first];
          if (motion.lead != 0) {
            b.column[motion.first].template head<D>() += motion.lead * axis;
            p += motion.lead * z[motion.first] * axis;
          }
          break;
        }
        case JointMotion<D>::Kind::translation: {
          const Vector axis = product(R, motion.axis);
          b.column[motion.first] = twist<D>(axis, S::Angular::Zero());
          p += z[motion.first] * axis;
          break;
        }
        case JointMotion<D>::Kind::ball:
          if constexpr (D == 3) {
            const Vec3 theta = z.segment<3>(motion.first);
            const RotationAndTangent turn = rotation_and_tangent(theta);
            BallFrame& ball = b.ball[ball_index(motion)];
            ball.point = p + product(R, motion.point);
            ball.axes = product(R, Quat(memory.segment<4>(motion.reference)).toRotationMatrix());
            const Mat3 axes = product(ball.axes, turn.tangent);
            for (int j = 0; j < 3; ++j) b.column[motion.first + j] = rotation_column(ball.point, Vec3(axes.col(j)));
            R = product(ball.axes, turn.rotation);
            p = ball.point - product(R, motion.point);
          }
          break;
      }
    }
    k.rotation[link.body] = product(R, link.rotation);
    k.center[link.body] = p + product(R, link.center);
    if constexpr (D == 2) b.angle[link.body] = angle;
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::velocity(const VecX& v, const VecX& z, Buffers& b) const {
  BodyKinematics<D>& k = b.kinematics;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    if (link.hinge >= 0) {
      const Twist& parent = k.twist[link.parent];
      const Twist own = b.column[link.first] * v[link.first];
      b.joint_bias[l] = carried_rate<D>(parent, own);
      k.twist[link.body] = parent + own;
      continue;
    }
    Twist carried = k.twist[link.parent];
    Twist bias = Twist::Zero();
    for (int i = link.first_motion; i < link.last_motion; ++i) {
      const JointMotion<D>& motion = motions_[i];
      Twist own;
      if constexpr (D == 3) {
        if (motion.kind == JointMotion<D>::Kind::ball) {
          const Vec3 theta = z.segment<3>(motion.first), rate = v.segment<3>(motion.first);
          own = b.column[motion.first] * rate[0] + b.column[motion.first + 1] * rate[1] +
                b.column[motion.first + 2] * rate[2];
          const BallFrame& ball = b.ball[ball_index(motion)];
          bias += carried_rate<D>(carried, own) +
                  rotation_column(ball.point, ball.axes * rotation_vector_bias(theta, rate));
          carried += own;
          continue;
        }
      }
      own = b.column[motion.first] * v[motion.first];
      bias += carried_rate<D>(carried, own);
      carried += own;
    }
    k.twist[link.body] = carried;
    b.joint_bias[l] = bias;
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::bias(Buffers& b) const {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    b.kinematics.bias[links_[l].body] = b.kinematics.bias[links_[l].parent] + b.joint_bias[l];
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::acceleration(const VecX& a, Buffers& b) const {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    Twist sum = b.kinematics.acceleration[link.parent] + b.joint_bias[l];
    for (int i = link.first; i < link.last; ++i) sum += b.column[i] * a[i];
    b.kinematics.acceleration[link.body] = sum;
  }
}

template <int D>
void TreeMotion<D>::renew_references(VecX& z, VecX& v, VecX& a, VecX& algorithmic, VecX& memory) const {
  if constexpr (D == 3) {
    for (const JointMotion<D>& motion : motions_) {
      if (motion.kind != JointMotion<D>::Kind::ball) continue;
      const int i = motion.first;
      const Vec3 theta = z.segment<3>(i), rate = v.segment<3>(i);
      // w = E T theta' in the old axes E; the new ones are E exp(theta~).
      const Quat turn = rotation_from_vector(theta);
      const Mat3 T = turn.conjugate() * rotation_vector_tangent(theta);
      const Vec3 bias = turn.conjugate() * rotation_vector_bias(theta, rate);
      const Quat reference(memory.segment<4>(motion.reference));
      memory.segment<4>(motion.reference) = (reference * turn).normalized().coeffs();
      z.segment<3>(i).setZero();
      v.segment<3>(i) = T * rate;
      a.segment<3>(i) = (T * a.segment<3>(i)).eval() + bias;
      algorithmic.segment<3>(i) = (T * algorithmic.segment<3>(i)).eval() + bias;
    }
  }
}

template <int D>
void TreeMotion<D>::relative_velocities(const BodyKinematics<D>& bodies, Buffers& b, VecX& v) const {
  for (const Link& link : links_) {
    const int count = link.last - link.first;
    if (count == 0) continue;
    const Twist relative = bodies.twist[link.body] - bodies.twist[link.parent];
    if (count == 1) {
      const Twist& h = b.column[link.first];
      v[link.first] = h.dot(relative) / h.squaredNorm();
      continue;
    }
    Eigen::MatrixXd H(S::kTwist, count);
    for (int i = 0; i < count; ++i) H.col(i) = b.column[link.first + i];
    v.segment(link.first, count) = shortest_solution(H, relative);
  }
}

template <int D>
typename TreeMotion<D>::Span TreeMotion<D>::span(int body1, int body2) const {
  const std::vector<int>&one = path_[body1], &two = path_[body2];
  std::size_t shared = 0;
  while (shared < one.size() && shared < two.size() && one[shared] == two[shared]) ++shared;
  Span result;
  result.columns.assign(two.begin() + shared, two.end());
  result.split = static_cast<int>(result.columns.size());
  result.columns.insert(result.columns.end(), one.begin() + shared, one.end());
  return result;
}

template class TreeMotion<2>;
template class TreeMotion<3>;

}  // namespace cardan
