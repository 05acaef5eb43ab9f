#include "studies/stiff_double_pendulum/fast_mode.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "integration/butcher_tableau.hpp"
#include "math/decomposition/decompositions.hpp"

namespace cardan {

FastMode FastMode::of(const ReferenceMotion& reference) {
  const PendulumMotion& start = reference.start();
  const Eigen::Matrix2d M = pendulum_mass(start), C = pendulum_damping();
  // C u = -lambda M u with u^T M u = 1; the largest comes last.
  const Eigen::Matrix2d L = cholesky_factor(M), inverse = L.inverse();
  const SymmetricEigenvalues modes = symmetric_eigenvalues(inverse * C * inverse.transpose());
  const Eigen::Vector2d u = inverse.transpose() * modes.vectors.col(1), second(start.second[0], start.second[1]);
  FastMode mode;
  mode.rate = -modes.values[1];
  // v = u (u^T M v'(0)) (exp(lambda t) - 1) / lambda
  mode.amplitude = std::abs(u.dot(M * second) * u[1] / mode.rate);
  return mode;
}

double stability_function(const std::string& integrator, double z) {
  if (integrator == "trapezoidal") return (1 + z / 2) / (1 - z / 2);
  if (integrator == "abm2") return 1 + z + z * z / 2;
  if (integrator != "rk4" && integrator != "sdirk4") {
    throw std::invalid_argument("no stability function of '" + integrator + "' is known here");
  }
  // 1 + z b^T (I - z A)^-1 [1 ... 1]^T
  const ButcherTableau& t = ButcherTableau::of(integrator);
  const Eigen::MatrixXd I_zA = Eigen::MatrixXd::Identity(t.stages(), t.stages()) - z * t.A;
  return 1 + z * t.b.dot(solve_square(I_zA, VecX::Ones(t.stages())).col(0));
}

double FastMode::velocity_error(const std::string& integrator, double h) const {
  const double z = h * rate, R = stability_function(integrator, z);
  const int steps = static_cast<int>(std::ceil(10 / std::min(1.0, -z)));  // ten times 1/|lambda|, where the largest is
  double largest = 0, y = 1;
  for (int n = 1; n <= steps; ++n) {
    y *= R;
    largest = std::max(largest, std::abs(y - std::exp(n * z)));
  }
  return amplitude * largest;
}

double FastMode::resolved_step(const std::string& integrator) const {
  if (integrator == "trapezoidal") return std::sqrt(0.1 * 20 / 3) / -rate;
  if (integrator == "abm2") return 0.1 * 4 / 3 / -rate;
  return 0;
}

}  // namespace cardan
