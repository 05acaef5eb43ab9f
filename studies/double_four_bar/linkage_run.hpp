// One run of the double four-bar for ten seconds and what the study asks of it at the end.
#pragma once

#include <limits>
#include <string>

#include "cardan/simulation.hpp"

namespace cardan {

inline constexpr double kStudyDuration = 10;  // s, as published

struct LinkageRun {
  RunSummary summary;
  double crank_angle_error =
      std::numeric_limits<double>::quiet_NaN();  // rad, within half a turn; NaN: it failed before
  double coupler_tilt = 0;                       // rad, the largest angle between a coupler and ground

  bool failed() const { return summary.status != RunStatus::ok; }
  double iterations_per_step() const;
  double microseconds_per_step() const;
};

/// `closed_form_angle`: of the rods from the upright, clockwise, at the end.
LinkageRun run_linkage(const Mechanism& linkage, RunOptions options, double closed_form_angle,
                       const RunControl& control = {});

}  // namespace cardan
