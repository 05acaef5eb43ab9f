// `bdf`: backward differentiation formulas of variable order and step by SUNDIALS IDA, on the Cartesian equations
// (THEORY section 6). Two forms of F(t, y, y') = 0:
//     stabilized index 2 (default): y = (q, v, lambda, mu)      index 3: y = (q, v, lambda)
//         q' - v + Phi_q^T mu      = 0                              q' - v                   = 0
//         M v' + Phi_q^T lambda - Q = 0                             M v' + Phi_q^T lambda - Q = 0
//         Phi_q v + Phi_t          = 0                              Phi / h0^2               = 0
//         Phi                      = 0
// Multipliers are left out of the error test, in index 3 the velocities too. Rows that are redundant at the start are
// left out of Phi. The history of IDA is no part of the State: a restored state starts again with order one.
#pragma once

#include <memory>

#include "integration/integrator.hpp"

namespace cardan {

struct BdfSettings {
  int index = 2;  // 2: stabilized, 3
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-6;  // on positions (m, rad); ten times that on velocities
  double length = 1;                 // size of the mechanism, m

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
  const char* solver_name() const override { return "dense"; }

 private:
  struct Ida;
  const Formulation& formulation_;
  Workspace& work_;
  BdfSettings settings_;
  std::unique_ptr<LinearSolver> start_solver_;
  std::unique_ptr<Ida> ida_;
};

}  // namespace cardan
