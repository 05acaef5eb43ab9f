// Constraints on velocities in independent relative coordinates, z' = R zi' + s and z'' = R zi'' + c.
#include "formulation/relative/topological_formulation.hpp"

namespace cardan {

/// s: -B^-1 Phi_t of the dependent coordinates.
template <int D>
void TopologicalFormulation<D>::find_drift(const Eigen::VectorXi& order, Work& w) const {
  const VecX& phi_t = w.relative->equations.phi_t;
  bool drifts = false;
  for (int i = 0; i < rank_; ++i) {
    w.dependent[i] = -phi_t[order[i]];
    drifts = drifts || w.dependent[i] != 0;
  }
  w.drift.setZero();
  if (!drifts) return;
  w.partition.solve(w.dependent);
  for (int i = 0; i < rank_; ++i) w.drift[order[rank_ + i]] = w.dependent[i];
}

/// B R zi' = -(Phi_t + B s)
template <int D>
void TopologicalFormulation<D>::reduce_velocity_constraints(Work& w) const {
  const RowPattern& rows = relative_.structure().jacobian;
  const Equations& full = w.relative->equations;
  w.R.reduce_velocity_constraints(full, structure_, w.equations.jacobian);
  for (int k = 0, row = relative_.structure().position_constraints(); k < structure_.constraints; ++k, ++row)
    w.equations.phi_t[k] = full.phi_t[row] + row_times(rows, full.jacobian, row, w.drift);
}

/// B R zi'' = gamma - B c
template <int D>
void TopologicalFormulation<D>::gamma(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  const Structure& s = relative_.structure();
  const Equations& full = w.relative->equations;
  for (int k = 0, row = s.position_constraints(); k < structure_.constraints; ++k, ++row)
    w.equations.gamma[k] = full.gamma[row] - row_times(s.jacobian, full.jacobian, row, w.bias);
}

template void TopologicalFormulation<2>::find_drift(const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<3>::find_drift(const Eigen::VectorXi&, Work&) const;
template void TopologicalFormulation<2>::reduce_velocity_constraints(Work&) const;
template void TopologicalFormulation<3>::reduce_velocity_constraints(Work&) const;
template void TopologicalFormulation<2>::gamma(Workspace&) const;
template void TopologicalFormulation<3>::gamma(Workspace&) const;

}  // namespace cardan
