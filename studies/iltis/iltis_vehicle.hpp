// The Iltis vehicle over a ramp and stairs: the published tables with our numbers beside them. README.md in this
// folder.
#pragma once

#include "studies/study.hpp"

namespace cardan {

/// All formulations at 0.01 s and at their largest good step (table 4 of 2003).
void run_iltis_vehicle_study(StudyContext& context);
/// SDIRK against the trapezoidal rule (table 2 of 2005).
void run_iltis_sdirk_study(StudyContext& context);
/// Trapezoidal, dissipative Newmark, HHT and generalized-alpha (the comparison of 2004).
void run_iltis_structural_study(StudyContext& context);

}  // namespace cardan
