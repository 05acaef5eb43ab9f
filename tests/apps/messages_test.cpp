// What the program says in words: counts that mean the same in every command, steps as they were taken, warnings once.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "apps/program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class Messages : public ProgramTest {
 protected:
  /// How often `part` stands in `text`.
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
  }
};

/// Two links of three are driven, or one, or none: the joints leave two degrees of freedom all the same.
TEST_F(Messages, DegreesOfFreedomMeanTheSameEverywhere) {
  const std::string arm = R"(cardan: 1
name: arm
planar: true
bodies: {upper: {rod: [[0, 0], [1, 0]], mass: 2}, lower: {rod: [[1, 0], [1.5, 0.5]], mass: 1}}
joints: {shoulder: {revolute: [ground, upper], at: [0, 0]}, elbow: {revolute: [upper, lower], at: [1, 0]}}
loads: {hold: {torsion: elbow, stiffness: 50, damping: 5}, hold2: {torsion: shoulder, stiffness: 200, damping: 5}}
simulation: {until: 0.02, step: 0.01}
)";
  const std::vector<std::string> drivers{
      "", "drivers: {m: {joint: shoulder, position: 0.1*t^2}}\n",
      "drivers: {m: {joint: shoulder, position: 0.1*t^2}, n: {joint: elbow, position: 0.2}}\n"};
  for (int driven = 0; driven <= 2; ++driven) {
    write("arm.yaml", arm + drivers[driven]);
    const json checked = json::parse(cardan("check arm.yaml --json").out);
    int formulations = 0;
    for (const json& entry : checked["formulations"]) {
      EXPECT_EQ(entry["degrees_of_freedom"], 2) << entry;
      EXPECT_EQ(entry["driven"], driven) << entry;
      if (entry["formulation"] == "topological") EXPECT_EQ(entry["coordinates"], 2 - driven);
      ++formulations;
    }
    EXPECT_EQ(formulations, 5);
    const json run = json::parse(cardan("run arm.yaml --json").out);
    EXPECT_EQ(run["degrees_of_freedom"], 2);
    EXPECT_EQ(run["driven"], driven);
    const json rest = json::parse(cardan("equilibrium arm.yaml --json").out);
    EXPECT_EQ(rest["degrees_of_freedom"], 2);
    EXPECT_EQ(rest["driven"], driven);
    const std::string words = driven == 0 ? "2 degrees of freedom\n"
                                          : "2 degrees of freedom, " + std::to_string(driven) + " of them driven\n";
    EXPECT_TRUE(contains(cardan("run arm.yaml").out, words));
    EXPECT_TRUE(contains(cardan("equilibrium arm.yaml").out, words));
  }
}

TEST_F(Messages, StepsAreThoseThatWereTaken) {
  const Result chosen = cardan("run four_bar.yaml --integrator dopri5");
  EXPECT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_TRUE(std::regex_search(chosen.out, std::regex("after \\d+ steps of [0-9.e-]+ to [0-9.e-]+ s\n")))
      << chosen.out;
  EXPECT_TRUE(contains(cardan("run four_bar.yaml").out, "after 50 steps of 0.01 s\n"));
}

TEST_F(Messages, EnergyIsShownFromTheStartOn) {
  const Result result = cardan("run four_bar.yaml");
  EXPECT_TRUE(std::regex_search(result.out, std::regex("energy +[+-][0-9.e-]+ J from start to end; largest error")))
      << result.out;
  EXPECT_TRUE(contains(read("out/four-bar/summary.json"), "\"initial\""));
}

TEST_F(Messages, AWarningIsMarkedOnce) {
  write("soft.yaml", std::string(kFourBar) + "loads: {k: {torsion: pinA0, stiffness: -1}}\n");
  for (const char* command : {"run soft.yaml", "check soft.yaml"}) {
    const Result result = cardan(command);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(count(result.out, "warning:"), 1) << result.out;
    EXPECT_TRUE(contains(result.out, "warning: soft.yaml:18:40: load 'k': the stiffness is negative (-1)"));
  }
}

