// Every formulation with every integrator that goes with it, in every treatment of constraints.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "options/method.hpp"

namespace cardan {

inline std::string name_of(const RunOptions& options) {
  return options.formulation + " " + options.integrator + (options.treatment ? " " + *options.treatment : "");
}

/// The options of each; a treatment is given where it is not the method's own.
inline std::vector<RunOptions> every_method(double step, double until) {
  std::vector<RunOptions> all;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      RunOptions options = options_of(std::string(formulation.name), step, until, std::string(integrator.name));
      const std::string own = treatment_of(options);
      all.push_back(options);
      for (const RegistryEntry& treatment : treatments()) {
        options.treatment = std::string(treatment.name);
        if (own == treatment.name || options.formulation != "cartesian" || method_of(options) == Method::bdf) continue;
        all.push_back(options);
      }
    }
  }
  return all;
}

/// Calls `visit` with the options of each and gives how many there were. `tolerance`: absolute and relative, of those
/// that choose their steps.
template <class Visit>
int with_every_method(double step, double until, double tolerance, const Visit& visit) {
  const std::vector<RunOptions> all = every_method(step, until);
  for (RunOptions options : all) {
    SCOPED_TRACE(name_of(options));
    if (step_control_of(options) == "error") options.absolute_tolerance = options.relative_tolerance = tolerance;
    visit(options);
  }
  return static_cast<int>(all.size());
}

}  // namespace cardan
