// The names of the run-time choices, once: the reader, the command line, the messages and the documentation read them
// here.
#pragma once

#include <span>
#include <string_view>

namespace cardan {

struct RegistryEntry {
  std::string_view name;
  std::string_view summary;
};

std::span<const RegistryEntry> formulations();
/// The same and "auto": what a run can be asked for.
std::span<const RegistryEntry> formulation_choices();
std::span<const RegistryEntry> integrators();
/// The same and "auto".
std::span<const RegistryEntry> integrator_choices();
std::span<const RegistryEntry> treatments();
std::span<const RegistryEntry> solvers();
std::span<const RegistryEntry> step_controls();
std::span<const RegistryEntry> jacobian_rules();
std::span<const RegistryEntry> starts();

/// Empty when the integrator works on that formulation, otherwise a clause that says why it does not.
std::string_view why_not(std::string_view formulation, std::string_view integrator);
/// True for integrators that choose their steps, unless told otherwise; `step` is then where samples are taken.
bool chooses_steps(std::string_view formulation, std::string_view integrator);

}  // namespace cardan
