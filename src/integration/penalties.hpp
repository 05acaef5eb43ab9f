// Penalty factors of the augmented Lagrangian, one for each constraint, chosen from the inertia that the constraint feels.
// With A = Phi_q M^-1 Phi_q^T the multipliers of one Newmark step converge by (I + S)^-1, S = c b h^2 alpha^1/2 A alpha^1/2.
// Taking alpha_k = kappa (A^-1)_kk / (c b h^2) makes the trace of S^-1 equal to m / kappa, so that the slowest factor is at
// most 1 / (1 + kappa / m), however different the masses are. (The choice kappa / A_kk has no such bound: a gram between two
// tons makes it fail.)
#pragma once

#include "cardan/math.hpp"
#include "formulation/equations.hpp"

namespace cardan {

struct ConstraintAnalysis {
  VecX effective_mass;         // (A^-1)_kk; for redundant constraints that of their neighbours
  std::vector<int> redundant;  // constraints that depend on earlier ones
};

/// At one configuration, given M and Phi_q there. Setup work: it allocates and takes its time.
ConstraintAnalysis analyse_constraints(const Structure& structure, const Equations& equations);

}  // namespace cardan
