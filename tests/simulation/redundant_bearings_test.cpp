// Joints that hold the same motion more than once, oblique and anywhere: all formulations count one degree of freedom,
// and every integrator moves it as theory says.
#include <gtest/gtest.h>

#include <map>

#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "simulation/one_freedom.hpp"

namespace cardan {
namespace {

constexpr double kUntil = 0.16, kStep = 0.008;

/// Of the error over the step; 0 for those that choose their steps.
const std::map<std::string, double> kOrder = {
    {"trapezoidal", 2}, {"newmark", 1}, {"hht", 2}, {"generalized-alpha", 2}, {"rk4", 4}, {"dopri5", 0}, {"sdirk3", 3},
    {"sdirk4", 4},      {"abm2", 2},    {"bdf", 0}};

struct Way {
  std::string formulation, integrator;
};

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      ways.push_back({std::string(formulation.name), std::string(integrator.name)});
    }
  }
  return ways;
}

/// Distance of the watched body's centre from where it belongs, in sizes of the mechanism, or difference of its
/// velocity, in sizes per second, whichever is larger (either may pass through zero); infinite where a run failed.
double error_of(const OneFreedom& one, const Way& way, double step) {
  const FinishedRun run = finish(one.mechanism, options_of(way.formulation, step, kUntil, way.integrator));
  if (run.summary.status != "ok") {
    ADD_FAILURE() << run.summary.reason;
    return 1e300;
  }
  const std::string& name = one.watched;
  const OneFreedom::Motion theory = one.motion(kUntil);
  const double place = (run.last.vector(name + ".x", name + ".y", name + ".z") - theory.center).norm();
  const double rate = (run.last.vector(name + ".vx", name + ".vy", name + ".vz") - theory.velocity).norm();
  return std::max(place, rate) / one.size;
}

void expect_order(const OneFreedom& one, const Way& way) {
  constexpr double rounding = 2e-9, tolerance = 1e-3;
  constexpr double iteration = 5e-6;  // increments below 1e-7 end an iteration, and add up over the steps
  if (chooses_steps(way.formulation, way.integrator)) {
    EXPECT_LT(error_of(one, way, kStep), tolerance);
    return;
  }
  // Over two halvings, since an error may pass through zero at the end time of one of the steps.
  const double coarse = error_of(one, way, kStep), fine = error_of(one, way, kStep / 4);
  EXPECT_LT(coarse, 0.03);
  const double floor = kOrder.at(way.integrator) < 3 ? iteration : rounding;
  EXPECT_LT(fine, std::max(coarse / std::pow(4, kOrder.at(way.integrator) - 0.5), floor)) << "after " << coarse;
}

TEST(RedundantBearings, LeaveOneDegreeOfFreedomInAnyPlace) {
  constexpr int cases = 100;
  OneFreedomMaker maker(1);
  int counted = 0;
  for (const char* kind : kOneFreedom) {
    for (int i = 0; i < cases; ++i) {
      const OneFreedom one = maker.make(kind);
      for (const RegistryEntry& formulation : formulations()) {
        const Simulation simulation(one.mechanism, options_of(std::string(formulation.name), 0.01, 1));
        EXPECT_EQ(simulation.summary().degrees_of_freedom, 1) << kind << " " << i << " " << formulation.name;
        ++counted;
      }
    }
  }
  EXPECT_EQ(counted, 5 * cases * 5);
}

/// Every combination with every mechanism, each in another place.
TEST(RedundantBearings, MoveAsTheoryInEveryFormulationAndIntegrator) {
  const std::vector<Way> ways = all_ways();
  ASSERT_EQ(ways.size(), 36U);
  OneFreedomMaker maker(2);
  int ran = 0;
  for (const char* kind : kOneFreedom) {
    for (const Way& way : ways) {
      SCOPED_TRACE(kind + (" " + way.formulation) + " " + way.integrator);
      expect_order(maker.make(kind), way);
      ++ran;
    }
  }
  EXPECT_EQ(ran, 5 * 36);
}

}  // namespace
}  // namespace cardan
