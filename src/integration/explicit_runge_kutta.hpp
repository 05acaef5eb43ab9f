// Explicit Runge-Kutta methods on every formulation: y = (q, v), accelerations by the index-1 augmented Lagrangian, positions
// and velocities projected at the end of the step (THEORY section 4). With an embedded method the steps are chosen by its
// error and samples come from dense output; without, the step is constant.
#pragma once

#include <memory>

#include "integration/butcher_tableau.hpp"
#include "integration/integrator.hpp"
#include "integration/projection.hpp"
#include "integration/step_controller.hpp"

namespace cardan {

struct RungeKuttaSettings {
  std::string solver = "automatic";
  double tolerance = 1e-6;       // of the error of a step, absolute and relative (lengths: times the size of the mechanism)
  double first_step = 1e-3;      // s, for methods that choose their steps
  double step_min = 0, step_max = 1e300;
  bool projections = true;
  double kappa = 1e6;            // strength of the penalties: w = kappa * effective mass
  int multiplier_iterations = 8; // away from singular positions two are enough
  double length = 1;             // size of the mechanism, m

  static RungeKuttaSettings for_options(const RunOptions& options, double length);
};

class ExplicitRungeKutta final : public Integrator {
 public:
  ExplicitRungeKutta(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                     const RungeKuttaSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return tableau_.embedded_order > 0; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override { return solver_->name(); }

 private:
  StepStatus constant_step(State& state, double h);
  StepStatus controlled_step(State& state, double h_most);
  StepStatus try_step(State& state, double h);
  StepStatus accelerate(double t, const VecX& q, const VecX& v, VecX& a);
  StepStatus project(double t);
  double error(double h) const;

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  const ButcherTableau& tableau_;
  RungeKuttaSettings settings_;
  StepController controller_;
  std::unique_ptr<LinearSolver> solver_;
  Index1Acceleration acceleration_;
  Projection projection_;

  // Buffers of a step, sized by start().
  State before_, entry_;               // at the start of the part under way, and of the whole step
  Eigen::MatrixXd stage_v_, stage_a_;  // n x s
  VecX q_, v_, A_, lambda_;            // of a stage, and at the end of the step before its references are renewed
  VecX prior_, prior_lambda_;          // acceleration and multipliers of the stage before
  VecX weight_;                        // m
  double taken_ = 0;                   // length of the last step, s
  bool weak_ = false;                  // a stage of it fell on a singular position
};

}  // namespace cardan
