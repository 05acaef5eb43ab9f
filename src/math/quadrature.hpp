// The integral of a function of one variable by Gauss-Legendre panels, halved where two halves disagree with the whole.
// No allocation, and bounded work on whatever function it is given.
#pragma once

#include <cmath>

namespace cardan {

namespace quadrature {

struct Panel {
  double integral, absolute;  // of f and of |f|
};

/// Ten points: exact for polynomials up to degree 19.
template <class F>
Panel gauss_legendre(const F& f, double a, double b) {
  constexpr double node[5] = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451,
                              0.97390652851717172};
  constexpr double weight[5] = {0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.14945134915058059,
                                0.06667134430868814};
  const double middle = a + (b - a) / 2, half = (b - a) / 2;
  double sum = 0, absolute = 0;
  for (int i = 0; i < 5; ++i) {
    const double left = f(middle - half * node[i]), right = f(middle + half * node[i]);
    sum += weight[i] * (left + right);
    absolute += weight[i] * (std::abs(left) + std::abs(right));
  }
  return {sum * half, absolute * std::abs(half)};
}

template <class F>
double refine(const F& f, double a, double b, double whole, double tolerance, int depth, int* panels_left) {
  const double middle = a + (b - a) / 2;
  const double left = gauss_legendre(f, a, middle).integral, right = gauss_legendre(f, middle, b).integral;
  // Written so that a result that is not a number ends the refinement.
  if (!(std::abs(left + right - whole) > tolerance) || depth == 0 || --*panels_left <= 0) return left + right;
  return refine(f, a, middle, left, tolerance, depth - 1, panels_left) +
         refine(f, middle, b, right, tolerance, depth - 1, panels_left);
}

}  // namespace quadrature

template <class F>
double integrate(const F& f, double a, double b) {
  constexpr int panels = 4;           // a first look fine enough not to miss a bump by symmetry
  constexpr int deepest = 48;         // a jump is then located to rounding
  constexpr int panel_budget = 4000;  // for all halvings together: some ten thousand evaluations
  constexpr double relative_tolerance = 1e-14;
  const auto edge = [&](int i) { return i == panels ? b : a + (b - a) * i / panels; };
  quadrature::Panel first[panels];
  double absolute = 0;
  for (int i = 0; i < panels; ++i) {
    first[i] = quadrature::gauss_legendre(f, edge(i), edge(i + 1));
    absolute += first[i].absolute;
  }
  double sum = 0;
  for (int i = 0; i < panels; ++i) {
    int panels_left = panel_budget / panels;
    sum += quadrature::refine(f, edge(i), edge(i + 1), first[i].integral, relative_tolerance * absolute, deepest,
                              &panels_left);
  }
  return sum;
}

}  // namespace cardan
