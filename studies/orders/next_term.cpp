#include "studies/orders/next_term.hpp"

#include <cmath>

namespace cardan {
namespace {

/// a + b h^m to y = e / h^p: least squares of (a + b h^m) / y - 1.
NextTerm fitted(const OrderResult& result, std::size_t first, int power) {
  double uu = 0, uw = 0, ww = 0, u1 = 0, w1 = 0;
  const auto rung = [&](std::size_t i, double& u, double& w) {
    u = std::pow(result.steps[i], result.theoretical) / result.error(i);
    w = u * std::pow(result.steps[i], power);
  };
  for (std::size_t i = first; i < result.told; ++i) {
    double u, w;
    rung(i, u, w);
    uu += u * u, uw += u * w, ww += w * w, u1 += u, w1 += w;
  }
  NextTerm fit;
  fit.power = power;
  const double determinant = uu * ww - uw * uw;
  fit.leading = (u1 * ww - w1 * uw) / determinant;
  fit.next = (w1 * uu - u1 * uw) / determinant;
  for (std::size_t i = first; i < result.told; ++i) {
    double u, w;
    rung(i, u, w);
    fit.largest_misfit = std::max(fit.largest_misfit, std::abs(fit.leading * u + fit.next * w - 1));
  }
  return fit;
}

}  // namespace

NextTerm fit_next_term(const OrderResult& result) {
  const std::size_t first = result.first_of_order();
  if (result.theoretical == 0 || result.told < first + 3) return {};
  NextTerm best = fitted(result, first, 1);
  if (const NextTerm other = fitted(result, first, 2); other.largest_misfit < best.largest_misfit) best = other;
  if (best.leading > 0 && best.next > 0) {
    // m x = margin with x = b h^m / (a + b h^m)
    const double part = kOrderMargin / best.power;
    best.step = std::pow(part / (1 - part) * best.leading / best.next, 1.0 / best.power);
    best.error = best.leading / (1 - part) * std::pow(best.step, result.theoretical);
  }
  return best;
}

}  // namespace cardan
