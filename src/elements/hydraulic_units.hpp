// Numbers of hydraulic elements that look like those of a data sheet: l/min, bar and mm where m^3/s, Pa and m are
// meant. They are warned of, not refused.
#pragma once

#include <fmt/format.h>

#include "cardan/element.hpp"

namespace cardan {

/// 60,000 l/min is more than the pumps of any machine bring.
inline void warn_of_flow(Lowering& to, double flow, const SourceLocation& where, const char* what) {
  constexpr double kMost = 1;  // m^3/s
  if (flow > kMost)
    to.warning(where, fmt::format("{} is {:g} m^3/s, as if it were in l/min", what, flow),
               "flows are in m^3/s: 60 l/min are 1e-3");
}

/// For pressures that make sense from some bar on.
inline void warn_of_pressure(Lowering& to, const std::optional<Number>& pressure, const char* what) {
  constexpr double kLeast = 1e4;  // Pa
  if (pressure && pressure->value > 0 && pressure->value < kLeast)
    to.warning(pressure->where, fmt::format("{} is {:g} Pa, as if it were in bar", what, pressure->value),
               "pressures are in Pa: 1 bar is 1e5");
}

/// Cylinders of some metres across exist nowhere.
inline void warn_of_diameter(Lowering& to, const std::optional<Number>& diameter, const char* what) {
  constexpr double kMost = 3;  // m
  if (diameter && diameter->value > kMost)
    to.warning(diameter->where, fmt::format("{} is {:g} m wide, as if it were in mm", what, diameter->value),
               "lengths are in m");
}

}  // namespace cardan
