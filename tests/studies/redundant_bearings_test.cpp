// Joints that hold the same motion more than once, oblique and anywhere: all formulations count one degree of freedom,
// and every integrator moves it as theory says.
#include <gtest/gtest.h>

#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "options/integrators.hpp"
#include "studies/robustness/bearings.hpp"
#include "studies/robustness/one_freedom.hpp"

namespace cardan {
namespace {

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

double error_of(const OneFreedom& one, const Way& way, double step) {
  std::string failure;
  const double error = bearing_error(one, way.formulation, way.integrator, step, failure);
  EXPECT_EQ(failure, "");
  return error;
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

/// Every combination with every mechanism, each in another place, twice.
TEST(RedundantBearings, MoveAsTheoryInEveryFormulationAndIntegrator) {
  const std::vector<Way> ways = all_ways();
  ASSERT_GE(ways.size(), 39U);
  int ran = 0;
  for (unsigned seed : {2u, 4u}) {
    OneFreedomMaker maker(seed);
    for (const char* kind : kOneFreedom) {
      for (const Way& way : ways) {
        SCOPED_TRACE(kind + (" " + way.formulation) + " " + way.integrator);
        const BearingRun run = run_bearing(maker.make(kind), way.formulation, way.integrator);
        EXPECT_TRUE(run.good) << "errors " << run.coarse << ", " << run.fine << ", size " << run.size << ", degrees of "
                              << "freedom " << run.degrees_of_freedom << " " << run.failure;
        ++ran;
      }
    }
  }
  EXPECT_EQ(ran, 2 * 5 * static_cast<int>(ways.size()));
}

/// All that a second bearing says of the shaft's turn is rounding, large beside nothing, and must not hold it in any
/// step.
TEST(RedundantBearings, RoundingHoldsNoShaft) {
  int measured = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const OneFreedom one = OneFreedomMaker(seed).make("shaft");
    for (const char* integrator : {"rk4", "sdirk3", "sdirk4", "gauss4"}) {
      const int order = integrator_entry(integrator).order;
      const Way way{"hybrid", integrator};
      double before = error_of(one, way, 0.016);
      for (const double step : {0.008, 0.004, 0.002, 0.001}) {
        const double error = error_of(one, way, step);
        EXPECT_LT(error, std::max(before / std::pow(2, order - 0.5), 1e-11))
            << seed << " " << integrator << " " << step;
        before = error;
        ++measured;
      }
    }
  }
  EXPECT_EQ(measured, 6 * 4 * 4);
}

/// Constraints are in units of their own: what is left out as redundant has not opened by a part of a millimetre.
TEST(RedundantBearings, BdfRunsSmallMechanisms) {
  int small = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    OneFreedomMaker maker(seed);
    for (const char* kind : kOneFreedom) {
      const OneFreedom one = maker.make(kind);
      if (one.size > 0.003) continue;
      SCOPED_TRACE(kind + (" " + std::to_string(seed)));
      EXPECT_LT(error_of(one, {"cartesian", "bdf"}, 0.008) * one.size, 1e-5);  // the tolerance is in metres
      ++small;
    }
  }
  EXPECT_GE(small, 8);
}

}  // namespace
}  // namespace cardan
