// Extreme masses, massless links, redundant joints, drivers; states saved and restored; nothing allocated in the loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "every_method.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "integration/integrator.hpp"
#include "last_sample.hpp"
#include "simulation/allocation_counter.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

const char* const kRobustFormulations[] = {"global", "hybrid", "topological", "cartesian"};

/// A four-bar whose coupler has no mass, which drives a slider of 1000 kg, with a link of one gram hung to it.
Mechanism grams_and_tons() {
  MechanismBuilder b("grams and tons");
  b.planar().gravity({0, -9.81, 0});
  b.rod("crank", Place(0, 0), Place(0.3, 0.8), 2);
  b.rod("coupler", Place(0.3, 0.8), Place(1.4, 0.9), 0);
  b.rod("rocker", Place(1.2, 0), Place(1.4, 0.9), 3);
  b.rod("conrod", Place(1.4, 0.9), Place(2.8, 0.1), 0);
  b.body("slider", 1000, Place(2.8, 0.1), 20.0);
  b.rod("gram", Place(2.8, 0.1), Place(2.8, -0.3), 1e-3);
  b.revolute("a", "ground", "crank", Place(0, 0));
  b.revolute("b", "crank", "coupler", Place(0.3, 0.8));
  b.revolute("c", "coupler", "rocker", Place(1.4, 0.9));
  b.revolute("d", "ground", "rocker", Place(1.2, 0));
  b.revolute("e", "rocker", "conrod", Place(1.4, 0.9));
  b.revolute("f", "conrod", "slider", Place(2.8, 0.1));
  b.prismatic("g", "ground", "slider", Place(2.8, 0.1), Direction(1, 0));
  b.revolute("h", "slider", "gram", Place(2.8, 0.1));
  b.spring("spring", "ground", "slider", Place(4, 0.1), Place(2.8, 0.1), 5e4);
  b.joint_velocity("h", 1);
  b.joint_velocity("a", 0.4);
  return b.build();
}

TEST(Masses, FromAGramToATonWithMasslessLinksInOneMechanism) {
  const Mechanism mechanism = grams_and_tons();
  const FinishedRun reference = finish(mechanism, options_of("topological", 1e-4, 0.5));
  ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
  for (const char* formulation : kRobustFormulations) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish(mechanism, options_of(formulation, i == 0 ? 4e-3 : 2e-3, 0.5));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
      EXPECT_LT(run.summary.position.value, 1e-8) << formulation;
      error[i] = LastSample::difference(run.last, reference.last, mechanism);
    }
    EXPECT_LT(error[1], 0.02) << formulation;
    EXPECT_NEAR(error[0] / error[1], 4, 0.6) << formulation << " " << error[0];
  }
}

TEST(Masses, AMasslessBodyThatMovesFreelyIsRefusedByName) {
  MechanismBuilder b("no mass");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm", Place(0, 0), Place(1, 0), 0);
  b.revolute("pin", "ground", "arm", Place(0, 0));
  const Mechanism mechanism = b.build();
  for (const char* formulation : kRobustFormulations) {
    try {
      run(mechanism, options_of(formulation, 0.01, 1));
      FAIL() << formulation;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("moves no mass"), std::string::npos) << error.what();
    }
  }
}

/// A parallelogram, its crank at an angle to the base: flat, it has one degree of freedom too many. Turned as a whole,
/// in the plane or (with spatial joints, redundant ones) in space.
Mechanism parallelogram(double angle, const Mat3& turn, bool planar) {
  MechanismBuilder b("parallelogram");
  b.planar(planar).gravity(turn * Vec3(0, -9.81, 0));
  const auto place = [&](double x, double y) { return Place(Vec3(turn * Vec3(x, y, 0))); };
  const double x = std::cos(angle), y = std::sin(angle), radius = planar ? 0 : 0.02;
  b.rod("crank", place(0, 0), place(x, y), 1, radius)
      .rod("coupler", place(x, y), place(x + 1, y), 1, radius)
      .rod("rocker", place(1, 0), place(1 + x, y), 1, radius);
  const auto pin = [&](const char* name, const char* one, const char* two, const Place& at) {
    planar ? b.revolute(name, one, two, at) : b.revolute(name, one, two, at, Direction(Vec3(turn.col(2))));
  };
  pin("a", "ground", "crank", place(0, 0)), pin("b", "crank", "coupler", place(x, y));
  pin("c", "coupler", "rocker", place(1 + x, y)), pin("d", "ground", "rocker", place(1, 0));
  return b.build();
}

