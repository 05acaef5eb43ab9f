#include "formulation/recursive/articulated_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/decomposition/decompositions.hpp"
#include "math/rotation_vector.hpp"

namespace cardan {
namespace {

/// A frame whose last axis is u.
Eigen::Matrix2d frame_about(const Vec2&) { return Eigen::Matrix2d::Identity(); }
Mat3 frame_about(const Vec3& u) {
  Mat3 frame;
  frame.col(2) = u;
  frame.col(0) = u.unitOrthogonal();
  frame.col(1) = u.cross(frame.col(0));
  return frame;
}

/// Without the rounding of products, which would double from link to link.
Eigen::Matrix2d orthonormal(const Eigen::Matrix2d& R) { return R / R.col(0).norm(); }
Mat3 orthonormal(const Mat3& R) { return Quat(R).normalized().toRotationMatrix(); }

Eigen::Matrix2d turned_about(const Eigen::Matrix2d& R, const Vec2&, double angle) { return R * rotation_by(angle); }
Mat3 turned_about(const Mat3& R, const Vec3& axis, double angle) {
  return R * Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

Space<2>::Twist rotation_column(const Vec2&, const Vec2& point) { return {point.y(), -point.x(), 1}; }
Space<3>::Twist rotation_column(const Vec3& axis, const Vec3& point) { return twist<3>(point.cross(axis), axis); }

}  // namespace

template <int D>
ArticulatedTree<D>::Buffers::Buffers(const ArticulatedTree& tree)
    : link(tree.links_.size()), column(tree.coordinates_), inbox(tree.inboxes_), change(tree.links_.size()) {}

template <int D>
ArticulatedTree<D>::ArticulatedTree(const BodyModel<D>& model, const TreeMotion<D>& tree, const SpatialSweeps& sweeps)
    : sweeps_(sweeps),
      motions_(tree.motions()),
      link_of_(model.bodies() + 1, -1),
      coordinates_(tree.coordinates()),
      rotor_(VecX::Zero(tree.coordinates())),
      gravity_(model.gravity()) {
  // Depth first: children are visited in the order in which the tree has them.
  const int bodies = model.bodies();
  std::vector<std::vector<int>> children(bodies + 1);
  for (int l = 0; l < static_cast<int>(tree.links().size()); ++l) children[tree.links()[l].parent].push_back(l);
  struct Visit {
    int link, depth;
  };
  std::vector<Visit> open;
  const auto push_children = [&](int body, int depth) {
    for (auto child = children[body].rbegin(); child != children[body].rend(); ++child) open.push_back({*child, depth});
  };
  push_children(bodies, 0);
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    add_link(model, tree, tree.links()[visit.link], visit.depth);
    push_children(tree.links()[visit.link].body, visit.depth + 1);
  }
  for (int l = 0; l < links(); ++l) {
    const int parent = links_[l].parent;
    if (parent >= 0 && parent != l - 1 && links_[parent].inbox < 0) links_[parent].inbox = inboxes_++;
  }
  if constexpr (D == 3) list_lanes();
}

template <int D>
void ArticulatedTree<D>::list_lanes() requires(D == 3) {
  for (const Link& link : links_) {
    LaneLink& lanes = lanes_.emplace_back();
    write(lanes.rotation, link.rotation);
    write(lanes.place, link.place);
    write(lanes.center, link.center);
    const SymmetricEigenvalues principal = symmetric_eigenvalues(link.inertia.turned(Rotation::Identity()));
    const auto root = [&](int i) { return std::sqrt(principal.values[i + 1] - principal.values[i]); };
    lanes.middle = principal.values[1];
    write(lanes.less, Vec3(root(0) * principal.vectors.col(0)));
    write(lanes.more, Vec3(root(1) * principal.vectors.col(2)));
    lanes.mass = link.mass;
    lanes.body = link.body;
    lanes.parent = link.parent;
    lanes.first = link.first;
    lanes.last = link.last;
    lanes.inbox = link.inbox;
    lanes.own_origin = link.own_origin;
  }
}

template <int D>
void ArticulatedTree<D>::add_link(const BodyModel<D>& model, const TreeMotion<D>& tree,
                                  const typename TreeMotion<D>::Link& from, int depth) {
  const int parent = link_of_[from.parent];
  // The parent's body axes and mass centre in its frame.
  const Rotation axes = parent < 0 ? Rotation(Rotation::Identity()) : links_[parent].body_axes;
  const Vector center = parent < 0 ? Vector(Vector::Zero()) : links_[parent].center;
  Link link;
  link.body = from.body;
  link.parent = parent;
  link.first = from.first;
  link.last = from.last;
  link.first_motion = from.first_motion;
  link.inbox = -1;
  link.own_origin = depth % kBlock == 0;
  link.pin = from.last_motion - from.first_motion == 1 &&
             tree.motions()[from.first_motion].kind == Motion::Kind::rotation &&
             tree.motions()[from.first_motion].lead == 0;
  if (link.pin) {
    const Motion& motion = tree.motions()[from.first_motion];
    link.rotation = frame_about(Vector((axes * motion.axis).normalized()));
    link.place = center + axes * motion.point;
    link.body_axes = orthonormal(Rotation(link.rotation.transpose() * axes * from.rotation));
    link.center = link.rotation.transpose() * (center + axes * from.center - link.place);
  } else {
    link.rotation = from.rotation;
    link.place = from.center;
    link.body_axes = Rotation::Identity();
    link.center = Vector::Zero();
  }
  link.last_motion = from.last_motion;
  link.mass = model.inertias()[from.body].mass;
  link.inertia = model.inertias()[from.body].turning.in_axes(link.body_axes);
  link_of_[from.body] = links();
  links_.push_back(link);
}

template <int D>
template <class F>
void ArticulatedTree<D>::for_runs(const F& f) const {
  for (int begin = 0, end = 0; begin < links(); begin = end) {
    const bool pins = D == 3 && links_[begin].pin;
    while (end < links() && (D == 3 && links_[end].pin) == pins) ++end;
    f(begin, end, pins);
  }
}

template <int D>
void ArticulatedTree<D>::position(const VecX& z, const VecX& memory, Buffers& b) const {
  for_runs([&](int begin, int end, bool pins) {
    if constexpr (D == 3) {
      if (pins) return sweeps_.position(lane_tree(), begin, end, z.data(), lane_buffers(b));
    }
    for (int l = begin; l < end; ++l) place_link(links_[l], z, memory, b.link[l], b);
  });
}

template <int D>
void ArticulatedTree<D>::place_link(const Link& link, const VecX& z, const VecX& memory, LinkState& s,
                                    Buffers& b) const {
  ColumnState* columns = b.column.data() + link.first;
  Rotation R = Rotation::Identity();
  Vector p = Vector::Zero(), origin = Vector::Zero(), center = Vector::Zero();
  if (link.parent >= 0) {
    const LinkState& parent = b.link[link.parent];
    R = read(parent.rotation);
    p = read(parent.place);
    origin = read(parent.origin);
  }
  bool moved = false;
  if constexpr (D == 2) {
    if (link.pin) {
      p += R * link.place;
      R = R * rotation_by(z[link.first]);
      if (link.own_origin) origin = p;
      columns->column = rotation_column(Vector::Zero(), Vector(p - origin));
      center = R * link.center;
      moved = true;
    }
  }
  if (!moved) move_through(link, z, memory, R, p, origin, columns);
  write(s.rotation, R);
  write(s.place, p);
  write(s.origin, origin);
  write(s.center, Vector(p - origin + center));
  write(s.inertia, link.inertia.turned(R));
}

/// One motion after the other, with axes and points kept until the origin is known.
template <int D>
void ArticulatedTree<D>::move_through(const Link& link, const VecX& z, const VecX& memory, Rotation& R, Vector& p,
                                      Vector& origin, ColumnState* columns) const {
  std::array<Vector, S::kTwist> points, axes;
  // The parent's body axes and mass centre, then what each motion makes of them.
  if (link.parent >= 0) {
    p += R * links_[link.parent].center;
    R = R * links_[link.parent].body_axes;
  }
  const auto keep = [&](int coordinate, const Vector& point, const Vector& axis) {
    points[coordinate - link.first] = point;
    axes[coordinate - link.first] = axis;
  };
  for (int i = link.first_motion; i < link.last_motion; ++i) {
    const Motion& motion = motions_[i];
    const Vector point = p + R * motion.point;
    switch (motion.kind) {
      case Motion::Kind::rotation:
        keep(motion.first, point, R * motion.axis);
        p = point + motion.lead * z[motion.first] * (R * motion.axis);
        R = turned_about(R, motion.axis, z[motion.first]);
        p -= R * motion.point;
        break;
      case Motion::Kind::translation:
        keep(motion.first, point, R * motion.axis);
        p += z[motion.first] * (R * motion.axis);
        break;
      case Motion::Kind::ball:
        if constexpr (D == 3) {
          const Vec3 theta = z.segment<3>(motion.first);
          const RotationAndTangent turn = rotation_and_tangent(theta);
          R = R * Quat(memory.segment<4>(motion.reference)).toRotationMatrix();
          const Mat3 ball = R * turn.tangent;
          for (int j = 0; j < 3; ++j) keep(motion.first + j, point, ball.col(j));
          R = R * turn.rotation;
          p = point - R * motion.point;
        }
        break;
    }
  }
  p += R * link.place;
  R = R * link.rotation;
  if (link.own_origin) origin = p;
  for (int i = link.first_motion; i < link.last_motion; ++i) {
    const Motion& motion = motions_[i];
    for (int j = 0; j < (motion.kind == Motion::Kind::ball ? 3 : 1); ++j) {
      const int k = motion.first + j - link.first;
      Twist column = motion.kind == Motion::Kind::translation ? twist<D>(axes[k], S::Angular::Zero())
                                                              : rotation_column(axes[k], Vector(points[k] - origin));
      if (motion.lead != 0) column.template head<D>() += motion.lead * axes[k];
      write(columns[k].column, column);
    }
  }
}

template <int D>
void ArticulatedTree<D>::velocity(const VecX& v, const VecX& z, Buffers& b) const {
  for_runs([&](int begin, int end, bool pins) {
    if constexpr (D == 3) {
      if (pins) return sweeps_.velocity(lane_tree(), begin, end, v.data(), gravity_.data(), lane_buffers(b));
    }
    for (int l = begin; l < end; ++l) move_link(links_[l], v, z, b.link[l], b);
  });
}

template <int D>
void ArticulatedTree<D>::move_link(const Link& link, const VecX& v, const VecX& z, LinkState& s, Buffers& b) const {
  const ColumnState* columns = b.column.data() + link.first;
  Twist Z = Twist::Zero(), zeta = twist<D>(-gravity_, S::Angular::Zero());
  if (link.parent >= 0) {
    const LinkState& parent = b.link[link.parent];
    Z = read(parent.twist);
    zeta = read(parent.zeta);
    if (link.own_origin) {
      const Vector back = read(parent.origin) - read(s.origin);
      Z = from_origin(Z, back);
      zeta = from_origin(zeta, back);
    }
  }
  carry_rates(link, v, z, s, columns, Z, zeta);
  write(s.twist, Z);
  write(s.zeta, zeta);
  // Force and moment about the origin of a body whose centre accelerates by a + e x c + w x (u + w x c).
  const typename S::Angular w = angular<D>(Z), e = angular<D>(zeta);
  const Vector c = read(s.center);
  const typename S::Inertia J = read(s.inertia);
  const Vector f = link.mass * (velocity_at<D>(zeta, c) + cross(w, velocity_at<D>(Z, c)));
  typename S::Angular n = J * e + moment(c, f);
  if constexpr (D == 3) n += w.cross(J * w);
  write(s.bias_wrench, twist<D>(f, n));
}

template <int D>
void ArticulatedTree<D>::carry_rates(const Link& link, const VecX& v, const VecX& z, const LinkState& s,
                                     const ColumnState* columns, Twist& Z, Twist& zeta) const {
  for (int i = link.first_motion; i < link.last_motion; ++i) {
    const Motion& motion = motions_[i];
    const ColumnState* c = columns + (motion.first - link.first);
    if constexpr (D == 3) {
      if (motion.kind == Motion::Kind::ball) {
        const Vec3 theta = z.segment<3>(motion.first), rate = v.segment<3>(motion.first);
        const Twist own = read(c[0].column) * rate[0] + read(c[1].column) * rate[1] + read(c[2].column) * rate[2];
        // The axes are R T(theta), so T' theta' in inertial axes is axes T^-1 T' theta'.
        Mat3 axes;
        for (int j = 0; j < 3; ++j) axes.col(j) = read(c[j].column.angular);
        const Vec3 w = axes * rotation_vector_tangent(theta).inverse() * rotation_vector_bias(theta, rate);
        // The ball's point, as the link carries it, from the origin.
        const Vec3 point =
            read(s.center) + read(s.rotation) * (link.rotation.transpose() * (motion.point - link.place));
        zeta += carried_rate<D>(Z, own) + rotation_column(w, point);
        Z += own;
        continue;
      }
    }
    const Twist own = read(c->column) * v[motion.first];
    zeta += carried_rate<D>(Z, own);
    Z += own;
  }
}

template class ArticulatedTree<2>;
template class ArticulatedTree<3>;

}  // namespace cardan
