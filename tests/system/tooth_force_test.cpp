// What reactions say of a rack and pinion: the coupler is a torque on the pinion and a force on the rack, and the
// bearing of the pinion does not feel the tooth force, which docs/model-file.md says how to add.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// J q'' = T - r F and m r q'' = F - load + m g . e give F; the bearing bears the weight of the pinion alone.
TEST(ToothForce, IsTheEffortAndNotInTheReactions) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (const RegistryEntry& formulation : formulations()) {
      SCOPED_TRACE(formulation.name);
      const RandomPlace p(61, planar);
      const double r = 0.2, mass = 3, inertia = 0.4, weight = 2, torque = 5, load = 7;
      MechanismBuilder b("rack and pinion");
      b.planar(planar).gravity(9.81 * p.along(0.3, -0.9));
      const Vec3 g = 9.81 * p.along(0.3, -0.9), rack_axis = p.along(1, 0), at = p.at(0.5, -1);
      if (planar) {
        b.body("pinion", mass, Place(p.at(0, 0)), inertia).body("bar", weight, Place(at), 1.0);
        b.revolute("pin", "ground", "pinion", p.at(0, 0));
      } else {
        b.body("pinion", mass, Place(p.at(0, 0)), Mat3(inertia * Mat3::Identity()));
        b.body("bar", weight, Place(at), Mat3(Mat3::Identity()));
        b.revolute("pin", "ground", "pinion", p.at(0, 0), p.along(0, 0, 1));
      }
      b.prismatic("guide", "ground", "bar", at, rack_axis).rack("teeth", "pin", "guide", r);
      b.actuator("motor", "pin", Function::constant(torque)).actuator("work", "guide", Function::constant(-load));
      for (const char* name : {"pin.inertial_fx", "pin.inertial_fy", "guide.inertial_fx", "guide.inertial_fy"})
        b.signal(std::string(name).replace(std::string(name).find('.'), 1, "_"), SignalExpression::parse(name));
      const FinishedRun run = finish(b.build(), options_of(std::string(formulation.name), 1e-3, 0.05, "rk4"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double pull = weight * g.dot(rack_axis) - load;
      const double turn = (torque + r * pull) / (inertia + weight * r * r), tooth = weight * r * turn - pull;
      EXPECT_NEAR(run.last["teeth.effort"], tooth, 1e-8);
      const Vec3 bearing(run.last["pin_inertial_fx"], run.last["pin_inertial_fy"], 0);
      EXPECT_LT((bearing + mass * Vec3(g.x(), g.y(), 0)).norm(), 1e-7);  // its weight alone
      const Vec3 guide(run.last["guide_inertial_fx"], run.last["guide_inertial_fy"], 0);
      if (planar) EXPECT_NEAR(guide.dot(rack_axis), 0, 1e-7);
      EXPECT_NEAR(run.last["guide.mz"], 0, 1e-7);  // not r0 x F of a pitch point beside the guide
      ++runs;
    }
  }
  EXPECT_EQ(runs, 2 * static_cast<int>(formulations().size()));
}

}  // namespace
}  // namespace cardan
