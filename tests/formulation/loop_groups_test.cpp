// Loops that share no coordinate are split and closed one by one.
#include "formulation/relative/loop_groups.hpp"

#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

/// Four-bars side by side that have nothing to do with each other.
Mechanism four_bars(int count) {
  MechanismBuilder b("four-bars");
  b.planar().gravity({0, -9.81, 0});
  for (int i = 0; i < count; ++i) {
    const auto name = [&](const char* what) { return what + std::to_string(i); };
    const double x = 3 * i;
    b.rod(name("crank"), {x, 0}, {x, 1}, 1).rod(name("coupler"), {x, 1}, {x + 1.5, 1.2}, 1);
    b.rod(name("rocker"), {x + 1, 0}, {x + 1.5, 1.2}, 1);
    b.revolute(name("A"), "ground", name("crank"), {x, 0}).revolute(name("B"), name("crank"), name("coupler"), {x, 1});
    b.revolute(name("C"), name("coupler"), name("rocker"), {x + 1.5, 1.2});
    b.revolute(name("D"), "ground", name("rocker"), {x + 1, 0});
    b.angular_velocity(name("crank"), {0, 0, -0.5 - i});
  }
  return b.build();
}

TEST(LoopGroups, AreOnePerLoopWhereLoopsShareNothing) {
  const Mechanism three = four_bars(3);
  const CompiledMechanism compiled = compile(three, "topological", {});
  const Formulation& full = compiled.formulation->full();
  const auto work = full.make_workspace();
  State state;
  full.start(state, *work);
  const std::vector<LoopGroup> groups = loop_groups(full.structure(), work->equations.jacobian);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(rank_of(groups), 6);
  for (const LoopGroup& group : groups) {
    EXPECT_EQ(group.rows.size(), 2U);
    EXPECT_EQ(group.columns.size(), 3U);
    EXPECT_EQ(group.free(), 1);
  }
  EXPECT_EQ(compiled.formulation->structure().pattern.nonzeros(), 3) << "nothing ties their coordinates together";
}

TEST(LoopGroups, MoveAsEachOfThemAlone) {
  for (const char* integrator : {"trapezoidal", "rk4"}) {
    RunOptions options;
    options.step = 0.005;
    options.until = 0.3;
    options.integrator = integrator;
    double x[2] = {};
    for (const char* formulation : {"topological", "hybrid"}) {
      options.formulation = formulation;
      Simulation simulation(four_bars(3), options);
      while (simulation.time() < options.until - 1e-9) ASSERT_EQ(simulation.step(), StepStatus::ok);
      x[formulation[0] == 'h'] = simulation.body("coupler2").position.x();
    }
    EXPECT_NEAR(x[0], x[1], 1e-4) << integrator;
  }
}

}  // namespace
}  // namespace cardan
