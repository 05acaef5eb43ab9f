// A body that moves along three axes of another and does not turn against it is carried by three slides without mass.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A head that an arm carries along axes of the arm, against springs. By the joint, by slides without mass, or by the
/// joint with its bodies exchanged.
enum class Way { joint, slides, exchanged };
Mechanism carried_head(unsigned seed, bool planar, Way way) {
  const RandomPlace place(seed, planar);
  const double size = place.size();
  MechanismBuilder b("carried head");
  if (planar) b.planar();
  b.gravity(9.81 * place.along(0.2, -1));
  b.rod("arm", place.at(0, 0), place.at(1, 0.2), 2, 0.05 * size);
  const double inertia = 0.02 * size * size;
  if (planar)
    b.body("head", 0.7, place.at(0.9, -0.4), inertia);
  else
    b.body("head", 0.7, place.at(0.9, -0.4), Mat3(inertia * Mat3::Identity()));
  const Vec3 hinge = place.at(0, 0), at = place.at(0.8, -0.1);
  if (planar)
    b.revolute("hinge", "ground", "arm", hinge);
  else
    b.spherical("hinge", "ground", "arm", hinge);
  const Vec3 x = place.along(0.6, 0.8), y = place.along(-0.8, 0.6), z = x.cross(y);
  if (way == Way::slides) {
    const int count = planar ? 2 : 3;
    std::string before = "arm";
    for (int i = 0; i < count; ++i) {
      const std::string next = i + 1 < count ? "slide" + std::to_string(i + 1) : "head";
      if (next != "head") b.add(BodySpec{.name = next, .shape = GivenInertia{.center = at}, .mass = Number(0)});
      b.prismatic("guide" + std::to_string(i + 1), before, next, at, i == 0 ? x : i == 1 ? y : z);
      before = next;
    }
  } else {
    MarkerSpec marker{.name = "corner", .body = way == Way::joint ? "arm" : "head", .at = at};
    marker.axes = planar ? AxesSpec{.x = x} : AxesSpec{.x = x, .y = y};
    b.add(marker);
    JointSpec joint{.name = "guide", .type = JointType::translation, .body1 = "arm", .body2 = "head"};
    joint.at1 = Place("corner");
    if (way == Way::exchanged) std::swap(joint.body1, joint.body2);
    b.add(joint);
  }
  const double stiffness = 60 / size;
  b.spring("one", "arm", "head", place.at(0.5, -0.9), place.at(0.9, -0.4), stiffness, 2 / size);
  b.spring("other", "arm", "head", place.at(1.5, -0.2, planar ? 0 : 0.4), place.at(0.95, -0.3), stiffness, 2 / size);
  b.spring("third", "ground", "head", place.at(1, -1, planar ? 0 : -0.5), place.at(0.9, -0.5), stiffness, 0);
  return b.build();
}

TEST(Translation, IsThreeSlidesWithoutMass) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Mechanism slides = carried_head(seed, planar, Way::slides), joint = carried_head(seed, planar, Way::joint);
      const FinishedRun reference = finish(slides, options_of("hybrid", 5e-4, 0.5, "rk4"));
      ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
      const double size = Simulation(joint, options_of("hybrid", 1e-3, 1)).length();
      for (const std::string formulation : {"hybrid", "topological", "global", "recursive", "cartesian"}) {
        for (const bool cut : {false, true}) {
          if (cut && (formulation == "global" || formulation == "cartesian")) continue;  // no tree to cut
          RunOptions options = options_of(formulation, 5e-4, 0.5, "rk4");
          if (cut) options.cut = {"guide"};
          const FinishedRun run = finish(joint, options);
          ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
          EXPECT_EQ(run.summary.degrees_of_freedom, planar ? 3 : 6);
          for (const std::string body : {"arm", "head"}) {
            for (const char* axis : {".x", ".y", ".vx", ".vy"})
              EXPECT_NEAR(run.last[body + axis], reference.last[body + axis], 1e-7 * size)
                  << formulation << cut << body << axis << planar;
            ++compared;
          }
          for (int i = 1; i <= (planar ? 2 : 3); ++i) {
            const std::string number = std::to_string(i);
            EXPECT_NEAR(run.last["guide.q" + number], reference.last["guide" + number + ".q"], 1e-7 * size)
                << formulation << cut << i;
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, 2 * 3 * 8 * 2);
}

/// Along axes of the head: since it does not turn against the arm, the same motion, with coordinates of the other sign.
TEST(Translation, GoesBothWays) {
  for (const bool planar : {true, false}) {
    const Mechanism one = carried_head(7, planar, Way::joint), other = carried_head(7, planar, Way::exchanged);
    const FinishedRun reference = finish(one, options_of("hybrid", 5e-4, 0.5, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const std::string formulation : {"hybrid", "topological", "global", "recursive", "cartesian"}) {
      const FinishedRun run = finish(other, options_of(formulation, 5e-4, 0.5, "rk4"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
      EXPECT_LT(LastSample::difference(run.last, reference.last, one), 1e-7) << formulation;
      for (int i = 1; i <= (planar ? 2 : 3); ++i) {
        const std::string column = "guide.q" + std::to_string(i);
        EXPECT_NEAR(run.last[column], -reference.last[column], 1e-7) << formulation;
      }
    }
  }
}

/// No force: nothing resists along the axes.
TEST(Translation, HoldsByAMomentAlone) {
  const Mechanism mechanism = carried_head(11, false, Way::joint);
  for (const std::string formulation : {"hybrid", "topological", "global", "cartesian"}) {
    Simulation simulation(mechanism, options_of(formulation, 1e-3, 1, "rk4"));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    LastSample sample;
    sample.start(simulation.columns());
    std::vector<double> row(simulation.columns().size());
    simulation.sample(row.data());
    sample.sample(row.data(), row.size());
    const Vec3 force = sample.vector("guide.fx", "guide.fy", "guide.fz");
    EXPECT_LT(force.norm(), 1e-7) << formulation;
    EXPECT_GT(sample.vector("guide.mx", "guide.my", "guide.mz").norm(), 1e-3) << formulation;
  }
}

}  // namespace
}  // namespace cardan
