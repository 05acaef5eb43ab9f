// A revolute-spherical link is a rod without mass on a hinge and a ball.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A crank that moves a lever on a ball joint; `as_body`: by a rod without mass.
MechanismBuilder crank_and_lever(const RandomPlace& p, bool as_body, bool lever_first) {
  MechanismBuilder b("crank and lever");
  b.gravity(9.81 * p.along(0.2, -0.3, -0.9));
  b.rod("crank", p.at(0, 0, 0), p.at(0.4, 0, 0.1), 1, 0.2 * p.size())
      .rod("lever", p.at(0.5, 0.2, 0.6), p.at(1.2, 0.1, 0.5), 2, 0.3 * p.size());
  b.revolute("shaft", "ground", "crank", p.at(0, 0, 0), p.along(0.1, 1, 0.1));
  b.spherical("pivot", "ground", "lever", p.at(1.2, 0.1, 0.5));
  const Vec3 on_crank = p.at(0.4, 0, 0.1), on_lever = p.at(0.5, 0.2, 0.6);
  // The hinge is on the crank, across the link; or on the lever.
  const Vec3 hinge_at = lever_first ? on_lever : on_crank, ball_at = lever_first ? on_crank : on_lever;
  const char *first = lever_first ? "lever" : "crank", *second = lever_first ? "crank" : "lever";
  const Vec3 axis = (ball_at - hinge_at).cross(p.along(0.3, 0.2, 1));
  if (as_body) {
    b.add(BodySpec{
        .name = "rod", .shape = GivenInertia{.center = Place(Vec3((hinge_at + ball_at) / 2))}, .mass = Number(0)});
    b.revolute("hinge", first, "rod", hinge_at, axis).spherical("link", "rod", second, ball_at);
  } else {
    JointSpec link{.name = "link", .type = JointType::revolute_spherical, .body1 = first, .body2 = second};
    link.at1 = Place(hinge_at), link.at2 = Place(ball_at), link.axis1 = Direction(axis);
    b.add(link);
  }
  b.spring("spring", "ground", "lever", p.at(0, 0, 2), on_lever, 20, 1);
  return b;
}

TEST(RevoluteSpherical, IsARodWithoutMass) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const bool lever_first : {false, true}) {
      const RandomPlace p(seed, false);
      const Mechanism rod = crank_and_lever(p, true, lever_first).build();
      const Mechanism link = crank_and_lever(p, false, lever_first).build();
      const FinishedRun reference = finish(rod, options_of("hybrid", 5e-4, 0.4, "rk4"));
      ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
      const auto force = [](const LastSample& s) {
        return Vec3(s["link.fx"], s["link.fy"], s["link.fz"]).norm();  // in other axes
      };
      for (const RegistryEntry& formulation : formulations()) {
        const FinishedRun run = finish(link, options_of(std::string(formulation.name), 5e-4, 0.4, "rk4"));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation.name << ": " << run.summary.reason;
        EXPECT_EQ(run.summary.degrees_of_freedom, 2) << formulation.name;
        EXPECT_LT(LastSample::difference(run.last, reference.last, link), 2e-7) << formulation.name;
        EXPECT_NEAR(force(run.last), force(reference.last), 1e-4 * force(reference.last)) << formulation.name;
        for (const char* moment : {"link.mx", "link.my", "link.mz"}) EXPECT_NEAR(run.last[moment], 0, 1e-8);
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 6 * static_cast<int>(formulations().size()));
}

/// The mirror image moves as the mirror image of the motion.
TEST(RevoluteSpherical, IsMirrored) {
  const MechanismBuilder part = crank_and_lever(RandomPlace(8, false), false, false);
  MechanismBuilder whole("mirrored");
  const Vec3 g = part.spec().gravity->value;
  whole.gravity(Vec3(g.x(), -g.y(), g.z()));
  SubsystemUse use;
  use.name = "left", use.placement.mirror = {false, true, false};
  MechanismSpec inside = part.spec();
  inside.gravity.reset();
  whole.add(inside, use);
  const FinishedRun one = finish(part.build(), options_of("hybrid", 1e-3, 0.4));
  const FinishedRun two = finish(whole.build(), options_of("hybrid", 1e-3, 0.4));
  ASSERT_EQ(two.summary.status, RunStatus::ok) << two.summary.reason;
  for (const std::string body : {"crank", "lever"}) {
    EXPECT_NEAR(two.last["left/" + body + ".x"], one.last[body + ".x"], 1e-9);
    EXPECT_NEAR(two.last["left/" + body + ".y"], -one.last[body + ".y"], 1e-9);
    EXPECT_NEAR(two.last["left/" + body + ".z"], one.last[body + ".z"], 1e-9);
  }
}

}  // namespace
}  // namespace cardan
