#include "formulation/turning_inertia.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

// Three different principal values in oblique axes, a slender rod, a disc, a ball, next to nothing.
TEST(TurningInertia, IsTheInertiaInTurnedAxes) {
  const Mat3 oblique = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(-3, 1, 2).normalized()).toRotationMatrix();
  const Vec3 principal[] = {{1, 2, 2.5}, {0, 3, 3}, {1, 1, 2}, {5, 5, 5}, {1e-12, 1, 1}, {0, 0, 0}};
  for (const Vec3& j : principal) {
    const Mat3 J = oblique * j.asDiagonal() * oblique.transpose();
    const TurningInertia<3> inertia(J);
    EXPECT_LT((inertia.turned(R) - R * J * R.transpose()).norm(), 4e-15 * J.norm() + 1e-300) << j.transpose();
    const Mat3 twice = R * oblique;
    EXPECT_LT((inertia.in_axes(oblique).turned(R) - twice * J * twice.transpose()).norm(), 4e-15 * J.norm() + 1e-300);
  }
}

}  // namespace
}  // namespace cardan
