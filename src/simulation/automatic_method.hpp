// Which formulation, integrator and tolerance hold a wanted error with the least work: what the integrator "auto"
// stands for where an error is asked for. Found by trial runs of the mechanism itself, since what errors of single
// steps grow to, and whether stability or accuracy bounds the steps of explicit rules, is a matter of the whole motion.
//
// How a method is run with looser and tighter tolerances until it holds the error is in method_calibration.hpp. Work is
// counted in evaluations of accelerations, so that the choice is the same on every machine and whenever a run is taken
// up again.
#pragma once

#include <vector>

#include "cardan/simulation.hpp"
#include "mechanism/automatic_formulation.hpp"
#include "simulation/trial_motion.hpp"

namespace cardan {

struct ChosenMethod {
  MethodReasons because;
  std::vector<MethodTrial> trials;  // what was tried, for a wanted error
  PoseDifference off = {-1, 0, 0};  // of the run that was chosen, where that is known
  double length = 1;                // size of the mechanism, m
};

/// Puts names in the place of every "auto", by trial runs where the integrator is and an error is asked for; `error`
/// has done its work then and is left out.
ChosenMethod choose_method(RunOptions& options, const Mechanism& mechanism);

}  // namespace cardan
