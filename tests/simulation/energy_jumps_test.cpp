// A jump of the energy balance is noticed at any size of a system, and smooth motion is not taken for one.
#include "simulation/energy_jumps.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan {
namespace {

/// The energy error of a smooth motion: a slow growth with a swing.
double smooth_error(int step) { return 1e-4 * step + 2e-3 * std::sin(0.1 * step); }

TEST(EnergyJumps, OneStepManyTimesLargerThanThoseBeforeIsNoticed) {
  for (double sign : {-1.0, 1.0}) {
    EnergyJumps jumps;
    for (int i = 1; i <= 200; ++i) jumps.see(smooth_error(i) + (i >= 120 ? sign * 0.5 : 0), 10, 0.01 * i);
    EXPECT_NEAR(jumps.largest(), 0.5, 1e-3);
    EXPECT_LT(jumps.before(), 1e-3);
    EXPECT_DOUBLE_EQ(jumps.time(), 1.2);
  }
}

/// The singular position lies between two steps: the first of them is off by what is not worthwhile alone, the second
/// by twenty times as much.
TEST(EnergyJumps, OneThatTakesTwoStepsIsNoticed) {
  EnergyJumps jumps;
  const auto jump = [](int i) { return i < 120 ? 0 : i == 120 ? 0.04 : 0.84; };
  for (int i = 1; i <= 200; ++i) jumps.see(smooth_error(i) + jump(i), 10, 0.01 * i);
  EXPECT_NEAR(jumps.largest(), 0.8, 1e-3);
  EXPECT_DOUBLE_EQ(jumps.time(), 1.21);
}

TEST(EnergyJumps, SmoothMotionHasNone) {
  EnergyJumps jumps;
  for (int i = 1; i <= 1000; ++i) jumps.see(smooth_error(i), 1e-3, 0.01 * i);
  EXPECT_EQ(jumps.largest(), 0);
}

TEST(EnergyJumps, WhatIsLittleForOneBodyIsNone) {
  EnergyJumps jumps;
  for (int i = 1; i <= 200; ++i) jumps.see(smooth_error(i) + (i >= 120 ? 0.5 : 0), 1000, 0.01 * i);
  EXPECT_EQ(jumps.largest(), 0);
}

TEST(EnergyJumps, WhatBeginsToMoveFromRestIsNone) {
  EnergyJumps jumps;
  for (int i = 1; i <= 200; ++i) jumps.see(i < 20 ? 1e-11 : 0.02, i < 20 ? 0.01 : 300, 0.01 * i);
  EXPECT_FALSE(jumps.matters(300));
  EXPECT_FALSE(EnergyJumps().matters(0)) << "no jump at all";
  for (int i = 201; i <= 220; ++i) jumps.see(i < 210 ? 0.02 : 5, 300, 0.01 * i);
  EXPECT_TRUE(jumps.matters(300));
}

TEST(EnergyJumps, TheFirstStepsTellWhatIsUsual) {
  EnergyJumps jumps;
  for (int i = 1; i <= 8; ++i) jumps.see(std::pow(40.0, i), 1e-3, 0.01 * i);
  EXPECT_EQ(jumps.largest(), 0);
}

}  // namespace
}  // namespace cardan
