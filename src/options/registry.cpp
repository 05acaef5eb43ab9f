#include "cardan/registry.hpp"

namespace cardan {

namespace {

constexpr RegistryEntry kFormulations[] = {
    {"global", "natural coordinates: points and vectors shared by neighbouring bodies, all constraints explicit"},
    {"hybrid", "relative coordinates of the spanning tree, loop-closure constraints by augmented Lagrangian"},
    {"topological", "independent relative coordinates, loop closures eliminated by a velocity transformation"},
    {"recursive", "articulated-body sweeps, cost in proportion to the bodies; for long open chains"},
    {"cartesian", "centre and attitude of every body, all joints as constraints, exact derivatives"},
    {"auto", "hybrid, but for chains so long that global or recursive are cheaper (default)"},
};

}  // namespace

std::span<const RegistryEntry> formulation_choices() { return kFormulations; }
std::span<const RegistryEntry> formulations() { return formulation_choices().first(std::size(kFormulations) - 1); }

std::span<const RegistryEntry> treatments() {
  static constexpr RegistryEntry entries[] = {
      {"augmented", "all coordinates are integrated, constraints held by the augmented Lagrangian and projections"},
      {"independent",
       "independent coordinates are integrated, the others follow: topological, or cartesian if that is asked for"},
  };
  return entries;
}

std::span<const RegistryEntry> jacobian_rules() {
  static constexpr RegistryEntry entries[] = {
      {"kept", "over iterations and steps, renewed when convergence slows (default)"},
      {"fresh", "formed in every iteration"},
  };
  return entries;
}

std::span<const RegistryEntry> starts() {
  static constexpr RegistryEntry entries[] = {
      {"drawn", "as drawn, with the initial positions of joints (default)"},
      {"equilibrium", "the static equilibrium that is found from there"},
  };
  return entries;
}

std::span<const RegistryEntry> step_controls() {
  static constexpr RegistryEntry entries[] = {
      {"fixed", "every step is `step` long (default, but for dopri5, bdf, and sdirk4 on cartesian)"},
      {"error", "steps as long as absolute_tolerance and relative_tolerance allow; samples come every `step`"},
      {"energy", "Newmark family: by what a step adds to the energy balance, against the same tolerances, in J and 1"},
      {"increment", "Newmark family: by Newton's increment, against tolerance"},
      {"residual", "Newmark family: by Newton's residual, against tolerance"},
  };
  return entries;
}

std::span<const RegistryEntry> solvers() {
  static constexpr RegistryEntry entries[] = {
      {"automatic", "profile for large and full patterns, else dense or sparse, whichever is estimated to be faster"},
      {"dense", "L D L^T of the full matrix"},
      {"sparse", "L D L^T on a fixed pattern, analysed once"},
      {"profile", "L D L^T within the profile of what is not zero at the moment"},
  };
  return entries;
}

}  // namespace cardan
