// A forklift that tips over: variable step and variable penalty where contacts are hard. README.md in this folder.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_forklift_study(StudyContext& context);

}  // namespace cardan
