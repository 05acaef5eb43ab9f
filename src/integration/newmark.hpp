// The Newmark family (trapezoidal, Newmark, HHT, generalized-alpha) by the index-3 augmented Lagrangian with projections of
// velocities and accelerations: THEORY section 2, symbol for symbol. Serves every formulation; without constraints the
// augmented terms vanish.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formulation/formulation.hpp"
#include "integration/penalties.hpp"
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
  std::optional<double> penalty;    // one number for all constraints
  std::optional<double> tolerance;  // on the norm of the increment
  int iteration_budget = 0;         // fixed number of iterations (0: until convergence)
  int iteration_limit = 60;         // a step that needs more has failed
  double kappa_smallest = 200;      // bounds of the automatic penalties' strength, see NewmarkIntegrator::kappa()
  double kappa_largest = 1e6;
  double length = 1;                // size of the mechanism, m: what the constraint tolerance is relative to
};

/// What a step tells of itself.
struct StepReport {
  int iterations = 0;
  int factorizations = 0;
  bool stagnated = false;
  bool repartitioned = false;
  double increment = 0;             // norm of the last one
  int worst_coordinate = -1;        // largest in the last increment
  int singular_coordinate = -1;     // whose pivot vanished
  double phi = 0, phi_rate = 0, phi_second = 0;  // violations after the step (the last two relative)
  int worst_phi = -1, worst_rate = -1, worst_second = -1;
};

class NewmarkIntegrator {
 public:
  NewmarkIntegrator(const Formulation& formulation, Workspace& work, std::unique_ptr<LinearSolver> solver,
                    const NewmarkRule& rule, const NewmarkSettings& settings);

  /// Consistent accelerations and multipliers at the start; sizes every buffer of the state.
  StepStatus start(State& state);
  /// One step. On failure the state is as before.
  StepStatus step(State& state, double h);

  const StepReport& report() const { return report_; }
  const ConstraintAnalysis& constraints() const { return analysis_; }
  const char* solver_name() const { return solver_->name(); }
  /// Smallest and largest penalty factor of the last step, or of a first step h.
  std::pair<double, double> penalty_range(const State& state, double h) const;

 private:
  double kappa(const State& state, double h) const;
  StepStatus iterate(State& state, double h);
  void newmark_rates(const State& before, double h, const VecX& q);
  bool assemble_and_factorize(double h);
  template <class Violation, class Correct>
  void project(const VecX& x, const Violation& violation, const Correct& correct);
  void project_velocity();
  void project_acceleration();
  void measure_violation();
  bool has_converged(double first_increment, double phi) const;

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::unique_ptr<LinearSolver> solver_;
  NewmarkRule rule_;
  NewmarkSettings settings_;
  ConstraintAnalysis analysis_;
  StepReport report_;

  // Buffers of a step, sized by start().
  State before_;
  VecX q_, v_, a_, A_, lambda_;  // iterates
  VecX weight_;                  // c b h^2 alpha, m
  VecX tangent_;                 // T on the pattern
  VecX rhs_, correction_;        // n
};

}  // namespace cardan
