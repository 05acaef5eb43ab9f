// Mechanisms that their joints lock: counted, and the joint whose axis is off is named, in any orientation and size.
#include "system/mobility.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Moves points and directions of a drawing anywhere.
struct Anywhere {
  Mat3 turn = Mat3::Identity();
  Vec3 at = Vec3::Zero();
  double scale = 1;

  explicit Anywhere(std::mt19937& random) {
    std::normal_distribution<double> normal;
    turn = Quat(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
    at = 10 * Vec3(normal(random), normal(random), normal(random));
    scale = std::exp(normal(random));
  }
  Place point(double x, double y, double z = 0) const { return Place(Vec3(at + scale * (turn * Vec3(x, y, z)))); }
  Direction along(const Vec3& d) const { return Direction(Vec3(turn * d)); }
};

/// A closed chain of `links` moving links of unequal length with all axes parallel but that of joint `off`, which leans
/// by `angle`: 1 degree of freedom for three links, none once it leans.
Mechanism linkage(const Anywhere& a, int links, int off, double angle, bool moving) {
  MechanismBuilder b("loop");
  std::vector<Place> points;
  for (int i = 0; i <= links; ++i) {
    const double phi = 2 * std::numbers::pi * i / (links + 1) + 0.2 * std::sin(3.0 * i);
    points.push_back(a.point((1 + 0.2 * std::cos(5.0 * i)) * std::cos(phi), std::sin(phi), 0));
  }
  const auto name = [](int i) { return "link" + std::to_string(i); };
  for (int i = 0; i < links; ++i) b.rod(name(i), points[i], points[i + 1], 1.5, 0.02);
  for (int i = 0; i <= links; ++i) {
    const Vec3 axis = i == off ? Vec3(std::sin(angle), 0, std::cos(angle)) : Vec3::UnitZ();
    b.revolute("pin" + std::to_string(i), i == 0 ? "ground" : name(i - 1), i == links ? "ground" : name(i), points[i],
               a.along(axis));
  }
  if (moving) b.joint_velocity("pin0", 1);
  return b.build();
}

Mobility mobility_of(const Mechanism& mechanism) {
  if (mechanism.planar) {
    const BodyModel<2> model(mechanism);
    return *find_mobility(model, model.drawn(), 1.0);
  }
  const BodyModel<3> model(mechanism);
  return *find_mobility(model, model.drawn(), 1.0);
}

TEST(Mobility, CountsDegreesOfFreedom) {
  std::mt19937 random(7);
  for (int links = 3; links <= 6; ++links) {
    const Mobility found = mobility_of(linkage(Anywhere(random), links, -1, 0, false));
    EXPECT_EQ(found.degrees_of_freedom, links - 2);
    EXPECT_FALSE(found.off_axis);
  }
}

TEST(Mobility, NamesTheAxisThatLocksALoop) {
  std::mt19937 random(11);
  int cases = 0;
  for (const double degrees : {0.01, 1.1, 7.0}) {
    for (int off = 0; off <= 3; ++off) {
      const Anywhere a(random);
      const Mobility found = mobility_of(linkage(a, 3, off, degrees * kDegree, false));
      EXPECT_EQ(found.degrees_of_freedom, 0);
      ASSERT_TRUE(found.off_axis) << degrees << " at " << off;
      EXPECT_EQ(found.off_axis->joint, off);
      EXPECT_NEAR(found.off_axis->angle / kDegree, degrees, 1e-4 * degrees);
      EXPECT_LT((found.off_axis->wanted.cross(a.turn.col(2))).norm(), 1e-6) << "the direction of the others";
      EXPECT_FALSE(found.off_axis->of_translation);
      ++cases;
    }
  }
  EXPECT_EQ(cases, 12);
}

/// Two rails for one slide, the second a little out of line: in the plane and in space.
TEST(Mobility, NamesTheRailThatIsOutOfLine) {
  std::mt19937 random(13);
  for (const bool planar : {true, false}) {
    MechanismBuilder b("rails");
    b.planar(planar);
    const Anywhere a(random);
    const double lean = 0.5 * kDegree;
    const auto at = [&](double x, double y) { return planar ? Place(x, y) : a.point(x, y); };
    const auto along = [&](double x, double y) { return planar ? Direction(x, y) : a.along(Vec3(x, y, 0)); };
    planar ? b.body("slide", 1, at(0, 0), 1) : b.sphere("slide", 0.1, at(0, 0), 1);
    b.prismatic("rail", "ground", "slide", at(0, 0), along(1, 0));
    b.point_on_line("guide", "ground", "slide", at(0.5, 1), along(std::cos(lean), std::sin(lean)), at(0.5, 1));
    const Mobility found = mobility_of(b.build());
    EXPECT_EQ(found.degrees_of_freedom, 0);
    ASSERT_TRUE(found.off_axis) << planar;
    EXPECT_TRUE(found.off_axis->of_translation);
    EXPECT_NEAR(found.off_axis->angle, lean, 1e-6);
  }
}

/// A triangle of rods is meant to be stiff: no axis is to blame.
TEST(Mobility, BlamesNoJointOfATruss) {
  std::mt19937 random(17);
  const Anywhere a(random);
  MechanismBuilder b("truss");
  b.rod("left", a.point(0, 0), a.point(1, 1), 1, 0.02).rod("right", a.point(1, 1), a.point(2, 0), 1, 0.02);
  b.revolute("p", "ground", "left", a.point(0, 0), a.along(Vec3::UnitZ()));
  b.revolute("q", "left", "right", a.point(1, 1), a.along(Vec3::UnitZ()));
  b.revolute("r", "right", "ground", a.point(2, 0), a.along(Vec3::UnitZ()));
  const Mobility found = mobility_of(b.build());
  EXPECT_EQ(found.degrees_of_freedom, 0);
  EXPECT_FALSE(found.off_axis);
  EXPECT_FALSE(found.too_much);
}

/// A linkage with one joint too many, at any place in the list.
TEST(Mobility, NamesTheJointThatIsTooMuch) {
  std::mt19937 random(19);
  for (const bool planar : {true, false}) {
    for (int place = 0; place < 5; ++place) {
      const Anywhere a(random);
      MechanismBuilder b("held");
      b.planar(planar);
      const auto at = [&](double x, double y) { return planar ? Place(a.scale * x, a.scale * y) : a.point(x, y); };
      b.rod("crank", at(0, 0), at(0, 0.1), 0.2, 0.01).rod("coupler", at(0, 0.1), at(0.36, 0.25), 0.4, 0.01);
      b.rod("rocker", at(0.4, 0), at(0.36, 0.25), 0.3, 0.01);
      const auto pin = [&](const char* name, const char* one, const char* other, const Place& where) {
        planar ? b.revolute(name, one, other, where) : b.revolute(name, one, other, where, a.along(Vec3::UnitZ()));
      };
      for (int i = 0; i < 5; ++i) {
        if (i == place) b.fixed("weld", "ground", "rocker");
        if (i == 0) pin("a", "ground", "crank", at(0, 0));
        if (i == 1) pin("b", "crank", "coupler", at(0, 0.1));
        if (i == 2) pin("c", "coupler", "rocker", at(0.36, 0.25));
        if (i == 3) pin("d", "ground", "rocker", at(0.4, 0));
      }
      const Mechanism mechanism = b.build();
      const Mobility found = mobility_of(mechanism);
      ASSERT_EQ(found.degrees_of_freedom, 0);
      ASSERT_TRUE(found.too_much) << planar << place;
      EXPECT_EQ(mechanism.joints[found.too_much->joint].name, "weld");
      EXPECT_EQ(found.too_much->degrees_of_freedom, 1);
    }
  }
}

TEST(LockedMechanism, IsRefusedByTheJointThatLocksItWhenItShouldMove) {
  std::mt19937 random(19);
  const Mechanism moving = linkage(Anywhere(random), 3, 2, 1.1 * kDegree, true);
  try {
    Simulation simulation(moving, RunOptions{});
    FAIL() << "a locked mechanism cannot start with a velocity";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("joint 'pin2': the mechanism is locked: its joints leave it 0 degrees of freedom"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("its axis is 1.1 degrees off"), std::string::npos) << text;
  }
  // At rest it may be meant as a structure: it runs, and says so.
  const Simulation still(linkage(Anywhere(random), 3, 2, 1.1 * kDegree, false), RunOptions{});
  const auto& warnings = still.summary().warnings;
  const bool said = std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
    return w.find("locked") != std::string::npos &&
           w.find("joint 'pin2': its axis is 1.1 degrees off") != std::string::npos;
  });
  EXPECT_TRUE(said);
  EXPECT_EQ(still.summary().degrees_of_freedom, 0);
}

}  // namespace
}  // namespace cardan
