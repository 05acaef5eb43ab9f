// What the integrator auto stands for: the trapezoidal rule with constant steps, or what holds a wanted error.
#include "simulation/automatic_method.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "mechanism/asked_options.hpp"

namespace cardan {
namespace {

/// A spatial chain of three links, turned and placed at random; `stiffness` and `damping`: of a spring from its end to
/// the ground.
Mechanism chain(unsigned seed, double stiffness, double damping = 2) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const Vec3 origin = 10 * Vec3(any(random), any(random), any(random));
  const Mat3 turn =
      Eigen::AngleAxisd(3 * any(random), Vec3(any(random), any(random), 1).normalized()).toRotationMatrix();
  const double size = std::pow(10, any(random));
  const auto at = [&](const Vec3& place) { return Place(origin + size * (turn * place)); };
  MechanismBuilder b("chain");
  b.gravity(-9.81 * size * turn.col(2));
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.2}, {1.5, 1, 1}};
  const Vec3 axes[] = {{0, 1, 0.2}, {0.3, 0, 1}, {1, 0.4, 0}};
  for (int i = 0; i < 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.rod(name, at(corners[i]), at(corners[i + 1]), 1 + i, 0.1 * size);
    b.revolute("pin" + std::to_string(i), i == 0 ? "ground" : "link" + std::to_string(i - 1), name, at(corners[i]),
               Direction(Vec3(turn * axes[i])));
  }
  if (stiffness > 0) b.spring("spring", "ground", "link2", at({3, 0, 2}), at(corners[3]), stiffness, damping);
  b.joint_velocity("pin0", 1);
  return b.build();
}

/// The largest distance of a mass centre at the end, in lengths of the first link.
double difference(const Mechanism& mechanism, const RunOptions& a, const RunOptions& b) {
  Simulation one(mechanism, a), other(mechanism, b);
  for (Simulation* simulation : {&one, &other}) {
    while (simulation->time() < a.until * (1 - 1e-12))
      EXPECT_EQ(simulation->step(a.until - simulation->time()), StepStatus::ok);
  }
  double largest = 0;
  for (int i = 0; i < static_cast<int>(mechanism.bodies.size()); ++i)
    largest = std::max(largest, (one.body(i).position - other.body(i).position).norm());
  const double length = 2 * (mechanism.bodies[0].center - mechanism.joints[0].frame1.origin).norm();
  return largest / length;
}

RunOptions wanted(double error) {
  RunOptions options;
  options.until = 2;
  options.step = 0.05;
  options.error = error;
  return options;
}

RunOptions exact() {
  RunOptions options;
  options.until = 2;
  options.formulation = "hybrid";
  options.integrator = "dopri5";
  options.absolute_tolerance = options.relative_tolerance = 1e-12;
  return options;
}

TEST(AutomaticMethod, HoldsTheErrorWithoutSpringsByAnExplicitRule) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Mechanism mechanism = chain(seed, 0);
    double work = 0;
    for (const double error : {1e-2, 1e-4, 1e-6}) {
      RunOptions options = wanted(error);
      const auto [because, trials, off, length] = choose_method(options, mechanism);
      EXPECT_EQ(options.integrator, "dopri5");
      EXPECT_FALSE(options.error) << "it has done its work";
      EXPECT_FALSE(because.integrator.empty());
      ASSERT_FALSE(trials.empty());
      EXPECT_GT(trials.back().work, work) << "less error is more work";
      work = trials.back().work;
      EXPECT_LE(difference(mechanism, options, exact()), error) << seed << " " << error;
      EXPECT_GT(off.size, 0.1 * error);
    }
  }
}

/// The damper takes the fast vibration out at once. (Where it goes on, the explicit rule of order 5 follows it at less
/// cost than the implicit one of order 2 does.)
TEST(AutomaticMethod, TakesTheImplicitRuleWhereStabilityBindsTheExplicitOne) {
  for (const unsigned seed : {4U, 5U}) {
    const Mechanism soft = chain(seed, 1), stiff = chain(seed, 1e7, 1e5);
    RunOptions options = wanted(1e-2);
    choose_method(options, soft);
    EXPECT_EQ(options.integrator, "dopri5");
    options = wanted(1e-2);
    const std::vector<MethodTrial> trials = choose_method(options, stiff).trials;
    EXPECT_EQ(options.integrator, "generalized-alpha") << "the trapezoidal rule rings here";
    EXPECT_EQ(options.step_control, "error");
    bool tried = false;
    for (const MethodTrial& trial : trials) tried = tried || trial.integrator == "dopri5";
    EXPECT_TRUE(tried) << "measured, not guessed";
  }
}

