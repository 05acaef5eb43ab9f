// What an assembly says of a mechanism that starts otherwise than its author may think, or not at all: which motions
// drivers leave open, and which joint is wrong.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "random_place.hpp"
#include "system/assembly.hpp"
#include "system/joint_loop.hpp"

namespace cardan {
namespace {

constexpr unsigned kSamples = 5;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Mat3 ball(double inertia) { return inertia * Mat3::Identity(); }

/// A carriage on a rail, driven at a speed, with a wheel on it; beside it a pendulum that nothing moves, and a link
/// between two balls from the carriage to a slider beside it.
Assembly<3> driven_carriage(unsigned seed, double speed, bool with_wheel) {
  const RandomPlace p(seed, false);
  MechanismBuilder b("carriage");
  b.body("carriage", 10, Place(p.at(0, 0, 0)), ball(1));
  b.prismatic("rail", "ground", "carriage", Place(p.at(0, 0, 0)), Direction(p.along(1, 0)));
  if (with_wheel) {
    b.body("wheel", 2, Place(p.at(0.2, 0, -0.3)), ball(0.1));
    b.revolute("hub", "carriage", "wheel", Place(p.at(0.2, 0, -0.3)), Direction(p.along(0, 1)));
  }
  b.body("weight", 1, Place(p.at(3, 0, -1)), ball(0.1));
  b.revolute("hinge", "ground", "weight", Place(p.at(3, 0, 0)), Direction(p.along(0, 1)));
  b.body("slider", 1, Place(p.at(1, 1, 0)), ball(0.1));
  b.prismatic("guide", "ground", "slider", Place(p.at(1, 1, 0)), Direction(p.along(1, 0)));
  b.body("link", 1, Place(p.at(0.5, 0.5, 0)), ball(0.1));
  b.spherical("near", "carriage", "link", Place(p.at(0, 0, 0)));
  b.spherical("far", "link", "slider", Place(p.at(1, 1, 0)));
  b.driver("pull", "rail", Function::polynomial({0, speed}));
  return assemble(BodyModel<3>(b.build()));
}

TEST(AssemblyMessages, ADriverThatTakesOpenMotionsAlongSaysSo) {
  for (unsigned seed = 0; seed < kSamples; ++seed) {
    // The wheel may roll. The pendulum stands still, and that the link may spin about its line shows nowhere.
    const Assembly<3> moving = driven_carriage(seed, 5, true);
    ASSERT_EQ(moving.warnings.size(), 1u);
    EXPECT_TRUE(says(moving.warnings[0], "leave 1 degree of freedom of it open (seen in hub)")) << moving.warnings[0];
    EXPECT_TRUE(driven_carriage(seed, 0, true).warnings.empty());   // nothing moves
    EXPECT_TRUE(driven_carriage(seed, 5, false).warnings.empty());  // nothing is open that matters
  }
}

/// A four-bar in space. `wrong` is drawn with its two points so far apart that no position closes them, or with its
/// axis out of parallel by `tilt`.
Mechanism linkage(unsigned seed, int wrong, double gap, double tilt, double driven_to) {
  const RandomPlace p(seed, false);
  MechanismBuilder b("linkage");
  const Vec3 corner[4] = {p.at(0, 0), p.at(0, 1), p.at(1, 1.2), p.at(1, 0)};
  const char* bodies[4] = {"crank", "coupler", "rocker", "ground"};
  for (int i = 0; i < 3; ++i) b.rod(bodies[i], Place(corner[i]), Place(corner[i + 1]), 1, 0.01);
  const char* names[4] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; ++i) {
    JointSpec joint{.name = names[i], .type = JointType::revolute, .body1 = bodies[(i + 3) % 4], .body2 = bodies[i]};
    joint.at1 = Place(corner[i]), joint.at2 = Place(corner[i] + (i == wrong ? gap : 0) * p.along(0, 0, 1));
    joint.axis1 = joint.axis2 = Direction(i == wrong ? p.along(std::sin(tilt), 0, std::cos(tilt)) : p.along(0, 0, 1));
    b.add(joint);
  }
  b.driver("motor", "a", Function::constant(driven_to));
  return b.build();
}

std::string message_of(const Mechanism& mechanism) {
  try {
    assemble(BodyModel<3>(mechanism));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AssemblyMessages, TheJointThatDoesNotFitAsDrawnIsNamedWithItsLoop) {
  int named = 0;
  for (unsigned seed = 0; seed < kSamples; ++seed) {
    ASSERT_EQ(message_of(linkage(seed, 0, 0, 0, 0.1)), "accepted");
    for (int wrong = 0; wrong < 4; ++wrong) {
      const std::string message = message_of(linkage(seed, wrong, 0.5, 0, 0.1));
      const std::string name = std::string("joint '") + "abcd"[wrong] + "': the mechanism cannot be assembled";
      EXPECT_TRUE(says(message, name)) << message;
      EXPECT_TRUE(says(message, "all other joints fit as drawn, this one is off by 0.5 m")) << message;
      EXPECT_TRUE(says(message, std::string("(joints ") + "abcd"[wrong] + ", ")) << message;
      ++named;
    }
  }
  EXPECT_EQ(named, 20);
}

TEST(AssemblyMessages, AHingeOutOfParallelIsNamedNotTheDriverThatFindsItLocked) {
  for (unsigned seed = 0; seed < kSamples; ++seed) {
    for (int wrong = 0; wrong < 4; ++wrong) {
      const std::string message = message_of(linkage(seed, wrong, 0, 0.03, 0.4));
      EXPECT_TRUE(says(message, std::string("joint '") + "abcd"[wrong] + "': the mechanism is locked")) << message;
      EXPECT_TRUE(says(message, "too few for the driver 'motor'")) << message;
    }
  }
}

/// A plane has no axes that could be out of parallel: the joint that is too much is named.
TEST(AssemblyMessages, APlanarMechanismThatIsLockedNamesTheJointThatIsTooMuch) {
  MechanismBuilder b("held");
  b.planar();
  b.rod("crank", Place(0, 0), Place(0, 0.1), 0.2).rod("coupler", Place(0, 0.1), Place(0.36, 0.25), 0.4);
  b.rod("rocker", Place(0.4, 0), Place(0.36, 0.25), 0.3);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0, 0.1));
  b.revolute("c", "coupler", "rocker", Place(0.36, 0.25)).revolute("d", "ground", "rocker", Place(0.4, 0));
  b.fixed("weld", "ground", "rocker");
  b.angular_velocity("crank", {0, 0, -10});
  std::string message = "accepted";
  try {
    assemble(BodyModel<2>(b.build()));
  } catch (const ModelError& error) {
    message = error.what();
  }
  EXPECT_TRUE(says(message, "joint 'weld' holds in part what others hold too: without it there is 1 degree of freedom"))
      << message;
  EXPECT_FALSE(says(message, "axes")) << message;
}

TEST(AssemblyMessages, ALoopIsTheShortestThatAJointCloses) {
  const Mechanism mechanism = linkage(1, 0, 0, 0, 0.1);
  EXPECT_EQ(joints_of_loop(mechanism, 0), "a, d, c and b");
  EXPECT_EQ(joints_of_loop(mechanism, 0, 2), "b and c");  // between crank and rocker
  MechanismBuilder open("open");
  open.rod("arm", Place(0, 0), Place(1, 0), 1, 0.01)
      .revolute("pin", "ground", "arm", Place(0, 0), Direction(Vec3::UnitZ()));
  EXPECT_EQ(joints_of_loop(open.build(), 0), "");
}

}  // namespace
}  // namespace cardan
