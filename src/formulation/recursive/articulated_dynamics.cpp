// The sweeps of articulated_tree.hpp that find accelerations: inertias and forces from the leaves to ground, motions
// back. In space they are those of spatial_sweeps.hpp.
#include "formulation/recursive/articulated_tree.hpp"

namespace cardan {

template <int D>
int ArticulatedTree<D>::accelerate(const std::vector<Twist>* wrenches, Buffers& b, VecX& a) const {
  int singular = -1;
  if constexpr (D == 3) {
    singular = sweeps_.gather(lane_tree(), wrenches ? wrenches->front().data() : nullptr, lane_buffers(b));
    if (singular < 0) sweeps_.spread(lane_tree(), lane_buffers(b), a.data());
  } else {
    singular = gather(wrenches, b);
    if (singular < 0) spread(b, a);
  }
  return singular;
}

template <int D>
void ArticulatedTree<D>::respond(const std::vector<Twist>& wrenches, Buffers& b) const {
  if constexpr (D == 3) {
    sweeps_.respond(lane_tree(), wrenches.front().data(), lane_buffers(b));
  } else {
    respond_in_plane(wrenches, b);
  }
}

/// Articulated inertias and bias wrenches, from the leaves to ground.
template <int D>
int ArticulatedTree<D>::gather(const std::vector<Twist>* wrenches, Buffers& b) const requires(D == 2) {
  constexpr double kNothing = 1e-14;  // relative: a column that feels less inertia than this moves no mass
  for (Handed& handed : b.inbox) handed = {ArticulatedInertia::zero(), Twist::Zero()};
  Handed carried;
  bool carries = false;  // from the next link to this one
  for (int l = links() - 1; l >= 0; --l) {
    const Link& link = links_[l];
    const LinkState& s = b.link[l];
    ArticulatedInertia I = carries ? carried.inertia : ArticulatedInertia::zero();
    I.add_body(link.mass, s.center, s.inertia);
    Twist p = s.bias_wrench;
    if (wrenches) {
      const Twist& applied = (*wrenches)[link.body];
      p -= twist<D>(linear<D>(applied), angular<D>(applied) - moment(s.origin, linear<D>(applied)));
    }
    if (carries) p += carried.wrench;
    if (link.inbox >= 0) I.add(b.inbox[link.inbox].inertia), p += b.inbox[link.inbox].wrench;

    for (int k = link.last - 1; k >= link.first; --k) {
      ColumnState& column = b.column[k];
      const Twist h = column.column;
      const Twist U = I.times(h);
      const double d = short_dot(h, U) + rotor_[k];
      if (!(d > kNothing * size_of_dot(h, U))) return k;
      const double inverse = 1 / d, u = -short_dot(h, p);
      I.eliminate(U, inverse);
      p += (inverse * u) * U;
      column.force = U;
      column.inverse = inverse;
      column.drive = u;
    }

    carries = link.parent >= 0 && link.parent == l - 1;
    if (link.parent < 0) continue;
    if (link.own_origin) {
      const Vector shift = s.origin - b.link[link.parent].origin;
      I.shift(shift);
      p = twist<D>(linear<D>(p), angular<D>(p) + moment(shift, linear<D>(p)));
    }
    if (carries) {
      carried.inertia = I;
      carried.wrench = p;
    } else {
      Handed& inbox = b.inbox[links_[link.parent].inbox];
      inbox.inertia.add(I);
      inbox.wrench += p;
    }
  }
  return -1;
}

/// What a link has of the one that carries it, at its own origin.
template <int D>
typename ArticulatedTree<D>::Twist ArticulatedTree<D>::carried(const Link& link, const Vector& origin,
                                                               const Buffers& b) const {
  if (link.parent < 0) return Twist::Zero();
  const LinkState& parent = b.link[link.parent];
  const Twist delta = read(parent.delta);
  return link.own_origin ? Twist(from_origin(delta, read(parent.origin) - origin)) : delta;
}

/// Accelerations, from ground to the leaves.
template <int D>
void ArticulatedTree<D>::spread(Buffers& b, VecX& a) const requires(D == 2) {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    LinkState& s = b.link[l];
    Twist delta = carried(link, s.origin, b);
    for (int k = link.first; k < link.last; ++k) {
      const ColumnState& column = b.column[k];
      a[k] = column.inverse * (column.drive - short_dot(column.force, delta));
      delta += column.column * a[k];
    }
    s.delta = delta;
  }
}

template <int D>
void ArticulatedTree<D>::respond_in_plane(const std::vector<Twist>& wrenches, Buffers& b) const requires(D == 2) {
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
      column.drive = -short_dot(column.column, p);
      p += (column.inverse * column.drive) * column.force;
    }
    carried.setZero();
    if (link.parent < 0) continue;
    if (link.own_origin) {
      const Vector shift = s.origin - b.link[link.parent].origin;
      p = twist<D>(linear<D>(p), angular<D>(p) + moment(shift, linear<D>(p)));
    }
    if (link.parent == l - 1)
      carried = p;
    else
      b.inbox[links_[link.parent].inbox].wrench += p;
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
      column.drive = column.inverse * (column.drive - short_dot(column.force, change));
      change += column.column * column.drive;
    }
    b.change[l] = change;
  }
}

template <int D>
void ArticulatedTree<D>::add_response(Buffers& b, VecX& a) const {
  for (int k = 0; k < coordinates_; ++k) a[k] += b.column[k].drive;
  for (int l = 0; l < links(); ++l) write(b.link[l].delta, Twist(read(b.link[l].delta) + read(b.change[l])));
}

template <int D>
void ArticulatedTree<D>::spread(const VecX& a, Buffers& b) const {
  for (int l = 0; l < links(); ++l) {
    const Link& link = links_[l];
    Twist delta = carried(link, read(b.link[l].origin), b);
    for (int k = link.first; k < link.last; ++k) delta += read(b.column[k].column) * a[k];
    write(b.link[l].delta, delta);
  }
}

template <int D>
typename Space<D>::Twist ArticulatedTree<D>::body_acceleration(int link, const Buffers& b) const {
  const LinkState& s = b.link[link];
  return from_origin(read(s.zeta) + read(s.delta), read(s.origin)) + twist<D>(gravity_, S::Angular::Zero());
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
