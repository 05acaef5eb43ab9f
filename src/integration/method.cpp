#include "integration/method.hpp"

#include <stdexcept>
#include <string>

#include "cardan/registry.hpp"

namespace cardan {

Method method_of(std::string_view formulation, std::string_view integrator) {
  if (const std::string_view reason = why_not(formulation, integrator); !reason.empty()) {
    throw std::invalid_argument("the integrator " + std::string(integrator) + " does not work on the formulation " +
                                std::string(formulation) + ": " + std::string(reason));
  }
  const bool recursive = formulation == "recursive", cartesian = formulation == "cartesian";
  if (integrator == "rk4" && recursive) return Method::direct_runge_kutta;
  if (integrator == "trapezoidal" && recursive) return Method::fixed_point;
  if ((integrator == "rk4" && cartesian) || integrator == "abm2") return Method::explicit_state_space;
  if ((integrator == "trapezoidal" || integrator == "sdirk4") && cartesian) return Method::state_space;
  if (integrator == "rk4") return Method::runge_kutta;
  if (integrator == "dopri5") return Method::dopri5;
  if (integrator == "sdirk3" || integrator == "sdirk4") return Method::sdirk;
  if (integrator == "bdf") return Method::bdf;
  for (const char* name : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
    if (integrator == name) return Method::newmark;
  }
  throw std::invalid_argument("no integrator is called '" + std::string(integrator) + "'");
}

}  // namespace cardan
