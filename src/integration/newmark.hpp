// The rules of newmark_rule.hpp by the index-3 augmented Lagrangian with projections of velocities and accelerations:
// docs/theory/augmented-lagrangian.md, symbol for symbol. Serves every formulation; without constraints the augmented
// terms vanish.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formulation/swept_forces.hpp"
#include "integration/coupled_solver.hpp"
#include "integration/error_tolerance.hpp"
#include "integration/integrator.hpp"
#include "integration/newmark_rule.hpp"
#include "integration/newton_progress.hpp"
#include "integration/projection.hpp"
#include "integration/step_controller.hpp"
#include "math/linear_solver.hpp"

namespace cardan {

struct NewmarkSettings {
  std::string solver = "automatic";
  std::optional<double> penalty;    // one number for all constraints
  std::optional<double> tolerance;  // on the norm of the increment
  int iteration_budget = 0;         // fixed number of iterations (0: until convergence)
  int iteration_limit = 60;         // a step that needs more has failed
  double kappa_smallest = 200;      // bounds of the automatic penalties' strength, see penalty_strength()
  double kappa_largest = 1e6;
  double length = 1;        // size of the mechanism, m: what the constraint tolerance is relative to
  bool projections = true;  // of velocities and accelerations at the end of a step

  // Step control, docs/theory/variable-step.md
  enum class Control { fixed, increment, residual, error, energy };
  Control control = Control::fixed;
  double first_step = 1e-3;  // s; a penalty given by the user is meant for it
  double step_min = 0, step_max = 1e300;
  ErrorTolerance error;        // of control by error; by energy in J, and of the kinetic energy
  bool fixed_penalty = false;  // alpha stays when the step changes, instead of alpha <- alpha (h_old / h_new)^2

  static NewmarkSettings for_options(const RunOptions& options, double length);
};

/// The last step as it was solved, in the coordinates that it began with: what its derivatives are made from.
struct NewmarkStep {
  const NewmarkRule& rule;
  const State& before;
  double h;
  const VecX& moved;   // d of newmark_rule.hpp
  const VecX &v, &A;   // with the projections
  const VecX& lambda;  // m
  const VecX& weight;  // m: c b h^2 alpha of T
  const VecX& rows;    // Phi_q of T
  const LinearSolver& tangent;
  bool projects;
};

class NewmarkIntegrator final : public Integrator {
 public:
  NewmarkIntegrator(const Formulation& formulation, Workspace& work, const NewmarkRule& rule,
                    const NewmarkSettings& settings);

  void watch_energy(EnergyMeter meter) override { meter_ = std::move(meter); }
  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return settings_.control != NewmarkSettings::Control::fixed; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override { return solver_->name(); }
  std::pair<double, double> penalty_range(const State& state, double h) const override;
  /// From now on every iteration makes its own tangent, for who solves with that of last_step().
  void renew_tangents() { may_keep_ = false; }
  /// After step().
  NewmarkStep last_step() const {
    return {rule_,
            before_,
            report_.taken,
            moved_,
            v_,
            A_,
            lambda_,
            weight_,
            projection_.rows(),
            *solver_,
            settings_.projections && structure_.constraints > 0};
  }

 private:
  double kappa(const State& state, double h) const;
  void begin_control(State& state);
  StepStatus controlled_step(State& state, double h_most);
  void extrapolate(double h);
  bool leaves_little(double rate, double h) const;
  double rate_before() const;
  double error(double h) const;
  double energy_error(State& state, double h) const;
  void remember(State& state, double h) const;
  StepStatus solve(State& state, double h);
  /// How increments of Newton's iteration are taken; relaxed and shortened ones only where they do not shrink.
  enum class Increments { full, relaxed, shortened };
  Increments usual_increments() const {
    return structure_.states > 0 || structure_.kinks ? Increments::relaxed : Increments::full;
  }
  StepStatus iterate(State& state, double h, Increments taken);
  void set_weight(double h);
  void see_velocities(double h);
  bool keeps_tangent(const NewtonProgress& progress, int count, Increments taken) const;
  bool assemble_and_factorize(double h);
  double rate_tolerance(const VecX& x) const;
  void project_velocity();
  void project_acceleration();
  void judge(NewtonProgress& progress, int count, double h);
  bool may_end(const NewtonProgress& progress, int count) const {
    return progress.may_end(count, settings_.iteration_budget, patience_);
  }
  bool ends(const NewtonProgress& progress, int count, double phi);
  void find_residual(double cbh2);
  void sweep_residual(double cbh2);
  double relax(NewtonProgress& progress, int count);
  bool shorten(NewtonProgress& progress, double h);
  void take_increment(NewtonProgress& progress, int count, double h, Increments taken);
  StepStatus end_step(State& state, double t1);

  bool may_keep_ = true;
  const SweptForces* swept_;  // where the formulation can do without M, else null
  std::unique_ptr<CoupledSolver> solver_;
  Index1Acceleration acceleration_;  // for the start alone
  Projection projection_;
  NewmarkRule rule_;
  NewmarkSettings settings_;
  StepController controller_;
  EnergyMeter meter_;

  // Buffers of a step, sized by start().
  State before_;
  VecX predicted_q_, predicted_v_;  // n
  VecX q_, v_, a_, A_, lambda_;     // iterates
  VecX moved_;                      // sum of the increments, n
  VecX weight_;                     // c b h^2 alpha, m
  VecX tangent_;                    // T on the pattern
  VecX rhs_;                        // n
  VecX increment_before_;           // n, where laws have kinks
  VecX lambda_increment_;           // m, the last
  int patience_ = 0;                // so many increments may stand still
  double rate_ = 1;                 // at which the increments of the last iteration shrank; 1 where there was but one
};

}  // namespace cardan
