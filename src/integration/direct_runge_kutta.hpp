// Explicit Runge-Kutta methods with a constant step for formulations that find accelerations themselves: every stage is
// one acceleration, in time proportional to the number of bodies. Loops are held by the multipliers of
// loop_multipliers.hpp, and closed by its projections at the end of a step.
#pragma once

#include "integration/butcher_tableau.hpp"
#include "integration/integrator.hpp"
#include "integration/loop_multipliers.hpp"

namespace cardan {

class DirectRungeKutta final : public Integrator {
 public:
  DirectRungeKutta(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                   const ButcherTableau& tableau, const LoopSettings& loops, double length);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  const char* solver_name() const override { return "none"; }
  std::pair<double, double> penalty_range(const State& state, double h) const override {
    return accelerations_.penalty_range(state, h);
  }

 private:
  const ButcherTableau& tableau_;
  LoopMultipliers accelerations_;

  // Buffers of a step, sized by start().
  State before_;
  Eigen::MatrixXd stage_v_, stage_a_;  // n x s
  VecX q_, v_, a_, lambda_;
};

}  // namespace cardan