Mechanism flat_four_bar() { return parallelogram(0, Mat3::Identity(), true); }

bool tells_of_singular_start(const RunSummary& summary) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const std::string& warning) {
    return warning.starts_with("drawn in a singular position: the loop closed by '");
  });
}

TEST(SingularStart, IsToldOfInEveryFormulation) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  int told = 0;
  for (int i = 0; i < 12; ++i) {
    const bool planar = i % 2 == 0;
    Mat3 turn = Mat3::Identity();
    if (planar) {
      turn = Eigen::AngleAxisd(normal(random), Vec3::UnitZ()).toRotationMatrix();
    } else {
      turn = Quat(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
    }
    for (const RegistryEntry& entry : formulations()) {
      const RunOptions options = options_of(std::string(entry.name), 0.01, 1);
      const RunSummary flat = Simulation(parallelogram(0, turn, planar), options).summary();
      EXPECT_EQ(flat.degrees_of_freedom, 1) << entry.name << " " << i;
      EXPECT_TRUE(tells_of_singular_start(flat)) << entry.name << " " << i;
      const RunSummary upright = Simulation(parallelogram(0.02, turn, planar), options).summary();
      EXPECT_EQ(upright.degrees_of_freedom, 1) << entry.name << " " << i;
      EXPECT_FALSE(tells_of_singular_start(upright)) << entry.name << " " << i;
      ++told;
    }
  }
  EXPECT_EQ(told, 60);
}

/// It falls, on one branch or the other, and the loop closes again.
TEST(SingularStart, IsLeftWherePenaltiesHoldTheLoop) {
  for (const char* formulation : {"global", "hybrid"}) {
    for (const char* integrator : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
      for (const double step : {0.01, 0.003}) {
        SCOPED_TRACE(std::string(formulation) + " " + integrator);
        const FinishedRun run = finish(flat_four_bar(), options_of(formulation, step, 0.4, integrator));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_LT(run.summary.position.value, 1e-3);
        const Vec3 crank(run.last["crank.x"], run.last["crank.y"], 0),
            rocker(run.last["rocker.x"], run.last["rocker.y"], 0);
        EXPECT_NEAR((2 * crank - (2 * rocker - Vec3(1, 0, 0))).norm(), 1, 1e-6);  // the coupler's length
        EXPECT_LT(run.last["crank.y"], -0.1);
      }
    }
  }
}

/// Lying flat, the loop closes at second order when w1^2 + (w3 - w1)^2 = w3^2: crank and rocker turn alike, or the
/// crank rests. No other pair of rates belongs to a motion.
TEST(SingularStart, WithVelocitiesOfNoMotionSaysWhatIsMissing) {
  const auto start = [](const char* formulation, double rocker) {
    Mechanism mechanism = flat_four_bar();
    for (Joint& joint : mechanism.joints) {
      if (joint.name == "a") joint.initial_velocity = 1;
      if (joint.name == "d") joint.initial_velocity = rocker;
    }
    return run(mechanism, options_of(formulation, 0.01, 0.1));
  };
  int missing = 0;
  for (const char* formulation : {"global", "hybrid"}) {
    const RunSummary alike = start(formulation, 1);
    EXPECT_EQ(alike.status, RunStatus::ok) << formulation << alike.reason;
    for (const double rocker : {0.3, -1.0}) {
      const RunSummary unlike = start(formulation, rocker);
      if (unlike.status == RunStatus::ok) {  // on some branch, at the price of energy, which is told
        EXPECT_TRUE(std::any_of(unlike.warnings.begin(), unlike.warnings.end(),
                                [](const std::string& w) { return w.starts_with("the energy balance is off"); }))
            << formulation << rocker;
        continue;
      }
      EXPECT_NE(unlike.reason.find("give initial velocities that say which way"), std::string::npos) << unlike.reason;
      ++missing;
    }
  }
  EXPECT_GT(missing, 0);
}

