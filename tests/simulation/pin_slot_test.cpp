// A pin in a slot is a slide without mass that carries a hinge.
#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

struct Slot {
  Vec3 at, along, pin;  // of the slot, m; its direction; across it
  double size;
};

Slot random_slot(unsigned seed, bool planar) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto direction = [&] { return Vec3(any(random), any(random), planar ? 0 : any(random)).normalized(); };
  const Vec3 along = direction(), pin = planar ? Vec3::UnitZ() : Vec3(along.cross(direction()).normalized());
  return {10 * direction(), along, pin, std::exp(2 * any(random))};
}

/// A bar whose middle slides in a slot of a turning crank; the slot on the crank, or (backwards) its bodies exchanged.
Mechanism bar_in_slot(const Slot& p, bool planar, bool by_slide, bool backwards) {
  MechanismBuilder b("bar in a slot");
  if (planar) b.planar();
  const Vec3 across = p.pin.cross(p.along);
  const auto place = [&](double x, double y) { return Vec3(p.at + p.size * (x * p.along + y * across)); };
  b.gravity(planar ? Vec3(1, -9, 0) : Vec3(1, 2, -9));
  b.rod("crank", place(0, 0), place(1, 0.2), 2);
  b.rod("bar", place(0.7, 0.1), place(1.4, -0.8), 1);
  const Vec3 at = place(0.7, 0.1);
  if (planar) {
    b.revolute("hinge", "ground", "crank", place(0, 0));
  } else {
    b.revolute("hinge", "ground", "crank", place(0, 0), p.pin);
  }
  if (by_slide) {
    b.add(BodySpec{.name = "slide", .shape = GivenInertia{.center = at}, .mass = Number(0)});
    b.prismatic("slot", "crank", "slide", at, p.along);
    if (planar) {
      b.revolute("pin", "slide", "bar", at);
    } else {
      b.revolute("pin", "slide", "bar", at, p.pin);
    }
  } else {
    JointSpec joint{.name = "joint", .type = JointType::pin_slot, .body1 = "crank", .body2 = "bar", .at1 = at};
    joint.axis1 = planar ? p.along : p.pin;
    if (!planar) joint.x_axis = p.along;
    if (backwards) std::swap(joint.body1, joint.body2);
    b.add(joint);
  }
  b.spring("spring", "ground", "bar", place(2, 1), place(1.4, -0.8), 30 / (p.size * p.size), 1 / p.size);
  return b.build();
}

TEST(PinSlot, IsAHingeOnASlideWithoutMass) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Slot place = random_slot(seed, planar);
      const Mechanism slide = bar_in_slot(place, planar, true, false), pin = bar_in_slot(place, planar, false, false);
      const FinishedRun reference = finish(slide, options_of("hybrid", 5e-4, 0.5, "rk4"));
      ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
      for (const std::string formulation : {"hybrid", "topological", "global", "recursive", "cartesian"}) {
        const FinishedRun run = finish(pin, options_of(formulation, 5e-4, 0.5, "rk4"));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
        EXPECT_EQ(run.summary.degrees_of_freedom, 3);
        for (const std::string column : {"crank.x", "crank.y", "bar.x", "bar.y"}) {
          EXPECT_NEAR(run.last[column], reference.last[column], 1e-8 * place.size) << formulation << column << planar;
          ++compared;
        }
        for (const auto& [own, other] : {std::pair("joint.q1", "slot.q"), std::pair("joint.q2", "pin.q")}) {
          EXPECT_NEAR(run.last[own], reference.last[other], 1e-8 * std::max(1.0, place.size)) << formulation << own;
        }
      }
    }
  }
  EXPECT_EQ(compared, 2 * 3 * 5 * 4);
}

// With the slot on the bar: another mechanism, the same in all formulations, as a joint of the tree and as a closure.
TEST(PinSlot, MayHaveItsSlotOnEitherBody) {
  for (const bool planar : {true, false}) {
    const Slot place = random_slot(9, planar);
    const Mechanism mechanism = bar_in_slot(place, planar, false, true);
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 5e-4, 0.5, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const std::string formulation : {"topological", "global", "recursive", "cartesian"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 5e-4, 0.5, "rk4"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
      EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e-7) << formulation;
    }
  }
}

}  // namespace
}  // namespace cardan
