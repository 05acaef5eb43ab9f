#include "formulation/turning_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace cardan {

TurningInertia<3>::TurningInertia(const Mat3& J) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(J);
  const Vec3 j = principal.eigenvalues();  // ascending
  middle_ = j[1];
  less_ = std::sqrt(j[1] - j[0]) * principal.eigenvectors().col(0);
  more_ = std::sqrt(j[2] - j[1]) * principal.eigenvectors().col(2);
}

}  // namespace cardan