/// Where dampers have made a motion quiet that the trapezoidal rule rings in, the rule with dissipation does with few
/// steps.
TEST(AutomaticMethod, TakesARuleWithDissipationWhereTheOtherOneRings) {
  for (const double turn : {0.3, 2.1}) {
    MechanismBuilder b("stiff beam");
    const auto at = [&](double x, double y) {
      return Place(x * std::cos(turn) - y * std::sin(turn), x * std::sin(turn) + y * std::cos(turn));
    };
    b.planar().gravity(9.81 * Vec3(std::sin(turn), -std::cos(turn), 0));
    for (int i = 0; i < 4; ++i) {
      const std::string name = "link" + std::to_string(i), before = i == 0 ? "ground" : "link" + std::to_string(i - 1);
      b.rod(name, at(0.5 * i, 0.1 * i * i), at(0.5 * i + 0.5, 0.1 * (i + 1) * (i + 1)), 1);
      b.revolute("pin" + std::to_string(i), before, name, at(0.5 * i, 0.1 * i * i));
      if (i > 0) b.torsion("spring" + std::to_string(i), "pin" + std::to_string(i), 2e5, 2e3);
    }
    const Mechanism mechanism = b.build();
    RunOptions options = wanted(1e-2);
    const double chosen_work = [&] {
      choose_method(options, mechanism);
      EXPECT_EQ(options.integrator, "generalized-alpha");
      return static_cast<double>(run(mechanism, options).iterations);
    }();
    RunOptions fine = exact();
    fine.integrator = "trapezoidal";
    fine.step_control = "error";
    fine.absolute_tolerance = fine.relative_tolerance = 1e-9;
    EXPECT_LE(difference(mechanism, options, fine), 1e-2);
    options.integrator = "trapezoidal";
    EXPECT_LT(2 * chosen_work, static_cast<double>(run(mechanism, options).iterations));
  }
}

TEST(AutomaticMethod, IsTheSameEveryTime) {
  const Mechanism mechanism = chain(6, 200);
  RunOptions first = wanted(1e-4), again = wanted(1e-4);
  choose_method(first, mechanism);
  choose_method(again, mechanism);
  EXPECT_EQ(first.integrator, again.integrator);
  EXPECT_EQ(first.absolute_tolerance, again.absolute_tolerance);
}

TEST(AutomaticMethod, IsTheTrapezoidalRuleWithConstantStepsWhereNoErrorIsWanted) {
  const Mechanism mechanism = chain(7, 50);
  RunOptions named;
  named.integrator = "trapezoidal";
  const RunSummary a = run(mechanism, RunOptions()), b = run(mechanism, named);
  EXPECT_EQ(a.integrator_asked, "auto");
  EXPECT_EQ(a.integrator_used, "trapezoidal");
  EXPECT_FALSE(a.integrator_because.empty());
  EXPECT_EQ(b.integrator_asked, "trapezoidal");
  EXPECT_TRUE(b.integrator_because.empty());
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.energy_final, b.energy_final);
}

TEST(AutomaticMethod, TellsItsTrialsAndKeepsTheSamples) {
  struct Times final : Sink {
    std::vector<double> t;
    void start(const std::vector<std::string>&) override {}
    void sample(const double* row, std::size_t) override { t.push_back(row[0]); }
  } times;
  const Mechanism mechanism = chain(8, 50);
  const RunSummary summary = run(mechanism, wanted(1e-3), &times);
  EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
  EXPECT_EQ(summary.integrator_asked, "auto");
  EXPECT_FALSE(summary.trials.empty());
  ASSERT_EQ(times.t.size(), 41U) << "every step, as for all that choose theirs";
  for (std::size_t i = 0; i < times.t.size(); ++i) EXPECT_NEAR(times.t[i], 0.05 * static_cast<double>(i), 1e-12);
}

TEST(AutomaticMethod, GivesWayToNames) {
  Mechanism mechanism = chain(9, 0);
  SimulationDefaults given;
  given.error = 1e-3;
  EXPECT_EQ(asked_options(mechanism, given).integrator, "auto");
  mechanism.simulation.integrator = "rk4";
  EXPECT_THROW(asked_options(mechanism, given), std::invalid_argument) << "the file keeps its method";
  given.integrator = "auto";
  EXPECT_EQ(asked_options(mechanism, given).integrator, "auto");
  mechanism.simulation.integrator.reset();
  mechanism.simulation.error = 1e-3;
  given = {};
  given.integrator = "rk4";
  EXPECT_FALSE(asked_options(mechanism, given).error) << "the file's lapses with its method";
  EXPECT_EQ(RunOptions::for_mechanism(mechanism).integrator, "trapezoidal") << "for who steps by himself";
}

TEST(AutomaticMethod, RefusesControllersWhichTrialsDoNotSee) {
  RunControl control;
  control.controller = [](Simulation&) {};
  EXPECT_THROW(run(chain(10, 0), wanted(1e-3), nullptr, {}, nullptr, control), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
