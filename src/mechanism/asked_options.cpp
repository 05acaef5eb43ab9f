#include "mechanism/asked_options.hpp"

#include "mechanism/automatic_formulation.hpp"
#include "options/applicable_options.hpp"

namespace cardan {

RunOptions asked_options(const Mechanism& mechanism, const SimulationDefaults& given) {
  RunOptions options;
  options.apply(mechanism.simulation);
  SimulationDefaults method;
  method.formulation = given.formulation;
  method.integrator = given.integrator;
  method.treatment = given.treatment;
  method.step_control = given.step_control;
  method.error = given.error;
  options.apply(method);
  const std::string formulation = options.formulation, integrator = options.integrator;
  // With an error to hold, trial runs choose; they begin with the run.
  const bool by_trials = options.integrator == kAutomatic && options.error;
  if (!by_trials) resolve_method(options, mechanism);
  // Settings of the model that belong to its own method lapse when another is asked for.
  if (given.formulation || given.integrator || given.treatment || given.step_control || given.error)
    options = without_foreign_options(options);
  SimulationDefaults rest = given;
  rest.formulation = options.formulation;
  rest.integrator = options.integrator;
  options.apply(rest);
  options.check();
  refuse_foreign_options(options, given);
  options.formulation = formulation;
  options.integrator = integrator;
  return options;
}

}  // namespace cardan
