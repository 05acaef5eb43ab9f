#include "math/rotation_vector.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace cardan {
namespace {

// Zero, tiny, both sides of the change from series to closed form, close to a full turn.
const double kAngles[] = {0, 1e-9, 1e-3, 0.4999, 0.5001, 1.7, 3.1, 6.2};
const Vec3 kDirection = Vec3(0.3, -0.5, 0.8).normalized();

TEST(RotationVector, RotationIsTheExponential) {
  for (double angle : kAngles) {
    const Vec3 theta = angle * kDirection;
    const Mat3 expected = Eigen::AngleAxisd(angle, kDirection).toRotationMatrix();
    EXPECT_LT((rotation_and_tangent(theta).rotation - expected).norm(), 2e-15) << angle;
    EXPECT_LT((rotation_from_vector(theta).toRotationMatrix() - expected).norm(), 2e-15) << angle;
  }
}

// R(theta + d theta) R(theta)^T = exp((T d theta)~) to first order
TEST(RotationVector, TangentIsTheDerivative) {
  constexpr double eps = 1e-5;
  for (double angle : kAngles) {
    const Vec3 theta = angle * kDirection;
    const Mat3 T = rotation_and_tangent(theta).tangent;
    EXPECT_LT((T - rotation_vector_tangent(theta)).norm(), 1e-15);
    for (int i = 0; i < 3; ++i) {
      const Vec3 d = eps * Vec3::Unit(i);
      const Mat3 turn =
          (rotation_from_vector(theta + d) * rotation_from_vector(theta - d).conjugate()).toRotationMatrix();
      EXPECT_LT((vector_from_rotation(turn) / (2 * eps) - T.col(i)).norm(), 1e-9) << angle << ' ' << i;
    }
  }
}

TEST(RotationVector, BiasIsTheRateOfTheTangent) {
  constexpr double eps = 1e-5;
  const Vec3 rate(0.7, 1.1, -0.4);
  for (double angle : kAngles) {
    const Vec3 theta = angle * kDirection;
    const Vec3 difference =
        (rotation_vector_tangent(theta + eps * rate) - rotation_vector_tangent(theta - eps * rate)) * rate / (2 * eps);
    EXPECT_LT((rotation_vector_bias(theta, rate) - difference).norm(), 1e-9) << angle;
  }
}

}  // namespace
}  // namespace cardan
