#include "integration/newmark_rule.hpp"

#include "math/by_processor.hpp"

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
  for (Eigen::Index i = 0, n = q0.size(); i < n; ++i) {
    q[i] = q0[i] + h * v0[i] + (0.5 * h * h) * a0[i];
    v[i] = v0[i] + h * a0[i];
  }
}

/// With d, the sum of the increments of an iteration, and not with q1 - q0, whose cancellation costs all digits of a at
/// small steps.
CARDAN_BY_PROCESSOR void NewmarkRule::expressions(double h, const Start& start, const VecX& predicted_q,
                                                  const VecX& predicted_v, const VecX& d, VecX& q, VecX& v, VecX& a,
                                                  VecX& A) const {
  const auto& [q0, v0, a0, A0] = start;
  const double in_v = gamma / (beta * h), in_a = 1 / (beta * h * h);
  const bool one = has_one_acceleration();
  // In one pass: there are few coordinates, and what Eigen asks before each of four would cost as much.
  for (Eigen::Index i = 0, n = d.size(); i < n; ++i) {
    q[i] = predicted_q[i] + d[i];
    v[i] = predicted_v[i] + in_v * d[i];
    a[i] = a0[i] + in_a * d[i];
    A[i] = one ? a[i] : ((1 - dm) * a[i] + dm * a0[i] - df * A0[i]) / (1 - df);
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