/// The hinge is said to be off, at its own line, and not the initial velocity that brought it to light.
TEST_F(Messages, ALockedLinkageNamesTheHinge) {
  std::string model = R"(cardan: 1
name: locked
points: {A: [0, 0, 0], B: [0, 1, 0], C: [1, 1.2, 0], D: [1, 0, 0]}
bodies:
  crank: {rod: [A, B], mass: 1, radius: 0.01}
  coupler: {rod: [B, C], mass: 1, radius: 0.01}
  rocker: {rod: [D, C], mass: 1, radius: 0.01}
joints:
  a: {revolute: [ground, crank], at: A, axis: z}
  b: {revolute: [crank, coupler], at: B, axis: z}
  c: {revolute: [coupler, rocker], at: C, axis: [0.0192, 0, 1]}
  d: {revolute: [ground, rocker], at: D, axis: z}
)";
  write("still.yaml", model);
  write("moving.yaml", model + "initial:\n  crank: {angular_velocity: [0, 0, 1]}\n");
  for (const char* command : {"run", "check"}) {
    const Result still = cardan(std::string(command) + " still.yaml");
    EXPECT_EQ(still.code, 0) << still.err;
    EXPECT_TRUE(contains(still.out,
                         "the mechanism is locked: its joints leave it 0 degrees of freedom; joint 'c': its "
                         "axis is 1.1 degrees off (0, 0, 1)"));
  }
  const Result moving = cardan("run moving.yaml");
  EXPECT_EQ(moving.code, 2);
  EXPECT_TRUE(contains(moving.err, "moving.yaml:11:3: error: joint 'c': the mechanism is locked"));
  // With the hinge straight but a velocity that the joints do not allow, it is the velocity's line.
  model.replace(model.find("[0.0192, 0, 1]"), 14, "z");
  write("contradiction.yaml", model + "initial:\n  crank: {angular_velocity: [0, 1, 1]}\n");
  const Result contradiction = cardan("run contradiction.yaml");
  EXPECT_EQ(contradiction.code, 2);
  EXPECT_TRUE(
      contains(contradiction.err, "contradiction.yaml:14:3: error: initial values of body 'crank': the velocities"));
}

/// All joints of the loop hold its plane; check and run name the same ones.
TEST_F(Messages, CheckAndRunNameTheSameRedundantJoints) {
  write("loop.yaml", R"(cardan: 1
name: loop
points: {A: [0, 0, 0], B: [0, 1, 0], C: [1, 1.2, 0], D: [1, 0, 0]}
bodies:
  crank: {rod: [A, B], mass: 1, radius: 0.01}
  coupler: {rod: [B, C], mass: 1, radius: 0.01}
  rocker: {rod: [D, C], mass: 1, radius: 0.01}
joints:
  a: {revolute: [ground, crank], at: A, axis: z}
  b: {revolute: [crank, coupler], at: B, axis: z}
  c: {revolute: [coupler, rocker], at: C, axis: z}
  d: {revolute: [ground, rocker], at: D, axis: z}
simulation: {until: 0.01, step: 0.001}
)");
  const std::string warning = "the joints constrain the same motion more than once (a, b, c, d)";
  EXPECT_TRUE(contains(cardan("check loop.yaml").out, warning));
  for (const char* formulation : {"hybrid", "global", "cartesian", "topological", "recursive"})
    EXPECT_TRUE(contains(cardan(std::string("run loop.yaml --formulation ") + formulation).out, warning));
}

/// Two rods welded end to end: `global` writes some of it twice, and no joint is to blame.
TEST_F(Messages, AWeldIsNotCalledRedundant) {
  write("weld.yaml", R"(cardan: 1
name: weld
bodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1, radius: 0.01}, b: {rod: [[1, 0, 0], [2, 1, 0]], mass: 1, radius: 0.01}}
joints: {pin: {revolute: [ground, a], at: [0, 0, 0], axis: z}, weld: {fixed: [a, b]}}
simulation: {until: 0.01, step: 0.001}
)");
  const Result checked = cardan("check weld.yaml");
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(count(checked.out, "\nredundant constraints"), 0) << checked.out;
  EXPECT_EQ(count(checked.out, "more than once"), 0) << checked.out;
}

