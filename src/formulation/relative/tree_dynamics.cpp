// The mass matrix and forces of tree_motion.hpp, by composite bodies from the leaves to ground.
#include "formulation/relative/tree_motion.hpp"
#include "math/by_processor.hpp"
#include "math/panel_kernel.hpp"

namespace cardan {
namespace {

// Written out where they stand: calls would cost as much as what they do.

template <int D>
[[gnu::always_inline]] inline double power(const typename Space<D>::Twist& wrench,
                                           const typename Space<D>::Twist& twist) {
  if constexpr (D == 2) {
    return wrench[0] * twist[0] + wrench[1] * twist[1] + wrench[2] * twist[2];
  } else {
    const double *a = wrench.data(), *b = twist.data();
    const Pair sum = pair_at(a) * pair_at(b) + pair_at(a + 2) * pair_at(b + 2) + pair_at(a + 4) * pair_at(b + 4);
    return sum[0] + sum[1];
  }
}

/// The momentum of a twist.
template <int D>
[[gnu::always_inline]] inline void momentum(const RigidInertia<D>& M, const typename Space<D>::Twist& z,
                                            typename Space<D>::Twist& p) {
  const auto& c = M.first;
  if constexpr (D == 2) {
    p[0] = M.mass * z[0] - z[2] * c[1];
    p[1] = M.mass * z[1] + z[2] * c[0];
    p[2] = c[0] * z[1] - c[1] * z[0] + M.second(0, 0) * z[2];
  } else {
    const double* const J = M.second.data();
    p[0] = M.mass * z[0] + (z[4] * c[2] - z[5] * c[1]);
    p[1] = M.mass * z[1] + (z[5] * c[0] - z[3] * c[2]);
    p[2] = M.mass * z[2] + (z[3] * c[1] - z[4] * c[0]);
    p[3] = (c[1] * z[2] - c[2] * z[1]) + (J[0] * z[3] + J[3] * z[4] + J[6] * z[5]);
    p[4] = (c[2] * z[0] - c[0] * z[2]) + (J[1] * z[3] + J[4] * z[4] + J[7] * z[5]);
    p[5] = (c[0] * z[1] - c[1] * z[0]) + (J[2] * z[3] + J[5] * z[4] + J[8] * z[5]);
  }
}

/// wrench -= the rate of a momentum p that is carried along with twist z, and the rate of momentum `own`
template <int D>
[[gnu::always_inline]] inline void take_rates(const typename Space<D>::Twist& z, const typename Space<D>::Twist& p,
                                              const typename Space<D>::Twist& own, typename Space<D>::Twist& wrench) {
  if constexpr (D == 2) {
    wrench[0] -= own[0] - z[2] * p[1];
    wrench[1] -= own[1] + z[2] * p[0];
    wrench[2] -= own[2] + (z[0] * p[1] - z[1] * p[0]);
  } else {
    wrench[0] -= own[0] + (z[4] * p[2] - z[5] * p[1]);
    wrench[1] -= own[1] + (z[5] * p[0] - z[3] * p[2]);
    wrench[2] -= own[2] + (z[3] * p[1] - z[4] * p[0]);
    wrench[3] -= own[3] + ((z[4] * p[5] - z[5] * p[4]) + (z[1] * p[2] - z[2] * p[1]));
    wrench[4] -= own[4] + ((z[5] * p[3] - z[3] * p[5]) + (z[2] * p[0] - z[0] * p[2]));
    wrench[5] -= own[5] + ((z[3] * p[4] - z[4] * p[3]) + (z[0] * p[1] - z[1] * p[0]));
  }
}

/// A body with its centre at g and inertia J about it, about the origin.
template <int D>
[[gnu::always_inline]] inline void place_inertia(double m, const typename Space<D>::Vector& g,
                                                 const typename Space<D>::Inertia& J, RigidInertia<D>& M) {
  M.mass = m;
  M.first = m * g;
  const auto& c = M.first;
  if constexpr (D == 2) {
    M.second(0, 0) = J(0, 0) + (c[0] * g[0] + c[1] * g[1]);
  } else {
    const double xx = c[0] * g[0], yy = c[1] * g[1], zz = c[2] * g[2];
    M.second(0, 0) = J(0, 0) + (yy + zz);
    M.second(1, 1) = J(1, 1) + (xx + zz);
    M.second(2, 2) = J(2, 2) + (xx + yy);
    M.second(0, 1) = M.second(1, 0) = J(0, 1) - c[0] * g[1];
    M.second(0, 2) = M.second(2, 0) = J(0, 2) - c[0] * g[2];
    M.second(1, 2) = M.second(2, 1) = J(1, 2) - c[1] * g[2];
  }
}

}  // namespace

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::dynamics(Buffers& b, VecX& mass, VecX& force) const {
  const BodyKinematics<D>& k = b.kinematics;
  Twist p, own;
  for (const Link& link : links_) {
    // Qb - Mb (T H' z'): the applied wrench less what keeps the momentum at zero z''
    const auto& body = model_->inertias()[link.body];
    RigidInertia<D>& M = b.composite[link.body];
    place_inertia<D>(body.mass, k.center[link.body], body.turning.turned(k.rotation[link.body]), M);
    momentum<D>(M, k.twist[link.body], p);
    momentum<D>(M, k.bias[link.body], own);
    take_rates<D>(k.twist[link.body], p, own, b.wrench[link.body]);
  }
  const Twist* const column = b.column.data();
  double* const M = mass.data();
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    const int count = link.last - link.first, *slot = slot_.data() + slot_start_[link.first];
    const int *path = path_[link.body].data(), above = static_cast<int>(path_[link.body].size()) - count;
    const Twist& wrench = b.wrench[link.body];
    for (int i = link.first; i < link.last; ++i) {
      momentum<D>(b.composite[link.body], column[i], p);
      force[i] = power<D>(column[i], wrench);
      // Of a row of M the columns above it, then those of the link up to its own.
      for (int j = 0; j < above; ++j) M[*slot++] = power<D>(column[path[j]], p);
      for (int j = link.first; j <= i; ++j) M[*slot++] = power<D>(column[j], p);
    }
    if (link.parent < model_->bodies()) {
      b.composite[link.parent] += b.composite[link.body];
      b.wrench[link.parent] += wrench;
    }
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void TreeMotion<D>::sweep(Buffers& b, VecX& force) const {
  const BodyKinematics<D>& k = b.kinematics;
  RigidInertia<D> M;
  Twist p, own;
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    const auto& body = model_->inertias()[link.body];
    Twist& wrench = b.wrench[link.body];
    place_inertia<D>(body.mass, k.center[link.body], body.turning.turned(k.rotation[link.body]), M);
    momentum<D>(M, k.twist[link.body], p);
    momentum<D>(M, k.acceleration[link.body], own);
    take_rates<D>(k.twist[link.body], p, own, wrench);
    for (int i = link.first; i < link.last; ++i) force[i] = power<D>(b.column[i], wrench);
    if (link.parent < model_->bodies()) b.wrench[link.parent] += wrench;
  }
}

template <int D>
void TreeMotion<D>::project(const Buffers& b, std::vector<Twist>& wrenches, double* force) const {
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    for (int i = link.first; i < link.last; ++i) force[i] = b.column[i].dot(wrenches[link.body]);
    if (link.parent < model_->bodies()) wrenches[link.parent] += wrenches[link.body];
  }
}

