#include "cardan/registry.hpp"

namespace cardan {

std::span<const RegistryEntry> formulations() {
  static constexpr RegistryEntry entries[] = {
      {"global", "natural coordinates: points and vectors shared by neighbouring bodies, all constraints explicit"},
      {"hybrid", "relative coordinates of the spanning tree, loop-closure constraints by augmented Lagrangian"},
      {"topological", "independent relative coordinates, loop closures eliminated by a velocity transformation"},
      {"recursive", "articulated-body sweeps, cost in proportion to the bodies; for long open chains"},
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
      {"rk4", "explicit Runge-Kutta of order 4, for mechanisms that are not stiff"},
      {"dopri5", "explicit Runge-Kutta of Dormand and Prince, order 5, chooses its steps by the tolerance"},
      {"sdirk3", "implicit Runge-Kutta of order 3, A-stable, two stages with frozen Jacobians"},
      {"sdirk4", "implicit Runge-Kutta of order 4, L-stable, five stages; cartesian: step by the error"},
      {"abm2", "cartesian: order 2, explicit predictor and corrector"},
      {"bdf", "cartesian: backward differentiation of variable order, steps by the error (SUNDIALS IDA)"},
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
      {"automatic", "dense or sparse, whichever is estimated to be faster"},
      {"dense", "L D L^T of the full matrix"},
      {"sparse", "L D L^T on a fixed pattern, analysed once"},
  };
  return entries;
}

namespace {

/// Formulations that an integrator is left to, or kept from.
struct Restriction {
  std::string_view integrator;
  std::string_view formulation;
  bool works;
  std::string_view reason;
};

constexpr std::string_view kNeedsMatrix =
    "it needs a mass matrix, which articulated-body sweeps do without; choose hybrid, or trapezoidal or rk4";
constexpr std::string_view kNeedsDerivatives =
    "it needs the derivatives that only cartesian has; choose the formulation cartesian";

/// What is not named here works on every formulation.
constexpr Restriction kRestrictions[] = {
    {"newmark", "recursive", false, kNeedsMatrix},
    {"hht", "recursive", false, kNeedsMatrix},
    {"generalized-alpha", "recursive", false, kNeedsMatrix},
    {"sdirk3", "recursive", false, kNeedsMatrix},
    {"dopri5", "recursive", false, kNeedsMatrix},
    {"sdirk4", "recursive", false, kNeedsMatrix},
    {"abm2", "cartesian", true, kNeedsDerivatives},
    {"bdf", "cartesian", true, kNeedsDerivatives},
};

}  // namespace

std::string_view why_not(std::string_view formulation, std::string_view integrator) {
  for (const Restriction& restriction : kRestrictions) {
    if (restriction.integrator != integrator) continue;
    if ((restriction.formulation == formulation) != restriction.works) return restriction.reason;
  }
  return {};
}

bool chooses_steps(std::string_view formulation, std::string_view integrator) {
  return integrator == "dopri5" || integrator == "bdf" || (integrator == "sdirk4" && formulation == "cartesian");
}

}  // namespace cardan
