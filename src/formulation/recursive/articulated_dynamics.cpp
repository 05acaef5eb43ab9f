// The sweeps of articulated_tree.hpp that find accelerations: inertias and forces from the leaves to ground, motions back.
#include "formulation/recursive/articulated_tree.hpp"
#include "math/rotation_vector.hpp"

namespace cardan {
namespace {

/// The matrix that takes w to w x d.
Vec2 arm(const Vec2& d) { return perpendicular(d); }
Mat3 arm(const Vec3& d) { return -skew(d); }

}  // namespace

template <int D>
int ArticulatedTree<D>::accelerate(const std::vector<Twist>* wrenches, Buffers& b, VecX& a) const {
  constexpr double kNothing = 1e-14;  // relative: a column that feels less inertia than this moves no mass
  for (Handed& handed : b.inbox) handed.inertia.setZero(), handed.wrench.setZero();
  Handed carried;
  bool carries = false;  // from the next link to this one
  for (int l = links() - 1; l >= 0; --l) {
    const Link& link = links_[l];
    const LinkState& s = b.link[l];
    const Vector& c = s.center;
    Articulated I;
    const auto first = (link.mass * arm(c)).eval();
    I.template topLeftCorner<D, D>() = link.mass * Rotation::Identity();
    I.template topRightCorner<D, S::kAngular>() = first;
    I.template bottomLeftCorner<S::kAngular, D>() = first.transpose();
    I.template bottomRightCorner<S::kAngular, S::kAngular>() =
        s.inertia + link.mass * (c.squaredNorm() * S::Inertia::Identity());
    if constexpr (D == 3) I.template bottomRightCorner<3, 3>() -= link.mass * c * c.transpose();
    Twist p = s.bias_wrench;
    if (wrenches) {
      const Twist& applied = (*wrenches)[link.body];
      p -= twist<D>(linear<D>(applied), angular<D>(applied) - moment(s.origin, linear<D>(applied)));
    }
    if (carries) I += carried.inertia, p += carried.wrench;
    if (link.inbox >= 0) I += b.inbox[link.inbox].inertia, p += b.inbox[link.inbox].wrench;

    for (int k = link.last - 1; k >= link.first; --k) {
      ColumnState& column = b.column[k];
      const Twist h = column.column;
      const Twist U = I * h;
      const double d = h.dot(U);
      if (!(d > kNothing * h.cwiseAbs2().dot(I.diagonal()))) return k;
      const double inverse = 1 / d, u = -h.dot(p);
      I.noalias() -= U * (inverse * U).transpose();
      p += (inverse * u) * U;
      column.force = U;
      column.inverse = inverse;
      column.drive = u;
    }

    carries = link.parent >= 0 && link.parent == l - 1;
    if (link.parent < 0) continue;
    if (link.own_origin) {
      const Vector shift = s.origin - b.link[link.parent].origin;
      const auto E = arm(shift).eval();
      const auto A = I.template topLeftCorner<D, D>();
      auto B = I.template topRightCorner<D, S::kAngular>();
      auto C = I.template bottomRightCorner<S::kAngular, S::kAngular>();
      C += B.transpose() * E;
      B += A * E;
      C += E.transpose() * B;
      I.template bottomLeftCorner<S::kAngular, D>() = B.transpose();
      p = twist<D>(linear<D>(p), angular<D>(p) + moment(shift, linear<D>(p)));
    }
    if (carries) {
      carried.inertia = I;
      carried.wrench = p;
    } else {
      Handed& inbox = b.inbox[links_[link.parent].inbox];
      inbox.inertia += I;
      inbox.wrench += p;
    }
  }

  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    LinkState& s = b.link[l];
    Twist delta = Twist::Zero();
    if (link.parent >= 0) {
      delta = b.link[link.parent].delta;
      if (link.own_origin) delta = from_origin(delta, b.link[link.parent].origin - s.origin);
    }
    for (int k = link.first; k < link.last; ++k) {
      const ColumnState& column = b.column[k];
      a[k] = column.inverse * (column.drive - column.force.dot(delta));
      delta += column.column * a[k];
    }
    s.delta = delta;
  }
  return -1;
}

