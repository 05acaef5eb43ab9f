#include "integration/butcher_tableau.hpp"

#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace cardan {
namespace {

using Rows = std::initializer_list<std::initializer_list<double>>;

VecX vector_of(std::initializer_list<double> values) {
  VecX result(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

/// Rows of the lower triangle; what is not written is zero, and c_i is the sum of row i.
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

}  // namespace

bool ButcherTableau::is_explicit() const {
  for (int i = 0; i < stages(); ++i) {
    for (int j = i; j < stages(); ++j) {
      if (A(i, j) != 0) return false;
    }
  }
  return true;
}

bool ButcherTableau::first_same_as_last() const {
  return is_explicit() && A.row(stages() - 1) == b.transpose() && c[stages() - 1] == 1;
}

const ButcherTableau& ButcherTableau::of(std::string_view name) {
  for (const auto tableau : {abm2, rk4, dopri5, sdirk3, sdirk4}) {
    if (tableau().name == name) return tableau();
  }
  throw std::invalid_argument("no Runge-Kutta method is called '" + std::string(name) + "'");
}

const ButcherTableau& ButcherTableau::abm2() {
  static const ButcherTableau tableau = make("abm2", 2, {{}, {1}}, {1.0 / 2, 1.0 / 2});
  return tableau;
}

const ButcherTableau& ButcherTableau::rk4() {
  static const ButcherTableau tableau =
      make("rk4", 4, {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6});
  return tableau;
}

const ButcherTableau& ButcherTableau::dopri5() {
  static const ButcherTableau tableau = [] {
    ButcherTableau t =
        make("dopri5", 5,
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
  }();
  return tableau;
}

const ButcherTableau& ButcherTableau::sdirk3() {
  static const double g = (3 + std::sqrt(3.0)) / 6;
  static const ButcherTableau tableau = make("sdirk3", 3, {{g}, {1 - 2 * g, g}}, {1.0 / 2, 1.0 / 2});
  return tableau;
}

const ButcherTableau& ButcherTableau::sdirk4() {
  static const ButcherTableau tableau = [] {
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
  }();
  return tableau;
}

}  // namespace cardan
