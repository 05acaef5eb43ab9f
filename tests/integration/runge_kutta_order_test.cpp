// Every Runge-Kutta method has its order in every formulation, on mechanisms of all sorts, anywhere in space: planar
// and spatial loops, redundant ones, massless bodies, stiff loads, many turns.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// Turned, moved and scaled, the same every time.
struct Placement {
  explicit Placement(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    turn = Eigen::Quaterniond(unit(random), unit(random), unit(random), unit(random)).normalized().toRotationMatrix();
    offset = 3 * Vec3(unit(random), unit(random), unit(random));
    size = std::exp2(unit(random));
  }
  Vec3 point(double x, double y, double z) const { return offset + size * (turn * Vec3(x, y, z)); }
  Vec3 axis(double x, double y, double z) const { return turn * Vec3(x, y, z); }

  Mat3 turn;
  Vec3 offset;
  double size = 1;
};

/// Bricard's mechanism: six revolute joints, no degree of freedom by counting, one in truth.
Mechanism bricard(const Placement& at) {
  MechanismBuilder b("Bricard");
  b.gravity(at.axis(0, -9.81, 0));
  const Vec3 p[] = {at.point(0, 0, 0),  at.point(1, 0, 0),  at.point(1, -1, 0),
                    at.point(1, -1, 1), at.point(0, -1, 1), at.point(0, 0, 1)};
  const Vec3 axes[] = {at.axis(0, 1, 0), at.axis(0, 0, 1), at.axis(1, 0, 0),
                       at.axis(0, 1, 0), at.axis(0, 0, 1), at.axis(1, 0, 0)};
  for (int i = 0; i < 5; ++i) b.rod("rod" + std::to_string(i), p[i], p[i + 1], 1, 0.05 * at.size);
  for (int i = 0; i < 6; ++i) {
    const std::string one = i == 0 ? "ground" : "rod" + std::to_string(i - 1);
    const std::string two = i == 5 ? "ground" : "rod" + std::to_string(i);
    b.revolute("hinge" + std::to_string(i), one, two, p[i], axes[i]);
  }
  return b.build();
}

struct OrderCase {
  Mechanism mechanism;
  double step, until;  // of rk4
};

double order_between(const OrderCase& c, const std::string& formulation, const std::string& integrator, double step,
                     const LastSample& reference) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    RunOptions options = options_of(formulation, step / (1 << i), c.until, integrator);
    if (integrator == "dopri5") {  // whatever the error, steps are as long as asked for
      options.absolute_tolerance = options.relative_tolerance = 1e6;
      options.step_max = options.step;
    }
    const FinishedRun run = finish(c.mechanism, options);
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    error[i] = LastSample::difference(run.last, reference, c.mechanism);
  }
  return std::log2(error[0] / error[1]);
}

TEST(RungeKuttaOrder, IsThatOfTheMethodWithRedundantConstraints) {
  int measured = 0;
  for (unsigned seed : {3u, 4u}) {
    const OrderCase c{bricard(Placement(seed)), 0.02, 1};
    const FinishedRun reference = finish(c.mechanism, options_of("topological", c.step / 32, c.until, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const char* formulation : {"hybrid", "global"}) {
      struct {
        const char* integrator;
        int order;
        double step;
      } const methods[] = {{"rk4", 4, c.step}, {"dopri5", 5, c.step}, {"sdirk3", 3, c.step / 4}, {"sdirk4", 4, c.step}};
      for (const auto& [integrator, order, step] : methods) {
        EXPECT_NEAR(order_between(c, formulation, integrator, step, reference.last), order, 0.2)
            << seed << formulation << integrator;
        ++measured;
      }
    }
  }
  EXPECT_EQ(measured, 16);
}

/// The error per unit of tolerance is that of a method of order 5: errors fall with the tolerance, none stalls.
TEST(RungeKuttaOrder, Dopri5FollowsItsToleranceWithRedundantConstraints) {
  for (unsigned seed : {7u, 8u}) {
    const Mechanism mechanism = bricard(Placement(seed));
    const FinishedRun reference = finish(mechanism, options_of("topological", 5e-4, 1, "rk4"));
    for (const char* formulation : {"hybrid", "cartesian"}) {
      for (double tolerance : {1e-4, 1e-6, 1e-8}) {
        RunOptions options = options_of(formulation, 0.01, 1, "dopri5");
        options.tolerance = tolerance;
        const FinishedRun run = finish(mechanism, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e3 * tolerance)
            << formulation << " " << tolerance;
        EXPECT_LT(run.summary.position.value, 1e-10) << formulation;
      }
    }
  }
}

/// The rows that steps go by are part of the state.
TEST(RungeKuttaOrder, RestoringAStateOfARedundantMechanismRepeatsItsStepsBitForBit) {
  for (const char* integrator : {"rk4", "dopri5", "sdirk3"}) {
    Simulation simulation(bricard(Placement(9)), options_of("hybrid", 0.02, 10, integrator));
    for (int i = 0; i < 30; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context saved = simulation.state();
    for (int i = 0; i < 60; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context once = simulation.state();
    simulation.restore(saved);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_EQ(simulation.state().q, once.q) << integrator;
    EXPECT_EQ(simulation.state().v, once.v) << integrator;
  }
}

TEST(RungeKuttaOrder, RedundantConstraintsCostNoAllocation) {
  for (const char* integrator : {"rk4", "dopri5", "sdirk3", "sdirk4"}) {
    EXPECT_EQ(run(bricard(Placement(10)), options_of("hybrid", 0.02, 4, integrator)).allocations, 0) << integrator;
  }
}

}  // namespace
}  // namespace cardan
