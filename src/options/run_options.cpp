// RunOptions: what overrides what, and what is refused before time starts.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "options/applicable_options.hpp"
#include "options/method.hpp"
#include "options/option_list.hpp"
#include "options/unknown_name.hpp"

namespace cardan {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

void check_value(const RunOption& option, const std::string& name) {
  find_by_name(option.kind, name, option.choices());
}
void check_value(const RunOption& option, double value) {
  const bool large_enough = option.above ? value > option.least : value >= option.least;
  if (std::isfinite(option.most) || (large_enough && std::isfinite(value))) return;  // ranges depend on the integrator
  refuse(fmt::format("{} is {}{}, but must be {}; {}", option.name, value, option.unit,
                     option.above ? "a number above 0" : "0 or a number above", option.remedy));
}
void check_value(const RunOption&, bool) {}
void check_value(const RunOption&, int) {}
template <class T>
void check_value(const RunOption& option, const std::optional<T>& value) {
  if (value) check_value(option, *value);
}

void check_range(const char* option, double value, double low, double high, const char* high_text, const char* of) {
  if (value >= low && value <= high) return;
  refuse(fmt::format("{} is {}, but must be from {} to {} ({})", option, value, low, high_text, of));
}

}  // namespace

void RunOptions::apply(const SimulationDefaults& given) {
  const auto override_by = [](const RunOption&, auto& value, const auto& asked) {
    if (asked) value = *asked;
  };
  visit_options(override_by, *this, given);
  if (!given.cut.empty()) cut = given.cut;
}

void RunOptions::check() const {
  visit_options([](const RunOption& option, const auto& value) { check_value(option, value); }, *this);
  method_of(*this);
  if (index != 2 && index != 3) refuse(fmt::format("index is {}, but bdf knows 2 (stabilized) and 3", index));
  if (step_max && step_min > *step_max) {
    refuse(fmt::format("step_min is {} s, but step_max is {} s; exchange them", step_min, *step_max));
  }

  if (until + step == until) {
    refuse(fmt::format("step is {} s, which is lost in the rounding of until = {} s; take a larger step", step, until));
  }
  constexpr double kMostSteps = 1e12;
  if (until / step > kMostSteps) {
    refuse(fmt::format("step is {} s, which makes {:.0e} steps until {} s; take a larger step, or end earlier", step,
                       until / step, until));
  }
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
