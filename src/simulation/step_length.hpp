// How long the next step of a run with constant steps is.
#pragma once

namespace cardan {

/// A whole step, or what is left of the time up to `until`, where the run ends exactly. A rest that is a step but for
/// rounding is taken as it is, unless a whole step ends there too: times are sums of steps, and a run that ends at the
/// time of another one then makes the steps of that one, bit for bit.
inline double next_step_length(double time, double step, double until) {
  const double rest = until - time;
  return rest < step * (1 + 1e-6) && time + step != until ? rest : step;
}

}  // namespace cardan
