// `bdf`: backward differentiation formulas of variable order and step by SUNDIALS IDA, on the Cartesian equations
// (docs/theory/bdf.md). Two forms of F(t, y, y') = 0:
//     stabilized index 2 (default): y = (q, v, lambda, mu)      index 3: y = (q, v, lambda)
//         q' - v + Phi_q^T mu      = 0                              q' - v                   = 0
//         M v' + Phi_q^T lambda - Q = 0                             M v' + Phi_q^T lambda - Q = 0
//         Phi_q v + Phi_t          = 0                              Phi / h0^2               = 0
//         Phi                      = 0
// The local error is held in positions and velocities, every component of them; multipliers are left out of it and of
// Newton's test. In index 3 velocities across the constraints are left out too, being differences of positions. Rows
// that are redundant at the start are left out of Phi.
// State::stepper holds t, q, v as they were left and IDA's history that belongs to them. A state that is not the one
// left last has its history restored and goes on bit for bit; one whose t, q or v was changed by hand has none and
// starts anew with order one.
#pragma once

#include <memory>

#include "integration/error_tolerance.hpp"
#include "integration/integrator.hpp"

namespace cardan {

struct BdfSettings {
  int index = 2;  // 2: stabilized, 3
  /// Of a step, tested; of velocities (m/s, rad/s) as of positions (m, rad).
  ErrorTolerance error{.velocity_factor = 1};
  double step_min = 0;               // s; 0: no bound
  double step_max = 0;               // s; 0: no bound
  double newton_fraction = 0.033;    // of the tolerance, where Newton's iteration stops
  double typical_step = 1e-3;        // h0 above, s
  double length = 1;                 // size of the mechanism, m
  std::string solver = "automatic";  // "dense", "sparse"; automatic: by the number of unknowns

  static BdfSettings for_options(const RunOptions& options, double length);
};

class BdfIntegrator final : public Integrator {
 public:
  BdfIntegrator(const Formulation& formulation, Workspace& work, const BdfSettings& settings);
  ~BdfIntegrator() override;

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return true; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override;
  std::string complaint() const override { return complaint_; }

 private:
  struct Ida;
  /// Sets IDA to the state where it is elsewhere. False when that cannot be done.
  bool take_up(const State& state, double h);
  StepStatus finish(double t, State& state);
  bool opened();
  /// Reports why IDA gave up.
  StepStatus refuse(int flag);

  BdfSettings settings_;
  std::unique_ptr<LinearSolver> start_solver_;
  std::unique_ptr<Ida> ida_;
  std::string complaint_;
};

}  // namespace cardan
