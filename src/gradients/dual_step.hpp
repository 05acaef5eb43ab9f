// What the equations of a step say on a mechanism and on its derivatives along three directions at once: plain data,
// and the functions that are compiled for several sets of instructions (dual_step_lanes.hpp), as the steps of ensembles
// are.
#pragma once

#include "ensemble/lanes.hpp"

namespace cardan {

/// Directions that go together, in lanes beside the value.
inline constexpr int kDirections = kLanes - 1;

/// Everything at the end of a step.
struct DualStep {
  LaneArray moments;                     // of inertia: inertias_side_by_side()
  LaneArray q, v, A, lambda;             // q1, v*, A*: n; m
  LaneArray references;                  // before the step, then after it: of balls, 4 each
  LaneArray correction_v, correction_A;  // v1 - v*, A1 - A*: n
  std::vector<double> mu, nu;            // multipliers of the projections: m
  LaneArray v1, a1, A1;                  // n; then measured anew
  double stiff = 0, damped = 0;          // c b h^2, c g h
  LaneArray residual, held_v, held_A;    // R, P (v1 - v*) + Phi_q^T mu, P (A1 - A*) + Phi_q^T nu: n
  LaneArray rate, second;                // Phi_q v1 + Phi_t, Phi_q A1 - gamma: m
  LaneArray inertia, bodies;             // buffers

  template <int D>
  void size(const LaneModel<D>& model) {
    const auto n = static_cast<std::size_t>(model.coordinates), m = static_cast<std::size_t>(model.constraints),
               of_bodies = static_cast<std::size_t>(model.bodies);
    for (LaneArray* one : {&q, &v, &A, &correction_v, &correction_A, &v1, &a1, &A1, &residual, &held_v, &held_A})
      one->assign(n, Lanes{});
    for (LaneArray* one : {&lambda, &rate, &second}) one->assign(m, Lanes{});
    references.assign(4 * static_cast<std::size_t>(model.balls), Lanes{});
    inertia.assign((D == 2 ? 4 : 10) * of_bodies, Lanes{});
    bodies.assign(LaneWork<D>::kTwist * (of_bodies + 1), Lanes{});
  }
};

template <int D>
struct DualFunctions {
  /// R, Phi and Phi_q, of q, v, A, lambda and references.
  void (*residual)(const LaneModel<D>&, LaneWork<D>&, const LaneLaws&, DualStep&);
  /// P (v1 - v*) and P (A1 - A*), where residual() was, or at the q and v of now.
  void (*held)(const LaneModel<D>&, LaneWork<D>&, const LaneLaws&, DualStep&, bool elsewhere);
  /// With their multipliers; Phi_q v1 + Phi_t, v1 being v* and what is added to it.
  void (*rates)(const LaneModel<D>&, LaneWork<D>&, const LaneLaws&, DualStep&);
  /// Phi_q A1 - gamma with the velocities v1.
  void (*second)(const LaneModel<D>&, LaneWork<D>&, const LaneLaws&, DualStep&);
  /// Balls, of q, v1, a1, A1.
  void (*measure_anew)(const LaneModel<D>&, DualStep&);
};

DualFunctions<2> plain_dual_in_plane();
DualFunctions<3> plain_dual_in_space();
DualFunctions<2> avx2_dual_in_plane();
DualFunctions<3> avx2_dual_in_space();

}  // namespace cardan
