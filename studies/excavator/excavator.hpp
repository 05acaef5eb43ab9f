// The digging cycle of an excavator with hydraulic cylinders: bucket path, pressures, power, balance of energy.
// README.md in this folder.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_excavator_study(StudyContext& context);

}  // namespace cardan
