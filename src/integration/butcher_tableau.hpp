// The coefficients of every Runge-Kutta method in the library, explicit and diagonally implicit, in one place. Their
// order conditions are tested algebraically. THEORY section 4.
//     y_i = y_0 + h sum_j a_ij f(t_0 + c_j h, y_j),   y_1 = y_0 + h sum_i b_i f(t_0 + c_i h, y_i)
#pragma once

#include <string_view>

#include "cardan/math.hpp"

namespace cardan {

struct ButcherTableau {
  std::string_view name;
  int order = 0;
  int embedded_order = 0;  // 0: there is no embedded method
  Eigen::MatrixXd A;       // s x s
  VecX b, c;               // s
  VecX embedded;           // s: the weights of the embedded method, or empty

  int stages() const { return static_cast<int>(b.size()); }
  bool is_explicit() const;
  /// The last stage is the end of the step, so that it serves as the first one of the next.
  bool first_same_as_last() const;

  /// By the name of the integrator; throws std::invalid_argument when it is no Runge-Kutta method.
  static const ButcherTableau& of(std::string_view name);
  /// The trapezoidal rule with Euler's step as its prediction, order 2.
  static const ButcherTableau& abm2();
  /// The classical method of order 4.
  static const ButcherTableau& rk4();
  /// Dormand and Prince 5(4), seven stages, the last one the first of the next step.
  static const ButcherTableau& dopri5();
  /// Two stages, order 3, A-stable: gamma = (3 + sqrt 3) / 6.
  static const ButcherTableau& sdirk3();
  /// Five stages, order 4 with embedded order 3, L-stable and stiffly accurate: gamma = 1/4. Hairer and Wanner II,
  /// table IV.6.5.
  static const ButcherTableau& sdirk4();
};

}  // namespace cardan
