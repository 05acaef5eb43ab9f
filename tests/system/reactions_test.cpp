// Reactions from the equilibrium of the bodies: against statics, and the same in every formulation.
#include "system/reactions.hpp"

#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Reactions, HoldAWeightByStatics) {
  // A beam on a pin and a distance link: statics gives both forces; a torque and a force act as well.
  MechanismBuilder b("beam");
  b.planar().gravity({0, -9.81, 0});
  b.rod("beam", Place(0, 0), Place(2, 0), 5);
  b.revolute("pin", "ground", "beam", Place(0, 0));
  b.distance("link", "ground", "beam", Place(1.5, 2), Place(1.5, 0));
  ForceSpec force{.name = "pull", .body = "beam", .at = Place(2, 0)};
  force.components = {Function::constant(7), Function::constant(-3), Function()};
  b.add(force);
  const Mechanism beam = b.build();
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    const FinishedRun run = finish(beam, options_of(formulation, 0.01, 0.1));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double link = (5 * 9.81 * 1 + 3 * 2) / 1.5;
    EXPECT_NEAR(run.last["link.fy"], link, 1e-6) << formulation;
    EXPECT_NEAR(run.last["link.fx"], 0, 1e-6) << formulation;
    EXPECT_NEAR(run.last["pin.fx"], -7, 1e-6) << formulation;
    EXPECT_NEAR(run.last["pin.fy"], 5 * 9.81 + 3 - link, 1e-6) << formulation;
  }
}

TEST(Reactions, OfACantileverAreAForceAndAMomentInSpace) {
  MechanismBuilder b("cantilever");
  b.gravity({0, 0, -9.81});
  b.box("arm", {1, 0.1, 0.1}, Vec3(0.5, 0.2, 0), 4);
  b.fixed("root", "ground", "arm");
  const FinishedRun run = finish(b.build(), options_of("hybrid", 0.01, 0.02));
  EXPECT_NEAR(run.last["root.fz"], 4 * 9.81, 1e-9);
  // About the joint's point, which is the mass centre of the second body unless given: no moment there.
  EXPECT_NEAR(run.last["root.fx"], 0, 1e-9);
  for (const char* moment : {"root.mx", "root.my", "root.mz"}) EXPECT_NEAR(run.last[moment], 0, 1e-9) << moment;
}

TEST(Reactions, AreTheSameInEveryFormulationWithinTheStep) {
  MechanismBuilder b("loop");
  b.gravity({0, 0, -9.81});
  const Vec3 a(0, 0, 0), p(0.1, 0.25, 0.2), q(0.9, 0.35, 0.3), c(1, 0, 0);
  b.cylinder("crank", a, p, 0.03, 0.7).cylinder("coupler", p, q, 0.02, 0.9).cylinder("rocker", c, q, 0.04, 1.1);
  b.revolute("pin1", "ground", "crank", a, Direction(1, 0.1, 0)).spherical("ball", "crank", "coupler", p);
  b.universal("cross", "coupler", "rocker", q, Direction(Vec3(0, 0.3, -0.35)), Direction(Vec3(1, 0, 0)));
  b.revolute("pin2", "ground", "rocker", c, Direction(0.2, 1, 0));
  b.joint_velocity("pin1", 2);
  const Mechanism loop = b.build();
  const FinishedRun reference = finish(loop, options_of("hybrid", 1e-4, 0.4));
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish(loop, options_of(formulation, i == 0 ? 2e-3 : 1e-3, 0.4));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      error[i] = 0;
      for (const char* joint : {"pin1", "ball", "cross", "pin2"}) {
        for (const char* field : {".fx", ".fy", ".fz", ".mx", ".my", ".mz"}) {
          const std::string column = std::string(joint) + field;
          error[i] = std::max(error[i], std::abs(run.last[column] - reference.last[column]));
        }
      }
    }
    EXPECT_LT(error[1], 0.05) << formulation;
    EXPECT_NEAR(error[0] / error[1], 4, 0.8) << formulation << " " << error[0];
  }
}

TEST(Reactions, ThatAreNotUniqueAreNamed) {
  MechanismBuilder b("door");
  b.gravity({0, 0, -9.81});
  b.box("door", {1, 0.05, 2}, Vec3(0.5, 0, 1), 20);
  b.revolute("lower", "ground", "door", Vec3(0, 0, 0.3), Direction("z"))
      .revolute("upper", "ground", "door", Vec3(0, 0, 1.7), Direction("z"));
  b.joint_velocity("lower", 0.5);
  const Mechanism door = b.build();
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    const FinishedRun run = finish(door, options_of(formulation, 0.01, 1));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    bool said = false;
    for (const std::string& w : run.summary.warnings)
      said = said || w.find("reactions are not unique") != std::string::npos;
    EXPECT_TRUE(said) << formulation;
    // Whatever the share of each hinge, together they carry the weight.
    EXPECT_NEAR(run.last["lower.fz"] + run.last["upper.fz"], 20 * 9.81, 1e-6) << formulation;
    EXPECT_NEAR(run.last["lower.q"], 0.5, 1e-5) << formulation;
  }
}

}  // namespace
}  // namespace cardan
