// One implicit stage in independent coordinates: Psi(v'') = 0 with v = v~ + b v'', v' = v~' + g v'' (the paper's Eqs.
// 14 to 16), by Newton with the exact Jacobian M^ + g C^ + b K^, formed anew in every iteration or kept over iterations
// and steps and renewed when convergence slows. Kept are M^, C^ and K^, so that a change of step costs no new
// derivatives.
#pragma once

#include <Eigen/LU>

#include "integration/state_space/independent_motion.hpp"

namespace cardan {

/// Independent coordinates with their derivatives at one time.
struct IndependentState {
  double t = 0;
  VecX v, rate, second;  // f
  void resize(int f) { v = rate = second = VecX::Zero(f); }
};

/// What counts as one unit of error in v and in v'.
struct ErrorUnits {
  VecX position, velocity;  // f
};

struct NewtonSettings {
  bool keep_jacobian = true;
  double accuracy = 0.01;       // estimated rest of the iteration, in error units
  double first_accuracy = 0.1;  // part of it where the rate comes from another stage
  double slow = 0.2;  // a kept Jacobian is renewed when an increment is not smaller than this part of the last one
  int iteration_limit = 30;  // with a fresh Jacobian
};

class ImplicitStage {
 public:
  ImplicitStage(IndependentMotion& motion, const NewtonSettings& settings) : motion_(motion), settings_(settings) {}
  void resize(int f);

  /// To be called before the first stage of every step: the rate of convergence is measured anew in it.
  void begin_step() { rate_ = 1; }
  /// `x.second` holds the guess, and v, v' and v'' of the solution afterwards.
  StepStatus solve(double t, const VecX& v_past, const VecX& rate_past, double b, double g, const ErrorUnits& units,
                   IndependentState& x);
  /// x <- (M^ + g C^ + b K^)^-1 x with the matrices of the last solve()
  void apply_inverse(VecX& x);
  const Eigen::MatrixXd& mass() const { return mass_; }
  const Eigen::MatrixXd& stiffness() const { return stiffness_; }

  /// Iterations since reset_counts(), and the norm (in error units) of the last increments, newest first.
  int iterations() const { return iterations_; }
  void reset_counts() { iterations_ = 0; }
  double increment() const { return increments_[0]; }
  const double* last_increments() const { return increments_; }
  int worst() const { return worst_; }

  /// The matrices kept from step to step, as part of State::memory.
  static int memory_size(int f) { return 1 + 3 * f * f; }
  void recall(Eigen::Ref<const VecX> memory);
  void store(Eigen::Ref<VecX> memory) const;
  void forget() { valid_ = false; }

 private:
  double norm(double b, double g, const ErrorUnits& units);
  void factorize(double b, double g);

  IndependentMotion& motion_;
  NewtonSettings settings_;
  bool valid_ = false;
  Eigen::MatrixXd mass_, damping_, stiffness_, matrix_;  // f x f
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  VecX psi_, increment_;
  int iterations_ = 0, worst_ = -1;
  double rate_ = 1;  // by which increments shrank in the stages before, of the same step; 1 when not known
  double increments_[3] = {0, 0, 0};
};

}  // namespace cardan
