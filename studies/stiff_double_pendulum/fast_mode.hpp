// The fast motion of the stiff double pendulum, arm 2 against arm 1, as the scalar test equation y' = lambda y. With
// R(z), z = h lambda, what one step of a rule makes of y = 1, its largest error at the end of any step must be
//     amplitude * max over n of |R(z)^n - exp(n z)|.
// ln R(z) - z = c z^(p+1) (1 + ...): where the first term rules, the largest error is |c z^p| / e of the amplitude, at
// t = 1/|lambda|, and falls with the order p of the rule.
#pragma once

#include <string>

#include "studies/stiff_double_pendulum/pendulum.hpp"

namespace cardan {

struct FastMode {
  double rate = 0;       // lambda, 1/s
  double amplitude = 0;  // of arm 2's rate, rad/s

  /// From det(lambda M + C) = 0 of both angles at the start, and the part of the first accelerations that belongs to
  /// it.
  static FastMode of(const ReferenceMotion& reference);

  /// Largest error of arm 2's rate at the end of any step of the constant length h; that of its angle is |lambda| times
  /// smaller, since rules leave v - lambda x as it is.
  double velocity_error(const std::string& integrator, double h) const;
  double position_error(const std::string& integrator, double h) const { return velocity_error(integrator, h) / -rate; }

  /// The longest step that resolves it: the second term of ln R(z) - z is at most a tenth of the first.
  /// trapezoidal: z^3/12 + z^5/80 + ..., so 3/20 z^2 <= 1/10; abm2: -z^3/6 + z^4/8 - ..., so 3/4 |z| <= 1/10. 0 for
  /// others.
  double resolved_step(const std::string& integrator) const;
};

/// R(z) of `trapezoidal`, `abm2`, `rk4` and `sdirk4`.
double stability_function(const std::string& integrator, double z);

}  // namespace cardan
