// The integration rules of the state-space form: each advances independent coordinates by one step and, where it has an
// embedded companion, tells the difference to it. What the rules are is written in newmark_rule.hpp and
// butcher_tableau.cpp.
#pragma once

#include <memory>
#include <string>

#include "integration/newmark_rule.hpp"
#include "integration/state_space/implicit_stages.hpp"

namespace cardan {

class StateSpaceRule {
 public:
  virtual ~StateSpaceRule() = default;
  virtual void resize(int f) = 0;
  /// From `from` (with its v'') over h seconds to `to`, v'' included.
  virtual StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) = 0;
  /// The difference to the embedded companion after advance(), for v and v'.
  virtual void error(const IndependentState& /*from*/, double /*h*/, const IndependentState& /*to*/, VecX& /*position*/,
                     VecX& /*velocity*/) {}
  /// Order of that difference in h; 0: there is no companion.
  virtual int error_order() const { return 0; }
  /// Whether it carries an algorithmic acceleration, whose lead advance() finds: a change of v'' alone, so that all
  /// coordinates have it in the directions that the constraints leave, however they are split.
  virtual bool has_lead() const { return false; }
  /// The solver of implicit rules, null otherwise.
  virtual ImplicitStages* stages() { return nullptr; }
};

/// `structural` for the names of the Newmark family, or a Runge-Kutta method by its name, explicit or implicit.
std::unique_ptr<StateSpaceRule> make_state_space_rule(const std::string& name, const NewmarkRule& structural,
                                                      IndependentMotion& motion, const NewtonSettings& newton);

}  // namespace cardan