TEST(SingularStart, NeverGivesAnOpenLoopAsAResult) {
  const FinishedRun run = finish(flat_four_bar(), options_of("topological", 0.01, 2));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.reason.find("'c position"), std::string::npos) << run.summary.reason;
}

/// A program that steps by itself finds the reason in the summary, until a step goes well again.
TEST(FailedStep, SaysWhyUntilAnotherGoesWell) {
  MechanismBuilder b("out of reach");
  b.planar().rod("arm", {0, 0}, {0.8, 0.6}, 1).body("weight", 1, {1.5, 0}, 0.1);
  b.revolute("pin", "ground", "arm", {0, 0}).distance("rope", "arm", "weight", {0.8, 0.6}, {1.5, 0});
  b.prismatic("rail", "ground", "weight", {1.5, 0}, {1, 0});
  b.driver("pull", "rail", Function::smooth_step(0.1, 0, 0.2, 5));
  Simulation simulation(b.build(), options_of("hybrid", 1e-2, 1));
  const Context start = simulation.state();
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok && simulation.time() < 0.5) status = simulation.step();
  ASSERT_NE(status, StepStatus::ok);
  EXPECT_EQ(simulation.summary().status, RunStatus::failed);
  EXPECT_NE(simulation.summary().reason.find("in the step of 0.01 s"), std::string::npos)
      << simulation.summary().reason;
  simulation.restore(start);
  ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_EQ(simulation.summary().status, RunStatus::ok);
  EXPECT_EQ(simulation.summary().reason, "");
}

/// A crank slider whose crank is as long as its rod: at the end of its stroke the slider could stay.
TEST(FailedStep, ASingularPositionIsForgottenWhenAnotherStepGoesWell) {
  MechanismBuilder b("equal");
  b.planar().gravity({0, 0, 0});
  b.rod("crank", {0, 0}, {0.8, 0.6}, 1).rod("rod", {0.8, 0.6}, {1.6, 0}, 1).body("slider", 1, {1.6, 0}, 0.1);
  b.revolute("A", "ground", "crank", {0, 0}).revolute("B", "crank", "rod", {0.8, 0.6});
  b.revolute("C", "rod", "slider", {1.6, 0}).prismatic("rail", "ground", "slider", {1.6, 0}, {1, 0});
  b.joint_velocity("A", 2);
  const CompiledMechanism compiled = compile(b.build(), "topological", {});
  const auto work = compiled.formulation->make_workspace();
  const auto integrator =
      make_integrator(options_of("topological", 0.01, 10), *compiled.formulation, *work, compiled.length);
  Context state;
  compiled.formulation->start(state, *work);
  ASSERT_EQ(integrator->start(state), StepStatus::ok);
  const Context start = state;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok && state.t < 5) status = integrator->step(state, 0.01);
  ASSERT_NE(status, StepStatus::ok);
  EXPECT_NE(compiled.formulation->complaint(*work).find("is singular"), std::string::npos);
  state = start;
  ASSERT_EQ(integrator->step(state, 0.01), StepStatus::ok);
  EXPECT_EQ(compiled.formulation->complaint(*work), "");
}

