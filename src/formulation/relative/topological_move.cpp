// TopologicalFormulation: from one position to the next.
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

template void TopologicalFormulation<2>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<3>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;

}  // namespace cardan
