// A rotation along a path: through all that are given, derivatives as differences, the same path wherever it is turned.
#include "math/rotation_path.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan {
namespace {

Quat random_rotation(std::mt19937& random) {
  std::normal_distribution<double> number;
  return Quat(number(random), number(random), number(random), number(random)).normalized();
}

struct Given {
  std::vector<double> time;
  std::vector<Quat> rotation;
};

/// Ten, each up to 80 degrees from the one before, some with the other sign.
Given random_path(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  Given given;
  Quat q = random_rotation(random);
  double t = -0.3;
  for (int i = 0; i < 10; ++i) {
    given.time.push_back(t);
    given.rotation.push_back(i % 3 == 1 ? Quat(-q.coeffs()) : q);
    t += 0.2 + part(random);
    q = q * Quat(Eigen::AngleAxisd(1.4 * part(random), random_rotation(random).vec().normalized()));
  }
  return given;
}

RotationPath path_of(const Given& given) { return RotationPath(given.time, given.rotation, Function::Beyond::hold); }

TEST(RotationPath, GoesThroughEveryRotation) {
  const Given given = random_path(1);
  const RotationPath path = path_of(given);
  for (std::size_t i = 0; i < given.time.size(); ++i) {
    const Mat3 expected = given.rotation[i].toRotationMatrix();
    EXPECT_LT((path.evaluate(given.time[i]).R - expected).norm(), 1e-14);
  }
}

TEST(RotationPath, HasItsDerivatives) {
  const Given given = random_path(2);
  const RotationPath path = path_of(given);
  constexpr double kStep = 1e-5;
  int compared = 0;
  for (double t = given.time.front() + 0.01; t < given.time.back() - 0.01; t += 0.0371) {
    const auto now = path.evaluate(t), before = path.evaluate(t - kStep), after = path.evaluate(t + kStep);
    EXPECT_LT((now.R.transpose() * now.R - Mat3::Identity()).norm(), 1e-14);
    EXPECT_LT((now.rate - (after.R - before.R) / (2 * kStep)).norm(), 1e-8 * (1 + now.rate.norm()));
    // Across a time that is given the third derivative jumps.
    EXPECT_LT((now.second - (after.rate - before.rate) / (2 * kStep)).norm(), 2e-3 * (1 + now.second.norm()));
    const Vec3 w = now.angular_velocity();
    const Mat3 turning{{0, -w.z(), w.y()}, {w.z(), 0, -w.x()}, {-w.y(), w.x(), 0}};
    EXPECT_LT((now.R * turning - now.rate).norm(), 1e-13 * (1 + w.norm()));
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(RotationPath, TurnsAsAWhole) {
  std::mt19937 random(7);
  const Given given = random_path(3);
  const Quat before = random_rotation(random), after = random_rotation(random);
  Given turned = given;
  for (Quat& q : turned.rotation) q = before * q * after;
  const RotationPath one = path_of(given), two = path_of(turned);
  for (double t = -0.3; t < 3; t += 0.1) {
    const auto expected = one.evaluate(t), found = two.evaluate(t);
    const Mat3 A = before.toRotationMatrix(), B = after.toRotationMatrix();
    EXPECT_LT((found.R - A * expected.R * B).norm(), 1e-13);
    EXPECT_LT((found.second - A * expected.second * B).norm(), 1e-11 * (1 + expected.second.norm()));
  }
}

}  // namespace
}  // namespace cardan
