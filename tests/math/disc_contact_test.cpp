// The contact of a disc with a line: continuity, potential, and independence of how a straight line is divided.
#include "math/disc_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan {
namespace {

constexpr double kRadius = 0.36, kEngage = 0.0036;

Profile stairs() { return Profile({{-5, 0}, {5, 0}, {15, 2}, {20, 2}, {20, 1.7}, {21, 1.7}, {21, 1.4}, {40, 1.4}}); }

Profile::Contact<double> touch(const Profile& profile, double x, double z, double vx = 0, double vz = 0) {
  return profile.touch<double>({{x, z}}, {{vx, vz}}, kRadius, kEngage);
}

TEST(DiscContact, PushesByItsDepthOnAFlatRoad) {
  const auto contact = touch(stairs(), 1.3, 0.35);
  EXPECT_NEAR(contact.push[0], 0, 1e-15);
  EXPECT_NEAR(contact.push[1], 0.01, 1e-15);
  EXPECT_NEAR(contact.energy, 0.5 * 0.01 * 0.01, 1e-16);
  EXPECT_NEAR(contact.normals[2], 1, 1e-15);
}

TEST(DiscContact, DoesNotFeelHowAStraightRoadIsDivided) {
  const Profile one({{0, 0}, {10, 2}}), many({{0, 0}, {1, 0.2}, {1.05, 0.21}, {1.3, 0.26}, {1.31, 0.262}, {10, 2}});
  for (double x = 0.9; x < 1.5; x += 0.013) {
    const auto a = touch(one, x, 0.2 * x + 0.35, 2, -1), b = touch(many, x, 0.2 * x + 0.35, 2, -1);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(a.push[i], b.push[i], 1e-14);
      EXPECT_NEAR(a.drag[i], b.drag[i], 1e-13);
    }
    EXPECT_NEAR(a.energy, b.energy, 1e-15);
  }
}

TEST(DiscContact, IsOutOfReachAboveTheRoad) {
  const auto contact = touch(stairs(), 1.3, 0.37);
  EXPECT_EQ(contact.push[1], 0);
  EXPECT_EQ(contact.energy, 0);
}

// Along a path that keeps the wheel pressed on, over the ramp, its ends, the edges and into the corners of the steps,
// the push changes in proportion to the way gone.
TEST(DiscContact, IsContinuousOverEdgesAndIntoCorners) {
  const Profile profile = stairs();
  for (const double step : {1e-3, 1e-4}) {
    double largest = 0;
    Vec2 before(0, 0);
    bool first = true;
    // a little inside the lifted road: the path of a rolling disc, sunk by up to 2 cm
    double z = 0.345;
    for (double x = 3; x < 22.5; x += step) {
      for (int i = 0; i < 200; ++i) {  // sink until the push is about 15 mm
        const auto contact = touch(profile, x, z);
        const double push = std::hypot(contact.push[0], contact.push[1]);
        if (std::abs(push - 0.015) < 1e-9) break;
        z += push > 0.015 ? std::min(step, push - 0.015) : -std::min(step, 0.015 - push);
      }
      const auto contact = touch(profile, x, z);
      const Vec2 push(contact.push[0], contact.push[1]);
      if (!first) largest = std::max(largest, (push - before).norm());
      before = push, first = false;
    }
    EXPECT_LT(largest, 8 * step);
  }
}

TEST(DiscContact, HasAPotential) {
  const Profile profile = stairs();
  const double h = 1e-6;
  for (const Vec2& c : {Vec2(4.98, 0.34), Vec2(5.03, 0.35), Vec2(15.02, 2.35), Vec2(20.1, 2.3), Vec2(20.34, 2.05),
                        Vec2(20.36, 2.045), Vec2(20.352, 2.053)}) {
    const auto energy = [&](double x, double z) { return touch(profile, x, z).energy; };
    const auto contact = touch(profile, c.x(), c.y());
    EXPECT_NEAR(contact.push[0], -(energy(c.x() + h, c.y()) - energy(c.x() - h, c.y())) / (2 * h), 1e-8);
    EXPECT_NEAR(contact.push[1], -(energy(c.x(), c.y() + h) - energy(c.x(), c.y() - h)) / (2 * h), 1e-8);
  }
}

TEST(DiscContact, TouchesTwiceBelowAStep) {
  const auto contact = touch(stairs(), 20.35, 2.05);
  EXPECT_GT(contact.push[0], 0.001);  // the edge above
  EXPECT_GT(contact.push[1], 0.009);  // the tread below
}

TEST(DiscContact, HasExactDerivatives) {
  const Profile profile = stairs();
  using Number = Dual<4>;
  for (const Vec2& c :
       {Vec2(4.98, 0.34), Vec2(15.02, 2.35), Vec2(20.1, 2.3), Vec2(20.352, 2.053), Vec2(20.3, 2.1997)}) {
    const double x[4] = {c.x(), c.y(), 1.3, -0.7};
    const auto exact =
        profile.touch<Number>({{Number::variable(x[0], 0), Number::variable(x[1], 1)}},
                              {{Number::variable(x[2], 2), Number::variable(x[3], 3)}}, kRadius, kEngage);
    for (int j = 0; j < 4; ++j) {
      double up[4], down[4];
      std::copy(x, x + 4, up), std::copy(x, x + 4, down);
      const double h = 1e-7;
      up[j] += h, down[j] -= h;
      const auto a = touch(profile, up[0], up[1], up[2], up[3]), b = touch(profile, down[0], down[1], down[2], down[3]);
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(exact.push[i].d[j], (a.push[i] - b.push[i]) / (2 * h), 1e-6);
        EXPECT_NEAR(exact.drag[i].d[j], (a.drag[i] - b.drag[i]) / (2 * h), 1e-5 * (1 + std::abs(exact.drag[i].d[j])));
      }
    }
  }
}

TEST(Profile, HasTheHigherSideOfAFace) {
  EXPECT_DOUBLE_EQ(stairs().height(10), 1);
  EXPECT_DOUBLE_EQ(stairs().height(20), 2);
  EXPECT_DOUBLE_EQ(stairs().height(20.001), 1.7);
  EXPECT_FALSE(stairs().covers(-5.1));
  EXPECT_TRUE(stairs().covers(40));
}

}  // namespace
}  // namespace cardan
