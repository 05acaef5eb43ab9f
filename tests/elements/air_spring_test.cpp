// The air spring against the closed forms of a piston on gas: p V^n is constant.
#include "cardan/specs/air_spring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cardan/cardan.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kMass = 40, kArea = 2e-3, kVolume = 6e-4, kAtmosphere = 1e5;

/// A piston on a guide, held by gas alone: in the drawing its weight of `load` newtons and the gas are in balance.
Mechanism piston(const RandomPlace& place, double exponent, double load, double speed) {
  MechanismBuilder b("piston");
  b.gravity(-load / kMass * place.along(0, 0, 1));
  b.box("piston", {0.2, 0.1, 0.1}, place.at(0, 0, 1), kMass);
  b.prismatic("guide", "ground", "piston", place.at(0, 0, 1), place.along(0, 0, 1));
  AirSpringSpec gas;
  gas.name = "gas", gas.body1 = "ground", gas.body2 = "piston";
  gas.at1 = Place(place.at(0, 0, 0.4)), gas.at2 = Place(place.at(0, 0, 1));
  gas.area = kArea, gas.volume = kVolume, gas.atmosphere = kAtmosphere, gas.exponent = exponent;
  gas.pressure = kAtmosphere + load / kArea;
  b.add(gas).joint_velocity("guide", speed);
  return b.build();
}

/// The law, its slope and its energy: -A^2 n p0 / V0, and the work of the gas (p V - p0 V0) / (n - 1).
TEST(AirSpring, FollowsThePolytropicLaw) {
  for (const double n : {1.0, 1.25, 1.4}) {
    const double p0 = kAtmosphere + 400 / kArea;
    const SpringDamper gas = piston(RandomPlace(1, false), n, 400, 0).springs.at(0);
    EXPECT_NEAR(gas.spring(0), -400, 1e-10);
    EXPECT_NEAR(gas.spring.evaluate(0).d1, kArea * kArea * n * p0 / kVolume, 1e-9);
    for (const double x : {-0.2, -0.05, 0.1, 0.7}) {
      const double v = kVolume + kArea * x, p = p0 * std::pow(kVolume / v, n);
      EXPECT_NEAR(gas.spring(x), kArea * (kAtmosphere - p), 1e-9 * kArea * p) << x;
      const double work = n == 1 ? p0 * kVolume * std::log(v / kVolume) : (p0 * kVolume - p * v) / (n - 1);
      EXPECT_NEAR(gas.spring.integral(0, x), kArea * kAtmosphere * x - work, 1e-10 * p0 * kVolume) << x;
    }
  }
}

/// omega^2 = n p0 A^2 / (V0 m) about the balance, anywhere in space.
TEST(AirSpring, OscillatesWithTheFrequencyOfGas) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const double n = 1 + 0.1 * seed, load = 200.0 * seed, p0 = kAtmosphere + load / kArea;
    const Mechanism mechanism = piston(RandomPlace(seed, false), n, load, 0);
    const Equilibrium rest = find_equilibrium(mechanism);
    EXPECT_NEAR(rest.value("guide.q"), 0, 1e-9);
    const Linearization about = linearize(mechanism, rest);
    ASSERT_EQ(about.modes.size(), 1u);
    EXPECT_NEAR(about.modes[0].frequency * 2 * std::numbers::pi, std::sqrt(n * p0 * kArea * kArea / (kVolume * kMass)),
                1e-6);
  }
}

/// m v^2 / 2 + m g x + p_a A x - (p0 V0 - p V) / (n - 1) is constant: in every formulation, with strokes of a third of
/// the volume.
TEST(AirSpring, KeepsItsEnergyInEveryFormulation) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    SCOPED_TRACE(formulation.name);
    const double n = 1.4, load = 400, p0 = kAtmosphere + load / kArea, speed = 1;
    const RandomPlace place(20u + static_cast<unsigned>(runs), false);
    RunOptions options;
    options.formulation = formulation.name;
    options.integrator = why_not(formulation.name, "rk4").empty() ? "rk4" : "trapezoidal";
    options.step = 5e-4;
    Simulation simulation(piston(place, n, load, speed), options);
    double least = 0;
    for (int i = 0; i < 1200; ++i) {
      ASSERT_EQ(simulation.step(), StepStatus::ok);
      const BodyMotion motion = simulation.body(0);
      const double x = (motion.position - place.at(0, 0, 1)).dot(place.along(0, 0, 1));
      const double v = kVolume + kArea * x, p = p0 * std::pow(kVolume / v, n);
      const double energy = kMass * motion.velocity.squaredNorm() / 2 + load * x + kAtmosphere * kArea * x -
                            (p0 * kVolume - p * v) / (n - 1);
      ASSERT_NEAR(energy, kMass * speed * speed / 2, options.integrator == "rk4" ? 1e-7 : 2e-4) << simulation.time();
      least = std::min(least, x);
    }
    EXPECT_LT(least, -0.08);
    ++runs;
  }
  EXPECT_EQ(runs, static_cast<int>(formulations().size()));
}

TEST(AirSpring, IsRefusedWhereItHasNoGas) {
  const std::string model = R"(
cardan: 1
planar: true
bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, a], at: [0, 0]}}
loads: {gas: {air_spring: [ground, a], at: [[1, 1], [1, 0]], area: 1e-3, volume: 1e-4, pressure: 2e5, free_length: 1.2}}
)";
  try {
    read_mechanism_text(model, "gas.yaml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(
        error.what(),
        "gas.yaml:6:82: error: load 'gas': the volume of the gas is -0.0001 m^3 as drawn; give more 'volume', or "
        "draw it longer");
  }
}

}  // namespace
}  // namespace cardan
