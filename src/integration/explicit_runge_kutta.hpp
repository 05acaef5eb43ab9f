// Explicit Runge-Kutta methods on every formulation: y = (q, v), accelerations by the index-1 augmented Lagrangian,
// positions and velocities projected at the end of the step (docs/theory/runge-kutta.md). With an embedded method the
// steps are chosen by its error and samples come from dense output; without, the step is constant.
#pragma once

#include <memory>
#include <utility>

#include "integration/butcher_tableau.hpp"
#include "integration/integrator.hpp"
#include "integration/runge_kutta_settings.hpp"
#include "integration/stage_equations.hpp"
#include "integration/step_controller.hpp"

namespace cardan {

class ExplicitRungeKutta final : public Integrator {
 public:
  ExplicitRungeKutta(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                     const RungeKuttaSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  bool chooses_steps() const override { return tableau_.embedded_order > 0; }
  void interpolate(double t, State& state) const override;
  const char* solver_name() const override { return equations_.solver_name(); }

 private:
  /// Both begin where before_ stands.
  StepStatus constant_step(State& state, double h);
  StepStatus try_in_parts(State& state, double h);
  void keep_entry();
  StepStatus careful_step(State& state, double h);
  StepStatus controlled_step(State& state, double h_most);
  /// `through`: stages at singular positions are found from both sides of these, and not weak.
  StepStatus try_step(const ButcherTableau& tableau, State& state, double h, bool through);
  void combine(double h, const double* weights, Eigen::Index apart, int count);
  StepStatus end_step(double t1, State& state);
  bool stages_disagree() const;
  double error(const ButcherTableau& pair, double h) const;

  const ButcherTableau& tableau_;
  std::pair<int, int> twins_;  // stages that stages_disagree() compares
  RungeKuttaSettings settings_;
  StepController controller_;
  StageEquations equations_;

  // Buffers of a step, sized by start().
  State before_;  // at the start of the part under way
  State entry_;   // at the start of the whole step, once they differ
  bool entry_kept_ = false;
  Eigen::MatrixXd stage_v_, stage_a_;  // n x s
  VecX q_, v_, A_, lambda_;            // of a stage, and at the end of the step before its references are renewed
  double taken_ = 0;                   // length of the last step, s
};

}  // namespace cardan
