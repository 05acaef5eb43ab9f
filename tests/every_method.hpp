// Every formulation with every integrator that goes with it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cardan/registry.hpp"
#include "last_sample.hpp"

namespace cardan {

/// Calls `visit` with the options of each and gives how many there were. `tolerance`: absolute and relative, of those
/// that choose their steps.
template <class Visit>
int with_every_method(double step, double until, double tolerance, const Visit& visit) {
  int count = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      RunOptions options = options_of(std::string(formulation.name), step, until, std::string(integrator.name));
      if (chooses_steps(formulation.name, integrator.name))
        options.absolute_tolerance = options.relative_tolerance = tolerance;
      visit(options);
      ++count;
    }
  }
  return count;
}

}  // namespace cardan
