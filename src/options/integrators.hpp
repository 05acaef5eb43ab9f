// Every integrator once: what it is called, how its rule is built, of which order it is and where it runs. Registry,
// help, refusals, the choice of an algorithm and the estimate of the error read it here.
#pragma once

#include <span>
#include <string>

#include "cardan/registry.hpp"

namespace cardan {

enum class Family {
  newmark,               // structural integrators: a NewmarkRule
  explicit_runge_kutta,  // a ButcherTableau of the integrator's name
  implicit_runge_kutta,  // the same
  bdf
};

struct IntegratorEntry {
  RegistryEntry entry;
  Family family;
  int order;
  bool chooses_steps = false;    // wherever it runs
  bool on_recursive = false;     // needs no mass matrix
  bool in_independent = false;   // on cartesian it is in independent coordinates that it runs unless told otherwise
  bool estimates_error = false;  // there, so that it can choose its steps
  bool by_error_there = false;   // and does so unless told otherwise
  bool only_cartesian = false;   // needs derivatives, or independent coordinates, that are found there alone
};

/// Throws std::invalid_argument with a sentence that names the nearest.
const IntegratorEntry& integrator_entry(std::string_view name);

/// "a, b and c": the names of those that it holds for.
std::string names_where(bool (*holds)(const IntegratorEntry&), std::string_view last = " and ");

}  // namespace cardan