template <int D>
std::vector<std::vector<int>> TreeMotion<D>::mass_cliques() const {
  std::vector<std::vector<int>> cliques;
  for (const Link& link : links_) cliques.push_back(path_[link.body]);
  return cliques;
}

template <int D>
void TreeMotion<D>::locate(const SymmetricPattern& pattern) {
  slot_.clear();
  slot_start_.assign(1, 0);
  for (int i = 0; i < coordinates_; ++i) {
    for (int j : path_[links_[link_of_[i]].body]) {
      if (j > i) break;
      slot_.push_back(pattern.slot(i, j));
    }
    slot_start_.push_back(static_cast<int>(slot_.size()));
  }
}

template void TreeMotion<2>::dynamics(Buffers&, VecX&, VecX&) const;
template void TreeMotion<3>::dynamics(Buffers&, VecX&, VecX&) const;
template void TreeMotion<2>::sweep(Buffers&, VecX&) const;
template void TreeMotion<3>::sweep(Buffers&, VecX&) const;
template void TreeMotion<2>::project(const Buffers&, std::vector<Twist>&, double*) const;
template void TreeMotion<3>::project(const Buffers&, std::vector<Twist>&, double*) const;
template std::vector<std::vector<int>> TreeMotion<2>::mass_cliques() const;
template std::vector<std::vector<int>> TreeMotion<3>::mass_cliques() const;
template void TreeMotion<2>::locate(const SymmetricPattern&);
template void TreeMotion<3>::locate(const SymmetricPattern&);

}  // namespace cardan
