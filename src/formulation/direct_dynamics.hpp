// What a formulation offers that finds accelerations itself, in time proportional to its size, instead of handing out M
// and Phi_q. The calls follow Formulation::position() and velocity(). With M, Q, Phi and gamma as in equations.hpp:
#pragma once

#include "formulation/formulation.hpp"
#include "math/sparse_rows.hpp"

namespace cardan {

class DirectDynamics {
 public:
  virtual ~DirectDynamics() = default;
  /// a = M^-1 (Q - Phi_q^T lambda). Returns -1, or the index of a coordinate that nothing resists.
  virtual int accelerate(const VecX& lambda, Workspace& work, VecX& a) const = 0;
  /// A = Phi_q M^-1 Phi_q^T, after accelerate(), on the lower triangle by columns.
  virtual void compliance(Workspace& work, VecX& triangle) const = 0;
  /// Phi_q at the last position(), for analyses at setup: it allocates.
  virtual SparseRows constraint_rows(Workspace& work) const = 0;
  /// a -= M^-1 Phi_q^T change, after accelerate().
  virtual void respond(const VecX& change, Workspace& work, VecX& a) const = 0;
  /// Phi_q v + Phi_t
  virtual void constraint_rates(Workspace& work, VecX& rate) const = 0;
  /// Phi_q a - gamma, with the a that accelerate() and respond() have left.
  virtual void constraint_accelerations(Workspace& work, VecX& second) const = 0;
};

}  // namespace cardan
