// The study `double-four-bar`; see README.md beside this file for what it does and what its files hold.
#pragma once

#include "studies/study.hpp"

namespace cardan {

void run_double_four_bar_study(StudyContext& context);

}  // namespace cardan
