// Runs that leave the tables of their loads and drivers: what holds there, and what is said of it.
#include <gtest/gtest.h>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

using Beyond = Function::Beyond;

Function ramp(double t0, double y0, double t1, double y1, Beyond beyond) {
  return Function::table({t0, t1}, {y0, y1}, Function::Interpolation::linear, beyond);
}

/// A slide of 2 kg that a force pushes: v' = f(t) / m.
Mechanism pushed_slide(const Function& force) {
  MechanismBuilder b("slide");
  b.planar().gravity({0, 0, 0});
  b.body("slide", 2, Place(0, 0), 1).prismatic("rail", "ground", "slide", Place(0, 0), Direction(1, 0));
  b.actuator("push", "rail", force);
  return b.build();
}

std::vector<std::string> about_tables(const std::vector<std::string>& warnings) {
  std::vector<std::string> found;
  for (const std::string& w : warnings)
    if (w.find("leaves its table") != std::string::npos) found.push_back(w);
  return found;
}

TEST(TableEnd, IsHeldOrContinuedAndTold) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    // f = 4 t up to 1 s: held, v(2) = (2 + 4) / 2; continued, v(2) = 8 / 2.
    for (const auto& [beyond, speed] : {std::pair{Beyond::hold, 3.0}, std::pair{Beyond::linear, 4.0}}) {
      RunOptions options = options_of(std::string(formulation.name), 0.01, 2);
      const FinishedRun run = finish(pushed_slide(ramp(0, 0, 1, 4, beyond)), options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_NEAR(run.last["rail.v"], speed, 1e-7) << formulation.name;
      const auto said = about_tables(run.summary.warnings);
      ASSERT_EQ(said.size(), 1U) << formulation.name;
      EXPECT_EQ(said[0].find("load 'push' leaves its table at t = 1.01 s: t is 1.01, the table reaches from 0 to 1; "),
                0U)
          << said[0];
      EXPECT_NE(said[0].find(beyond == Beyond::hold ? "held" : "straight on"), std::string::npos) << said[0];
      ++runs;
    }
  }
  EXPECT_EQ(runs, 2 * static_cast<int>(formulations().size()));
}

TEST(TableEnd, IsNotPassedByARunThatEndsThere) {
  const FinishedRun run = finish(pushed_slide(ramp(0, 0, 0.7, 4, Beyond::error)), options_of("hybrid", 1e-3, 0.7));
  EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_TRUE(about_tables(run.summary.warnings).empty());
}

TEST(TableEnd, EndsTheRunWhereThatIsAsked) {
  const FinishedRun run = finish(pushed_slide(ramp(0, 0, 1, 4, Beyond::error)), options_of("hybrid", 0.01, 2));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_EQ(run.summary.reason.find("load 'push' leaves its table at t = 1.01 s"), 0U) << run.summary.reason;
  EXPECT_NEAR(run.summary.duration, 1.01, 1e-12);
  EXPECT_TRUE(about_tables(run.summary.warnings).empty()) << "said once, as the reason";
  // Also where it starts beyond.
  const FinishedRun at_once = finish(pushed_slide(ramp(1, 0, 2, 4, Beyond::error)), options_of("hybrid", 0.01, 2));
  EXPECT_EQ(at_once.summary.status, RunStatus::failed);
  EXPECT_EQ(at_once.summary.steps, 0);
  EXPECT_EQ(at_once.summary.reason.find("load 'push' leaves its table at t = 0 s"), 0U) << at_once.summary.reason;
}

/// The state is the end of the step that left the table; nothing moves it but a state from before.
TEST(TableEnd, IsWhereTheStateThenStands) {
  const Mechanism mechanism = pushed_slide(ramp(0, 0, 1, 4, Beyond::error));
  for (const char* integrator : {"trapezoidal", "rk4"}) {
    Simulation simulation(mechanism, options_of("hybrid", 0.3, 2, integrator));
    for (int i = 0; i < 3; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context within = simulation.state();
    ASSERT_EQ(simulation.step(), StepStatus::table_end);
    EXPECT_NEAR(simulation.time(), 1.2, 1e-12);
    const Context beyond = simulation.state();
    EXPECT_NE(beyond.q, within.q);
    EXPECT_EQ(simulation.step(), StepStatus::table_end);
    EXPECT_EQ(simulation.time(), beyond.t);
    EXPECT_EQ(simulation.state().q, beyond.q);
    simulation.restore(within);
    EXPECT_EQ(simulation.step(0.05), StepStatus::ok);
    EXPECT_EQ(simulation.step(0.3), StepStatus::table_end);
  }
}

/// Springs look at their elongation and at its rate.
TEST(TableEnd, OfSpringsAndDampers) {
  MechanismBuilder b("drop");
  b.planar();
  b.body("bob", 1, Place(0, 0), 1).prismatic("rail", "ground", "bob", Place(0, 0), Direction(0, -1));
  SpringSpec spring;
  spring.name = "strut";
  spring.body1 = "ground", spring.body2 = "bob";
  spring.at1 = Place(0, 1), spring.at2 = Place(0, 0);
  spring.force = ramp(-0.1, -1, 0.1, 1, Beyond::hold);
  spring.damping_force = ramp(-1, -0.5, 1, 0.5, Beyond::hold);
  b.add(spring);
  const FinishedRun run = finish(b.build(), options_of("hybrid", 1e-3, 0.5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  const auto said = about_tables(run.summary.warnings);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find(": x is 0.1"), std::string::npos) << said[0];
  EXPECT_NE(said[1].find(": the rate is 1.0"), std::string::npos) << said[1];
  EXPECT_NEAR(run.last["strut.force"], 1.5, 1e-12);
}

TEST(TableEnd, OfAPathIsToldByInverseDynamicsAndEquilibriumToo) {
  const auto driven = [](Beyond beyond) {
    MechanismBuilder b("arm");
    b.planar();
    b.rod("arm", Place(0, 0), Place(1, 0), 2).revolute("pin", "ground", "arm", Place(0, 0));
    b.driver("motor", "pin", ramp(0.1, 0.2, 1, 0.8, beyond));
    return b.build();
  };
  const InverseDynamics result = inverse_dynamics(driven(Beyond::hold), {0.1, 2});
  ASSERT_EQ(about_tables(result.notes).size(), 1U);
  EXPECT_EQ(about_tables(result.notes)[0].find("driver 'motor' leaves its table at t = 0 s"), 0U);
  EXPECT_THROW(inverse_dynamics(driven(Beyond::error), {0.1, 2}), ModelError);
  EXPECT_EQ(about_tables(find_equilibrium(driven(Beyond::linear)).notes).size(), 1U);
  EXPECT_FALSE(find_equilibrium(driven(Beyond::error)).converged);
}

/// With events every phase has its own loads; the first of them that leaves the table counts.
TEST(TableEnd, IsToldOnceWithEvents) {
  MechanismBuilder b("slide");
  b.planar().gravity({0, 0, 0});
  b.body("slide", 2, Place(0, 0), 1).prismatic("rail", "ground", "slide", Place(0, 0), Direction(1, 0));
  b.actuator("push", "rail", ramp(0, 0, 0.2, 1, Beyond::hold)).actuator("more", "rail", Function::constant(1));
  b.switch_off("off", 0.5, {"more"});
  const FinishedRun run = finish(b.build(), options_of("hybrid", 0.01, 1));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  const auto said = about_tables(run.summary.warnings);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("at t = 0.21 s"), std::string::npos) << said[0];
}

}  // namespace
}  // namespace cardan
