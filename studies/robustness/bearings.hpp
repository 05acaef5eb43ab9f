// Mechanisms of one degree of freedom that joints hold more often than needed, in many places, with every method:
// whether errors fall as the order of the method says, or stay within the tolerance.
#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace cardan {

struct OneFreedom;

struct BearingRun {
  std::string kind, formulation, integrator;
  int place = 0;                // which of the random ones
  double size = 0;              // m
  int degrees_of_freedom = 0;   // 1 where they are counted right
  double coarse = 0, fine = 0;  // errors with a step and a quarter of it, in sizes; infinite when it failed. fine: 0
                                // where the method chooses its steps
  bool good = false;
  std::string failure;
};

/// Error of the watched body, of its place in sizes or of its velocity in sizes per second, the most at five instants.
/// Infinite when the run failed, `failure` says why.
double bearing_error(const OneFreedom& one, const std::string& formulation, const std::string& integrator, double step,
                     std::string& failure);
BearingRun run_bearing(const OneFreedom& one, const std::string& formulation, const std::string& integrator);

std::vector<BearingRun> run_bearings(int places, const StudyContext& context);

}  // namespace cardan
