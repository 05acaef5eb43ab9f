#include "simulation/applicable_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cardan/registry.hpp"
#include "integration/method.hpp"
#include "simulation/unknown_name.hpp"

namespace cardan {
namespace {

constexpr const char* kIteratesNothing = "it iterates nothing; leave it out";
constexpr const char* kConstantStep = "its step is constant; leave it out, or give step_control: error";
constexpr const char* kAlwaysConstant = "its step is constant; leave it out";
constexpr const char* kHoldsConstraints = "it solves the constraints themselves; leave it out";
constexpr const char* kNoConstraints = "independent coordinates have no constraints; leave it out";

/// An algorithm with the options that change what others mean to it.
struct Choice {
  Method method;
  const RunOptions& options;

  bool is(std::initializer_list<Method> methods) const {
    for (Method m : methods) {
      if (m == method) return true;
    }
    return false;
  }
  bool on_recursive() const { return is({Method::fixed_point, Method::direct_runge_kutta}); }
  bool on_topological() const { return options.formulation == "topological"; }
  bool is_explicit() const {
    return is({Method::runge_kutta, Method::direct_runge_kutta, Method::explicit_state_space});
  }
  std::string control() const {
    if (options.step_control) return *options.step_control;
    return chooses_steps(options.formulation, options.integrator) ? "error" : "fixed";
  }
  /// Why it has no use for something that belongs to steps of varying length; null when it has.
  const char* constant_step() const {
    if (control() != "fixed") return nullptr;
    return is({Method::newmark, Method::state_space}) ? kConstantStep : kAlwaysConstant;
  }
};

/// One option: whether it is given, how to take it back, and why a choice has no use for it (null when it has).
struct Rule {
  const char* name;
  bool (*given)(const RunOptions&);
  void (*drop)(RunOptions&);
  const char* (*why_not)(const Choice&);
};

const RunOptions& defaults() {
  static const RunOptions options;
  return options;
}

const char* why_no_step_control(const Choice& choice) {
  const std::string control = choice.control();
  if (control == "fixed") {
    if (choice.method == Method::dopri5) return "it chooses its steps; take rk4 for a constant step";
    if (choice.method == Method::bdf) return "it chooses its steps; take trapezoidal for a constant step";
    return nullptr;
  }
  if (choice.method == Method::newmark) return nullptr;
  if (control == "error" && choice.is({Method::state_space, Method::dopri5, Method::bdf})) return nullptr;
  if (choice.method == Method::explicit_state_space)
    return "it has no error estimate; 'error' works with trapezoidal and sdirk4";
  if (choice.method == Method::dopri5) return "it iterates nothing; leave it out, or take 'error'";
  if (choice.is({Method::state_space, Method::bdf})) return "it knows no other than 'error'";
  if (choice.on_recursive()) return "articulated-body sweeps know constant steps alone; choose hybrid";
  return "it works with trapezoidal, newmark, hht, generalized-alpha ('error' with dopri5 too)";
}

const char* why_no_error_tolerance(const Choice& choice) {
  if (const char* reason = choice.constant_step()) return reason;
  if (choice.control() != "error" && choice.control() != "energy")
    return "step control by Newton's iteration goes by tolerance; leave it out";
  const bool replaced = choice.options.tolerance && choice.is({Method::newmark, Method::dopri5});
  return replaced ? "tolerance takes its place; give one of them" : nullptr;
}

constexpr Rule kRules[] = {
    {"step_control", [](const RunOptions& o) { return o.step_control.has_value(); },
     [](RunOptions& o) { o.step_control.reset(); }, why_no_step_control},
    {"tolerance", [](const RunOptions& o) { return o.tolerance.has_value(); },
     [](RunOptions& o) { o.tolerance.reset(); },
     [](const Choice& choice) -> const char* {
       if (choice.method == Method::bdf) return "it goes by absolute_tolerance and relative_tolerance; give those";
       return choice.is_explicit() ? kIteratesNothing : nullptr;
     }},
    {"absolute_tolerance", [](const RunOptions& o) { return o.absolute_tolerance != defaults().absolute_tolerance; },
     [](RunOptions& o) { o.absolute_tolerance = defaults().absolute_tolerance; }, why_no_error_tolerance},
    {"relative_tolerance", [](const RunOptions& o) { return o.relative_tolerance != defaults().relative_tolerance; },
     [](RunOptions& o) { o.relative_tolerance = defaults().relative_tolerance; }, why_no_error_tolerance},
    {"step_min", [](const RunOptions& o) { return o.step_min != defaults().step_min; },
     [](RunOptions& o) { o.step_min = defaults().step_min; },
     [](const Choice& choice) { return choice.constant_step(); }},
    {"step_max", [](const RunOptions& o) { return o.step_max.has_value(); }, [](RunOptions& o) { o.step_max.reset(); },
     [](const Choice& choice) { return choice.constant_step(); }},
    {"penalty", [](const RunOptions& o) { return o.penalty.has_value(); }, [](RunOptions& o) { o.penalty.reset(); },
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       if (choice.method == Method::newmark || choice.on_recursive()) return nullptr;
       const bool automatic = choice.is({Method::runge_kutta, Method::dopri5, Method::sdirk});
       return automatic ? "its penalties are automatic; leave it out" : kHoldsConstraints;
     }},
    {"fixed_penalty", [](const RunOptions& o) { return o.fixed_penalty; },
     [](RunOptions& o) { o.fixed_penalty = false; },
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       if (choice.method != Method::newmark) return "it has no penalty that follows the step; leave it out";
       return choice.control() == "fixed" ? "it says what happens when the step changes: give a step_control with it"
                                          : nullptr;
     }},
    {"iterations", [](const RunOptions& o) { return o.iterations != 0; }, [](RunOptions& o) { o.iterations = 0; },
     [](const Choice& choice) -> const char* {
       if (choice.is({Method::newmark, Method::fixed_point, Method::sdirk})) return nullptr;
       return choice.is({Method::state_space, Method::bdf}) ? "it iterates until it has converged; leave it out"
                                                            : kIteratesNothing;
     }},
    {"projections: false", [](const RunOptions& o) { return !o.projections; },
     [](RunOptions& o) { o.projections = true; },
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       const bool exact = choice.is({Method::state_space, Method::explicit_state_space, Method::bdf});
       return exact ? kHoldsConstraints : nullptr;
     }},
    {"dissipation", [](const RunOptions& o) { return o.dissipation != defaults().dissipation; },
     [](RunOptions& o) { o.dissipation = defaults().dissipation; },
     [](const Choice& choice) -> const char* {
       const std::string& name = choice.options.integrator;
       return name == "newmark" || name == "hht" ? nullptr : "it belongs to newmark and hht; leave it out";
     }},
    {"spectral_radius", [](const RunOptions& o) { return o.spectral_radius != defaults().spectral_radius; },
     [](RunOptions& o) { o.spectral_radius = defaults().spectral_radius; },
     [](const Choice& choice) -> const char* {
       return choice.options.integrator == "generalized-alpha" ? nullptr
                                                               : "it belongs to generalized-alpha; leave it out";
     }},
    {"index", [](const RunOptions& o) { return o.index != defaults().index; },
     [](RunOptions& o) { o.index = defaults().index; },
     [](const Choice& choice) -> const char* {
       return choice.method == Method::bdf ? nullptr : "it belongs to bdf; leave it out";
     }},
    {"jacobian", [](const RunOptions& o) { return o.jacobian != defaults().jacobian; },
     [](RunOptions& o) { o.jacobian = defaults().jacobian; },
     [](const Choice& choice) -> const char* {
       return choice.method == Method::state_space ? nullptr
                                                   : "it belongs to trapezoidal and sdirk4 on cartesian; leave it out";
     }},
    {"solver", [](const RunOptions& o) { return o.solver != defaults().solver; },
     [](RunOptions& o) { o.solver = defaults().solver; },
     [](const Choice& choice) -> const char* {
       if (choice.on_recursive()) return "articulated-body sweeps factorize no matrix; leave it out";
       const bool dense = choice.is({Method::state_space, Method::explicit_state_space, Method::bdf});
       return dense && choice.options.solver != "dense" ? "its matrices are dense; leave it out" : nullptr;
     }},
};

/// "step_control 'error'", "penalty"
std::string with_value(const Rule& rule, const RunOptions& options) {
  const std::string name = rule.name;
  if (name == "step_control") return name + " '" + *options.step_control + "'";
  if (name == "solver") return name + " '" + options.solver + "'";
  return name;
}

}  // namespace

void refuse_foreign_options(const RunOptions& options) {
  const Choice choice{method_of(options.formulation, options.integrator), options};
  for (const Rule& rule : kRules) {
    if (!rule.given(options)) continue;
    if (const char* reason = rule.why_not(choice)) {
      throw std::invalid_argument(fmt::format("no {} with integrator '{}' on the formulation {}: {}",
                                              with_value(rule, options), options.integrator, options.formulation,
                                              reason));
    }
  }
}

RunOptions without_foreign_options(RunOptions options) {
  find_by_name("formulation", options.formulation, formulations());
  find_by_name("integrator", options.integrator, integrators());
  const Method method = method_of(options.formulation, options.integrator);
  for (const Rule& rule : kRules) {
    if (rule.given(options) && rule.why_not({method, options})) rule.drop(options);
  }
  return options;
}

}  // namespace cardan
