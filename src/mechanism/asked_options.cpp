#include "mechanism/asked_options.hpp"

#include "mechanism/automatic_formulation.hpp"
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
  // The choice depends on the integrator, which may be another one than the model's.
  if (given.formulation.value_or(mechanism.simulation.formulation.value_or(kAutomatic)) == kAutomatic)
    options.formulation = kAutomatic;
  resolve_formulation(options, mechanism);
  // Settings of the model that belong to its own method lapse when another is asked for.
  if (given.formulation || given.integrator || given.treatment || given.step_control)
    options = without_foreign_options(options);
  SimulationDefaults rest = given;
  rest.formulation = options.formulation;
  options.apply(rest);
  options.check();
  refuse_foreign_options(options, given);
  return options;
}

}  // namespace cardan
