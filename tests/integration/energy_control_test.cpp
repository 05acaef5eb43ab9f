// Step control by the energy balance: no step adds more to it than is allowed, what is asked is what comes out, and the
// integrators that cannot are refused by name.
#include <gtest/gtest.h>

#include <cmath>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

RunOptions by_energy(const std::string& formulation, double tolerance) {
  RunOptions options = options_of(formulation, 0.01, 1);
  options.step_control = "energy";
  options.tolerance = tolerance;
  return options;
}

/// The chain of linkages.hpp with a damper and a motor, so that the balance has more terms than the energy.
Mechanism driven_chain() {
  MechanismBuilder b("driven chain");
  b.gravity({0, 0, -9.81});
  b.body("upper", 1.3, Vec3(0.3, 0.1, -0.2), Mat3(Vec3(0.05, 0.08, 0.06).asDiagonal()));
  b.body("lower", 0.8, Vec3(0.7, 0.4, -0.5), Mat3(Vec3(0.03, 0.02, 0.04).asDiagonal()));
  b.spherical("ball", "ground", "upper", Vec3(0, 0, 0));
  b.revolute("hinge", "upper", "lower", Vec3(0.5, 0.2, -0.3), Vec3(0.3, -0.5, 0.8).normalized());
  b.spring("spring", "ground", "lower", Vec3(1, 1, 0.5), Vec3(0.7, 0.5, -0.4), 200, 3);
  b.actuator("motor", "hinge", Function::polynomial({0.5, 2}));
  b.angular_velocity("upper", {1, -0.5, 0.7});
  return b.build();
}

TEST(EnergyControl, NoStepAddsMoreThanIsAllowed) {
  int steps = 0;
  for (const Mechanism& mechanism : {driven_chain(), closed_four_bar()}) {
    for (const char* formulation : {"hybrid", "global", "topological"}) {
      RunOptions options = by_energy(formulation, 1e-5);
      Simulation simulation(mechanism, options);
      std::vector<double> row(Simulation::step_columns().size());
      double before = 0, largest = 0, speed = 0;
      while (simulation.time() < options.until) {
        ASSERT_EQ(simulation.step(options.until - simulation.time()), StepStatus::ok);
        simulation.step_row(row.data());
        double kinetic = 0;
        for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
          const BodyMotion body = simulation.body(static_cast<int>(i));
          const Body& shape = mechanism.bodies[i];
          const Vec3 w = shape.axes * body.rotation.transpose() * body.angular_velocity;  // inertia is as drawn
          kinetic += 0.5 * shape.mass * body.velocity.squaredNorm() + 0.5 * w.dot(shape.inertia * w);
        }
        const double added = std::abs(row[5] - before);
        EXPECT_LE(added, 1.001e-5 * (1 + kinetic) + 1e-12) << mechanism.name << " " << formulation;
        largest = std::max(largest, added / (1e-5 * (1 + kinetic)));
        speed = std::max(speed, kinetic);
        before = row[5];
        ++steps;
      }
      EXPECT_GT(largest, 0.3);  // and it is used
      EXPECT_GT(speed, 1);
      EXPECT_EQ(simulation.summary().step_control_used, "energy");
    }
  }
  EXPECT_GT(steps, 300);
}

TEST(EnergyControl, TheBalanceFollowsTheTolerance) {
  for (const char* formulation : {"hybrid", "global"}) {
    double last = 1e300;
    std::int64_t steps = 0;
    for (double tolerance : {1e-3, 1e-5, 1e-7}) {
      const RunSummary summary = run(driven_chain(), by_energy(formulation, tolerance));
      ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
      EXPECT_LT(std::abs(summary.energy_max_error), 0.3 * last) << formulation << " " << tolerance;
      EXPECT_GT(summary.steps, steps);
      last = std::abs(summary.energy_max_error), steps = summary.steps;
    }
  }
}

TEST(EnergyControl, ARestoredStateGoesOnBitForBit) {
  Simulation one(driven_chain(), by_energy("hybrid", 1e-6));
  for (int i = 0; i < 20; ++i) ASSERT_EQ(one.step(1), StepStatus::ok);
  Simulation two(driven_chain(), by_energy("hybrid", 1e-6));
  two.restore(one.state());
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(one.step(1), StepStatus::ok);
    ASSERT_EQ(two.step(1), StepStatus::ok);
    ASSERT_EQ(one.time(), two.time());
    ASSERT_EQ(one.state().q, two.state().q);
  }
}

TEST(EnergyControl, IsRefusedWhereItDoesNotExist) {
  int refused = 0;
  for (const char* integrator : {"dopri5", "rk4", "sdirk3"}) {
    RunOptions options = by_energy("hybrid", 1e-6);
    options.integrator = integrator;
    try {
      Simulation(closed_four_bar(), options);
    } catch (const std::invalid_argument& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("energy"), std::string::npos) << refusal.what();
      ++refused;
    }
  }
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace cardan
