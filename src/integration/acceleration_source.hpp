// Where an integrator that works with accelerations gets them from: a and lambda at (t, q, v). One for formulations
// that hand out M and Phi_q, one for those that find accelerations themselves.
#pragma once

#include "formulation/formulation.hpp"
#include "integration/penalties.hpp"

namespace cardan {

class AccelerationSource {
 public:
  virtual ~AccelerationSource() = default;
  /// Consistent accelerations and multipliers of the state, sized here, and what the constraints are like there.
  virtual StepStatus start(State& state, ConstraintAnalysis& analysis) = 0;
  /// Called at the start of a step of h seconds from that state.
  virtual void begin_step(const State& before, double h) = 0;
  /// a and lambda at (t, q, v); `reference` is the state at the start of the step.
  virtual StepStatus evaluate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                              VecX& lambda) = 0;
  /// Phi_q v + Phi_t and Phi_q a - gamma of the last evaluation.
  virtual const VecX& constraint_rates() const = 0;
  virtual const VecX& constraint_accelerations() const = 0;
  /// The coordinate whose pivot vanished when an evaluation was Singular.
  virtual int singular_coordinate() const = 0;
};

}  // namespace cardan
