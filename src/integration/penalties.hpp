// Penalty factors of the augmented Lagrangian, one for each constraint, chosen from the inertia that the constraint
// feels. With A = Phi_q M^-1 Phi_q^T the multipliers of one Newmark step converge by (I + S)^-1, S = c b h^2 alpha^1/2
// A alpha^1/2. Taking alpha_k = kappa (A^-1)_kk / (c b h^2) makes the trace of S^-1 equal to m / kappa, so that the
// slowest factor is at most 1 / (1 + kappa / m), however different the masses are. (The choice kappa / A_kk has no such
// bound: a gram between two tons makes it fail.)
#pragma once

#include "cardan/math.hpp"
#include "formulation/formulation.hpp"
#include "math/sparse_rows.hpp"

namespace cardan {

struct ConstraintAnalysis {
  VecX effective_mass;         // (A^-1)_kk; for redundant constraints that of their neighbours
  std::vector<int> redundant;  // constraints that depend on earlier ones
};

/// At one configuration, given M and Phi_q there. Setup work: it allocates and takes its time.
ConstraintAnalysis analyse_constraints(const Structure& structure, const Equations& equations);

/// Masses that constraints feel (zero: not known) made usable for penalties: redundant and massless ones take those of
/// their neighbours. `rows`: Phi_q, dimensionless, with the rounding of its rows; `inertia` stands in where all of them
/// are redundant.
VecX even_masses(const Structure& structure, const SparseRows& rows, const VecX& rounding,
                 const std::vector<int>& redundant, const VecX& mass, double inertia);

/// How strong the automatic penalties of a step of h seconds are: w = kappa * effective mass. With kappa sigma^2 << 1,
/// sigma the singular value of the constraints in some direction relative to the assembled position, multipliers and
/// projections leave that direction almost alone. That is what lets a run pass a singular position, where sigma goes
/// through zero and an exact answer would be an error over a vanishing number: the zone left alone has the half width
/// sigma = 1 / sqrt(kappa). It should be a fraction of the way that one step goes, so that a step falls into it now and
/// then but hardly two in a row: kappa = 10 / (h w)^2, w the largest rate. Below about 200 the multipliers converge
/// slowly, beyond 1e6 rounding grows and nothing is gained.
double penalty_strength(const Formulation& formulation, const VecX& v, double h, double smallest, double largest);

}  // namespace cardan
