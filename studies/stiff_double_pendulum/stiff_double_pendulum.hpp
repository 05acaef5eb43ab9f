// `cardan study stiff-double-pendulum`: figures 2 to 7 of variable-step-implicit-1997 as tables and CSV.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_stiff_double_pendulum_study(StudyContext& context);

}  // namespace cardan
