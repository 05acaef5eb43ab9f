#include "options/method.hpp"

#include <stdexcept>
#include <string>

#include "options/integrators.hpp"

namespace cardan {

std::string integrator_of(const RunOptions& options) {
  return options.integrator == kAutomatic ? "trapezoidal" : options.integrator;
}

/// Before it is known what auto will be: what goes with the integrator.
static std::string formulation_of(const RunOptions& options) {
  if (options.formulation != kAutomatic) return options.formulation;
  if (!why_not("hybrid", options.integrator).empty()) return "cartesian";
  return options.treatment == "independent" ? "topological" : "hybrid";
}

/// Of the method that the options name. (On topological the formulation itself has independent coordinates, whatever
/// integrates them.)
static bool is_state_space(const RunOptions& options) {
  if (formulation_of(options) != "cartesian") return false;
  return options.treatment ? *options.treatment == "independent"
                           : integrator_entry(integrator_of(options)).in_independent;
}

Method method_of(const RunOptions& options) {
  const std::string formulation = formulation_of(options), integrator = integrator_of(options);
  if (const std::string_view reason = why_not(formulation, integrator); !reason.empty()) {
    throw std::invalid_argument("the integrator " + integrator + " does not work on the formulation " + formulation +
                                ": " + std::string(reason));
  }
  const IntegratorEntry& entry = integrator_entry(integrator);
  const bool recursive = formulation == "recursive", independent = is_state_space(options);
  switch (entry.family) {
    case Family::newmark:
      return recursive ? Method::fixed_point : independent ? Method::state_space : Method::newmark;
    case Family::explicit_runge_kutta:
      if (independent) return Method::explicit_state_space;
      if (entry.chooses_steps) return Method::adaptive_runge_kutta;
      return recursive ? Method::direct_runge_kutta : Method::runge_kutta;
    case Family::implicit_runge_kutta:
      return independent ? Method::state_space : Method::implicit_runge_kutta;
    case Family::bdf:
      return Method::bdf;
  }
  throw std::invalid_argument("no integrator is called '" + integrator + "'");
}

std::string treatment_of(const RunOptions& options) {
  if (method_of(options) == Method::bdf) return "index " + std::to_string(options.index);
  return formulation_of(options) == "topological" || is_state_space(options) ? "independent" : "augmented";
}

std::string step_control_of(const RunOptions& options) {
  if (options.step_control) return *options.step_control;
  const IntegratorEntry& entry = integrator_entry(integrator_of(options));
  return entry.chooses_steps || (entry.by_error_there && is_state_space(options)) ? "error" : "fixed";
}

}  // namespace cardan
