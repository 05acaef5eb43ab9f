// The loosest tolerance with which a method holds a wanted error, found by runs of the mechanism itself.
//
// Runs are measured against the finest of them: where errors go with tolerance^s two runs at the tolerances t and t_f
// differ by e (1 - (t_f / t)^s), e being the error of the looser one. With t_f a sixth of t or less that is most of the
// error, whatever s is, so that what is accepted has been measured and not extrapolated.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "simulation/trial_motion.hpp"

namespace cardan {

/// A method that chooses its steps.
struct MethodCandidate {
  const char* formulation;  // null: that of the mechanism
  const char* integrator;
  bool by_control;  // of a rule of constant step, by its error
};

class MethodCalibration {
 public:
  static constexpr double kUnbound = std::numeric_limits<double>::infinity();

  /// `asked`: with the wanted error. `trials` receives what is tried.
  MethodCalibration(const Mechanism& mechanism, const RunOptions& asked, const MethodCandidate& candidate,
                    std::vector<MethodTrial>& trials);

  /// Looks for the loosest tolerance that holds the error, as long as runs are not expected to take more than
  /// `most_work`.
  void calibrate(double most_work);
  /// What an error would cost that a rule of this order is not made for: from runs at a larger one.
  double foreseen_work(double larger_error);

  bool holds() const { return best() >= 0; }
  /// With the tolerance that holds the error, or else with that which comes nearest.
  RunOptions options() const;
  const MethodReasons& because() const { return because_; }
  /// How far off the run with options() is; a size of -1: not known.
  PoseDifference off() const;
  double work() const;
  double length() const { return length_; }  // size of the mechanism, m

 private:
  struct TrialRun {
    double tolerance, work;
    TrialMotion motion;
    std::size_t trial;  // which one of trials_
    PoseDifference off = {-1, 0, 0};
    bool is_measured = false;  // against one that is finer by far
    double error() const { return off.size; }
  };

  bool attempt(double tolerance, double most_work);
  void judge();
  int best() const;
  int nearest() const;
  const TrialRun* chosen() const;
  /// The next tolerance to try; 0: it is good as it is.
  double next() const;
  double next_between(const TrialRun& good, double bad) const;
  double foreseen_tolerance(const TrialRun& run) const;
  double least() const;
  double loosest() const;
  double aim() const;

  const Mechanism& mechanism_;
  const double wanted_;
  const MethodCandidate candidate_;
  std::vector<MethodTrial>& trials_;
  RunOptions options_;
  MethodReasons because_;
  double power_, order_, length_ = 1;
  double failed_loose_ = kUnbound;  // tolerance: this one and looser ones do not get through
  double failed_tight_ = 0;         // likewise, tighter ones
  int runs_made_ = 0;
  std::vector<TrialRun> runs_;  // those that came to their end, the loosest first
};

}  // namespace cardan
