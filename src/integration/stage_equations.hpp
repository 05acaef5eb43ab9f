// What a Runge-Kutta method asks of the equations of motion: the acceleration of a stage, and the end of a step with
// positions and velocities projected onto the constraints. Redundant constraints are left out: see
// independent_rows.hpp. Close to singular positions the reactions have a pole and the accelerations of what is hardly
// constrained could be anything: there they go on as they were, and weak() says so; or, next to the constraints, they
// are found from both sides of the singular position.
#pragma once

#include "integration/independent_rows.hpp"
#include "integration/index1_acceleration.hpp"
#include "integration/integrator.hpp"
#include "integration/projection.hpp"

namespace cardan {

class StageEquations {
 public:
  StageEquations(const Formulation& formulation, Workspace& work, const std::string& solver, double length);

  /// After the constraints were analysed at `state`, with its equations in the workspace: chooses the rows that its
  /// steps go by.
  void start(const ConstraintAnalysis& analysis, State& state);
  /// w = kappa * effective mass for the rows that steps from `state` go by.
  void set_weight(double kappa, const State& state);
  const VecX& weight() const { return weight_; }
  Index1Acceleration& acceleration() { return acceleration_; }
  const char* solver_name() const { return solver_->name(); }

  /// `a` and `lambda` are those of a moment before and become those of (t, q, v). Counts into the report. `placed`: the
  /// workspace holds the position of (t, q), as project() leaves it.
  StepStatus accelerate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a, VecX& lambda,
                        StepReport& report, bool placed = false);
  /// The same where q and v are next to the constraints, in or at the end of a step of h seconds: at a singular
  /// position from both sides of it.
  StepStatus accelerate_through(double t, double h, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                VecX& lambda, StepReport& report, bool placed = false);
  /// Projects positions and velocities with M + Phi_q^T w Phi_q, the mass matrix being that of the last stage. The
  /// workspace then holds the position. Does nothing without constraints.
  StepStatus project(double t, const State& reference, VecX& q, VecX& v, StepReport& report);
  /// After project() and accelerate() at the end of a step: true when rows that were left out do not follow from those
  /// kept and others were chosen. Both calls are then to be made again.
  bool choose_others(const VecX& v, const VecX& a, State& state);
  /// At an accepted state whose step was weak: the rows may be a bad choice by now, and what they feel has changed.
  /// False when there are no redundant constraints.
  bool choose_again(State& state);
  /// The same where there are none: only what constraints feel is found anew.
  bool weigh_again(State& state);

  /// True where there are redundant constraints.
  bool chooses_rows() const { return !rows_.empty(); }

  bool weak() const { return weak_; }
  /// The smallest singular value of the constraints that an acceleration since clear_weak() has met, relative to the
  /// assembled position.
  double weakest() const { return weakest_; }
  void clear_weak() { weak_ = false, weakest_ = 1; }

 private:
  bool choose(State& state);
  void weigh(State& state);
  bool add_side(double t, double later, double part, const VecX& q, const VecX& v, const State& reference,
                StepReport& report);

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  std::unique_ptr<LinearSolver> solver_;
  Index1Acceleration acceleration_;
  Projection projection_;
  IndependentRows rows_;
  double length_;
  VecX mass_;                      // m: effective masses at the start
  VecX weight_;                    // m
  VecX position_weight_;           // m: of constraints on positions alone
  int multiplier_iterations_ = 8;  // at most; away from singular positions two are enough with strong penalties
  VecX prior_lambda_;              // m
  VecX prior_, column_;            // n
  VecX side_q_, side_v_, side_a_;  // n: a moment before or after a singular position
  VecX side_lambda_;               // m
  VecX from_sides_;                // n: the acceleration that both sides lead to
  double kappa_ = 1;               // strength of the weights
  double weakest_ = 1;
  bool weak_ = false;  // an acceleration since clear_weak() was hardly constrained
};

}  // namespace cardan
