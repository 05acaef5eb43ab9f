// Which options mean something to which algorithm. What an algorithm cannot honour is refused by name, never left out
// in silence.
#pragma once

#include <string>

#include "cardan/run_options.hpp"

namespace cardan {

/// Throws std::invalid_argument for the first option that differs from its default and that this integrator on this
/// formulation has no use for: it names the option, says why, and what to do.
void refuse_foreign_options(const RunOptions& options);

/// The same for options that somebody gives, even if it is their default that he asks for; as the command line calls
/// them.
void refuse_foreign_options(const RunOptions& options, const SimulationDefaults& given);

/// Why a formulation has no use for joints to open loops at; null when it has.
const char* why_no_cut(const std::string& formulation);

/// The same options with those that would be refused left at their defaults: for runs of a model by another method than
/// the one that the model's own settings are for.
RunOptions without_foreign_options(RunOptions options);

}  // namespace cardan
