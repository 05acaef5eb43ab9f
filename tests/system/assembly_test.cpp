// From a rough drawing to a mechanism that fits, on the branch that was drawn; velocities that follow from a few given
// ones.
#include "system/assembly.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A four-bar whose coupler is drawn too short by `gap` on the side of the rocker, open or crossed.
Mechanism rough_four_bar(double gap, bool crossed) {
  MechanismBuilder b("rough");
  b.planar().gravity({0, -9.81, 0});
  const Vec3 top(2.2, crossed ? -1.0 : 1.2, 0), end = top - Vec3(gap, -0.5 * gap, 0);
  b.rod("crank", Place(0, 0), Place(0.3, 0.8), 1);
  b.rod("coupler", Place(0.3, 0.8), Place(end), 1);
  b.rod("rocker", Place(2, 0), Place(top), 1);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0.3, 0.8));
  b.revolute("d", "ground", "rocker", Place(2, 0));
  JointSpec pin{.name = "c", .type = JointType::revolute, .body1 = "coupler", .body2 = "rocker"};
  pin.at1 = Place(end), pin.at2 = Place(top);
  b.add(pin);
  b.angular_velocity("crank", {0, 0, 2});
  return b.build();
}

double largest_gap(const Mechanism& mechanism, const Assembly<2>& assembly) {
  const BodyModel<2> model(mechanism);
  double worst = 0;
  for (const Joint& joint : mechanism.joints) {
    for (const auto& c : model.measures().constraints(joint))
      worst = std::max(worst, std::abs(c.measure.value(assembly.bodies)));
  }
  return worst;
}

MechanismBuilder square_four_bar() {
  MechanismBuilder b("four-bar");
  b.planar()
      .rod("crank", Place(0, 0), Place(0, 1), 1)
      .rod("coupler", Place(0, 1), Place(1, 1), 1)
      .rod("rocker", Place(1, 0), Place(1, 1), 1);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0, 1));
  b.revolute("c", "coupler", "rocker", Place(1, 1)).revolute("d", "ground", "rocker", Place(1, 0));
  return b;
}

TEST(Assembly, ClosesARoughDrawingOnItsOwnBranch) {
  for (bool crossed : {false, true}) {
    for (double gap : {0.0, 1e-6, 0.02, 0.2}) {
      const Mechanism mechanism = rough_four_bar(gap, crossed);
      const Assembly<2> assembly = assemble(BodyModel<2>(mechanism));
      EXPECT_LT(largest_gap(mechanism, assembly), 1e-12) << gap;
      // The rocker stays on its side of the ground line.
      EXPECT_EQ(assembly.bodies.center[2].y() < 0, crossed) << gap;
      EXPECT_LT((assembly.bodies.center[0] - Vec2(0.15, 0.4)).norm(), gap + 1e-12);
    }
  }
}

TEST(Assembly, VelocitiesFollowFromAsManyAsThereAreDegreesOfFreedom) {
  const Mechanism mechanism = rough_four_bar(0, false);
  const BodyModel<2> model(mechanism);
  const Assembly<2> assembly = assemble(model);
  EXPECT_NEAR(assembly.bodies.twist[0][2], 2, 1e-12);
  for (const Joint& joint : mechanism.joints) {
    for (const auto& c : model.measures().constraints(joint)) {
      EXPECT_NEAR(c.measure.rate(assembly.bodies, c.measure.gradient(assembly.bodies)), 0, 1e-12);
    }
  }
  EXPECT_TRUE(assembly.warnings.empty());
}

TEST(Assembly, SaysWhatItMovedWhereAJointDoesNotFitAsDrawn) {
  for (double gap : {0.0, 1e-3})
    EXPECT_TRUE(assemble(BodyModel<2>(rough_four_bar(gap, false))).warnings.empty()) << gap;
  for (unsigned seed : {1u, 2u, 3u}) {
    const RandomPlace place(seed, false);
    MechanismBuilder b("apart");
    b.rod("arm", Place(place.at(0, 0)), Place(place.at(1, 0)), 1, 0.02);
    b.rod("fore", Place(place.at(1, 0)), Place(place.at(2, 0)), 1, 0.02);
    b.fixed("a", "ground", "arm");
    JointSpec weld{.name = "b", .type = JointType::fixed, .body1 = "arm", .body2 = "fore"};
    weld.at1 = Place(place.at(1, 0)), weld.at2 = Place(place.at(1.9, 0));
    b.add(weld);
    const Assembly<3> assembly = assemble(BodyModel<3>(b.build()));
    ASSERT_FALSE(assembly.warnings.empty());
    // All of the gap is seen in the one body that is free to move, which does not turn.
    const std::string expected = fmt::format("body 'fore' was moved by {:.3g} m and turned by", 0.9 * place.size());
    EXPECT_NE(assembly.warnings[0].find("joint 'b'"), std::string::npos) << assembly.warnings[0];
    EXPECT_NE(assembly.warnings[0].find(expected), std::string::npos) << assembly.warnings[0];
  }
}

