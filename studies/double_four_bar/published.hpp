// What is published on the double four-bar: [H] of docs/theory/notation.md, Table 1 (10 s of motion, 10 singular
// positions).
#pragma once

#include <array>
#include <string_view>

namespace cardan {

/// The largest deviation of the total energy, J, or what is printed instead of a number.
struct PublishedEnergyErrors {
  double step;  // s
  std::string_view global, topological, hybrid;

  std::string_view of(std::string_view formulation) const {
    return formulation == "global" ? global : formulation == "hybrid" ? hybrid : topological;
  }
};

inline constexpr std::string_view kPublishedSource = "[H], Table 1";

inline constexpr std::array<PublishedEnergyErrors, 4> kPublishedEnergyErrors = {{
    {0.01, "-0.21", "no convergence", "-0.01"},
    {0.03, "-0.83", "no convergence", "-0.12"},
    {0.05, "-9.03", "no convergence", "-0.34"},
    {0.10, "wrong results", "no convergence", "-1.34"},
}};

}  // namespace cardan
