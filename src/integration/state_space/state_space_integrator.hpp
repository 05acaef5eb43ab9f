// Integration in independent coordinates: one rule of rules.hpp, a constant step or one chosen by StepControl, the
// split of coordinates watched and renewed. THEORY sections 1 (State space) and 5.
#pragma once

#include "integration/integrator.hpp"
#include "integration/state_space/rules.hpp"
#include "integration/step_control.hpp"

namespace cardan {

struct StateSpaceSettings {
  std::string rule = "trapezoidal";
  bool controlled = false;  // the step by the error
  StepControl control;
  NewtonSettings newton;
  double length = 1;  // size of the mechanism, m

  /// Throws std::invalid_argument when the rule cannot do what is asked.
  static StateSpaceSettings for_options(const RunOptions& options, double length);
  static bool has_rule(const std::string& integrator);
};

class StateSpaceIntegrator final : public Integrator {
 public:
  StateSpaceIntegrator(const Formulation& formulation, Workspace& work, const StateSpaceSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return settings_.controlled; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override { return "dense"; }
  std::string complaint() const override { return motion_.complaint(); }

  const IndependentMotion& motion() const { return motion_; }
  /// Norms of the last three Newton increments, newest first, in error units; null for explicit rules.
  const double* last_increments() { return rule_->stage() ? rule_->stage()->last_increments() : nullptr; }

 private:
  // The end of State::memory: the step to try next, the sign of det Phi_u, the misfit of the split now and when it was
  // chosen, and the kept Jacobian.
  enum Memory { next_step, orientation, misfit, chosen_misfit, jacobian };
  void read_memory(const State& state);
  void write_memory(State& state) const;
  void size(State& state);
  double first_step();
  StepStatus try_step(const State& before, double h, State& state);
  void find_units(const VecX& v, const VecX& rate);
  double error_norm(double h, const State& state);

  const Formulation& formulation_;
  Workspace& work_;
  StateSpaceSettings settings_;
  mutable IndependentMotion motion_;
  std::unique_ptr<StateSpaceRule> rule_;
  int f_ = 0;
  Eigen::Index memory_at_ = 0;
  bool sized_ = false;
  double next_step_ = 0, orientation_ = 1, misfit_ = 0, chosen_misfit_ = 0;

  State before_;
  IndependentState from_, to_;
  mutable IndependentState between_;
  ErrorUnits units_;
  VecX position_error_, velocity_error_;  // f
  VecX full_error_, full_units_;          // n
};

}  // namespace cardan
