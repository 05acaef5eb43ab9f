#include "simulation/contact_limits.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "mechanism/contact_memory.hpp"
#include "options/integrators.hpp"

namespace cardan {

void refuse_contacts_without_tangents(const Mechanism& mechanism, const RunOptions& options) {
  const long pairs = contact_pairs(mechanism);
  if (pairs <= kMostContactPairs || options.formulation == "recursive") return;
  if (integrator_entry(options.integrator).family == Family::explicit_runge_kutta) return;
  throw std::invalid_argument(
      fmt::format("the contacts have {} pairs that may touch, and more than {} have no tangents for the integrator {}; "
                  "choose rk4, or the formulation recursive",
                  pairs, kMostContactPairs, options.integrator));
}

}  // namespace cardan
