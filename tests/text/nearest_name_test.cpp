#include "text/nearest_name.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

const std::vector<std::string> kNames = {"crank", "coupler", "rocker", "angular_velocity", "L", "ground"};

TEST(NearestName, FindsSlips) {
  EXPECT_EQ(nearest_name("crnk", kNames), "crank");
  EXPECT_EQ(nearest_name("carnk", kNames), "crank");
  EXPECT_EQ(nearest_name("Rocker", kNames), "rocker");
  EXPECT_EQ(nearest_name("angular-velocty", kNames), "angular_velocity");
  EXPECT_EQ(nearest_name("l", kNames), "L");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("wheel", kNames), "");
  EXPECT_EQ(nearest_name("k", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("crank", {}), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'a'), {std::string(100000, 'a')}), "");
}

}  // namespace
}  // namespace cardan
