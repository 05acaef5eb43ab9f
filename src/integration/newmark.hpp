// The Newmark family (trapezoidal, Newmark, HHT, generalized-alpha) by the index-3 augmented Lagrangian with
// projections of velocities and accelerations: THEORY section 2, symbol for symbol. Serves every formulation; without
// constraints the augmented terms vanish.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "integration/integrator.hpp"
#include "integration/projection.hpp"
#include "integration/step_controller.hpp"
#include "math/linear_solver.hpp"

namespace cardan {

/// delta_m, delta_f, beta and gamma of the rule.
struct NewmarkRule {
  double dm = 0, df = 0, beta = 0.25, gamma = 0.5;

  static NewmarkRule trapezoidal() { return {}; }
  static NewmarkRule newmark(double xi);
  static NewmarkRule hht(double delta);
  static NewmarkRule generalized_alpha(double rho);
  static NewmarkRule for_options(const RunOptions& options);
};

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

  // Step control, THEORY section 3
  enum class Control { fixed, increment, residual, error, energy };
  Control control = Control::fixed;
  double first_step = 1e-3;  // s; a penalty given by the user is meant for it
  double step_min = 0, step_max = 1e300;
  double absolute = 1e-6, relative = 1e-6, velocity_factor = 10;  // of control by error and energy, see RunOptions
  bool fixed_penalty = false;  // alpha stays when the step changes, instead of alpha <- alpha (h_old / h_new)^2

  static NewmarkSettings for_options(const RunOptions& options, double length);
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

 private:
  double kappa(const State& state, double h) const;
  void begin_control(State& state) const;
  StepStatus controlled_step(State& state, double h_most);
  double error(double h) const;
  double energy_error(State& state, double h) const;
  void remember(State& state, double h) const;
  StepStatus iterate(State& state, double h);
  void set_weight(double h);
  void newmark_expressions(double h);
  bool assemble_and_factorize(double h);
  double rate_tolerance(const VecX& x) const;
  void project_velocity();
  void project_acceleration();
  bool has_converged(double next_increment, double first_increment, double phi, double h) const;

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::unique_ptr<LinearSolver> solver_;
  Index1Acceleration acceleration_;  // for the start alone
  Projection projection_;
  NewmarkRule rule_;
  NewmarkSettings settings_;
  StepController controller_;
  EnergyMeter meter_;

  // Buffers of a step, sized by start().
  State before_;
  VecX q_, v_, a_, A_, lambda_;  // iterates
  VecX moved_;                   // sum of the increments, n
  VecX weight_;                  // c b h^2 alpha, m
  VecX tangent_;                 // T on the pattern
  VecX rhs_;                     // n
};

}  // namespace cardan
