// Many bodies that touch each other: heaps come to rest, no deeper in each other than their weight presses them.
#include <gtest/gtest.h>

#include <random>

#include "cardan/cardan.hpp"
#include "formulation/contact_scenes.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

/// Rising.
std::vector<double> speeds(const LastSample& last, const Mechanism& mechanism) {
  std::vector<double> result;
  for (const Body& body : mechanism.bodies)
    result.push_back(last.vector(body.name + ".vx", body.name + ".vy", body.name + ".vz").norm());
  std::sort(result.begin(), result.end());
  return result;
}

constexpr double kBallStiffness = 4e4, kBallMass = 0.5;

/// In a box without a lid, of five planes. What is round stops only by resistance to rolling.
Mechanism pile(int balls, double restitution) {
  Slope s("pile", 7, 0);
  std::vector<Name> all{"ball*", "floor"};
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? (i == 0 ? 1 : -1) : 0, y = i % 2 == 1 ? (i == 1 ? 1 : -1) : 0;
    RoadSpec wall;
    wall.name = "wall" + std::to_string(i);
    wall.plane = Place(s.at(-0.25 * x, -0.25 * y, 0)), wall.normal = Direction(s.along(x, y, 0));
    s.builder.add(wall);
    all.emplace_back(wall.name.value);
  }
  std::mt19937 random(1);
  const auto jitter = [&] { return std::uniform_real_distribution<double>(-0.01, 0.01)(random); };
  for (int i = 0; i < balls; ++i)
    s.ball("ball" + std::to_string(i), kBallMass, 0.05,
           s.at(-0.18 + 0.12 * (i % 4) + jitter(), -0.18 + 0.12 * (i / 4 % 4) + jitter(), 0.06 + 0.105 * (i / 16)));
  ContactSpec touch = s.contact(all, kBallStiffness, 0.3, restitution);
  touch.rolling_resistance = 0.02;
  s.builder.add(touch);
  return s.builder.build();
}

TEST(ContactPiles, AHundredBallsComeToRest) {
  const Mechanism mechanism = pile(100, 0.4);
  const FinishedRun run = finish(mechanism, options_of("recursive", 3e-4, 3.6, "rk4"));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(speeds(run.last, mechanism).back(), 1e-3);
  const double weight = 100 * kBallMass * 9.81;
  EXPECT_LT(run.last["touch.depth"], 0.25 * weight / kBallStiffness);
  EXPECT_GT(run.last["touch.load"], weight);
  // Lost by friction that slips within steps; nothing is gained.
  EXPECT_LT(run.summary.energy_max_error, 1e-3 * weight * 0.4);
  EXPECT_GT(run.summary.energy_max_error, -0.02 * weight * 0.4);
  EXPECT_LT(run.summary.energy_final, run.summary.energy_initial);
  EXPECT_LE(run.summary.allocations, 0);
}

/// 5450 pairs may touch, of which some 300 do at once.
TEST(ContactPiles, AHundredBallsComeToRestInImplicitSteps) {
  const Mechanism mechanism = pile(100, 0.4);
  const FinishedRun run = finish(mechanism, options_of("hybrid", 1e-3, 3.6, "trapezoidal"));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(speeds(run.last, mechanism).back(), 1e-3);
  const double weight = 100 * kBallMass * 9.81;
  EXPECT_LT(run.last["touch.depth"], 0.25 * weight / kBallStiffness);
  EXPECT_GT(run.last["touch.load"], weight);
  EXPECT_LT(run.summary.energy_max_error, 0.005 * weight * 0.4);
  EXPECT_EQ(run.summary.solver_used, "profile");
  EXPECT_LE(run.summary.allocations, 0);
}

/// Each pair has rows of tangents, which take room.
TEST(ContactPiles, TooManyPairsAreRefusedByImplicitMethods) {
  const Mechanism mechanism = pile(200, 0.4);
  EXPECT_THROW(Simulation(mechanism, options_of("hybrid", 1e-3, 1)), std::invalid_argument);
  EXPECT_NO_THROW(Simulation(mechanism, options_of("recursive", 1e-3, 1, "rk4")));
}

/// With tangents, in steps that no explicit method could take over these contacts.
TEST(ContactPiles, FortyBallsComeToRestInImplicitSteps) {
  const Mechanism mechanism = pile(40, 0.2);
  const FinishedRun run = finish(mechanism, options_of("hybrid", 1e-3, 3, "hht"));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(speeds(run.last, mechanism).back(), 1e-3);
  EXPECT_LT(run.summary.energy_max_error, 1e-3 * 40 * kBallMass * 9.81 * 0.3);
}

/// Five courses of ten, each over the joints of the one below.
TEST(ContactPiles, AWallOfFiftyBoxesStands) {
  Slope s("wall", 8, 0);
  const double k = 1e6, mass = 4;
  for (int i = 0; i < 50; ++i) {
    const int row = i / 10;
    s.box("box" + std::to_string(i), mass, Vec3(0.2, 0.1, 0.1),
          s.at(0.201 * (i % 10) + 0.06 * (row % 2), 0, 0.05 + 0.1001 * row));
  }
  s.builder.add(s.contact({"box*", "floor"}, k, 0.5, 0.2));
  const Mechanism mechanism = s.builder.build();
  const FinishedRun run = finish(mechanism, options_of("recursive", 1e-4, 0.4, "rk4"));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(speeds(run.last, mechanism).back(), 1e-3);
  const double weight = 50 * mass * 9.81;
  EXPECT_LT(run.last["touch.depth"], 5 * mass * 9.81 / k);  // a column on a single point
  for (const Body& body : mechanism.bodies) {
    const Vec3 now = run.last.vector(body.name + ".x", body.name + ".y", body.name + ".z");
    EXPECT_LT((now - body.center).norm(), 1e-3) << body.name;
  }
  EXPECT_LT(run.summary.energy_max_error, 0.005 * weight * 0.25);
}

/// The same heap of all shapes, turned and moved: the same motion.
TEST(ContactPiles, MoveAlikeWhereverTheyAre) {
  std::vector<double> seen;
  for (const unsigned seed : {11u, 12u, 13u}) {
    Slope s("mixed", seed, 0.3);
    s.box("box", 2, Vec3(0.4, 0.3, 0.2), s.at(0, 0, 0.11));
    s.ball("ball", 1, 0.1, s.at(0.05, 0.02, 0.35));
    const Vec3 center = s.at(0.3, 0.1, 0.3);
    const Vec3 axis = s.along(0.1, 0.12, 0.02);
    const Mat3 inertia = 0.004 * Mat3::Identity();
    s.builder.body("capsule", 1, center, inertia).free("free_capsule", "ground", "capsule");
    s.builder.add(
        GeometrySpec{.body = Name("capsule"), .shape = CapsuleShape{Place(center - axis), Place(center + axis), 0.05}});
    s.builder.add(s.contact({"box", "ball", "capsule", "floor"}, 2e4, 0.4, 0.3));
    const FinishedRun run = finish(s.builder.build(), options_of("hybrid", 2e-4, 0.4));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    std::size_t i = 0;
    for (const char* body : {"box", "ball", "capsule"}) {
      const std::string name = body;
      const Vec3 place = run.last.vector(name + ".x", name + ".y", name + ".z") - s.at(0, 0, 0);
      for (const Vec3& direction : {s.along(1, 0, 0), s.along(0, 1, 0), s.along(0, 0, 1)}) {
        if (seed == 11) seen.push_back(direction.dot(place));
        EXPECT_NEAR(seen[i++], direction.dot(place), 1e-6) << name << " " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace cardan
