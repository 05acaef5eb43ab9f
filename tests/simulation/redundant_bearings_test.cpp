// Joints that hold the same motion more than once, oblique and anywhere: all formulations count one degree of freedom,
// and every integrator moves it as theory says.
#include <gtest/gtest.h>

#include "last_sample.hpp"
#include "options/integrators.hpp"
#include "studies/robustness/one_freedom.hpp"

namespace cardan {
namespace {

constexpr double kUntil = 0.16, kStep = 0.008;

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
/// velocity, in sizes per second, whichever is larger: the most in all samples. At one instant an error may pass
/// through zero, and that of `newmark` has a part of first and one of second order, of signs of their own.
class LargestError final : public Sink {
 public:
  explicit LargestError(const OneFreedom& one) : one_(one) {}

  void start(const std::vector<std::string>& columns) override { last_.start(columns); }
  void sample(const double* row, std::size_t size) override {
    last_.sample(row, size);
    const std::string& name = one_.watched;
    const OneFreedom::Motion theory = one_.motion(last_["t"]);
    const double place = (last_.vector(name + ".x", name + ".y", name + ".z") - theory.center).norm();
    const double rate = (last_.vector(name + ".vx", name + ".vy", name + ".vz") - theory.velocity).norm();
    largest_ = std::max({largest_, place / one_.size, rate / one_.size});
    ++samples_;
  }
  double largest() const { return largest_; }
  int samples() const { return samples_; }

 private:
  const OneFreedom& one_;
  LastSample last_;
  double largest_ = 0;
  int samples_ = 0;
};

/// Infinite where a run failed.
double error_of(const OneFreedom& one, const Way& way, double step) {
  constexpr int instants = 5;
  LargestError error(one);
  RunOptions options = options_of(way.formulation, step, kUntil, way.integrator);
  if (!chooses_steps(way.formulation, way.integrator))
    options.every = static_cast<int>(std::lround(kUntil / instants / step));
  const RunSummary summary = run(one.mechanism, options, &error);
  if (summary.status != RunStatus::ok) {
    ADD_FAILURE() << summary.reason;
    return 1e300;
  }
  EXPECT_GE(error.samples(), instants);
  return error.largest();
}

void expect_order(const OneFreedom& one, const Way& way) {
  constexpr double rounding = 2e-9, tolerance = 1e-3;
  if (chooses_steps(way.formulation, way.integrator)) {
    EXPECT_LT(error_of(one, way, kStep), tolerance);
    return;
  }
  // The part of second order of a method of first order hides its order in long steps.
  const int order = integrator_entry(way.integrator).order;
  const double step = order > 1 ? kStep : kStep / 8;
  const double coarse = error_of(one, way, step), fine = error_of(one, way, step / 2);
  EXPECT_LT(coarse, 0.03);
  EXPECT_LT(fine, std::max(coarse / std::pow(2, order - 0.5), rounding)) << "after " << coarse;
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
        expect_order(maker.make(kind), way);
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
      EXPECT_LT(error_of(one, {"cartesian", "bdf"}, kStep) * one.size, 1e-5);  // the tolerance is in metres
      ++small;
    }
  }
  EXPECT_GE(small, 8);
}

}  // namespace
}  // namespace cardan
