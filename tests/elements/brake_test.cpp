// Brakes: they slow a wheel evenly, hold it at rest, and follow their pedal, in every formulation.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/cardan.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan::brake_test {
namespace {

std::vector<std::pair<std::string, std::string>> combinations() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const RegistryEntry& formulation : formulations())
    for (const char* integrator : {"trapezoidal", "generalized-alpha", "sdirk3", "rk4"})
      if (why_not(formulation.name, integrator).empty()) list.emplace_back(formulation.name, integrator);
  return list;
}

/// Brakes on a flywheel: constant torque slows it evenly, then it stands and holds what is less than the brake.
TEST(Brake, SlowsAndHolds) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations()) {
    SCOPED_TRACE(formulation + " " + integrator);
    const RandomPlace place(201 + static_cast<unsigned>(runs), false);
    MechanismBuilder b("flywheel");
    b.gravity({0, 0, 0}).body("wheel", 20, place.at(0, 0, 0), Mat3(2 * Mat3::Identity()));
    b.revolute("axle", "ground", "wheel", place.at(0, 0, 0), place.along(0.3, -0.5, 0.8)).joint_velocity("axle", 10);
    BrakeSpec brake{.name = Name("disc"), .joint = Name("axle")};
    brake.torque = Varying(30), brake.stiffness = 5e3;
    b.add(brake).actuator("load", "axle", Varying(10));
    const Mechanism wheel = b.build();
    const double h = integrator == std::string("rk4") ? 2e-4 : 1e-3;
    Simulation simulation(wheel, options_of(formulation, h, 3, integrator));
    LastSample at;
    at.start(simulation.columns());
    std::vector<double> row(simulation.columns().size());
    const auto go_on_until = [&](double end) {
      StepStatus status = StepStatus::ok;
      while (status == StepStatus::ok && simulation.time() < end - h / 2) status = simulation.step();
      simulation.sample(row.data());
      at.sample(row.data(), row.size());
      return status;
    };
    ASSERT_EQ(go_on_until(0.5), StepStatus::ok);
    EXPECT_NEAR(at["axle.v"], 10 - 0.5 * (30 - 10) / 2, 0.05);
    EXPECT_NEAR(at["disc.effort"], -30, 1e-6);
    ASSERT_EQ(go_on_until(2), StepStatus::ok);  // it stands from 1 s on
    const double early = at["axle.q"];
    ASSERT_EQ(go_on_until(3), StepStatus::ok);
    EXPECT_NEAR(at["disc.effort"], -10, 1e-3);
    EXPECT_NEAR(at["axle.v"], 0, 1e-6);
    EXPECT_NEAR(at["axle.q"], early, 1e-6);
    EXPECT_LT(std::abs(simulation.summary().energy_max_error), 0.5);
    ++runs;
  }
  EXPECT_GE(runs, 14);
}

/// The limit follows an input.
TEST(Brake, FollowsItsPedal) {
  MechanismBuilder b("flywheel");
  b.planar().body("wheel", 20, Place(0, 0), 2.0).revolute("axle", "ground", "wheel", Place(0, 0));
  b.joint_velocity("axle", 10).input("pedal", 0);
  BrakeSpec brake{.name = Name("disc"), .joint = Name("axle")};
  brake.torque = Varying(SignalExpression::parse("40*pedal")), brake.stiffness = 5e3;
  b.add(brake);
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    Simulation simulation(b.build(), options_of(formulation, 1e-3, 2));
    LastSample sample;
    sample.start(simulation.columns());
    std::vector<double> row(simulation.columns().size());
    const auto speed = [&] {
      simulation.sample(row.data());
      sample.sample(row.data(), row.size());
      return sample["axle.v"];
    };
    for (int i = 0; i < 200; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_NEAR(speed(), 10, 1e-9);
    simulation.set_input(0, 0.5);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_NEAR(speed(), 10 - 0.2 * 20 / 2, 0.02);
    simulation.set_input(0, 0);
    const double let_go = speed();
    for (int i = 0; i < 200; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_NEAR(speed(), let_go, 0.02);
  }
}

}  // namespace
}  // namespace cardan::brake_test
