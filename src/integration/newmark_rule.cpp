#include "integration/newmark_rule.hpp"

namespace cardan {

NewmarkRule NewmarkRule::newmark(double xi) { return {0, 0, (1 + xi) * (1 + xi) / 4, 0.5 + xi}; }

NewmarkRule NewmarkRule::hht(double delta) { return {0, delta, (1 + delta) * (1 + delta) / 4, 0.5 + delta}; }

NewmarkRule NewmarkRule::generalized_alpha(double rho) {
  const double dm = (2 * rho - 1) / (rho + 1), df = rho / (rho + 1);
  return {dm, df, (1 - dm + df) * (1 - dm + df) / 4, 0.5 - dm + df};
}

NewmarkRule NewmarkRule::for_options(const RunOptions& options) {
  if (options.integrator == "newmark") return newmark(options.dissipation);
  if (options.integrator == "hht") return hht(options.dissipation);
  if (options.integrator == "generalized-alpha") return generalized_alpha(options.spectral_radius);
  return trapezoidal();
}

void NewmarkRule::predict(double h, const Start& start, VecX& q, VecX& v) const {
  const auto& [q0, v0, a0, A0] = start;
  q = q0 + h * v0 + (0.5 * h * h) * a0;
  v = v0 + h * a0;
}

/// With d, the sum of the increments of an iteration, and not with q1 - q0, whose cancellation costs all digits of a at
/// small steps.
void NewmarkRule::expressions(double h, const Start& start, const VecX& predicted_q, const VecX& predicted_v,
                              const VecX& d, VecX& q, VecX& v, VecX& a, VecX& A) const {
  const auto& [q0, v0, a0, A0] = start;
  const double b = beta, g = gamma;
  q = predicted_q + d;
  v = predicted_v + (g / (b * h)) * d;
  a = a0 + (1 / (b * h * h)) * d;
  if (has_one_acceleration()) {
    A = a;
  } else {
    A = ((1 - dm) * a + dm * a0 - df * A0) / (1 - df);
  }
}

void NewmarkRule::known_parts(double h, const Start& start, VecX& q, VecX& v, VecX& a) const {
  const auto& [q0, v0, a0, A0] = start;
  const double b = beta, g = gamma;
  a = (df * A0 - dm * a0) / (1 - dm);
  v = v0 + ((1 - g) * h) * a0 + (g * h) * a;
  q = q0 + h * v0 + ((0.5 - b) * h * h) * a0 + (b * h * h) * a;
}

}  // namespace cardan
