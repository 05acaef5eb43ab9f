// Constraints on velocities in independent relative coordinates, z' = R zi' + s and z'' = R zi'' + c.
#include "formulation/relative/topological_formulation.hpp"

namespace cardan {

/// B R zi' = -(Phi_t + B s)
template <int D>
void TopologicalFormulation<D>::reduce_velocity_constraints(Work& w) const {
  const RowPattern& rows = relative_.structure().jacobian;
  const Equations& full = w.relative->equations;
  const int first = relative_.structure().position_constraints(), f = n_ - rank_;
  for (int k = 0; k < structure_.constraints; ++k) {
    double* out = w.equations.jacobian.data() + structure_.jacobian.start[k];
    for (int j = 0; j < f; ++j) {
      double sum = 0;
      for (int e = rows.start[first + k]; e < rows.start[first + k + 1]; ++e)
        sum += full.jacobian[e] * w.R(rows.column[e], j);
      out[j] = sum;
    }
    w.equations.phi_t[k] = full.phi_t[first + k] + row_times(rows, full.jacobian, first + k, w.drift);
  }
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

template void TopologicalFormulation<2>::reduce_velocity_constraints(Work&) const;
template void TopologicalFormulation<3>::reduce_velocity_constraints(Work&) const;
template void TopologicalFormulation<2>::gamma(Workspace&) const;
template void TopologicalFormulation<3>::gamma(Workspace&) const;

}  // namespace cardan
