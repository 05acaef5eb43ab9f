// What a Runge-Kutta method asks of the equations of motion: the acceleration of a stage, and the projection of
// positions and velocities onto the constraints at the end of a step. Close to singular positions the reactions have a
// pole and the accelerations of what is hardly constrained could be anything: there they go on as they were, and weak()
// says so.
#pragma once

#include "integration/index1_acceleration.hpp"
#include "integration/integrator.hpp"
#include "integration/projection.hpp"

namespace cardan {

class StageEquations {
 public:
  StageEquations(const Formulation& formulation, Workspace& work, const std::string& solver, double length);

  /// w = kappa * effective mass
  void set_weight(double kappa, const ConstraintAnalysis& analysis) {
    weight_ = kappa * analysis.effective_mass;
    multiplier_iterations_ = kappa < 1e4 ? 20 : 8;
  }
  const VecX& weight() const { return weight_; }
  Index1Acceleration& acceleration() { return acceleration_; }
  const char* solver_name() const { return solver_->name(); }

  /// `a` and `lambda` are those of a moment before and become those of (t, q, v). Counts into the report.
  StepStatus accelerate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a, VecX& lambda,
                        StepReport& report);
  /// With M + Phi_q^T w Phi_q; the mass matrix is that of the last stage. Does nothing without constraints.
  StepStatus project(double t, const State& reference, VecX& q, VecX& v, StepReport& report);

  bool weak() const { return weak_; }
  void clear_weak() { weak_ = false; }

 private:
  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::unique_ptr<LinearSolver> solver_;
  Index1Acceleration acceleration_;
  Projection projection_;
  double length_;
  VecX weight_;                    // m
  int multiplier_iterations_ = 8;  // at most; away from singular positions two are enough with strong penalties
  VecX prior_, prior_lambda_;      // n, m
  bool weak_ = false;              // an acceleration since clear_weak() was hardly constrained
};

}  // namespace cardan
