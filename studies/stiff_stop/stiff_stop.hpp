// The study `stiff-stop`: what variable step and variable penalty are worth on a mechanism that hits a stiff stop
// (variable-step-variable-penalty-2015).
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_stiff_stop_study(StudyContext& context);

}  // namespace cardan
