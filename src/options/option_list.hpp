// The one list of what can be asked of a run. Everything that treats options alike visits it: the model file and its
// checks, the command line and its help, what overrides what, saved states. A new option is a member of RunOptions and
// GivenOptions (cardan/run_options.hpp), a line here, and a rule in applicable_options.cpp unless every method has a
// use for it.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "cardan/registry.hpp"
#include "cardan/run_options.hpp"

namespace cardan {

struct RunOption {
  const char* name;     // in model files; on the command line with two dashes before and for underscores
  const char* sign;     // of its value in --help
  const char* meaning;  // in --help
  const char* unit = "";
  double least = 0;    // of numbers
  bool above = false;  // `least` itself is too small
  double most = std::numeric_limits<double>::infinity();
  const char* remedy = "";                                // what to do about a number that is not
  std::span<const RegistryEntry> (*choices)() = nullptr;  // of names
  const char* kind = nullptr;                             // what such a name is called in messages
  const char* flag = nullptr;                             // what the command line has in its place, with
  const char* flag_value = nullptr;                       // what it stands for

  /// "--step-max", "--no-projections"
  std::string on_command_line() const {
    if (flag) return flag;
    std::string text = name;
    std::replace(text.begin(), text.end(), '_', '-');
    return "--" + text;
  }
};

/// Calls visit(option, set.member...) for every option: with one set to read or write it, with two to carry values
/// over. (The joints of `cut` are names within the mechanism and treated by themselves.)
template <class Visit, class... Sets>
void visit_options(Visit&& visit, Sets&&... sets) {
  const auto above_zero = [](RunOption option) {
    option.above = true;
    return option;
  };
  visit(RunOption{.name = "formulation",
                  .sign = "F",
                  .meaning = "how motion is written; see below (default: auto)",
                  .choices = formulation_choices,
                  .kind = "formulation"},
        sets.formulation...);
  visit(RunOption{.name = "integrator",
                  .sign = "I",
                  .meaning = "how time is stepped; see below (default: auto)",
                  .choices = integrator_choices,
                  .kind = "integrator"},
        sets.integrator...);
  visit(RunOption{.name = "treatment",
                  .sign = "T",
                  .meaning = "of constraints; see below (default: the integrator's own)",
                  .choices = treatments,
                  .kind = "treatment"},
        sets.treatment...);
  visit(above_zero({.name = "step",
                    .sign = "H",
                    .meaning = "time step, s (default: 0.001)",
                    .unit = " s",
                    .remedy = "0.001 is a good start"}),
        sets.step...);
  visit(above_zero({.name = "until",
                    .sign = "T",
                    .meaning = "end of the run, s (default: 1)",
                    .unit = " s",
                    .remedy = "it is the time at which the run ends"}),
        sets.until...);
  visit(above_zero({.name = "error",
                    .sign = "E",
                    .meaning = "wanted, in sizes of the mechanism or rad: integrator auto holds it with the least work",
                    .remedy = "leave it out for constant steps"}),
        sets.error...);
  visit(RunOption{.name = "step_control",
                  .sign = "C",
                  .meaning = "how steps are chosen; see below",
                  .choices = step_controls,
                  .kind = "step control"},
        sets.step_control...);
  visit(above_zero({.name = "tolerance",
                    .sign = "E",
                    .meaning = "where Newton's iteration stops (default: automatic)",
                    .remedy = "leave it out for an automatic one"}),
        sets.tolerance...);
  visit(above_zero({.name = "absolute_tolerance",
                    .sign = "E",
                    .meaning = "of step control, on positions (default 1e-6)",
                    .remedy = "1e-6 is a good start"}),
        sets.absolute_tolerance...);
  visit(RunOption{.name = "relative_tolerance",
                  .sign = "E",
                  .meaning = "of step control, on positions (default 1e-6)",
                  .remedy = "1e-6 is a good start"},
        sets.relative_tolerance...);
  visit(RunOption{.name = "jacobian",
                  .sign = "J",
                  .meaning = "of implicit integrators on cartesian; see below",
                  .choices = jacobian_rules,
                  .kind = "jacobian rule"},
        sets.jacobian...);
  visit(RunOption{.name = "index",
                  .sign = "N",
                  .meaning = "of the equations that bdf solves: 2 (default, stabilized) or 3",
                  .least = 2,
                  .most = 3,
                  .remedy = "give 2, the stabilized form, or 3"},
        sets.index...);
  visit(RunOption{.name = "step_min",
                  .sign = "H",
                  .meaning = "shortest step of step control, s (default: a millionth of the step)",
                  .unit = " s",
                  .remedy = "leave it out for no bound"},
        sets.step_min...);
  visit(above_zero({.name = "step_max",
                    .sign = "H",
                    .meaning = "longest step of step control, s (default: none)",
                    .unit = " s",
                    .remedy = "leave it out for no bound"}),
        sets.step_max...);
  visit(RunOption{.name = "fixed_penalty",
                  .sign = "",
                  .meaning = "step control leaves the penalty as it is",
                  .flag = "--fixed-penalty",
                  .flag_value = "true"},
        sets.fixed_penalty...);
  visit(RunOption{.name = "projections",
                  .sign = "",
                  .meaning = "leave the constraint errors at the end of a step as they are",
                  .flag = "--no-projections",
                  .flag_value = "false"},
        sets.projections...);
  visit(above_zero({.name = "penalty",
                    .sign = "A",
                    .meaning = "one factor for all constraints (default: automatic ones)",
                    .remedy = "leave it out for automatic ones"}),
        sets.penalty...);
  visit(RunOption{.name = "iterations",
                  .sign = "N",
                  .meaning = "fixed number of Newton iterations in each step (default: until convergence)",
                  .most = RunOptions::kMostIterations},
        sets.iterations...);
  visit(RunOption{.name = "solver",
                  .sign = "S",
                  .meaning = "linear solver; see below (default: automatic)",
                  .choices = solvers,
                  .kind = "solver"},
        sets.solver...);
  visit(RunOption{.name = "dissipation",
                  .sign = "X",
                  .meaning = "xi of newmark, 0 to 1, delta of hht, 0 to 1/3 (default: 0.1)",
                  .most = 1},
        sets.dissipation...);
  visit(RunOption{.name = "spectral_radius",
                  .sign = "R",
                  .meaning = "of generalized-alpha at infinite frequency, 0 to 1 (default: 0.8)",
                  .most = 1},
        sets.spectral_radius...);
  visit(RunOption{.name = "start",
                  .sign = "",
                  .meaning = "start from the static equilibrium, not as drawn",
                  .choices = starts,
                  .kind = "start",
                  .flag = "--from-equilibrium",
                  .flag_value = "equilibrium"},
        sets.start...);
  visit(
      RunOption{
          .name = "every", .sign = "N", .meaning = "write every so many steps, and the last (default: 1)", .least = 1},
      sets.every...);
}

}  // namespace cardan
