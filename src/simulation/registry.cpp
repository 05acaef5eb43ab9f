#include "cardan/registry.hpp"

namespace cardan {

std::span<const RegistryEntry> formulations() {
  static constexpr RegistryEntry entries[] = {
      {"global", "natural coordinates: points and vectors shared by neighbouring bodies, all constraints explicit"},
      {"hybrid", "relative coordinates of the spanning tree, loop-closure constraints by augmented Lagrangian"},
      {"topological", "independent relative coordinates, loop closures eliminated by a velocity transformation"},
  };
  return entries;
}

std::span<const RegistryEntry> integrators() {
  static constexpr RegistryEntry entries[] = {
      {"trapezoidal", "order 2, no numerical dissipation"},
      {"newmark", "order 1, dissipation xi"},
      {"hht", "order 2, dissipation delta"},
      {"generalized-alpha", "order 2, dissipation by the spectral radius at infinite frequency"},
      {"rk4", "explicit Runge-Kutta of order 4, for mechanisms that are not stiff"},
      {"dopri5", "explicit Runge-Kutta of Dormand and Prince, order 5, chooses its steps by the tolerance"},
      {"sdirk3", "implicit Runge-Kutta of order 3, A-stable, two stages with frozen Jacobians"},
      {"sdirk4", "implicit Runge-Kutta of order 4, L-stable, five stages with frozen Jacobians"},
  };
  return entries;
}

std::span<const RegistryEntry> step_controls() {
  static constexpr RegistryEntry entries[] = {
      {"fixed", "every step is `step` long (default, but for dopri5)"},
      {"error", "steps as long as absolute_tolerance and relative_tolerance allow; samples come every `step`"},
      {"increment", "Newmark family: by Newton's increment, against tolerance"},
      {"residual", "Newmark family: by Newton's residual, against tolerance"},
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
