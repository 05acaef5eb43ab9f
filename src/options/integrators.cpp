#include "options/integrators.hpp"

#include <array>
#include <vector>

#include "options/method.hpp"
#include "options/unknown_name.hpp"

namespace cardan {
namespace {

constexpr IntegratorEntry kEntries[] = {
    {.entry = {"trapezoidal", "order 2, no numerical dissipation; but for recursive also with the step by the error"},
     .family = Family::newmark,
     .order = 2,
     .on_recursive = true,
     .in_independent = true,
     .estimates_error = true},
    {.entry = {"newmark", "order 1, dissipation xi"}, .family = Family::newmark, .order = 1, .on_recursive = true},
    {.entry = {"hht", "order 2, dissipation delta"}, .family = Family::newmark, .order = 2, .on_recursive = true},
    {.entry = {"generalized-alpha", "order 2, dissipation by the spectral radius at infinite frequency"},
     .family = Family::newmark,
     .order = 2,
     .on_recursive = true},
    {.entry = {"rk4", "explicit Runge-Kutta of order 4, for mechanisms that are not stiff"},
     .family = Family::explicit_runge_kutta,
     .order = 4,
     .on_recursive = true,
     .in_independent = true},
    {.entry = {"dopri5", "explicit Runge-Kutta of Dormand and Prince, order 5, chooses its steps by the tolerance"},
     .family = Family::explicit_runge_kutta,
     .order = 5,
     .chooses_steps = true,
     .estimates_error = true},
    {.entry = {"sdirk3", "implicit Runge-Kutta of order 3, A-stable, two stages"},
     .family = Family::implicit_runge_kutta,
     .order = 3,
     .in_independent = true},
    {.entry = {"sdirk4", "implicit Runge-Kutta of order 4, L-stable, five stages; cartesian: step by the error"},
     .family = Family::implicit_runge_kutta,
     .order = 4,
     .in_independent = true,
     .estimates_error = true,
     .by_error_there = true},
    {.entry = {"gauss4", "implicit Runge-Kutta of Gauss, order 4, A-stable, symmetric, two stages found together"},
     .family = Family::implicit_runge_kutta,
     .order = 4,
     .in_independent = true},
    {.entry = {"radau5", "implicit Runge-Kutta of Radau, order 5, L-stable, three stages found together"},
     .family = Family::implicit_runge_kutta,
     .order = 5,
     .in_independent = true},
    {.entry = {"abm2", "cartesian: order 2, explicit predictor and corrector"},
     .family = Family::explicit_runge_kutta,
     .order = 2,
     .in_independent = true,
     .only_cartesian = true},
    {.entry = {"bdf", "cartesian: backward differentiation of variable order, steps by the error (SUNDIALS IDA)"},
     .family = Family::bdf,
     .order = 5,
     .chooses_steps = true,
     .only_cartesian = true},
};

/// And auto, which is none of them.
constexpr auto kNames = [] {
  std::array<RegistryEntry, std::size(kEntries) + 1> names;
  for (std::size_t i = 0; i < std::size(kEntries); ++i) names[i] = kEntries[i].entry;
  names.back() = {kAutomatic, "trapezoidal; with an error asked for what holds it with the least work (default)"};
  return names;
}();

constexpr std::string_view kNeedsDerivatives =
    "it needs the derivatives that only cartesian has; choose the formulation cartesian";

const IntegratorEntry* find_entry(std::string_view name) {
  for (const IntegratorEntry& entry : kEntries) {
    if (entry.entry.name == name) return &entry;
  }
  return nullptr;
}

std::string_view needs_matrix() {
  static const std::string sentence =
      "it needs a mass matrix, which articulated-body sweeps do without; choose hybrid, or " +
      names_where([](const IntegratorEntry& entry) { return entry.on_recursive; }, " or ");
  return sentence;
}

}  // namespace

std::string names_where(bool (*holds)(const IntegratorEntry&), std::string_view last) {
  std::vector<std::string_view> names;
  for (const IntegratorEntry& entry : kEntries) {
    if (holds(entry)) names.push_back(entry.entry.name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : last;
    text += names[i];
  }
  return text;
}

const IntegratorEntry& integrator_entry(std::string_view name) {
  find_by_name("integrator", name, integrators());
  return *find_entry(name);
}

std::span<const RegistryEntry> integrator_choices() { return kNames; }
std::span<const RegistryEntry> integrators() { return integrator_choices().first(std::size(kEntries)); }

std::string_view why_not(std::string_view formulation, std::string_view integrator) {
  const IntegratorEntry* entry = find_entry(integrator);
  if (!entry) return {};
  if (entry->only_cartesian && formulation != "cartesian") return kNeedsDerivatives;
  if (formulation == "recursive" && !entry->on_recursive) return needs_matrix();
  return {};
}

bool chooses_steps(std::string_view formulation, std::string_view integrator) {
  const IntegratorEntry* entry = find_entry(integrator);
  return entry && (entry->chooses_steps || (formulation == "cartesian" && entry->by_error_there));
}

}  // namespace cardan
