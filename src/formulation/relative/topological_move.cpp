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

/// Dependent coordinates come from Newton's iteration on Phi(z) = 0, which in a long step finds another branch from
/// where the step began. It begins on the polynomial of degree three through z and z' at both ends of the step.
template <int D>
void TopologicalFormulation<D>::between(const State& before, State& state, Workspace& work) const {
  const Work& w = static_cast<Work&>(work);
  const double h = w.end - before.t, s = (state.t - before.t) / h;
  for (int i = 0; i < n_; ++i) {
    const double z = before.memory[z_at() + i], v = h * before.memory[v_at() + i];
    const double x = w.end_z[i] - z - v, y = h * w.end_v[i] - v;
    state.memory[z_at() + i] = z + s * (v + s * (3 * x - y + s * (y - 2 * x)));
    state.memory[v_at() + i] = (v + s * (2 * (3 * x - y) + s * 3 * (y - 2 * x))) / h;
  }
}

template void TopologicalFormulation<2>::between(const State&, State&, Workspace&) const;
template void TopologicalFormulation<3>::between(const State&, State&, Workspace&) const;
template void TopologicalFormulation<2>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<3>::move(double, const VecX&, const Eigen::VectorXi&, Work&) const;

}  // namespace cardan
