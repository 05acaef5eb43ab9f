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
