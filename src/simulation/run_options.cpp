// RunOptions: where the values come from and what is refused before time starts.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "integration/method.hpp"
#include "simulation/applicable_options.hpp"
#include "simulation/unknown_name.hpp"

namespace cardan {
namespace {

template <typename T, typename U>
void override_by(T& value, const std::optional<U>& asked) {
  if (asked) value = *asked;
}

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

void check_above_zero(const char* option, double value, const char* unit, const char* remedy) {
  if (std::isfinite(value) && value > 0) return;
  refuse(fmt::format("{} is {}{}, but must be a number above 0; {}", option, value, unit, remedy));
}

void check_range(const char* option, double value, double low, double high, const char* high_text, const char* of) {
  if (value >= low && value <= high) return;
  refuse(fmt::format("{} is {}, but must be from {} to {} ({})", option, value, low, high_text, of));
}

}  // namespace

RunOptions RunOptions::for_mechanism(const Mechanism& mechanism) {
  const SimulationDefaults& asked = mechanism.simulation;
  RunOptions options;
  override_by(options.formulation, asked.formulation);
  override_by(options.integrator, asked.integrator);
  override_by(options.solver, asked.solver);
  override_by(options.step, asked.step);
  override_by(options.until, asked.until);
  override_by(options.tolerance, asked.tolerance);
  override_by(options.penalty, asked.penalty);
  override_by(options.iterations, asked.iterations);
  override_by(options.dissipation, asked.dissipation);
  override_by(options.spectral_radius, asked.spectral_radius);
  override_by(options.every, asked.every);
  override_by(options.step_control, asked.step_control);
  override_by(options.absolute_tolerance, asked.absolute_tolerance);
  override_by(options.relative_tolerance, asked.relative_tolerance);
  override_by(options.jacobian, asked.jacobian);
  override_by(options.index, asked.index);
  override_by(options.step_min, asked.step_min);
  override_by(options.step_max, asked.step_max);
  override_by(options.fixed_penalty, asked.fixed_penalty);
  override_by(options.projections, asked.projections);
  override_by(options.start, asked.start);
  options.cut = asked.cut;
  return options;
}

void RunOptions::check() const {
  find_by_name("formulation", formulation, formulations());
  find_by_name("integrator", integrator, integrators());
  find_by_name("solver", solver, solvers());
  method_of(formulation, integrator);
  if (step_control) find_by_name("step control", *step_control, step_controls());
  find_by_name("jacobian rule", jacobian, jacobian_rules());
  find_by_name("start", start, starts());
  if (index != 2 && index != 3) refuse(fmt::format("index is {}, but bdf knows 2 (stabilized) and 3", index));

  check_above_zero("absolute_tolerance", absolute_tolerance, "", "1e-6 is a good start");
  if (!(relative_tolerance >= 0) || !std::isfinite(relative_tolerance)) {
    refuse(fmt::format("relative_tolerance is {}, but must be 0 or a number above; 1e-6 is a good start",
                       relative_tolerance));
  }
  if (!(step_min >= 0) || !std::isfinite(step_min)) {
    refuse(fmt::format("step_min is {} s, but must be 0 or a number above; leave it out for no bound", step_min));
  }
  if (step_max) check_above_zero("step_max", *step_max, " s", "leave it out for no bound");
  if (step_max && step_min > *step_max) {
    refuse(fmt::format("step_min is {} s, but step_max is {} s; exchange them", step_min, *step_max));
  }

  check_above_zero("step", step, " s", "0.001 is a good start");
  check_above_zero("until", until, " s", "it is the time at which the run ends");
  if (until + step == until) {
    refuse(fmt::format("step is {} s, which is lost in the rounding of until = {} s; take a larger step", step, until));
  }
  constexpr double kMostSteps = 1e12;
  if (until / step > kMostSteps) {
    refuse(fmt::format("step is {} s, which makes {:.0e} steps until {} s; take a larger step, or end earlier", step,
                       until / step, until));
  }
  if (tolerance) check_above_zero("tolerance", *tolerance, "", "leave it out for an automatic one");
  if (penalty) check_above_zero("penalty", *penalty, "", "leave it out for automatic ones");
  if (iterations < 0) {
    refuse(fmt::format("iterations is {}, but must be 0 (until convergence) or a number of iterations for each step",
                       iterations));
  }
  if (iterations > kMostIterations) {
    refuse(fmt::format("iterations is {}, but a step is given {} at most; 2 to 10 are usual, 0 is until convergence",
                       iterations, kMostIterations));
  }
  if (every < 1) refuse(fmt::format("every is {}, but must be 1 (every step is written) or more", every));

  if (integrator == "hht") {
    check_range("dissipation", dissipation, 0, 1.0 / 3, "1/3", "delta of hht");
  } else {
    check_range("dissipation", dissipation, 0, 1, "1", "xi of newmark; hht takes up to 1/3");
  }
  check_range("spectral_radius", spectral_radius, 0, 1, "1", "of generalized-alpha at infinite frequency");
  refuse_foreign_options(*this);
}

}  // namespace cardan
