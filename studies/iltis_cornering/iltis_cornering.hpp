// The driven Iltis around a circle against the bicycle model. README.md in this folder.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_iltis_cornering_study(StudyContext& context);

}  // namespace cardan
