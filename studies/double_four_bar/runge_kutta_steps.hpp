// Runge-Kutta methods on the double four-bar: which steps are usable, and what ten seconds of motion cost.
#pragma once

#include "cardan/mechanism.hpp"
#include "studies/study.hpp"

namespace cardan {

/// Prints two tables and writes runge_kutta_steps.csv.
void run_runge_kutta_steps(const Mechanism& linkage, double closed_form_angle, const StudyContext& context);

}  // namespace cardan
