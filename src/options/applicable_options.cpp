#include "options/applicable_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "options/integrators.hpp"
#include "options/method.hpp"
#include "options/option_list.hpp"
#include "options/unknown_name.hpp"

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
  std::string integrator = integrator_of(options);

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
  bool in_state_space() const { return is({Method::state_space, Method::explicit_state_space}); }
  std::string control() const { return step_control_of(options); }
  bool can_estimate() const {
    return is({Method::newmark, Method::adaptive_runge_kutta, Method::bdf}) ||
           (in_state_space() && integrator_entry(integrator).estimates_error);
  }
  /// Why it has no use for something that belongs to steps of varying length; null when it has.
  const char* constant_step() const {
    if (control() != "fixed") return nullptr;
    return can_estimate() ? kConstantStep : kAlwaysConstant;
  }
};

/// Of an option that some algorithms have no use for: why this one has none (null when it has), and whose it is where
/// it belongs to a few.
struct Rule {
  std::string_view name;
  const char* (*why_not)(const Choice&);
  const char* owners = nullptr;
};

const char* no_estimate() {
  static const std::string sentence = "it has no error estimate; 'error' works with " +
                                      names_where([](const IntegratorEntry& entry) { return entry.estimates_error; });
  return sentence.c_str();
}

const char* belongs_to_newmark() {
  static const std::string sentence =
      "it works with " + names_where([](const IntegratorEntry& entry) { return entry.family == Family::newmark; }) +
      " ('error' with dopri5 too)";
  return sentence.c_str();
}

const char* belongs_to_state_space() {
  static const std::string sentence = "it belongs to " + names_where([](const IntegratorEntry& entry) {
                                        return entry.in_independent && entry.family != Family::explicit_runge_kutta;
                                      }) +
                                      " on cartesian, where coordinates are independent; leave it out";
  return sentence.c_str();
}

const char* why_no_treatment(const Choice& choice) {
  const RunOptions& options = choice.options;
  if (choice.method == Method::bdf) return "its form of the constraints is given by index; leave it out";
  if (options.formulation == "cartesian" || options.treatment == treatment_of(options)) return nullptr;
  if (choice.on_topological()) return "its coordinates are independent; choose hybrid, or cartesian";
  return "its coordinates are not independent; choose topological, or cartesian";
}

bool wants_error(const Choice& choice) {
  return choice.options.integrator == kAutomatic && choice.options.error.has_value();
}

/// Of what the wanted error decides.
const char* by_wanted_error(const Choice& choice) {
  return wants_error(choice) ? "the error that is asked for decides it; leave one of them out" : nullptr;
}

const char* why_no_step_control(const Choice& choice) {
  if (const char* reason = by_wanted_error(choice)) return reason;
  const std::string control = choice.control();
  if (control == "fixed") {
    const bool chooses = integrator_entry(choice.integrator).chooses_steps;
    if (chooses && choice.method != Method::bdf) return "it chooses its steps; take rk4 for a constant step";
    if (choice.method == Method::bdf) return "it chooses its steps; take trapezoidal for a constant step";
    return nullptr;
  }
  if (choice.method == Method::newmark) return nullptr;
  if (control == "error" && choice.can_estimate()) return nullptr;
  if (choice.in_state_space() && !choice.can_estimate()) return no_estimate();
  if (choice.method == Method::adaptive_runge_kutta) return "it iterates nothing; leave it out, or take 'error'";
  if (choice.in_state_space() || choice.method == Method::bdf) return "it knows no other than 'error'";
  if (choice.on_recursive()) return "articulated-body sweeps know constant steps alone; choose hybrid";
  return belongs_to_newmark();
}

const char* why_no_error_tolerance(const Choice& choice) {
  if (const char* reason = by_wanted_error(choice)) return reason;
  if (const char* reason = choice.constant_step()) return reason;
  if (choice.control() != "error" && choice.control() != "energy")
    return "step control by Newton's iteration goes by tolerance; leave it out";
  const bool replaced = choice.options.tolerance && choice.is({Method::newmark, Method::adaptive_runge_kutta});
  return replaced ? "tolerance takes its place; give one of them" : nullptr;
}

