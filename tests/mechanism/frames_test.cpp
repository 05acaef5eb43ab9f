// Frames from directions: rotations to rounding for every direction, also nearly opposite ones, and exact where the
// axes are.
#include "mechanism/frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cardan {
namespace {

constexpr double kRounding = 1e-14;

void expect_rotation(const Mat3& r) {
  EXPECT_TRUE((r.transpose() * r).isIdentity(kRounding));
  EXPECT_NEAR(r.determinant(), 1, kRounding);
}

TEST(Frames, AxesAlongAnyDirection) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    const Vec3 d = Vec3(normal(random), normal(random), normal(random)).normalized();
    expect_rotation(axes_with_z(d));
    expect_rotation(axes_with_x(d));
    EXPECT_EQ(Vec3(axes_with_z(d).col(2)), d);
    EXPECT_EQ(Vec3(axes_with_x(d).col(0)), d);
    EXPECT_NEAR(Eigen::AngleAxisd(axes_with_z(d)).angle(), std::acos(d.z()), 1e-7) << "the smallest rotation";
  }
}

TEST(Frames, NearlyOppositeDirections) {
  for (const double tilt : {0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3}) {
    const Vec3 d(std::sin(tilt), 0, -std::cos(tilt));
    expect_rotation(axes_with_z(d));
    EXPECT_EQ(Vec3(axes_with_z(d).col(2)), d);
  }
}

TEST(Frames, ExactAlongInertialAxes) {
  EXPECT_EQ(axes_with_z(Vec3::UnitZ()), Mat3::Identity());
  EXPECT_EQ(axes_with_z(-Vec3::UnitZ()), Mat3(Vec3(1, -1, -1).asDiagonal()));
  EXPECT_EQ(axes_with_x(-Vec3::UnitX()), Mat3(Vec3(-1, -1, 1).asDiagonal()));
}

TEST(Frames, DirectionsInThePlaneTurnInThePlane) {
  for (double angle = -3.1; angle < 3.2; angle += 0.1) {
    const Mat3 axes = axes_with_x(Vec3(std::cos(angle), std::sin(angle), 0));
    EXPECT_TRUE(axes.isApprox(Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), 1e-13)) << angle;
    EXPECT_EQ(Vec3(axes.col(2)), Vec3::UnitZ());
  }
}

TEST(Frames, TurnedAboutZPointsXAsAsked) {
  const Mat3 axes = axes_with_z(Vec3(1, 2, 3).normalized());
  const Mat3 turned = turned_about_z(axes, Vec3(0, 1, 0));
  expect_rotation(turned);
  EXPECT_NEAR(turned.col(1).dot(Vec3(0, 1, 0)), 0, kRounding);
  EXPECT_GT(turned.col(0).dot(Vec3(0, 1, 0)), 0);
}

}  // namespace
}  // namespace cardan
