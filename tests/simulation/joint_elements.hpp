// What the tests of elements on joints share.
#pragma once

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan::joint_elements {

inline constexpr const char* kAll[] = {"global", "hybrid", "topological", "cartesian", "recursive"};
inline constexpr const char* kExactClosures[] = {"global", "hybrid", "topological", "cartesian"};
inline constexpr double kPi = std::numbers::pi;

inline Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

inline FinishedRun finish_well(const Mechanism& mechanism, const std::string& formulation, double step, double until) {
  FinishedRun result = finish(mechanism, options_of(formulation, step, until));
  EXPECT_EQ(result.summary.status, RunStatus::ok) << formulation << ": " << result.summary.reason;
  return result;
}

/// Angles as coordinates are exact at constant acceleration; points and Euler parameters of what turns are not, and
/// have the error of the rule.
inline double near(const std::string& formulation, double exact, double of_the_rule) {
  return formulation == "global" || formulation == "cartesian" ? of_the_rule : exact;
}

}  // namespace cardan::joint_elements
