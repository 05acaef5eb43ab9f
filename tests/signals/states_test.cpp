// States of first order, integrated with the mechanism by its own method; inputs from outside.
#include <gtest/gtest.h>

#include <numbers>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "every_method.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A piston of mass m on a trapped column of fluid: p' = -B A v / V, F = A p, so that w^2 = B A^2 / (V m).
MechanismBuilder piston(const RandomPlace& p, bool planar, double bulk, double area, double volume, double mass) {
  MechanismBuilder b("piston");
  b.planar(planar).gravity(Vec3::Zero());
  if (planar) {
    b.body("mass", mass, Place(p.at(0, 0)), 1.0);
  } else {
    b.body("mass", mass, Place(p.at(0, 0)), Mat3(Mat3::Identity()));
  }
  b.prismatic("bore", "ground", "mass", p.at(0, 0), p.along(1, 0));
  b.joint_velocity("bore", 0.01);
  const std::map<std::string, double> c{{"B", bulk}, {"A", area}, {"V", volume}};
  b.add(StateSpec{.name = "pressure",
                  .start = Number(0),
                  .scale = Number(1e5),
                  .rate = Varying(SignalExpression::parse("-B*A/V*bore.v", c))});
  b.actuator("oil", "bore", SignalExpression::parse("A*pressure", c));
  return b;
}

TEST(States, AMassOnFluidSwingsAsInClosedForm) {
  const double bulk = 1.5e9, area = 5e-3, volume = 1e-4, mass = 1200;
  const double w = std::sqrt(bulk * area * area / (volume * mass));
  int runs = 0;
  for (const bool planar : {true, false}) {
    const RandomPlace p(2, planar);
    const Mechanism m = piston(p, planar, bulk, area, volume, mass).build();
    const double until = 2.3 * 2 * std::numbers::pi / w;
    runs += with_every_method(until / 2000, until, 1e-8, [&](const RunOptions& options) {
      const FinishedRun run = finish(m, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double v = 0.01 * std::cos(w * until), pressure = -0.01 * mass * w / area * std::sin(w * until);
      const double part = options.integrator == "newmark" ? 2e-2 : 2e-3;  // of first order
      EXPECT_NEAR(run.last["bore.v"], v, part * 0.01);
      EXPECT_NEAR(run.last["pressure"], pressure, part * 0.01 * mass * w / area);
    });
  }
  EXPECT_GE(runs, 2 * 36);
}

TEST(States, GoOnFromASavedContextBitForBit) {
  const RandomPlace p(3, false);
  const Mechanism m = piston(p, false, 1.5e9, 5e-3, 1e-4, 1200).build();
  const RunOptions usual;
  const int restored = with_every_method(1e-3, 1, usual.absolute_tolerance, [&](const RunOptions& options) {
    Simulation one(m, options), two(m, options);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(one.step(1e-3), StepStatus::ok);
    two.restore(one.state());
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(one.step(1e-3), StepStatus::ok);
      ASSERT_EQ(two.step(1e-3), StepStatus::ok);
    }
    EXPECT_EQ(one.state().v, two.state().v);
  });
  EXPECT_GE(restored, 39);
}

/// Large steps over stiff fluid converge: the effective stiffness appears only through the coupling.
TEST(States, StiffFluidNeedsNoSmallSteps) {
  const RandomPlace p(4, false);
  const Mechanism m = piston(p, false, 1.5e9, 1e-2, 1e-4, 300).build();
  for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
    const FinishedRun run = finish(m, options_of(formulation, 0.01, 1));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
    EXPECT_LE(run.summary.iterations, 3 * run.summary.steps) << formulation;
    EXPECT_LT(std::abs(run.last["bore.v"]), 0.0101) << formulation;
  }
}

