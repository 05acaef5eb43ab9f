// Derivatives by central differences with one extrapolation, to check exact ones against: good to about 1e-10 of smooth
// functions of size one.
#pragma once

#include "cardan/math.hpp"

namespace cardan {

/// Column j: derivative of f with respect to x_j.
template <class F>
Eigen::MatrixXd differences(const F& f, const VecX& x, double step = 2e-3) {
  const VecX at = f(x);
  Eigen::MatrixXd result(at.size(), x.size());
  VecX moved = x;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const auto central = [&](double h) -> VecX {
      moved[j] = x[j] + h;
      const VecX up = f(moved);
      moved[j] = x[j] - h;
      const VecX down = f(moved);
      moved[j] = x[j];
      return (up - down) / (2 * h);
    };
    const VecX coarse = central(step), middle = central(step / 2), fine = central(step / 4);
    const VecX first = (4 * middle - coarse) / 3, second = (4 * fine - middle) / 3;
    result.col(j) = (16 * second - first) / 15;
  }
  return result;
}

/// Largest deviation relative to the largest entry (or to 1 where all are smaller).
inline double relative_deviation(const Eigen::MatrixXd& exact, const Eigen::MatrixXd& expected) {
  if (exact.size() == 0) return 0;
  return (exact - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

}  // namespace cardan