Mechanism driven_slider_crank() {
  MechanismBuilder b("driven");
  b.planar().gravity({0, -9.81, 0});
  b.rod("crank", Place(0, 0), Place(0.2, 0.3), 1);
  b.rod("conrod", Place(0.2, 0.3), Place(1.2, 0), 1);
  b.body("piston", 2, Place(1.2, 0), 0.1);
  b.revolute("main", "ground", "crank", Place(0, 0));
  b.revolute("big_end", "crank", "conrod", Place(0.2, 0.3));
  b.revolute("little_end", "conrod", "piston", Place(1.2, 0));
  b.prismatic("bore", "ground", "piston", Place(1.2, 0), Direction(1, 0));
  b.driver("motor", "main", Function::polynomial({0, 10}));
  return b.build();
}

TEST(Drivers, TurnAMechanismManyTimesAndTheirWorkIsInTheBalance) {
  const Mechanism mechanism = driven_slider_crank();
  const double radius = std::hypot(0.2, 0.3), length = std::hypot(1, 0.3), start = std::atan2(0.3, 0.2);
  for (const char* formulation : kRobustFormulations) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 5e-4, 3));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
    EXPECT_NEAR(run.last["main.q"], 30, 1e-8) << formulation;
    const double angle = start + 30;
    const double x =
        radius * std::cos(angle) + std::sqrt(length * length - radius * radius * std::sin(angle) * std::sin(angle));
    EXPECT_NEAR(run.last["piston.x"], x, 1e-8) << formulation;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 0.05) << formulation;  // of some 100 J that go to and fro
  }
}

TEST(Drivers, TheEffortIsThatOfInverseDynamics) {
  // A rod turned at a constant rate needs the torque m g l/2 cos(angle).
  MechanismBuilder b("arm");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm", Place(0, 0), Place(1.5, 0), 2);
  b.revolute("pin", "ground", "arm", Place(0, 0));
  b.driver("motor", "pin", Function::polynomial({0, 3}));
  const Mechanism mechanism = b.build();
  for (const char* formulation : kRobustFormulations) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR(run.last["motor.effort"], 2 * 9.81 * 0.75 * std::cos(6.0), 1e-6) << formulation;
    // The pin carries the weight and the centripetal force, in ground's axes, on the arm.
    EXPECT_NEAR(run.last["pin.fx"], -2 * 9 * 0.75 * std::cos(6.0), 1e-6) << formulation;
    EXPECT_NEAR(run.last["pin.fy"], 2 * 9.81 - 2 * 9 * 0.75 * std::sin(6.0), 1e-6) << formulation;
    EXPECT_NEAR(run.last["pin.mz"], 0, 1e-6) << formulation;
  }
}

TEST(Drivers, OneThatFightsAnotherIsRefused) {
  MechanismBuilder b("fight");
  b.planar().gravity({0, -9.81, 0});
  b.rod("crank", Place(0, 0), Place(0, 1), 1)
      .rod("coupler", Place(0, 1), Place(1, 1), 1)
      .rod("rocker", Place(1, 0), Place(1, 1), 1);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0, 1));
  b.revolute("c", "coupler", "rocker", Place(1, 1)).revolute("d", "ground", "rocker", Place(1, 0));
  b.driver("one", "a", Function::polynomial({0, 1})).driver("two", "d", Function::polynomial({0, 1}));
  const Mechanism mechanism = b.build();
  for (const char* formulation : kRobustFormulations) {
    try {
      run(mechanism, options_of(formulation, 0.01, 1));
      FAIL() << formulation;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("driver 'two'"), std::string::npos) << error.what();
    }
  }
}

/// A pendulum from rest, by a rule that loses energy when its steps are long.
TEST(Warnings, TellOfAnEnergyBalanceThatIsOff) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -9.81, 0});
  b.rod("arm", Place(0, 0), Place(1, 0), 2).revolute("pin", "ground", "arm", Place(0, 0));
  const Mechanism mechanism = b.build();
  RunOptions options = options_of("hybrid", 0.2, 5, "newmark");
  options.dissipation = 0.3;
  const FinishedRun coarse = finish(mechanism, options);
  ASSERT_EQ(coarse.summary.warnings.size(), 1U);
  EXPECT_NE(coarse.summary.warnings[0].find("the energy balance is off by"), std::string::npos);
  EXPECT_TRUE(finish(mechanism, options_of("hybrid", 0.01, 5)).summary.warnings.empty());
}

