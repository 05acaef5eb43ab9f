// The mass matrix and forces of tree_motion.hpp, by composite bodies from the leaves to ground.
#include "formulation/relative/tree_motion.hpp"

namespace cardan {

template <int D>
void TreeMotion<D>::dynamics(Buffers& b, VecX& mass, VecX& force) const {
  BodyKinematics<D>& k = b.kinematics;
  for (const Link& link : links_) {
    // Qb - Mb (T H' z'): the applied wrench less what keeps the momentum at zero z''
    const RigidInertia<D> M = model_->inertia(link.body, k);
    b.composite[link.body] = M;
    b.wrench[link.body] -= carried_wrench_rate<D>(k.twist[link.body], M * k.twist[link.body]) + M * k.bias[link.body];
  }
  for (std::size_t l = links_.size(); l-- > 0;) {
    const Link& link = links_[l];
    const RigidInertia<D>& composite = b.composite[link.body];
    for (int i = link.first; i < link.last; ++i) {
      force[i] = b.column[i].dot(b.wrench[link.body]);
      const Twist momentum = composite * b.column[i];
      const int* slot = slot_.data() + slot_start_[i];
      for (int j : path_[link.body]) {
        if (j > i) break;
        mass[*slot++] = b.column[j].dot(momentum);
      }
    }
    if (link.parent < model_->bodies()) {
      b.composite[link.parent] += composite;
      b.wrench[link.parent] += b.wrench[link.body];
    }
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
template void TreeMotion<2>::project(const Buffers&, std::vector<Twist>&, double*) const;
template void TreeMotion<3>::project(const Buffers&, std::vector<Twist>&, double*) const;
template std::vector<std::vector<int>> TreeMotion<2>::mass_cliques() const;
template std::vector<std::vector<int>> TreeMotion<3>::mass_cliques() const;
template void TreeMotion<2>::locate(const SymmetricPattern&);
template void TreeMotion<3>::locate(const SymmetricPattern&);

}  // namespace cardan
