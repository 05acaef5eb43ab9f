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
std::span<const RegistryEntry> integrators();
std::span<const RegistryEntry> step_controls();
std::span<const RegistryEntry> solvers();

}  // namespace cardan
