#include "options/method.hpp"

#include <stdexcept>
#include <string>

#include "options/integrators.hpp"

namespace cardan {

Method method_of(std::string_view formulation, std::string_view integrator) {
  // Before it is known what it will be: what goes with the integrator.
  if (formulation == "auto") formulation = why_not("hybrid", integrator).empty() ? "hybrid" : "cartesian";
  if (const std::string_view reason = why_not(formulation, integrator); !reason.empty()) {
    throw std::invalid_argument("the integrator " + std::string(integrator) + " does not work on the formulation " +
                                std::string(formulation) + ": " + std::string(reason));
  }
  const IntegratorEntry& entry = integrator_entry(integrator);
  const bool recursive = formulation == "recursive";
  const bool independent = formulation == "cartesian" && entry.in_independent;
  switch (entry.family) {
    case Family::newmark:
      return recursive ? Method::fixed_point : independent ? Method::state_space : Method::newmark;
    case Family::explicit_runge_kutta:
      if (entry.chooses_steps) return Method::adaptive_runge_kutta;
      return recursive ? Method::direct_runge_kutta : independent ? Method::explicit_state_space : Method::runge_kutta;
    case Family::implicit_runge_kutta:
      return independent ? Method::state_space : Method::implicit_runge_kutta;
    case Family::bdf:
      return Method::bdf;
  }
  throw std::invalid_argument("no integrator is called '" + std::string(integrator) + "'");
}

}  // namespace cardan
