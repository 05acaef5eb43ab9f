// Which formulation, integrator and tolerance hold a wanted error with the least work: what the integrator "auto"
// stands for where an error is asked for. Found by trial runs of the mechanism itself, since what errors of single
// steps grow to, and whether stability or accuracy bounds the steps of explicit rules, is a matter of the whole motion.
//
// A trial is a run with Richardson's companion (error_estimate.hpp), at four times the tolerance: where errors go with
// tolerance^s the two differ by (4^s - 1) e, e being the error of the trial, and the next one has the tolerance times
// (wanted/e)^(1/s). Work is counted in evaluations of accelerations, so that the
// choice is the same on every machine and whenever a run is taken up again.
#pragma once

#include <vector>

#include "cardan/simulation.hpp"
#include "mechanism/automatic_formulation.hpp"

namespace cardan {

/// Puts names in the place of every "auto", by trial runs where the integrator is and an error is asked for; `error`
/// has done its work then and is left out. `trials`, where not null, receives what was tried. Answers why.
MethodReasons choose_method(RunOptions& options, const Mechanism& mechanism,
                            std::vector<MethodTrial>* trials = nullptr);

}  // namespace cardan
