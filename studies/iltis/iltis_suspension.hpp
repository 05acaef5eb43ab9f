// One suspension of the Iltis down a kerb: the published energy balance and ours.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_iltis_suspension_study(StudyContext& context);

}  // namespace cardan