TEST(Context, RestoredItGoesOnBitForBit) {
  const Mechanism mechanism = grams_and_tons();
  int combinations = 0;
  for (const char* formulation : kRobustFormulations) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation, integrator.name).empty()) continue;
      const RunOptions options = options_of(formulation, 2e-3, 1, std::string(integrator.name));
      Simulation one(mechanism, options), two(mechanism, options);
      EXPECT_NO_THROW(two.restore(one.state())) << formulation << " " << integrator.name;  // at the start
      for (int i = 0; i < 20; ++i) ASSERT_EQ(one.step(), StepStatus::ok);
      const Context saved = one.state();
      for (int i = 0; i < 20; ++i) ASSERT_EQ(one.step(), StepStatus::ok);
      two.restore(saved);
      for (int i = 0; i < 20; ++i) ASSERT_EQ(two.step(), StepStatus::ok);
      EXPECT_TRUE(one.state().q == two.state().q) << formulation << " " << integrator.name;
      EXPECT_TRUE(one.state().v == two.state().v) << formulation << " " << integrator.name;
      EXPECT_TRUE(one.state().lambda == two.state().lambda) << formulation << " " << integrator.name;
      ++combinations;
    }
  }
  EXPECT_GE(combinations, 34);
}

TEST(Loop, AllocatesNothing) {
  if (!allocation_counter) GTEST_FAIL() << "the test program must be linked with the allocation counter";
  int combinations = 0, refused = 0, on_recursive = 0;
  for (const Mechanism& mechanism :
       {grams_and_tons(), driven_slider_crank(), elements_in_plane(), elements_in_space()}) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation.name, integrator.name).empty()) continue;
        const RunOptions options = options_of(std::string(formulation.name), 2e-3, 0.2, std::string(integrator.name));
        ++combinations;
        on_recursive += formulation.name == "recursive";
        try {
          const FinishedRun run = finish(mechanism, options);
          EXPECT_EQ(run.summary.allocations, 0) << formulation.name << " " << integrator.name;
        } catch (const ModelError&) {
          EXPECT_EQ(formulation.name, "recursive") << "which refuses massless bodies that only a loop holds";
          ++refused;
        }
      }
    }
  }
  EXPECT_GE(combinations, 4 * 39);
  EXPECT_LE(2 * refused, on_recursive);
}

/// A budget that is too small shows in the summary, on every method that takes one.
TEST(FixedBudget, CountsTheStepsThatHaveNotConverged) {
  const Mechanism swinging = loaded_in_plane(false), driven = driven_slider_crank();
  int budgets = 0;
  for (RunOptions options : every_method(0.01, 0.5)) {
    SCOPED_TRACE(name_of(options));
    options.iterations = 1;
    try {
      options.check();
    } catch (const std::invalid_argument& refused) {
      EXPECT_NE(std::string(refused.what()).find("iterations"), std::string::npos) << refused.what();
      continue;
    }
    ++budgets;
    const RunSummary small = finish(swinging, options).summary;
    ASSERT_EQ(small.status, RunStatus::ok) << small.reason;
    EXPECT_GT(small.steps, 0);
    EXPECT_EQ(small.stagnated_steps, small.steps);
    options.iterations = 30;
    const RunSummary large = finish(driven, options).summary;
    ASSERT_EQ(large.status, RunStatus::ok) << large.reason;
    EXPECT_EQ(large.stagnated_steps, 0);
  }
  EXPECT_GE(budgets, 4 * 8 + 4);  // four formulations with those of Newmark and of Runge-Kutta, recursive with four
}

}  // namespace
}  // namespace cardan
