// The study `robustness`: many random mechanisms, places and steps, with every method; how many runs are wrong, and how
// many of those say nothing of it.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_robustness_study(StudyContext& context);

}  // namespace cardan
