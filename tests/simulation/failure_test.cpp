// What is said of a step that failed: who was to blame, and advice that helps.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "formulation/contact_scenes.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A torque that drives a hinge to 0.2 rad from both sides and jumps there: sooner or later a step would end there, and
/// has no solution.
Varying with_a_jump(const std::string& coordinate, double torque) {
  return SignalExpression::parse(coordinate + " > 0.2 ? -s : s", {{"s", torque}});
}

TEST(Failure, BlamesNoLoopWhereThereIsNone) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const RandomPlace place(seed, false);
    MechanismBuilder b("hinge");
    b.gravity(9.81 * place.along(0, 0, -1));
    b.rod("arm", Place(place.at(0, 0, 0)), Place(place.at(1, 0, 0)), 1, 0.05 * place.size());
    b.revolute("pin", "ground", "arm", Place(place.at(0, 0, 0)), Direction(place.along(0, 1, 0)));
    b.actuator("motor", "pin", with_a_jump("pin.q", 1e3 * place.size() * place.size()));
    for (const std::string formulation : {"topological", "hybrid", "global"}) {
      const RunSummary summary = finish(b.build(), options_of(formulation, 0.01, 10)).summary;
      EXPECT_EQ(summary.status, RunStatus::failed) << formulation;
      EXPECT_TRUE(says(summary.reason, "did not converge")) << formulation << ": " << summary.reason;
      EXPECT_TRUE(says(summary.reason, "smaller step")) << formulation << ": " << summary.reason;
      EXPECT_FALSE(says(summary.reason, "singular")) << formulation << ": " << summary.reason;
      // Only global has constraints here, which the iteration may have left open.
      EXPECT_FALSE(formulation != "global" && says(summary.reason, "worst constraint")) << summary.reason;
    }
  }
}

TEST(Failure, OfIndependentCoordinatesAtADeadCentreSendsToOthers) {
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/four_bar.yaml");
  const RunSummary summary = finish(mechanism, options_of("topological", 0.01, 10)).summary;
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_TRUE(says(summary.reason, "the loop closed by '")) << summary.reason;
  EXPECT_TRUE(says(summary.reason, "' is singular")) << summary.reason;
  EXPECT_TRUE(says(summary.reason, "use the formulation hybrid or global")) << summary.reason;
}

/// Wheels that turn far in a step: an iterate is singular where the motion is not, and shorter steps get through.
TEST(Failure, OfIndependentCoordinatesInALongStepAdvisesAShorterOne) {
  const RandomPlace place(3, false);
  MechanismBuilder b("gears");
  b.gravity({0, 0, 0});
  b.body("small", 3, Place(place.at(0, 0)), 0.015 * Mat3::Identity());
  b.body("large", 8, Place(place.at(0.3, 0)), 0.16 * Mat3::Identity());
  b.revolute("a", "ground", "small", Place(place.at(0, 0)), Direction(place.along(0, 0, 1)));
  b.revolute("b", "ground", "large", Place(place.at(0.3, 0)), Direction(place.along(0, 0, 1)));
  b.gear("mesh", "a", "b", -0.5);
  b.joint_velocity("a", 600);
  const RunSummary coarse = finish(b.build(), options_of("cartesian", 0.002, 1)).summary;
  ASSERT_EQ(coarse.status, RunStatus::failed);
  EXPECT_TRUE(says(coarse.reason, "try a smaller step")) << coarse.reason;
  const RunSummary fine = finish(b.build(), options_of("cartesian", 0.0005, 0.2)).summary;
  EXPECT_EQ(fine.status, RunStatus::ok) << fine.reason;
}

TEST(Failure, NamesTheContactThatTouches) {
  for (unsigned seed : {4u, 5u}) {
    Slope slope("stamp", seed, 0);
    slope.box("stamp", 1, {0.2, 0.2, 0.2}, slope.at(0, 0, 0.0999));
    slope.builder.add(slope.contact({"stamp", "floor"}, 1e4, 0.5, 0.5));
    slope.builder.rod("arm", Place(slope.at(1, 0, 1)), Place(slope.at(2, 0, 1)), 1, 0.05);
    slope.builder.revolute("pin", "ground", "arm", Place(slope.at(1, 0, 1)), Direction(slope.along(0, 1, 0)));
    slope.builder.actuator("motor", "pin", with_a_jump("pin.q", 1e3));
    const RunSummary summary = finish(slope.builder.build(), options_of("hybrid", 0.01, 10)).summary;
    EXPECT_EQ(summary.status, RunStatus::failed);
    EXPECT_TRUE(says(summary.reason, "contact 'touch' touches")) << summary.reason;
    EXPECT_TRUE(says(summary.reason, "step_control: error")) << summary.reason;
  }
}

TEST(Failure, OfAnIterationWithoutTangentsIsNotBlamedOnAnExpression) {
  const Mechanism boom = read_mechanism_text(R"(
cardan: 1
parameters: {a: pi/6}
points:
  F: [10, -4, 2]
  C: [10 + 0.6*cos(a), -4 + 0.6*sin(a), 1]
  B: [10 + 1.2*cos(a), -4 + 1.2*sin(a), 2.1]
  T: [10 + 4*cos(a), -4 + 4*sin(a), 2.3]
bodies: {boom: {rod: [F, T], mass: 400, radius: 0.1}, load: {sphere: 0.3, at: T, mass: 600}}
joints: {foot: {revolute: [ground, boom], at: F, axis: [sin(a), -cos(a), 0]}, clamp: {fixed: [boom, load], at: T}}
inputs: {lever: {start: 0, min: -1, max: 1, lag: 0.05}}
loads:
  jack: {cylinder: [ground, boom], at: [C, B], bore: 0.12, rod: 0.07, retracted: 0.9, stroke: 0.7, start: [60e5, 10e5],
         leakage: 1e-12, viscous: 5e3}
  valve: {valve: jack, supply: pump, command: lever, rated_flow: 1e-3, tank: 2e5, makeup: 1e-3/3, port_relief: 250e5}
  pump: {pump: 2e-3/3, volume: 1e-3, start: 50e5, relief: 180e5}
)",
                                             "boom.yaml");
  const RunSummary summary = finish(boom, options_of("recursive", 0.005, 5)).summary;
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_TRUE(says(summary.reason, "the iteration diverged")) << summary.reason;
  EXPECT_TRUE(says(summary.reason, "use the formulation hybrid")) << summary.reason;
  EXPECT_FALSE(says(summary.reason, "cylinder 0.")) << summary.reason;
  EXPECT_FALSE(says(summary.reason, "sqrt")) << summary.reason;
}

TEST(Failure, OfAnExpressionNamesItsLine) {
  const std::string model =
      "cardan: 1\nplanar: true\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}\n"
      "joints: {pin: {revolute: [ground, a], at: [0, 0]}}\nloads:\n  m: {actuator: pin, effort: sqrt(pin.q + 0.1)}\n";
  const RunSummary summary = finish(read_mechanism_text(model, "m.yaml"), options_of("hybrid", 0.01, 2)).summary;
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_TRUE(says(summary.reason, "an expression in m.yaml:6 = sqrt(pin.q + 0.1) is not a number")) << summary.reason;
  EXPECT_TRUE(says(summary.reason, "keep the expression defined")) << summary.reason;
}

}  // namespace
}  // namespace cardan
