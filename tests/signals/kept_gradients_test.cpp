// Derivatives of laws that Newton's iteration keeps from one iteration to the next are those of its own step: wherever
// a state is restored, and whatever was computed before, the same bits follow.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "every_method.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// Two rods and a motor whose law bends within a step, so that derivatives are kept in some iterations and made anew
/// in others.
Mechanism arm_with_law(const RandomPlace& p) {
  MechanismBuilder b("arm");
  b.gravity(p.along(0, 0, -9.81));
  b.rod("upper", p.at(0, 0, 0), p.at(0.3, 0, 0.4), 2).rod("lower", p.at(0.3, 0, 0.4), p.at(0.9, 0.1, 0.4), 1);
  b.revolute("shoulder", "ground", "upper", p.at(0, 0, 0), p.along(0, 1, 0));
  b.revolute("elbow", "upper", "lower", p.at(0.3, 0, 0.4), p.along(0.2, 1, 0));
  b.joint_velocity("shoulder", 3).joint_velocity("elbow", -4);
  b.add(InputSpec{.name = "push", .start = Number(0.0)});
  b.add(StateSpec{.name = "wound",
                  .start = Number(0),
                  .scale = Number(1),
                  .rate = Varying(SignalExpression::parse("sin(2*elbow.q) - wound"))});
  b.actuator("motor", "elbow", SignalExpression::parse("20*tanh(4*(push - elbow.q)) - wound*elbow.v^2"));
  return b.build();
}

TEST(KeptGradients, AreForgottenWithTheStepThatMadeThem) {
  const Mechanism mechanism = arm_with_law(RandomPlace(5, false));
  constexpr int kSteps = 12;
  const auto step = [](Simulation& simulation) { ASSERT_EQ(simulation.step(), StepStatus::ok); };
  const int methods = with_every_method(0.01, 1, 1e-8, [&](const RunOptions& options) {
    Simulation straight(mechanism, options);
    std::vector<Context> contexts{straight.state()};
    for (int i = 0; i < kSteps; ++i) {
      step(straight);
      contexts.push_back(straight.state());
    }
    Simulation simulation(mechanism, options);
    for (const int i : {7, 2, 2, 11, 3, 0, 10, 9}) {
      // A step over the same time from elsewhere: its derivatives are made at the instants of the step that follows.
      simulation.restore(contexts[i]);
      simulation.set_input(0, 2);
      step(simulation);
      EXPECT_NE(simulation.state().v, contexts[i + 1].v);
      simulation.restore(contexts[i]);
      step(simulation);
      EXPECT_EQ(simulation.state().t, contexts[i + 1].t);
      EXPECT_EQ(simulation.state().q, contexts[i + 1].q);
      EXPECT_EQ(simulation.state().v, contexts[i + 1].v);
      EXPECT_EQ(simulation.state().acceleration, contexts[i + 1].acceleration);
    }
  });
  EXPECT_GE(methods, 58);
}

}  // namespace
}  // namespace cardan
