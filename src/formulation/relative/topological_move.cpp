// TopologicalFormulation: from one position to the next.
#include "formulation/relative/topological_formulation.hpp"

namespace cardan {

/// Independent coordinates to where they are asked for, and the dependent ones to where Newton's iteration begins: in a
/// new step by what z, z' and z'' were at its start; from the last position of the same step along with the independent
/// ones, dz = R dzi + s dt, which leaves what is curved, and with what was left open there closed.
template <int D>
void TopologicalFormulation<D>::move(double t, const VecX& q, const State& reference, Work& w) const {
  const VecX& scale = relative_.structure().scale;
  const Eigen::VectorXi& order = reference.partition;
  const bool begins = w.fresh || t == reference.t, follows = !begins && w.tangential;
  if (begins) {
    const double h = t - reference.t;
    w.z = reference.memory.segment(z_at(), n_) +
          h * (reference.memory.segment(v_at(), n_) + 0.5 * h * reference.memory.segment(a_at(), n_));
  }
  if (begins)
    w.moved = q.head(f_) - reference.q.head(f_);  // states of their own may follow
  else
    for (int j = 0; j < f_; ++j) w.moved[j] = q[j] - w.z[order[2 * rank_ + j]] / scale[order[2 * rank_ + j]];
  if (follows) {
    w.R.spread(w.moved, w.z);
    if (t != w.t) w.z += (t - w.t) * w.drift;
    if (w.open) {
      for (int i = 0; i < rank_; ++i) w.dependent[i] = -w.relative->equations.phi[order[i]];
      w.partition.solve(w.dependent);
      for (int i = 0; i < rank_; ++i) w.z[order[rank_ + i]] += w.dependent[i];
    }
  }
  for (int j = 0; j < f_; ++j) w.z[order[2 * rank_ + j]] = scale[order[2 * rank_ + j]] * q[j];
  w.fresh = w.tangential = false;
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
template void TopologicalFormulation<2>::move(double, const VecX&, const State&, Work&) const;
template void TopologicalFormulation<3>::move(double, const VecX&, const State&, Work&) const;

}  // namespace cardan