/// A filter of second order beside a swinging arm that it pushes: the error falls with the square of the step.
TEST(States, KeepTheOrderOfTheRule) {
  const RandomPlace p(6, false);
  MechanismBuilder b("arm with a filter");
  b.gravity(9.81 * p.along(0, -1));
  b.rod("arm", p.at(0, 0), p.at(1, 0.2), 2, 0.05).revolute("pin", "ground", "arm", p.at(0, 0), p.along(0.1, 0.2, 1));
  b.state("x", 0, follow("y")).state("y", 0, follow("20*(sin(pin.q) - x) - 2*y"));
  b.actuator("push", "pin", follow("-3*x - 0.5*y"));
  const Mechanism m = b.build();
  const FinishedRun exact = finish(m, options_of("hybrid", 1e-4, 1, "rk4"));
  for (const auto& [integrator, order] :
       {std::pair<std::string, double>("trapezoidal", 2), {"generalized-alpha", 2}, {"rk4", 4}, {"sdirk3", 3}}) {
    for (const std::string formulation : {"hybrid", "global", "cartesian"}) {
      double error[2];
      for (int i = 0; i < 2; ++i) {
        const FinishedRun run = finish(m, options_of(formulation, 0.02 / (1 << i), 1, integrator));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << integrator << run.summary.reason;
        error[i] = std::hypot(run.last["x"] - exact.last["x"], run.last["pin.q"] - exact.last["pin.q"]);
      }
      EXPECT_GT(std::log2(error[0] / error[1]), order - 0.2) << formulation << " " << integrator;
    }
  }
}

constexpr const char* kCart = R"(
cardan: 1
planar: true
gravity: [0, 0]
bodies: {cart: {box: [1, 0.5, 0.2], at: [0, 0], mass: 2}}
joints: {rail: {prismatic: [ground, cart], at: [0, 0], axis: x}}
inputs: {thrust: {start: 0, min: -5, max: 5}, soft: {start: 0, lag: 0.5}}
states: {heat: {start: 1, rate: -heat + thrust}}
loads: {motor: {actuator: rail, effort: thrust}}
signals: {twice: 2*thrust + heat, slow: soft}
)";

TEST(Inputs, AreHeldUntilTheyAreSetAgain) {
  const Mechanism m = read_mechanism_text(kCart, "cart.yaml");
  const int compared = with_every_method(0.01, 1, 1e-10, [&](const RunOptions& options) {
    Simulation s(m, options);
    const int thrust = s.input("thrust"), soft = s.input("soft");
    const auto go = [&](double until) {
      while (s.time() < until - 1e-12) ASSERT_EQ(s.step(std::min(0.01, until - s.time())), StepStatus::ok);
    };
    go(0.2);
    s.set_input(thrust, 4);
    s.set_input(soft, 1);
    go(0.5);
    s.set_input(thrust, -100);  // held at its limit
    EXPECT_EQ(s.input_value(thrust), -5);
    go(1);
    // a = 2 for 0.3 s, then -2.5 for 0.5 s
    std::vector<double> row(s.columns().size());
    s.sample(row.data());
    const auto column = [&](const std::string& name) {
      return row[static_cast<std::size_t>(std::find(s.columns().begin(), s.columns().end(), name) -
                                          s.columns().begin())];
    };
    EXPECT_NEAR(column("rail.v"), 0.6 - 1.25, 1e-9);
    EXPECT_NEAR(column("rail.q"), 0.09 + 0.3 - 0.3125, 1e-9);
    EXPECT_NEAR(column("slow"), 1 - std::exp(-0.8 / 0.5), 1e-12);
    const double at_half = 4 + (std::exp(-0.2) - 4) * std::exp(-0.3);
    EXPECT_NEAR(column("heat"), -5 + (at_half + 5) * std::exp(-0.5),
                options.integrator == "newmark" ? 5e-3 : 1e-4);  // of first order
    EXPECT_NEAR(column("twice"), -10 + column("heat"), 1e-12);
    EXPECT_LT(std::abs(s.summary().energy_max_error), 1e-9);
  });
  EXPECT_GE(compared, 36);
}

}  // namespace
}  // namespace cardan
