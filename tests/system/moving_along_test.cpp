// Velocities at the start of a mechanism that moves as a whole: what nothing else gives moves along.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A carriage with a wheel, a swing of two rods that a link holds to the deck, and an engine on a rubber mount.
MechanismBuilder carriage(const RandomPlace& place) {
  MechanismBuilder b("carriage");
  b.gravity({0, 0, 0}).box("deck", {1, 0.5, 0.2}, place.at(0, 0, 1), 100);
  b.cylinder("wheel", place.at(0.5, -0.1, 0.3), place.at(0.5, 0.1, 0.3), 0.3, 12);
  b.rod("upper", place.at(-0.4, 0, 1), place.at(-0.4, 0.1, 0.5), 5, 0.02);
  b.rod("lower", place.at(-0.4, 0.1, 0.5), place.at(-0.3, 0.2, 0.1), 4, 0.02);
  b.box("engine", {0.3, 0.3, 0.3}, place.at(0, 0, 1.3), 40);
  b.free("loose", "deck", "engine").spherical("top", "deck", "upper", place.at(-0.4, 0, 1));
  b.revolute("hub", "deck", "wheel", place.at(0.5, 0, 0.3), place.along(0, 1, 0));
  b.universal("knee", "upper", "lower", place.at(-0.4, 0.1, 0.5), place.along(1, 0, 0), place.along(0, 1, 0));
  b.distance("stay", "deck", "lower", place.at(0.2, 0, 0.9), place.at(-0.3, 0.2, 0.1));
  return b;
}

void expect_motion(const Mechanism& mechanism, const std::vector<Vec3>& velocity, const std::vector<Vec3>& spin) {
  for (const char* formulation : {"hybrid", "global", "cartesian"}) {
    const Simulation simulation(mechanism, options_of(formulation, 1e-3, 1));
    EXPECT_TRUE(simulation.summary().warnings.empty()) << simulation.summary().warnings[0];
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
      const BodyMotion body = simulation.body(static_cast<int>(i));
      EXPECT_LT((body.velocity - velocity[i]).norm(), 1e-8) << formulation << " " << mechanism.bodies[i].name;
      EXPECT_LT((body.angular_velocity - spin[i]).norm(), 1e-8) << formulation << " " << mechanism.bodies[i].name;
    }
  }
}

TEST(MovingAlong, EverythingHasTheVelocityOfTheWholeAndWhatIsGivenItsOwn) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const RandomPlace place(seed, false);
    const Vec3 v = place.along(15, 2, -1), still = Vec3::Zero();
    MechanismBuilder b = carriage(place);
    b.free("flight", "ground", "deck").initial_motion(v);
    expect_motion(b.build(), std::vector(5, v), std::vector(5, still));
    b.joint_velocity("hub", 50);
    expect_motion(b.build(), std::vector(5, v), {still, 50 * place.along(0, 1, 0), still, still, still});
  }
}

/// A rail takes the part along it, a driver says how fast, and what is hinged to ground stands.
TEST(MovingAlong, AsFarAsJointsAndDriversLet) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const RandomPlace place(seed, false);
    const Vec3 rail = place.along(1, 0, 0), still = Vec3::Zero();
    MechanismBuilder b = carriage(place);
    b.prismatic("track", "ground", "deck", place.at(0, 0, 1), rail).initial_motion(place.along(7, 3, 2));
    b.rod("mast", place.at(3, 0, 0), place.at(3, 0, 2), 10, 0.05);
    b.revolute("foot", "ground", "mast", place.at(3, 0, 0), place.along(0, 1, 0));
    std::vector<Vec3> velocity(5, Vec3(7 * rail));
    velocity.push_back(still);
    expect_motion(b.build(), velocity, std::vector(6, still));
    b.driver("engine_drive", "track", Function::polynomial({0, 4}));
    std::fill_n(velocity.begin(), 5, Vec3(4 * rail));
    expect_motion(b.build(), velocity, std::vector(6, still));
  }
}

TEST(MovingAlong, InModelFilesAndWithParts) {
  const Mechanism plane = read_mechanism_text(R"(
cardan: 1
planar: true
bodies: {cart: {box: [1, 0.5], at: [0, 0], mass: 3}, pole: {rod: [[0, 0], [0, 1]], mass: 1}}
joints: {fly: {free: [ground, cart]}, pin: {revolute: [cart, pole], at: [0, 0]}}
initial: {all: {velocity: [2, -1]}, pin: {velocity: 3}}
)",
                                              "plane.yaml");
  ASSERT_TRUE(plane.initial_motion.has_value());
  expect_motion(plane, {Vec3(2, -1, 0), Vec3(2 - 3 * 0.5, -1, 0)}, {Vec3::Zero(), Vec3(0, 0, 3)});
  MechanismBuilder alone;
  alone.box("stone", {1, 1, 1}, {0, 0, 0}, 2).free("flight", "ground", "stone").initial_motion({1, 2, 3});
  expect_motion(alone.build(), {Vec3(1, 2, 3)}, {Vec3::Zero()});
  // A part leaves it to the whole.
  MechanismBuilder part;
  part.box("deck", {1, 1, 1}, {0, 0, 0}, 2).free("flight", "ground", "deck").initial_motion({1, 0, 0});
  MechanismBuilder whole;
  whole.add(part.spec(), {.name = "a"});
  EXPECT_FALSE(whole.build().initial_motion.has_value());
  for (const char* wrong : {"{velocity: [1, 2, 3]}", "{velocity: 1}", "{angular_velocity: 1}", "{}"}) {
    const std::string text =
        "cardan: 1\nplanar: true\nbodies: {a: {mass: 1, center: [0, 0], inertia: 1}}\n"
        "joints: {fly: {free: [ground, a]}}\ninitial: {all: " +
        std::string(wrong) + "}\n";
    EXPECT_THROW(read_mechanism_text(text, "wrong.yaml"), ModelError) << wrong;
  }
}

}  // namespace
}  // namespace cardan
