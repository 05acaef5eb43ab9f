// Newton's iteration on Phi(z) = 0 for the dependent coordinates in z, whatever holds the factors of Phi_u.
#pragma once

#include <algorithm>
#include <cmath>

#include "cardan/step_status.hpp"
#include "formulation/equations.hpp"

namespace cardan {

/// `per_constraint`: 1 / constraint_scale. Goes on until it leaves `tolerance` relative to the scales, or rounding.
/// `evaluate()` brings the equations to z. `split.factorize(jacobian, order)` answers whether there is a pivot in every
/// row, and `split.solve(x)` makes use of it; at the end it is that of the last position. `correction`: a buffer.
template <class Split, class Evaluate>
StepStatus close_loops(Split& split, const Equations& e, const Eigen::VectorXi& order, const VecX& per_constraint,
                       double tolerance, VecX& correction, VecX& z, const Evaluate& evaluate) {
  constexpr int kIterations = 25;
  constexpr double kRounding = 1e4;  // times the tolerance: what does not shrink any more below it is rounding
  constexpr double kMostRounding = 1e-10;
  constexpr double kDiverging = 1e4;  // from one iteration to the next
  const double rounding = std::min(kRounding * tolerance, kMostRounding);
  const Eigen::Index rank = correction.size();
  double previous = 1e300;
  for (int iteration = 0;; ++iteration) {
    if (const StepStatus status = evaluate(); status != StepStatus::ok || rank == 0) return status;
    const bool regular = split.factorize(e.jacobian, order);
    double worst = 0;
    for (Eigen::Index i = 0; i < rank; ++i) {
      correction[i] = -e.phi[order[i]];
      worst = std::max(worst, std::abs(correction[i]) * per_constraint[order[i]]);
    }
    if (!correction.allFinite()) return StepStatus::not_finite;
    if (worst <= tolerance || (worst <= rounding && worst > 0.1 * previous)) return StepStatus::ok;
    if (!regular || iteration >= kIterations || worst > kDiverging * previous) return StepStatus::not_converged;
    split.solve(correction);
    if (!correction.allFinite()) return StepStatus::not_converged;
    previous = worst;
    for (Eigen::Index i = 0; i < rank; ++i) z[order[rank + i]] += correction[i];
  }
}

}  // namespace cardan
