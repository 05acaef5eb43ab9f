// Why a step failed, for the summary: when, what, which element is worst, what was tried, what to do.
#pragma once

#include <span>
#include <string>

#include "simulation/phase_set.hpp"

namespace cardan {

/// `h`: the step that was asked for; `steps_before`: lengths of those that went well, latest first.
std::string failure_reason(const Phase& phase, const Mechanism& mechanism, const RunOptions& options, StepStatus status,
                           double h, std::span<const double> steps_before);

/// "driver 'd' jumps by 1 at 0.1 s": one whose position is not continuous between t and t + h; empty where there is
/// none.
std::string jumping_driver(const Mechanism& mechanism, double t, double h);

}  // namespace cardan
