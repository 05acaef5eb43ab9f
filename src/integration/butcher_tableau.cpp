#include "integration/butcher_tableau.hpp"

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace cardan {
namespace {

using Rows = std::initializer_list<std::initializer_list<double>>;

VecX vector_of(std::initializer_list<double> values) {
  VecX result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

/// What is not written at the end of a row is zero; c_i is the sum of row i.
ButcherTableau make(std::string_view name, int order, Rows rows, std::initializer_list<double> b,
                    int embedded_order = 0, std::initializer_list<double> embedded = {}) {
  ButcherTableau t;
  t.name = name;
  t.order = order;
  t.embedded_order = embedded_order;
  t.b = vector_of(b);
  t.embedded = vector_of(embedded);
  t.A = Eigen::MatrixXd::Zero(t.b.size(), t.b.size());
  int i = 0;
  for (const auto& row : rows) {
    int j = 0;
    for (double value : row) t.A(i, j++) = value;
    ++i;
  }
  t.c = t.A.rowwise().sum();
  return t;
}

/// The trapezoidal rule with Euler's step as its prediction.
ButcherTableau abm2() { return make("abm2", 2, {{}, {1}}, {1.0 / 2, 1.0 / 2}); }

/// The classical method of order 4.
ButcherTableau rk4() {
  return make("rk4", 4, {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6});
}

/// Dormand and Prince 5(4), seven stages, the last one the first of the next step.
ButcherTableau dopri5() {
  ButcherTableau t = make("dopri5", 5,
                          {{},
                           {1.0 / 5},
                           {3.0 / 40, 9.0 / 40},
                           {44.0 / 45, -56.0 / 15, 32.0 / 9},
                           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
                          {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0}, 4,
                          {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40});
  t.c = vector_of({0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1});  // free of rounding
  return t;
}

/// Two stages, order 3, A-stable: gamma = (3 + sqrt 3) / 6.
ButcherTableau sdirk3() {
  const double g = (3 + std::sqrt(3.0)) / 6;
  return make("sdirk3", 3, {{g}, {1 - 2 * g, g}}, {1.0 / 2, 1.0 / 2});
}

/// Five stages, order 4 with embedded order 3, L-stable and stiffly accurate: gamma = 1/4. Hairer and Wanner II, table
/// IV.6.5.
ButcherTableau sdirk4() {
  ButcherTableau t = make("sdirk4", 4,
                          {{1.0 / 4},
                           {1.0 / 2, 1.0 / 4},
                           {17.0 / 50, -1.0 / 25, 1.0 / 4},
                           {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
                           {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}},
                          {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}, 3,
                          {59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0});
  t.c = vector_of({1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1});  // free of rounding
  return t;
}

/// Gauss, two stages that depend on each other, order 4, A-stable, symmetric and symplectic.
ButcherTableau gauss4() {
  const double r = std::sqrt(3.0) / 6;
  return make("gauss4", 4, {{1.0 / 4, 1.0 / 4 - r}, {1.0 / 4 + r, 1.0 / 4}}, {1.0 / 2, 1.0 / 2});
}

/// Radau IIA, three stages that depend on each other, order 5, L-stable and stiffly accurate. Hairer and Wanner II,
/// table IV.5.6.
ButcherTableau radau5() {
  const double r = std::sqrt(6.0);
  ButcherTableau t = make("radau5", 5,
                          {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                           {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                           {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}},
                          {(16 - r) / 36, (16 + r) / 36, 1.0 / 9});
  t.c = vector_of({(4 - r) / 10, (4 + r) / 10, 1});  // free of rounding
  return t;
}

}  // namespace

bool ButcherTableau::is_explicit() const {
  for (int i = 0; i < stages(); ++i) {
    for (int j = i; j < stages(); ++j) {
      if (A(i, j) != 0) return false;
    }
  }
  return true;
}

bool ButcherTableau::is_singly_diagonal() const {
  for (int i = 0; i < stages(); ++i) {
    if (A(i, i) != A(0, 0)) return false;
    for (int j = i + 1; j < stages(); ++j) {
      if (A(i, j) != 0) return false;
    }
  }
  return A(0, 0) != 0;
}

bool ButcherTableau::first_same_as_last() const {
  return c[stages() - 1] == 1 && A.row(stages() - 1) == b.transpose() && is_explicit();
}

std::span<const ButcherTableau> ButcherTableau::all() {
  static const std::vector<ButcherTableau> tableaus{abm2(), rk4(), dopri5(), sdirk3(), sdirk4(), gauss4(), radau5()};
  return tableaus;
}

const ButcherTableau& ButcherTableau::of(std::string_view name) {
  for (const ButcherTableau& tableau : all()) {
    if (tableau.name == name) return tableau;
  }
  throw std::invalid_argument("no Runge-Kutta method is called '" + std::string(name) + "'");
}

}  // namespace cardan
