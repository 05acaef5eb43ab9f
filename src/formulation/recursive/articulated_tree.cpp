#include "formulation/recursive/articulated_tree.hpp"

#include <algorithm>
#include <cmath>

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

/// R turned about its last axis.
void turn_last(Eigen::Matrix2d& R, double angle) { R = R * rotation_by(angle); }
void turn_last(Mat3& R, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3 x = R.col(0), y = R.col(1);
  R.col(0) = c * x + s * y;
  R.col(1) = c * y - s * x;
}

Eigen::Matrix2d turned_about(const Eigen::Matrix2d& R, const Vec2&, double angle) { return R * rotation_by(angle); }
Mat3 turned_about(const Mat3& R, const Vec3& axis, double angle) {
  return R * Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

/// The column of a rotation about the last axis of R through a point, seen from the origin.
Space<2>::Twist pin_column(const Eigen::Matrix2d&, const Vec2& point) { return {point.y(), -point.x(), 1}; }
Space<3>::Twist pin_column(const Mat3& R, const Vec3& point) { return twist<3>(point.cross(R.col(2)), R.col(2)); }

Space<2>::Twist rotation_column(const Vec2&, const Vec2& point) { return {point.y(), -point.x(), 1}; }
Space<3>::Twist rotation_column(const Vec3& axis, const Vec3& point) { return twist<3>(point.cross(axis), axis); }

}  // namespace

template <int D>
ArticulatedTree<D>::Buffers::Buffers(const ArticulatedTree& tree)
    : link(tree.links_.size()),
      column(tree.coordinates_),
      inbox(tree.inboxes_),
      change(tree.links_.size(), Twist::Zero()) {}

template <int D>
ArticulatedTree<D>::ArticulatedTree(const BodyModel<D>& model, const TreeMotion<D>& tree)
    : motions_(tree.motions()),
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
void ArticulatedTree<D>::position(const VecX& z, const VecX& memory, Buffers& b) const {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    LinkState& s = b.link[l];
    ColumnState* columns = b.column.data() + link.first;
    if (link.parent < 0) {
      s.rotation.setIdentity();
      s.place.setZero();
    } else {
      const LinkState& parent = b.link[link.parent];
      s.rotation = parent.rotation;
      s.place = parent.place;
      s.origin = parent.origin;
    }
    if (link.pin) {
      s.place += s.rotation * link.place;
      if constexpr (D == 3) s.rotation = s.rotation * link.rotation;
      turn_last(s.rotation, z[link.first]);
      if (link.own_origin) s.origin = s.place;
      columns->column = pin_column(s.rotation, Vector(s.place - s.origin));
      s.center = s.place - s.origin + s.rotation * link.center;
    } else {
      move_through(link, z, memory, s, columns);
      s.center = s.place - s.origin;
    }
    s.inertia = link.inertia.turned(s.rotation);
  }
}

/// One motion after the other, with axes and points kept in the columns until the origin is known.
template <int D>
void ArticulatedTree<D>::move_through(const Link& link, const VecX& z, const VecX& memory, LinkState& s,
                                      ColumnState* columns) const {
  // The parent's body axes and mass centre, then what each motion makes of them.
  Rotation R = s.rotation;
  Vector p = s.place;
  if (link.parent >= 0) {
    p += R * links_[link.parent].center;
    R = R * links_[link.parent].body_axes;
  }
  const auto keep = [&](int coordinate, const Vector& point, const Vector& axis) {
    columns[coordinate - link.first].column.template head<D>() = point;
    columns[coordinate - link.first].force.template head<D>() = axis;
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
          const Mat3 axes = R * turn.tangent;
          for (int j = 0; j < 3; ++j) keep(motion.first + j, point, axes.col(j));
          R = R * turn.rotation;
          p = point - R * motion.point;
        }
        break;
    }
  }
  s.rotation = R * link.rotation;
  s.place = p + R * link.place;
  if (link.own_origin) s.origin = s.place;
  for (int i = link.first_motion; i < link.last_motion; ++i) {
    const Motion& motion = motions_[i];
    for (int j = 0; j < (motion.kind == Motion::Kind::ball ? 3 : 1); ++j) {
      ColumnState& c = columns[motion.first + j - link.first];
      const Vector point = c.column.template head<D>(), axis = c.force.template head<D>();
      c.column = motion.kind == Motion::Kind::translation ? twist<D>(axis, S::Angular::Zero())
                                                          : rotation_column(axis, Vector(point - s.origin));
      if (motion.lead != 0) c.column.template head<D>() += motion.lead * axis;
    }
  }
}

