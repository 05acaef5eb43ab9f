// Whether runs that end well are right, or say that they may not be: random mechanisms with every method, each against
// a reference. A run is right within a hundred tolerances, or a hundred times the error that it says it has.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "studies/study.hpp"

namespace cardan {

inline constexpr double kAllowed = 100;  // times the tolerance, or the error that the run itself says it has
inline constexpr double kLeast = 1e-8;   // of the size, or rad: what Newton's iteration and rounding leave

/// One run of one mechanism.
struct JudgedRun {
  unsigned seed = 0;
  std::string kind, formulation, integrator;
  std::string status;    // "ok", "failed", "refused"
  double error = 0;      // of places in sizes of the mechanism, or of turns in rad: the largest at five instants
  double estimate = -1;  // what the run says of it; -1: nothing
  double tolerance = 0;  // of steps that are chosen by it, else 0
  double usual = 0;      // the median of the rule's errors in all formulations; 0 where steps are chosen
  double violation = 0;  // of the constraints' positions, in sizes
  bool warned = false;   // of energy, joints that open, motion that is not resolved, or a singular start
  std::string said;      // the warnings, or why it failed

  bool ok() const { return status == "ok"; }
  double allowed() const { return kAllowed * std::max({tolerance, estimate, kLeast}); }
  bool off() const { return ok() && !(error <= allowed()); }
  bool silent() const { return off() && !warned; }
  /// Whatever it says of itself: far from what the rule does in other formulations.
  bool apart() const { return ok() && usual > 0 && !(error <= kAllowed * usual); }
};

/// All methods on the mechanism of that seed; empty where two references do not agree, so that nothing can be judged.
std::vector<JudgedRun> judge_methods(unsigned seed);

struct SilentFailures {
  int mechanisms = 0, judged = 0;  // those with a reference
  std::vector<JudgedRun> runs;
};
SilentFailures find_silent_failures(unsigned mechanisms, const StudyContext& context);

}  // namespace cardan
