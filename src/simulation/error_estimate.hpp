// How far a run is off, by Richardson's comparison: a companion takes the same way with twice the step. With a rule of
// order p the error is e = c h^p, so that the companion is off by 2^p e, and the two differ by (2^p - 1) e. Where the
// error of a step is held by a tolerance, h^(p+1) goes with that, and the companion has 32 times the tolerance: of e
// then r - 1 times, r = 32^(p/(p+1)). Errors are those of the bodies' poses, in sizes of the mechanism or in radians,
// and the largest on the way counts: what grows is seen to grow, what is damped is seen to be forgotten, and what is
// chaotic says so.
//
// The companion costs half of what the run does, none of which is counted as the run's own.
#pragma once

#include <span>
#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

class ErrorEstimate {
 public:
  static constexpr double kLooser = 32;  // times the tolerance: half the steps of a method of order 5
  /// `options`: of the run, with a constant step or one by the error. `looser`: how many times the tolerance the
  /// companion has.
  ErrorEstimate(const Mechanism& mechanism, const RunOptions& options, double looser = kLooser);
  /// Steps by Newton's iteration or by the energy say nothing of what another tolerance would change.
  static bool is_made_with(const RunOptions& options);

  /// After every step of the run.
  void see(Simulation& simulation);
  /// After the last, when the run has come to its end.
  void finish(Simulation& simulation);
  /// The largest difference of the two so far; not a number where the companion did not get through.
  double largest_difference() const;
  /// Writes into the summary what was found, with a warning where the motion is not resolved. Nothing is known of a run
  /// that failed, nor of one whose companion did: what came after that would count as no error at all.
  void report(RunSummary& summary) const;

  /// As Simulation::save() and restore(): what the companion needs to go on.
  std::size_t record_size();
  std::size_t save(double* numbers);
  bool restore(std::span<const double> record);

 private:
  void report_constant(RunSummary& summary) const;
  void report_chosen(RunSummary& summary) const;
  void report_failure(RunSummary& summary) const;
  double estimate() const;
  bool companion_failed() const { return failed_ >= 0; }
  void catch_up();
  StepStatus go_to(double time);
  int order() const;
  void compare(const double* poses);

  static constexpr int kEntry = 12;         // numbers of a pose
  static constexpr std::size_t kRoom = 64;  // places kept: the run is not slowed by the companion's use of the cache

  const Mechanism& mechanism_;
  const RunOptions options_;  // of the run
  Simulation companion_;
  const double looser_;
  const int apart_;                    // steps of the run between two places that are compared
  std::vector<double> times_, poses_;  // where the run was
  std::vector<double> own_;            // the companion's poses
  std::size_t waiting_ = 0;            // places that the companion has not come to yet
  // What goes on in a restored run:
  double steps_ = 0;
  double largest_ = 0, time_ = 0;  // difference, and when
  double body_ = -1;
  double failed_ = -1;  // s: when the companion failed, which ends the comparison; -1: it has not
};

}  // namespace cardan
