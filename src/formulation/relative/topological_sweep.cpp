// TopologicalFormulation: from one position to the next, and forces by a sweep over the bodies.
#include "formulation/relative/topological_formulation.hpp"

namespace cardan {

/// Independent coordinates to where they are asked for; from the last position of the same instant, the dependent ones
/// along with them, dz_d = H dz_i, which leaves Newton's iteration what is curved.
template <int D>
void TopologicalFormulation<D>::move(double t, const VecX& q, const Eigen::VectorXi& order, Work& w) const {
  const VecX& scale = relative_.structure().scale;
  const bool along = w.tangential && t == w.t;
  for (int j = 0; j < n_ - rank_; ++j) {
    double& own = w.z[order[2 * rank_ + j]];
    const double moved = scale[order[2 * rank_ + j]] * q[j] - own;
    own = scale[order[2 * rank_ + j]] * q[j];
    if (!along || moved == 0) continue;
    for (int i = 0; i < rank_; ++i) w.z[order[rank_ + i]] += w.H(i, j) * moved;
  }
  w.tangential = false;
}

/// R^T (Q - M (R a + c))
template <int D>
void TopologicalFormulation<D>::sweep(const VecX& a, Workspace& work, VecX& result) const {
  Work& w = static_cast<Work&>(work);
  w.product.noalias() = w.R * a;
  w.product += w.bias;
  relative_.sweep(w.product, *w.relative, w.direction);
  result.noalias() = w.R.transpose() * w.direction;
}

template void TopologicalFormulation<2>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<3>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<2>::sweep(const VecX&, Workspace&, VecX&) const;
template void TopologicalFormulation<3>::sweep(const VecX&, Workspace&, VecX&) const;

}  // namespace cardan