TEST(Assembly, SaysWhenVelocitiesAreLeftOpen) {
  MechanismBuilder b("double pendulum");
  b.planar().rod("one", Place(0, 0), Place(1, 0), 1).rod("two", Place(1, 0), Place(2, 0), 1);
  b.revolute("a", "ground", "one", Place(0, 0)).revolute("b", "one", "two", Place(1, 0));
  b.angular_velocity("one", {0, 0, 1});
  const Assembly<2> assembly = assemble(BodyModel<2>(b.build()));
  ASSERT_EQ(assembly.warnings.size(), 1u);
  EXPECT_NE(assembly.warnings[0].find("1 degree of freedom open (seen in b)"), std::string::npos)
      << assembly.warnings[0];
}

std::string refusal(const Mechanism& mechanism) {
  try {
    assemble(BodyModel<2>(mechanism));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Assembly, RefusesWhatCannotCloseByName) {
  MechanismBuilder b("too short");
  b.planar().rod("crank", Place(0, 0), Place(0, 0.3), 1).rod("rocker", Place(2, 0), Place(2, 0.3), 1);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("d", "ground", "rocker", Place(2, 0));
  JointSpec link{.name = "rod", .type = JointType::distance, .body1 = "crank", .body2 = "rocker"};
  link.at1 = Place(0, 0.3), link.at2 = Place(2, 0.3);
  link.length = 1.0;  // the tops cannot come nearer than 1.4
  b.add(link);
  const std::string message = refusal(b.build());
  EXPECT_NE(message.find("joint 'rod'"), std::string::npos) << message;
  EXPECT_NE(message.find("cannot be assembled"), std::string::npos) << message;
}

TEST(Assembly, RefusesVelocitiesThatContradictEachOther) {
  MechanismBuilder b = square_four_bar();
  b.angular_velocity("crank", {0, 0, 1}).angular_velocity("rocker", {0, 0, 2});
  const std::string message = refusal(b.build());
  EXPECT_NE(message.find("velocities contradict"), std::string::npos) << message;
}

/// Direction equations have a root half a turn away: axes that point against each other are no joint.
TEST(Assembly, FindsTheRootWhereTheAxesOfAJointCoincide) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto direction = [&] { return Vec3(uniform(random), uniform(random), uniform(random)).normalized(); };
  int flipped = 0;
  for (JointType type : {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::fixed,
                         JointType::planar, JointType::parallel}) {
    for (int sample = 0; sample < 10; ++sample) {
      MechanismBuilder b("turned");
      b.body("body", 1, Vec3(0.1, 0.2, 0.3), Mat3(Vec3(1, 2, 3).asDiagonal()));
      const Vec3 axis = direction(), at(0.4, 0.1, -0.2);
      JointSpec joint{.name = "joint", .type = type, .body1 = "ground", .body2 = "body"};
      joint.at1 = joint.at2 = Place(at);
      if (type != JointType::fixed) joint.axis1 = Direction(axis), joint.axis2 = Direction(axis);
      b.add(joint);
      if (type == JointType::parallel) b.free("float", "ground", "body");
      const Mechanism mechanism = b.build();
      const BodyModel<3> model(mechanism);
      BodyKinematics<3> poses = model.drawn();
      // Turned about an axis across by more than a right angle, nearly or exactly half a turn too.
      const Vec3 across = axis.cross(direction()).normalized();
      const double angle = sample == 0 ? std::numbers::pi : std::numbers::pi * (1 - 0.4 * std::abs(uniform(random)));
      poses.rotation[0] = Eigen::AngleAxisd(angle, across).toRotationMatrix() * poses.rotation[0];
      const Assembly<3> assembly = assemble(model, poses, AssemblyOptions{});
      EXPECT_GT((assembly.bodies.rotation[0] * axis).dot(axis), 1 - 1e-12) << static_cast<int>(type) << " " << sample;
      ++flipped;
    }
  }
  EXPECT_EQ(flipped, 60);
}

/// A triangle of prismatic joints that fits only with one of them turned over.
TEST(Assembly, RefusesAxesHalfATurnApartByName) {
  MechanismBuilder b("twisted");
  b.planar();
  b.body("one", 1, Place(0, 0), 1).body("two", 1, Place(1, 0), 1);
  b.revolute("pin", "ground", "one", Place(0, 0));
  b.fixed("weld", "one", "two");
  JointSpec slide{.name = "slide", .type = JointType::prismatic, .body1 = "ground", .body2 = "two"};
  slide.at1 = slide.at2 = Place(1, 0);
  slide.axis1 = slide.axis2 = Direction(1, 0);
  b.add(slide);
  b.joint_position("pin", std::numbers::pi);
  try {
    const Mechanism mechanism = b.build();
    assemble(BodyModel<2>(mechanism));
    FAIL() << "assembled";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be assembled"), std::string::npos) << error.what();
  }
}

TEST(Assembly, TakesAnInitialPositionOfAJoint) {
  MechanismBuilder b = square_four_bar();
  b.joint_position("a", -0.7);
  const FinishedRun run = finish(b.build(), options_of("hybrid", 1e-3, 1e-3));
  EXPECT_NEAR(run.last["a.q"], -0.7, 1e-4);
  EXPECT_NEAR(run.last["d.q"], -0.7, 1e-4);
}

}  // namespace
}  // namespace cardan
