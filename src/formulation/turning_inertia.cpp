#include "formulation/turning_inertia.hpp"

#include <cmath>

#include "math/decomposition/decompositions.hpp"

namespace cardan {

TurningInertia<3>::TurningInertia(const Mat3& J) {
  const SymmetricEigenvalues principal = symmetric_eigenvalues(J);
  const Vec3 j = principal.values;
  middle_ = j[1];
  less_ = std::sqrt(j[1] - j[0]) * principal.vectors.col(0);
  more_ = std::sqrt(j[2] - j[1]) * principal.vectors.col(2);
}

}  // namespace cardan
