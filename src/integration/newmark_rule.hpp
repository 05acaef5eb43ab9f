// The structural integration rules, once: trapezoidal, newmark, hht and generalized-alpha, from the start of a step
// (index 0) to its end (index 1). docs/theory/augmented-lagrangian.md.
//     q1 = q0 + h v0 + h^2/2 a0 + d
//     v1 = v0 + h a0 + g/(b h) d
//     a1 = a0 + d/(b h^2)
//     (1 - df) A1 = (1 - dm) a1 + dm a0 - df A0
// A is the true acceleration, for which the equations of motion hold, a the algorithmic one, which the formulas carry;
// they differ for hht and generalized-alpha alone. Where A1 is the unknown, in place of d, the same is
//     a1 = a^ + c A1,   v1 = v^ + c g h A1,   q1 = q^ + c b h^2 A1,   c = (1 - df)/(1 - dm)
//     a^ = (df A0 - dm a0)/(1 - dm)
//     v^ = v0 + (1 - g) h a0 + g h a^
//     q^ = q0 + h v0 + (1/2 - b) h^2 a0 + b h^2 a^
// The trapezoidal rule is dm = df = 0, b = 1/4, g = 1/2: v1 = v0 + h/2 (a0 + a1), q1 = q0 + h/2 (v0 + v1).
// A rule knows nothing of constraints, nor how the unknown is found: newmark.hpp (index-3 augmented Lagrangian),
// state_space/rules.hpp (independent coordinates) and fixed_point_newmark.hpp (articulated-body sweeps) do.
#pragma once

#include "cardan/math.hpp"
#include "cardan/run_options.hpp"

namespace cardan {

/// delta_m, delta_f, beta and gamma of the rule.
struct NewmarkRule {
  double dm = 0, df = 0, beta = 0.25, gamma = 0.5;

  static NewmarkRule trapezoidal() { return {}; }
  static NewmarkRule newmark(double xi);
  static NewmarkRule hht(double delta);
  static NewmarkRule generalized_alpha(double rho);
  static NewmarkRule for_options(const RunOptions& options);

  bool is_trapezoidal() const { return has_one_acceleration() && beta == 0.25 && gamma == 0.5; }
  /// A is a.
  bool has_one_acceleration() const { return dm == 0 && df == 0; }

  /// What A1 adds to a1, v1 and q1 by its own unit.
  double c() const { return (1 - df) / (1 - dm); }
  double in_velocity(double h) const { return c() * gamma * h; }
  double in_position(double h) const { return c() * beta * h * h; }

  /// q0, v0, a0 and A0.
  struct Start {
    const VecX &q, &v, &a, &A;
  };
  /// q1 and v1 of d = 0.
  void predict(double h, const Start& start, VecX& q, VecX& v) const;
  /// q1, v1, a1 and A1 of d, from what predict() gave.
  void expressions(double h, const Start& start, const VecX& predicted_q, const VecX& predicted_v, const VecX& d,
                   VecX& q, VecX& v, VecX& a, VecX& A) const;
  /// q^, v^ and a^: what does not depend on A1.
  void known_parts(double h, const Start& start, VecX& q, VecX& v, VecX& a) const;
};

}  // namespace cardan
