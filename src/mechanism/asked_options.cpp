#include "mechanism/asked_options.hpp"

#include "options/applicable_options.hpp"

namespace cardan {

RunOptions asked_options(const Mechanism& mechanism, const SimulationDefaults& given) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  SimulationDefaults method;
  method.formulation = given.formulation;
  method.integrator = given.integrator;
  method.treatment = given.treatment;
  method.step_control = given.step_control;
  options.apply(method);
  // Settings of the model that belong to its own method lapse when another is asked for.
  if (given.formulation || given.integrator || given.treatment || given.step_control)
    options = without_foreign_options(options);
  options.apply(given);
  options.check();
  refuse_foreign_options(options, given);
  return options;
}

}  // namespace cardan
