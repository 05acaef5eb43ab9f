#include "cardan/registry.hpp"

namespace cardan {

std::span<const RegistryEntry> formulations() {
  static constexpr RegistryEntry entries[] = {
      {"global", "natural coordinates: points and vectors shared by neighbouring bodies, all constraints explicit"},
      {"hybrid", "relative coordinates of the spanning tree, loop-closure constraints by augmented Lagrangian"},
      {"topological", "independent relative coordinates, loop closures eliminated by a velocity transformation"},
      {"cartesian", "centre and attitude of every body, all joints as constraints, exact derivatives"},
  };
  return entries;
}

std::span<const RegistryEntry> integrators() {
  static constexpr RegistryEntry entries[] = {
      {"trapezoidal", "order 2, no numerical dissipation; cartesian: also with the step by the error"},
      {"newmark", "order 1, dissipation xi"},
      {"hht", "order 2, dissipation delta"},
      {"generalized-alpha", "order 2, dissipation by the spectral radius at infinite frequency"},
      {"sdirk4", "cartesian: order 4, L-stable, five implicit stages, step by the error"},
      {"abm2", "cartesian: order 2, explicit predictor and corrector"},
      {"rk4", "cartesian: order 4, explicit Runge-Kutta"},
  };
  return entries;
}

std::span<const RegistryEntry> step_controls() {
  static constexpr RegistryEntry entries[] = {
      {"fixed", "every step is `step` long (default, but for sdirk4)"},
      {"error", "steps as long as the tolerances allow; samples come every `step`"},
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

std::span<const RegistryEntry> solvers() {
  static constexpr RegistryEntry entries[] = {
      {"automatic", "dense or sparse by the number of coordinates"},
      {"dense", "full Cholesky or LU factorization"},
      {"sparse", "fixed pattern, symbolic analysis once"},
  };
  return entries;
}

}  // namespace cardan