constexpr Rule kRules[] = {
    {"error",
     [](const Choice& choice) -> const char* {
       if (choice.options.formulation == "recursive")
         return "articulated-body sweeps know constant steps alone; leave it out, or choose hybrid";
       if (choice.options.integrator == kAutomatic) return nullptr;
       return "the integrator auto chooses a method by it; leave it out, or ask for integrator auto";
     }},
    {"treatment", why_no_treatment},
    {"step_control", why_no_step_control},
    {"tolerance",
     [](const Choice& choice) -> const char* {
       if (const char* reason = by_wanted_error(choice)) return reason;
       if (choice.method == Method::bdf) return "it goes by absolute_tolerance and relative_tolerance; give those";
       return choice.is_explicit() ? kIteratesNothing : nullptr;
     }},
    {"absolute_tolerance", why_no_error_tolerance},
    {"relative_tolerance", why_no_error_tolerance},
    {"step_min", [](const Choice& choice) { return wants_error(choice) ? nullptr : choice.constant_step(); }},
    {"step_max", [](const Choice& choice) { return wants_error(choice) ? nullptr : choice.constant_step(); }},
    {"penalty",
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       if (choice.method == Method::newmark || choice.on_recursive()) return nullptr;
       const bool automatic =
           choice.is({Method::runge_kutta, Method::adaptive_runge_kutta, Method::implicit_runge_kutta});
       return automatic ? "its penalties are automatic; leave it out" : kHoldsConstraints;
     }},
    {"fixed_penalty",
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       if (choice.method != Method::newmark) return "it has no penalty that follows the step; leave it out";
       return choice.control() == "fixed" ? "it says what happens when the step changes: give a step_control with it"
                                          : nullptr;
     }},
    {"iterations",
     [](const Choice& choice) -> const char* {
       if (const char* reason = by_wanted_error(choice)) return reason;
       if (choice.is({Method::newmark, Method::fixed_point, Method::implicit_runge_kutta})) return nullptr;
       return choice.is({Method::state_space, Method::bdf}) ? "it iterates until it has converged; leave it out"
                                                            : kIteratesNothing;
     }},
    {"projections",
     [](const Choice& choice) -> const char* {
       if (choice.on_topological()) return kNoConstraints;
       const bool exact = choice.in_state_space() || choice.method == Method::bdf;
       return exact ? kHoldsConstraints : nullptr;
     }},
    {"dissipation",
     [](const Choice& choice) -> const char* {
       const std::string& name = choice.integrator;
       return name == "newmark" || name == "hht" ? nullptr : "it belongs to newmark and hht; leave it out";
     },
     "newmark and hht"},
    {"spectral_radius",
     [](const Choice& choice) -> const char* {
       return choice.integrator == "generalized-alpha" ? nullptr : "it belongs to generalized-alpha; leave it out";
     },
     "generalized-alpha"},
    {"index",
     [](const Choice& choice) -> const char* {
       return choice.method == Method::bdf ? nullptr : "it belongs to bdf; leave it out";
     },
     "bdf"},
    {"jacobian",
     [](const Choice& choice) -> const char* {
       return choice.method == Method::state_space ? nullptr : belongs_to_state_space();
     }},
    {"solver",
     [](const Choice& choice) -> const char* {
       if (choice.on_recursive()) return "articulated-body sweeps factorize no matrix; leave it out";
       const std::string& solver = choice.options.solver;
       const bool known = solver == "dense" || solver == "sparse";
       const bool chooses = choice.in_state_space() || choice.method == Method::bdf;
       return chooses && !known ? "its matrices are dense or sparse; leave it out" : nullptr;
     }},
};

/// The rule of an option that this choice has no use for, with the reason.
const Rule* broken_rule(const RunOption& option, const Choice& choice, const char*& reason) {
  for (const Rule& rule : kRules) {
    if (rule.name != option.name) continue;
    reason = rule.why_not(choice);
    return reason ? &rule : nullptr;
  }
  return nullptr;
}

/// `cut`, a list of joints, is no line of the list of options.
const RunOptions& defaults() {
  static const RunOptions options;
  return options;
}

/// "step_control 'error'", "projections: false", "penalty"
std::string with_value(const RunOption& option, const RunOptions& options) {
  const std::string name = option.name;
  if (name == "step_control") return name + " '" + *options.step_control + "'";
  if (name == "treatment") return name + " '" + *options.treatment + "'";
  if (name == "solver") return name + " '" + options.solver + "'";
  if (name == "projections") return name + ": false";
  return name;
}

[[noreturn]] void refuse(const std::string& what, const RunOptions& options, const char* reason) {
  throw std::invalid_argument(fmt::format("no {} with integrator '{}' on the formulation {}: {}", what,
                                          options.integrator, options.formulation, reason));
}

}  // namespace

void refuse_foreign_options(const RunOptions& options) {
  const Choice choice{method_of(options), options};
  const auto look = [&](const RunOption& option, const auto& value, const auto& by_default) {
    const char* reason = nullptr;
    if (value != by_default && broken_rule(option, choice, reason))
      refuse(with_value(option, options), options, reason);
  };
  visit_options(look, options, defaults());
  if (const char* reason = options.cut.empty() ? nullptr : why_no_cut(options.formulation))
    refuse("cut", options, reason);
}

const char* why_no_cut(const std::string& formulation) {
  const bool opens_loops = formulation != "global" && formulation != "cartesian";
  return opens_loops ? nullptr : "it opens no loops; leave it out, or choose hybrid, topological or recursive";
}

void refuse_foreign_options(const RunOptions& options, const SimulationDefaults& given) {
  const Choice choice{method_of(options), options};
  const auto look = [&](const RunOption& option, const auto& value) {
    const char* reason = nullptr;
    const Rule* rule = value ? broken_rule(option, choice, reason) : nullptr;
    if (rule == nullptr) return;
    if (rule->owners == nullptr) refuse(option.on_command_line(), options, reason);
    throw std::invalid_argument(fmt::format("{} belongs to {}, not to {}; leave it out", option.on_command_line(),
                                            rule->owners, options.integrator));
  };
  visit_options(look, given);
  if (const char* reason = given.cut.empty() ? nullptr : why_no_cut(options.formulation))
    refuse("--cut", options, reason);
}

RunOptions without_foreign_options(RunOptions options) {
  find_by_name("formulation", options.formulation, formulation_choices());
  find_by_name("integrator", options.integrator, integrator_choices());
  const Method method = method_of(options);
  const auto look = [&](const RunOption& option, auto& value, const auto& by_default) {
    const char* reason = nullptr;
    if (value != by_default && broken_rule(option, {method, options}, reason)) value = by_default;
  };
  visit_options(look, options, defaults());
  if (why_no_cut(options.formulation)) options.cut.clear();
  return options;
}

}  // namespace cardan
