// The coefficients of every Runge-Kutta method in the library, explicit and implicit: they are in butcher_tableau.cpp,
// and found by the name of the integrator. Their order conditions are tested algebraically. docs/theory/runge-kutta.md.
//     y_i = y_0 + h sum_j a_ij f(t_0 + c_j h, y_j),   y_1 = y_0 + h sum_i b_i f(t_0 + c_i h, y_i)
#pragma once

#include <span>
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
  /// Lower triangular, with one gamma in the diagonal: the stages can be found one after the other, with one matrix.
  bool is_singly_diagonal() const;
  /// The last stage is the end of the step, so that it serves as the first one of the next.
  bool first_same_as_last() const;

  static std::span<const ButcherTableau> all();
  /// By the name of the integrator; throws std::invalid_argument when it is no Runge-Kutta method.
  static const ButcherTableau& of(std::string_view name);
};

}  // namespace cardan