TEST_F(Messages, ALinkWithoutMassThatALoopHoldsIsNotSaidToBeFree) {
  std::string model = kFourBar;
  model.replace(model.find("coupler: {rod: [B0, B1], mass: 1}"), 33, "coupler: {rod: [B0, B1], mass: 0}");
  write("light.yaml", model);
  for (const char* formulation : {"hybrid", "global", "cartesian", "topological", "recursive"}) {
    const Result result = cardan(std::string("run light.yaml --formulation ") + formulation);
    EXPECT_EQ(count(result.err, "no constraint holds it"), 0) << formulation << ": " << result.err;
    if (result.code != 0) EXPECT_TRUE(contains(result.err, "take the formulation hybrid or global")) << formulation;
  }
}

/// The steps shrink before a singular position: what is named is the step that was tried, not the one that was asked
/// for.
TEST_F(Messages, AFailureNamesTheStepThatWasTried) {
  struct Method {
    const char *formulation, *integrator;
  };
  int failed = 0;
  for (const Method& method : {Method{"topological", "dopri5"}, Method{"cartesian", "bdf"}}) {
    const Result result = cardan(
        std::string("run " CARDAN_SOURCE_DIR "/models/double_four_bar.yaml --until 10 --step 8.77 --formulation ") +
        method.formulation + " --integrator " + method.integrator);
    ASSERT_EQ(result.code, 1) << method.formulation;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(result.err, found, std::regex("in the step of ([0-9.e+-]+) s from t = ")))
        << result.err;
    EXPECT_LT(std::stod(found[1]), 1e-9) << result.err;
    EXPECT_EQ(count(result.err, "8.77"), 0) << result.err;
    EXPECT_EQ(count(result.err, " 0 s"), 0) << "steps that took no time: " << result.err;
    ++failed;
  }
  EXPECT_EQ(failed, 2);
}

/// A wheel that a step far too long throws away.
TEST_F(Messages, AWheelThatIsNowhereIsNotLookedForOnItsRoad) {
  write("wheel.yaml", R"(cardan: 1
name: wheel
planar: true
roads: {stairs: {profile: [[-1, 0], [1, 0], [1.1, 0.3], [9, 0.3]]}}
bodies: {wheel: {mass: 1, inertia: 0.1, center: [0, 0.29]}}
joints: {slide: {free: [ground, wheel]}}
loads:
  tyre: {tyre: wheel, at: [0, 0.29], radius: 0.3, stiffness: 1e5, damping: 1e3, road: stairs}
  hold: {spring: [ground, wheel], at: [[0, 5], [0, 0.29]], stiffness: 1e9, free_length: 4.7}
initial: {wheel: {velocity: [1, 0]}}
simulation: {until: 1, step: 0.01}
)");
  int failed = 0;
  for (const char* integrator : {"rk4", "trapezoidal"}) {
    for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
      const Result result =
          cardan(std::string("run wheel.yaml --formulation ") + formulation + " --integrator " + integrator);
      failed += result.code == 1;
      EXPECT_EQ(count(result.err, "nan"), 0) << formulation << ' ' << integrator << ": " << result.err;
      EXPECT_EQ(count(result.err, "singular"), 0) << formulation << ' ' << integrator << ": " << result.err;
    }
  }
  EXPECT_EQ(failed, 8);
}

TEST_F(Messages, ABudgetOfIterationsHasALimit) {
  const Result result = cardan("run four_bar.yaml --iterations 2147483647");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "iterations is 2147483647, but a step is given 10000 at most"));
  EXPECT_EQ(cardan("equilibrium four_bar.yaml --iterations 2147483647").code, 2);
}

}  // namespace
}  // namespace cardan
