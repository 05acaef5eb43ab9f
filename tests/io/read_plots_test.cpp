// What is asked to be shown: `plots` of a model file, and loads given over time as columns.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "io/columns.hpp"
#include "io/model_text.hpp"
#include "last_sample.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {
namespace {

TEST(ReadPlots, TakesColumnsListsAndPatterns) {
  const Mechanism m = read(std::string(kPendulum) + "plots: {Swing: arm.angle, Pin: [pin.q, 'pin.f*']}\n");
  ASSERT_EQ(m.plots.size(), 2U);
  EXPECT_EQ(m.plots[0].title, "Swing");
  EXPECT_EQ(m.plots[0].columns, std::vector<std::string>{"arm.angle"});
  EXPECT_EQ(m.plots[1].columns, (std::vector<std::string>{"pin.q", "pin.fx", "pin.fy"}));
}

TEST(ReadPlots, RefusesColumnsThatAreNotThere) {
  const std::string near = error_of(std::string(kPendulum) + "plots: {Swing: arm.angel}\n");
  EXPECT_NE(near.find("model.yaml:"), std::string::npos) << near;
  EXPECT_NE(near.find("plot 'Swing': there is no column 'arm.angel'"), std::string::npos) << near;
  EXPECT_NE(near.find("did you mean 'arm.angle'?"), std::string::npos) << near;
  const std::string far = error_of(std::string(kPendulum) + "plots: {Swing: [arm]}\n");
  EXPECT_NE(far.find("there are arm.x, arm.y, arm.angle, arm.vx, arm.vy, arm.w"), std::string::npos) << far;
  EXPECT_NE(error_of(std::string(kPendulum) + "plots: {Swing: {a: b}}\n").find("a column of trajectory.csv"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kPendulum) + "plots: {Swing: []}\n"), "");
  EXPECT_NE(error_of(std::string(kPendulum) + "plots: {Swing: t}\n"), "") << "time is the other axis";
}

TEST(ReadPlots, OfTheCommandLineAreCheckedLikewise) {
  const Mechanism m = read(kPendulum);
  const std::vector<Plot> plots = plots_asked_for(m, {"arm.angle,pin.q", "*.w"});
  ASSERT_EQ(plots.size(), 2U);
  EXPECT_EQ(plots[0].columns, (std::vector<std::string>{"arm.angle", "pin.q"}));
  EXPECT_EQ(plots[1].columns, std::vector<std::string>{"arm.w"});
  for (const char* wrong : {"arm.angle,", "arm.angel", "pin"}) {
    EXPECT_THROW(plots_asked_for(m, {wrong}), std::invalid_argument) << wrong;
  }
}

TEST(ReadPlots, PatternsThatFindNothingAreSaidInAFewWords) {
  MechanismBuilder part;
  part.rod("arm", {0, 0, 0}, {1, 0, 0}, 1, 0.02).revolute("pin", "ground", "arm", {0, 0, 0}, "y");
  part.signal("turn", SignalExpression::parse("2*pin.q"));
  MechanismBuilder whole;
  whole.add(part.spec(), {.name = "leg1"}).add(part.spec(), {.name = "leg2"});
  const auto complaint = [m = whole.build()](const std::string& wish) {
    try {
      plots_asked_for(m, {wish});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(complaint("*.turn").find("did you mean '*/turn'?"), std::string::npos) << complaint("*.turn");
  EXPECT_EQ(complaint("*/turn"), "accepted");
  EXPECT_NE(complaint("*.nothing").find("signals by their own names"), std::string::npos) << complaint("*.nothing");
  EXPECT_NE(complaint("leg1/arm.nothing").find("leg1/arm.wy and 1 more"), std::string::npos)
      << complaint("leg1/arm.nothing");
}

TEST(ReadPlots, OfASubsystemShowItsOwnElements) {
  MechanismSpec part;
  part.plots.push_back({"Travel", {"strut.length", "*.force"}});
  SubsystemUse use;
  use.name = "left";
  MechanismSpec whole;
  Problems problems;
  include_subsystem(part, use, whole, problems);
  ASSERT_EQ(whole.plots.size(), 1U);
  EXPECT_EQ(whole.plots[0].title.value, "left/Travel");
  EXPECT_EQ(whole.plots[0].columns[0].value, "left/strut.length");
  EXPECT_EQ(whole.plots[0].columns[1].value, "left/*.force");
}

TEST(GivenLoads, AreColumnsInInertialAxes) {
  const Mechanism m = read(R"(
gravity: [0, 0, 0]
bodies: {a: {box: [1, 2, 3], at: [0, 0, 0], mass: 1}}
joints: {pin: {revolute: [ground, a], at: [0, 0, 0], axis: z}}
loads:
  motor: {actuator: pin, effort: 2 + t}
  wind: {force: a, at: [1, 0, 0], components: [3, 4*t, 0], frame: body}
  couple: {torque: [ground, a], components: [0, 5, 6]}
drivers: {turn: {joint: pin, position: 1.5707963267948966*t}}
simulation: {until: 1, step: 0.1}
)");
  for (const char* formulation : {"hybrid", "global", "cartesian", "recursive"}) {
    RunOptions options = RunOptions::for_mechanism(m);
    options.formulation = formulation;
    LastSample last;
    const RunSummary summary = run(m, options, &last);
    ASSERT_EQ(summary.status, RunStatus::ok) << formulation << ": " << summary.reason;
    // After a quarter turn the body's x axis is y, its y axis -x.
    EXPECT_NEAR(last["motor.effort"], 3, 1e-9) << formulation;
    EXPECT_NEAR(last["wind.fx"], -4, 1e-6) << formulation;
    EXPECT_NEAR(last["wind.fy"], 3, 1e-6) << formulation;
    // In natural coordinates x and y of the body are at right angles to the axis by constraints, in the others by what
    // they are. The couple about y loads these constraints, and the iteration leaves a rest of them that falls with its
    // tolerance but is not zero: by that the 5 N lean.
    EXPECT_LE(std::abs(last["wind.fz"]), std::string(formulation) == "global" ? 5 * summary.position.value : 0)
        << formulation;
    EXPECT_EQ(last["couple.my"], 5) << formulation;
    EXPECT_EQ(last["couple.mz"], 6) << formulation;
  }
}

}  // namespace
}  // namespace cardan
