// What "auto" stands for, where it can be said without running anything.
#pragma once

#include <string>

#include "cardan/mechanism.hpp"
#include "options/method.hpp"

namespace cardan {

struct FormulationChoice {
  std::string name;
  std::string because;  // a clause
};

/// `hybrid`, which has the fewest coordinates of those that pass singular positions, unless its full mass matrix along
/// deep chains makes it the dearer one: then `recursive` for chains that nothing but gravity and constant forces moves,
/// else `global`. Where the integrator runs on one formulation alone it is that. The same for the same mechanism,
/// whatever the machine.
FormulationChoice choose_formulation(const Mechanism& mechanism, const RunOptions& options);

/// Why "auto" became what it did, as clauses; empty: it was asked for by name.
struct MethodReasons {
  std::string formulation, integrator;
};

/// Puts a name in the place of every "auto": the integrator is trapezoidal, with constant steps, and the formulation is
/// chosen for it. Other names stay. (Where an error is asked for, choose_method() of simulation/ comes before.)
MethodReasons resolve_method(RunOptions& options, const Mechanism& mechanism);

}  // namespace cardan
