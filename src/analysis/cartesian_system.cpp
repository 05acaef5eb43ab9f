#include "analysis/cartesian_system.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/cartesian/attitude.hpp"

namespace cardan {

void CartesianSystem::tangent(const VecX& lambda, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) {
  MotionDerivatives d(structure());
  const VecX own = lambda.cwiseQuotient(row_length_);
  compiled_.formulation->differentiate(VecX::Zero(structure().coordinates), own, *work_, d);
  const int n = coordinates(), s = states();
  const VecX sizes = scale();
  const auto S = sizes.asDiagonal();
  const Eigen::MatrixXd of_positions = d.stiffness.full(), of_velocities = d.damping.full();
  stiffness = S * of_positions.topLeftCorner(n, n) * S;
  damping = S * of_velocities.topLeftCorner(n, n) * S;
  of_states_.forces_by_states = S * of_velocities.topRightCorner(n, s);
  of_states_.rates_by_positions = of_positions.bottomLeftCorner(s, n) * S;
  of_states_.rates_by_velocities = of_velocities.bottomLeftCorner(s, n) * S;
  of_states_.rates_by_states = of_velocities.bottomRightCorner(s, s);
}

Unbalanced CartesianSystem::unbalanced(const VecX& residual) const {
  Unbalanced worst;
  const VecX r = residual.cwiseQuotient(scale());
  double largest = -1;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
    const int at = b * body_size();
    double force = 0, moment = 0;
    if (mechanism_.planar) {
      force = r.segment<2>(at).norm();
      moment = std::abs(r[at + 2]);
    } else {
      // Q_p = 2 E^T n, and E E^T = I
      const Eigen::Vector4d p = state_.q.segment<4>(at + 3), own = r.segment<4>(at + 3);
      force = r.segment<3>(at).norm();
      moment = 0.5 * (Attitude<3>::inertial_map(p) * own).norm();
    }
    worst.force = std::max(worst.force, force);
    worst.moment = std::max(worst.moment, moment);
    const double size = std::max(force, moment / length());
    if (!(size <= largest)) largest = size, worst.body = b;
  }
  return worst;
}

}  // namespace cardan
