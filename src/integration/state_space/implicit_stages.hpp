// Implicit stages in independent coordinates, one or s that depend on each other: Psi(v_i'') = 0 with
//     v_i = v~_i + sum_j b_ij v_j'',   v_i' = v~_i' + sum_j g_ij v_j''
// (Eqs. 14 to 16 of [N], docs/theory/notation.md), by Newton with the exact Jacobian, whose block i, j is g_ij C^_i +
// b_ij K^_i, and M^_i beside it for i = j; formed anew in every iteration or kept over iterations and steps and renewed
// when convergence slows. Kept are M^, C^ and K^, so that a change of step costs no new derivatives.
#pragma once

#include <span>
#include <vector>

#include "integration/state_space/stage_matrix.hpp"

namespace cardan {

/// Independent coordinates with their derivatives at one time.
struct IndependentState {
  double t = 0;
  VecX v, rate, second;  // f
  VecX lead;             // of the algorithmic acceleration over v'', of rules that have one of their own, f
  void resize(int f) { v = rate = second = lead = VecX::Zero(f); }
};

/// What counts as one unit of error in v and in v', and how far rounding moves v.
struct ErrorUnits {
  VecX position, velocity, rounding;  // f
};

struct NewtonSettings {
  bool keep_jacobian = true;
  double accuracy = 0.01;       // estimated rest of the iteration, in error units
  double first_accuracy = 0.1;  // part of it where the rate comes from another stage
  double slow = 0.2;  // a kept Jacobian is renewed when an increment is not smaller than this part of the last one
  int iteration_limit = 30;  // with a fresh Jacobian
  bool kinks = false;  // laws may have them, as those of states: slow increments ask for the Jacobian of their place
};

class ImplicitStages {
 public:
  using Columns = Eigen::Ref<const Eigen::MatrixXd>;  // one for each stage

  /// `stages`: how many are found together.
  ImplicitStages(IndependentMotion& motion, const NewtonSettings& settings, int stages = 1)
      : motion_(motion), settings_(settings), count_(stages) {}
  void resize(int f);

  /// To be called before the first stage of every step: the rate of convergence is measured anew in it.
  void begin_step() { rate_ = 1; }
  /// Stages `x` with their times and guesses of v'', and v, v' and v'' of the solution afterwards. b and g
  /// have a row and a column for each.
  StepStatus solve(const Columns& v_past, const Columns& rate_past, const Eigen::MatrixXd& b, const Eigen::MatrixXd& g,
                   const ErrorUnits& units, std::span<IndependentState> x);
  /// With the matrices of the last solve().
  StageMatrix& matrix() { return *matrix_; }

  /// Iterations since reset_counts(), and the norm (in error units) of the last increments, newest first.
  int iterations() const { return iterations_; }
  void reset_counts() { iterations_ = 0; }
  double increment() const { return increments_[0]; }
  const double* last_increments() const { return increments_; }
  int worst() const { return worst_; }

  /// The matrices kept from step to step, as part of Context::memory.
  int memory_size() const { return 1 + matrix_->memory_size(); }
  void recall(Eigen::Ref<const VecX> memory);
  void store(Eigen::Ref<VecX> memory) const;
  void forget() { valid_ = false; }

 private:
  /// Of Newton's iteration.
  struct Course {
    int count = 0;        // increments before the last one
    bool fresh = false;   // the Jacobian is of this iteration
    int since_fresh = 0;  // increments
    double ratio = 0;     // of the last increment to the one before
    double slowest = 0;   // the largest of these
    double first = 0;     // increment
    double part = 1;      // of an increment that is taken
  };
  double see_increment(Course& course, double size);
  bool has_converged(const Course& course, const Eigen::MatrixXd& b, const ErrorUnits& units) const;
  bool is_lost(const Course& course) const;
  StepStatus given_up(StepStatus why);
  void place(const Columns& v_past, const Columns& rate_past, const Eigen::MatrixXd& b, const Eigen::MatrixXd& g,
             std::span<IndependentState> x) const;
  StepStatus find_residual(std::span<IndependentState> x, bool renew);
  double norm(const Eigen::MatrixXd& b, const Eigen::MatrixXd& g, const ErrorUnits& units);
  bool within_rounding(const Eigen::MatrixXd& b, const ErrorUnits& units) const;

  IndependentMotion& motion_;
  NewtonSettings settings_;
  bool valid_ = false;
  int count_;  // of stages found together
  std::unique_ptr<StageMatrix> matrix_;
  VecX part_;             // Psi of one stage, f
  VecX psi_, increment_;  // of all stages, f s
  VecX guess_;            // v'' that an iteration began with
  int iterations_ = 0, worst_ = -1;
  double rate_ = 1;  // by which increments shrank in the last stage of the same step, at least; 1 when not known
  double increments_[3] = {0, 0, 0};
};

}  // namespace cardan
