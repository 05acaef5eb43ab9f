// Integration in independent coordinates: one rule of rules.hpp, a constant step or one chosen by StepController, the
// split of coordinates watched and renewed. docs/theory/state-space.md.
#pragma once

#include "integration/error_tolerance.hpp"
#include "integration/integrator.hpp"
#include "integration/state_space/rules.hpp"
#include "integration/step_controller.hpp"

namespace cardan {

struct StateSpaceSettings {
  std::string rule = "trapezoidal";
  std::string solver = "automatic";
  NewmarkRule structural;   // its coefficients where it is one of newmark_rule.hpp
  bool controlled = false;  // the step by the error
  bool adds_up = false;     // Newton's errors of all steps must: the error unit shrinks with the step
  ErrorTolerance error;     // of a step that is chosen by it; of Newton's iteration otherwise
  bool by_size = false;     // absolute tolerance as a part of each coordinate's scale; otherwise in m and rad
  double step_min = 0, step_max = 1e300;  // s, of step control; 0: the rounding of time
  NewtonSettings newton;
  double length = 1;  // size of the mechanism, m

  static StateSpaceSettings for_options(const RunOptions& options, double length);
};

class StateSpaceIntegrator final : public Integrator {
 public:
  StateSpaceIntegrator(const Formulation& formulation, Workspace& work, const StateSpaceSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return settings_.controlled; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override { return motion_.is_sparse() ? "sparse" : "dense"; }
  std::string complaint() const override { return motion_.complaint(); }

  const IndependentMotion& motion() const { return motion_; }
  /// Norms of the last three Newton increments, newest first, in error units; null for explicit rules.
  const double* last_increments() { return rule_->stages() ? rule_->stages()->last_increments() : nullptr; }

 private:
  // The end of Context::memory: the step to try next, the misfit of the split now and when it was chosen, the pivots of
  // Phi_u, and the kept Jacobian.
  enum Memory { next_step, misfit, chosen_misfit, pivots };
  void read_memory(const State& state);
  void write_memory(State& state) const;
  void size(State& state);
  double first_step();
  bool renew_split(State& state, StepStatus& status);
  StepStatus constant_step(State& state, double h);
  StepStatus controlled_step(State& state, double h);
  StepStatus try_step(const State& before, double h, State& state);
  void find_units(const VecX& v, const VecX& rate);
  double error_norm(double h, const State& state);
  bool comes_to_singularity() const;
  bool leaves_its_branch(double h) const;
  bool is_near_singularity() const;
  bool gives_up(double& h, double h_most, int tries, StepStatus& status);

  StateSpaceSettings settings_;
  mutable IndependentMotion motion_;
  std::unique_ptr<StateSpaceRule> rule_;
  int f_ = 0;
  Eigen::Index memory_at_ = 0;
  bool sized_ = false;
  double next_step_ = 0, misfit_ = 0, chosen_misfit_ = 0;
  VecX pivots_, reached_pivots_;  // at the start of the step, and at its end

  State before_;
  VecX q_, v_, a_;  // at the end of the step, n
  IndependentState from_, to_;
  mutable IndependentState between_;
  ErrorUnits units_;
  StepController controller_;
  VecX size_;                             // n: of which the absolute tolerance is a part
  VecX newton_size_, independent_size_;   // n and f: likewise where iterations end
  VecX most_, independent_most_;          // of coordinates, that counts for the relative one
  VecX position_error_, velocity_error_;  // f
  VecX full_error_;                       // n
};

}  // namespace cardan
