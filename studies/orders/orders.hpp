// The study `orders`: the order of every integrator on every formulation, measured.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_orders_study(StudyContext& context);

}  // namespace cardan
