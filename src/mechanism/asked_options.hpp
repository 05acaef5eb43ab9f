// The options of a run that somebody asks for: those of the model, with others in their place.
#pragma once

#include "cardan/mechanism.hpp"
#include "cardan/run_options.hpp"

namespace cardan {

/// Throws std::invalid_argument for what cannot be, and for what is given although the method has no use for it.
/// Settings of the model that belong to its own method lapse when another is asked for. "auto" stays: whoever runs it
/// puts a name in its place, and says why.
RunOptions asked_options(const Mechanism& mechanism, const SimulationDefaults& given);

}  // namespace cardan
