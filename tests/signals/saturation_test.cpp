// Efforts that saturate, with gains that are stiff beside the step: increments of Newton's iteration go to and fro over
// the kinks. One joint, against closed forms, wherever it stands.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

const std::vector<std::string> kFormulations{"hybrid", "global", "topological", "cartesian"};
const std::vector<std::string> kRules{"trapezoidal", "newmark", "hht", "generalized-alpha"};

/// A wheel of inertia J about its hinge.
MechanismBuilder wheel(const RandomPlace& p, double inertia) {
  MechanismBuilder b("wheel");
  b.gravity({0, 0, 0});
  b.body("wheel", 1, p.at(0, 0), Mat3(inertia * Mat3::Identity()));
  b.revolute("pin", "ground", "wheel", p.at(0, 0), p.along(0.2, -0.3, 1));
  return b;
}

template <class Visit>
int with_structural_rules(double step, double until, const Visit& visit) {
  int count = 0;
  for (const std::string& formulation : kFormulations) {
    for (const std::string& rule : kRules) {
      RunOptions options = options_of(formulation, step, until, rule);
      if (formulation == "cartesian") options.treatment = "augmented";
      SCOPED_TRACE(formulation + " " + rule);
      visit(options);
      ++count;
    }
  }
  return count;
}

/// The damper alone would stop it within a fraction of a step. What is left shrinks with the slow pole, about k/c.
TEST(Saturation, AControllerOfBoundedEffortComesToItsAim) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const RandomPlace p(seed, false);
    const Mechanism m =
        wheel(p, 1e-3).actuator("motor", "pin", follow("max(-5, min(5, 50*(0.35 - pin.q) - 2*pin.v))")).build();
    const int count = with_structural_rules(0.002, 1, [&](const RunOptions& options) {
      const FinishedRun r = finish(m, options);
      ASSERT_EQ(r.summary.status, RunStatus::ok) << r.summary.reason;
      EXPECT_NEAR(r.last["pin.q"], 0.35, 1e-8);
      EXPECT_NEAR(r.last["pin.v"], 0, 1e-6);
    });
    EXPECT_EQ(count, 16);
  }
}

/// A dry brake: constant torque T down to a speed of T/c, from which it would stop within 1/150 of a step, in natural
/// coordinates 1/20: steeper ones do not converge there. It turns by J v^2/(2 T), but for what the last step of motion
/// makes of it, a step at the speed that is left.
TEST(Saturation, ABrakeStopsAWheelWhereItsWorkIsDone) {
  const double inertia = 1, torque = 40, speed = 3, h = 0.01;
  for (unsigned seed = 4; seed <= 6; ++seed) {
    const RandomPlace p(seed, false);
    const auto braked = [&](const char* effort) {
      return wheel(p, inertia).actuator("brake", "pin", follow(effort)).joint_velocity("pin", speed).build();
    };
    const Mechanism steep = braked("max(-40, min(40, -15000*pin.v))");
    const Mechanism less = braked("max(-40, min(40, -2000*pin.v))");
    with_structural_rules(h, 1, [&](const RunOptions& options) {
      const FinishedRun r = finish(options.formulation == "global" ? less : steep, options);
      ASSERT_EQ(r.summary.status, RunStatus::ok) << r.summary.reason;
      EXPECT_NEAR(r.last["pin.q"], inertia * speed * speed / (2 * torque), h * h * torque / inertia);
      // The trapezoidal rule does not damp what is stiff: the speed that is left changes its sign from step to step.
      EXPECT_NEAR(r.last["pin.v"], 0, h * torque / inertia);
    });
  }
}

}  // namespace
}  // namespace cardan
