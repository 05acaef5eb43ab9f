// Drivers by speed or acceleration are drivers by the position that these lead to.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

TEST(Function, AntiderivativesAreThoseInClosedForm) {
  // f = exp(-t) cos(3 t): its integrals from 0 on by the real and imaginary part of exp((3i - 1) t)
  const Function f = Function::expression("exp(-t)*cos(3*t)", "t");
  const auto once = [](double t) { return (std::exp(-t) * (3 * std::sin(3 * t) - std::cos(3 * t)) + 1) / 10; };
  const auto twice = [](double t) {
    return (std::exp(-t) * (-8 * std::cos(3 * t) - 6 * std::sin(3 * t)) + 8) / 100 + t / 10;
  };
  const Function g = f.antiderivative(0.7), h = f.second_antiderivative(0.7, -0.2);
  const Function sine = Function::sine(2, 3).antiderivative(1), line = Function::polynomial({1, 2}).antiderivative(0);
  for (const double t : {0.0, 0.03, 0.1, 0.55, 3.7, 40.0, 999.95, 1003.0}) {
    EXPECT_NEAR(g(t), 0.7 + once(t), 1e-13) << t;
    EXPECT_EQ(g.evaluate(t).d1, f(t));
    EXPECT_EQ(g.evaluate(t).d2, f.evaluate(t).d1);
    EXPECT_NEAR(h(t), 0.7 - 0.2 * t + twice(t), 1e-12 * (1 + t)) << t;
    EXPECT_NEAR(h.evaluate(t).d1, -0.2 + once(t), 1e-13) << t;
    EXPECT_EQ(h.evaluate(t).d2, f(t));
    EXPECT_NEAR(sine(t), 1 + 2.0 / 3 * (1 - std::cos(3 * t)), 1e-12 * (1 + t)) << t;
    EXPECT_NEAR(line(t), t + t * t, 1e-14 * (1 + t * t)) << t;
  }
}

enum class Given { position, speed, acceleration };

/// A crank whose angle is driven and a slide on it that is, and beside it a post whose length is.
Mechanism driven(const RandomPlace& p, bool planar, Given given) {
  MechanismBuilder b("driven");
  b.planar(planar).gravity(9.81 * p.along(0, -1));
  b.rod("crank", p.at(0, 0), p.at(1, 0.2), 2, 0.05).box("slide", {0.1, 0.2, 0.1}, p.at(0.5, 0.1), 1);
  b.rod("post", p.at(-1, 0), p.at(-1.2, 1), 2, 0.05);
  if (planar) {
    b.revolute("pin", "ground", "crank", p.at(0, 0)).revolute("foot", "ground", "post", p.at(-1, 0));
  } else {
    b.revolute("pin", "ground", "crank", p.at(0, 0), p.along(0.1, 0.2, 1));
    b.revolute("foot", "ground", "post", p.at(-1, 0), p.along(0.1, -0.2, 1));
  }
  b.prismatic("guide", "crank", "slide", p.at(0.5, 0.1), p.along(1, 0.2));
  const double drawn = (p.at(-1.2, 1) - p.at(-2, 0.3)).norm();
  const std::map<std::string, double> c{{"L", drawn}};
  // pin from 0.3 on with 1.2 rad/s at the start, guide from the drawing, distance from the drawing at rest
  const auto give = [&](DriverSpec spec, const char* position, const char* speed, const char* acceleration) {
    if (given == Given::position) spec.position = Varying(Function::expression(position, "t", c));
    if (given == Given::speed) spec.speed = Varying(Function::expression(speed, "t", c));
    if (given == Given::acceleration) spec.acceleration = Varying(Function::expression(acceleration, "t", c));
    b.add(spec);
  };
  give(DriverSpec{.name = "turn", .joint = Name("pin")}, "0.3 + 0.4*sin(3*t)", "1.2*cos(3*t)", "-3.6*sin(3*t)");
  give(DriverSpec{.name = "move", .joint = Name("guide")}, "0.1*t^3", "0.3*t^2", "0.6*t");
  give(
      DriverSpec{
          .name = "lift", .body1 = "ground", .body2 = "post", .at1 = Place(p.at(-2, 0.3)), .at2 = Place(p.at(-1.2, 1))},
      "L + 0.1*(1 - cos(2*t))", "0.2*sin(2*t)", "0.4*cos(2*t)");
  if (given == Given::position) return b.build();
  b.joint_position("pin", 0.3).joint_velocity("pin", 1.2);
  return b.build();
}

TEST(Driver, OfRatesIsADriverOfPositions) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    const RandomPlace p(5, planar);
    for (const Given given : {Given::speed, Given::acceleration}) {
      const Mechanism by_position = driven(p, planar, Given::position), by_rate = driven(p, planar, given);
      for (const RegistryEntry& formulation : formulations()) {
        for (const std::string integrator : {"trapezoidal", "rk4", "generalized-alpha"}) {
          if (!why_not(formulation.name, integrator).empty()) continue;
          const RunOptions options = options_of(std::string(formulation.name), 5e-3, 0.5, integrator);
          const FinishedRun one = finish(by_position, options), two = finish(by_rate, options);
          ASSERT_EQ(two.summary.status, RunStatus::ok) << formulation.name << integrator << two.summary.reason;
          EXPECT_LT(LastSample::difference(one.last, two.last, by_position), 1e-9) << formulation.name << integrator;
          EXPECT_NEAR(two.last["pin.q"], 0.3 + 0.4 * std::sin(1.5), 1e-9) << formulation.name << integrator;
          for (const char* effort : {"turn.effort", "move.effort", "lift.effort"})
            EXPECT_NEAR(one.last[effort], two.last[effort], 1e-5 * (1 + std::abs(one.last[effort])))
                << formulation.name << integrator;
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 4 * 12);
}

TEST(Driver, OfRatesThatFollowSignalsIsRefused) {
  const auto complaint = [](const std::string& driver) -> std::string {
    const std::string model = R"(
cardan: 1
planar: true
inputs: {u: 1}
bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, a], at: [0, 0]}}
drivers: {d: {joint: pin, )" + driver +
                              "}}\n";
    try {
      read_mechanism_text(model, "a.yaml");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      complaint("speed: 2*u"),
      "a.yaml:7:34: error: driver 'd': the speed of a driver is a function of t; a position may follow inputs; what "
      "follows other signals is the effort of an actuator");
  EXPECT_EQ(complaint("speed: 2, position: 3"),
            "a.yaml:7:34: error: driver 'd': both 'position' and 'speed' are given; give one of them");
  EXPECT_EQ(complaint("coordinate: 1"),
            "a.yaml:7:11: error: driver 'd': 'position' is missing; add 'position: FUNCTION of t'");
}

}  // namespace
}  // namespace cardan
