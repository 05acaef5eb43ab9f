#include "simulation/contact_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "math/contact/contact_law.hpp"
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

ImpactTime impact_time(const Contact& contact, const Mechanism& mechanism) {
  std::vector<int> bodies;
  for (const Geometry& shape : contact.shapes) bodies.push_back(shape.body);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  std::vector<double> masses;
  for (const int body : bodies)
    if (body != kGround && mechanism.bodies[body].mass > 0) masses.push_back(mechanism.bodies[body].mass);
  if (masses.empty()) return {};
  std::sort(masses.begin(), masses.end());
  const bool on_ground = !contact.roads.empty() || bodies.front() == kGround || masses.size() < 2;
  const double m = on_ground ? masses[0] : masses[0] * masses[1] / (masses[0] + masses[1]);
  // k d^(n+1) / (n+1) = m v^2 / 2 where it is deepest; of n = 1 it takes pi d / v until they part, of others about
  // that.
  const double n = contact.exponent;
  const double duration = std::numbers::pi * std::pow((n + 1) * m / (2 * contact.stiffness), 1 / (n + 1));
  return {duration, 0.1 * duration / std::sqrt(1 + restitution_damping(contact.restitution))};
}

}  // namespace cardan