template <int D>
void ArticulatedTree<D>::respond(const std::vector<Twist>& wrenches, Buffers& b) const {
  for (Handed& handed : b.inbox) handed.wrench.setZero();
  Twist carried = Twist::Zero();
  for (int l = links() - 1; l >= 0; --l) {
    const Link& link = links_[l];
    const LinkState& s = b.link[l];
    const Twist& applied = wrenches[link.body];
    Twist p = twist<D>(-linear<D>(applied), moment(s.origin, linear<D>(applied)) - angular<D>(applied)) + carried;
    if (link.inbox >= 0) p += b.inbox[link.inbox].wrench;
    for (int k = link.last - 1; k >= link.first; --k) {
      ColumnState& column = b.column[k];
      column.drive = -column.column.dot(p);
      p += (column.inverse * column.drive) * column.force;
    }
    carried.setZero();
    if (link.parent < 0) continue;
    if (link.own_origin) {
      const Vector shift = s.origin - b.link[link.parent].origin;
      p = twist<D>(linear<D>(p), angular<D>(p) + moment(shift, linear<D>(p)));
    }
    if (link.parent == l - 1) carried = p;
    else b.inbox[links_[link.parent].inbox].wrench += p;
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    Twist change = Twist::Zero();
    if (link.parent >= 0) {
      change = b.change[link.parent];
      if (link.own_origin) change = from_origin(change, b.link[link.parent].origin - b.link[l].origin);
    }
    for (int k = link.first; k < link.last; ++k) {
      ColumnState& column = b.column[k];
      column.drive = column.inverse * (column.drive - column.force.dot(change));
      change += column.column * column.drive;
    }
    b.change[l] = change;
  }
}

template <int D>
void ArticulatedTree<D>::add_response(Buffers& b, VecX& a) const {
  for (int k = 0; k < coordinates_; ++k) a[k] += b.column[k].drive;
  for (std::size_t l = 0; l < links_.size(); ++l) b.link[l].delta += b.change[l];
}

template <int D>
void ArticulatedTree<D>::spread(const VecX& a, Buffers& b) const {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    LinkState& s = b.link[l];
    Twist delta = Twist::Zero();
    if (link.parent >= 0) {
      delta = b.link[link.parent].delta;
      if (link.own_origin) delta = from_origin(delta, b.link[link.parent].origin - s.origin);
    }
    for (int k = link.first; k < link.last; ++k) delta += b.column[k].column * a[k];
    s.delta = delta;
  }
}

template <int D>
typename Space<D>::Twist ArticulatedTree<D>::body_acceleration(int link, const Buffers& b) const {
  const LinkState& s = b.link[link];
  return from_origin(s.zeta + s.delta, s.origin) + twist<D>(gravity_, S::Angular::Zero());
}

template int ArticulatedTree<2>::accelerate(const std::vector<Twist>*, Buffers&, VecX&) const;
template int ArticulatedTree<3>::accelerate(const std::vector<Twist>*, Buffers&, VecX&) const;
template void ArticulatedTree<2>::respond(const std::vector<Twist>&, Buffers&) const;
template void ArticulatedTree<3>::respond(const std::vector<Twist>&, Buffers&) const;
template void ArticulatedTree<2>::add_response(Buffers&, VecX&) const;
template void ArticulatedTree<3>::add_response(Buffers&, VecX&) const;
template void ArticulatedTree<2>::spread(const VecX&, Buffers&) const;
template void ArticulatedTree<3>::spread(const VecX&, Buffers&) const;
template Space<2>::Twist ArticulatedTree<2>::body_acceleration(int, const Buffers&) const;
template Space<3>::Twist ArticulatedTree<3>::body_acceleration(int, const Buffers&) const;

}  // namespace cardan