template <int D>
void ArticulatedTree<D>::velocity(const VecX& v, const VecX& z, Buffers& b) const {
  using Angular = typename S::Angular;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    LinkState& s = b.link[l];
    const ColumnState* columns = b.column.data() + link.first;
    // Twist (u, w) and zeta (a, e) by halves.
    Vector u = Vector::Zero(), a = -gravity_;
    Angular w = Angular::Zero(), e = Angular::Zero();
    if (link.parent >= 0) {
      const LinkState& parent = b.link[link.parent];
      u = linear<D>(parent.twist), w = angular<D>(parent.twist);
      a = linear<D>(parent.zeta), e = angular<D>(parent.zeta);
      if (link.own_origin) {
        const Vector d = s.origin - parent.origin;
        u += cross(w, d);
        a += cross(e, d);
      }
    }
    if (link.pin) {
      const double rate = v[link.first];
      const Vector hu = rate * linear<D>(columns->column);
      const Angular hw = rate * angular<D>(columns->column);
      if constexpr (D == 3) {
        a += w.cross(hu) + u.cross(hw);
        e += w.cross(hw);
      } else {
        a += cross(w, hu) - cross(hw, u);
      }
      u += hu;
      w += hw;
      s.twist = twist<D>(u, w);
      s.zeta = twist<D>(a, e);
    } else {
      s.twist = twist<D>(u, w);
      s.zeta = twist<D>(a, e);
      carry_rates(link, v, z, s, columns);
      u = linear<D>(s.twist), w = angular<D>(s.twist);
      a = linear<D>(s.zeta), e = angular<D>(s.zeta);
    }
    // Force and moment about the origin of a body whose centre accelerates by a + e x c + w x (u + w x c).
    const Vector f = link.mass * (a + cross(e, s.center) + cross(w, Vector(u + cross(w, s.center))));
    Angular n = s.inertia * e + moment(s.center, f);
    if constexpr (D == 3) n += w.cross(s.inertia * w);
    s.bias_wrench = twist<D>(f, n);
  }
}

template <int D>
void ArticulatedTree<D>::carry_rates(const Link& link, const VecX& v, const VecX& z, LinkState& s,
                                     const ColumnState* columns) const {
  for (int i = link.first_motion; i < link.last_motion; ++i) {
    const Motion& motion = motions_[i];
    const ColumnState* c = columns + (motion.first - link.first);
    if constexpr (D == 3) {
      if (motion.kind == Motion::Kind::ball) {
        const Vec3 theta = z.segment<3>(motion.first), rate = v.segment<3>(motion.first);
        const Twist own = c[0].column * rate[0] + c[1].column * rate[1] + c[2].column * rate[2];
        // The axes are R T(theta), so T' theta' in inertial axes is axes T^-1 T' theta'.
        Mat3 axes;
        for (int j = 0; j < 3; ++j) axes.col(j) = c[j].column.template tail<3>();
        const Vec3 w = axes * rotation_vector_tangent(theta).inverse() * rotation_vector_bias(theta, rate);
        // The ball's point, as the link carries it, from the origin.
        const Vec3 point = s.center + s.rotation * (link.rotation.transpose() * (motion.point - link.place));
        s.zeta += carried_rate<D>(s.twist, own) + rotation_column(w, point);
        s.twist += own;
        continue;
      }
    }
    const Twist own = c->column * v[motion.first];
    s.zeta += carried_rate<D>(s.twist, own);
    s.twist += own;
  }
}

template class ArticulatedTree<2>;
template class ArticulatedTree<3>;

}  // namespace cardan
