// Boxes and capsules on edges and peaks of the ground: they are carried where nothing but their sides meets it.
#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "cardan/cardan.hpp"
#include "last_sample.hpp"

namespace cardan::contact_ridges_test {
namespace {

constexpr double kG = 9.81, kMass = 3, kStiffness = 2e5;
constexpr const char* kFormulations[] = {"hybrid", "global", "topological", "cartesian", "recursive"};

struct Scene {
  bool planar = false, grid = false, free = false, capsule = false;
  int ridges = 1;
  unsigned seed = 1;
};

/// Roofs 0.4 m apart along y, or in the plane points, somewhere; half a millimetre over them a box, turned about the
/// vertical, which slides on it or is free.
Mechanism build(const Scene& scene) {
  std::mt19937 random(scene.seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const double x0 = 3 * number(random), z0 = 2 * number(random), y = scene.planar ? 0 : 0.2 * number(random);
  const int up = scene.planar ? 1 : 2;
  const double half = scene.ridges == 2 ? 0.2 : 0;
  MechanismBuilder b("ridges");
  if (scene.planar) b.planar();
  b.gravity(-kG * Vec3::Unit(up));
  RoadSpec road;
  road.name = "roofs";
  std::vector<Vec2> points{{x0 - half - 1, z0 - 0.5}};
  if (scene.ridges == 2) {
    points.insert(points.end(), {{x0 - half, z0}, {x0, z0 - 0.1}, {x0 + half, z0}});
  } else {
    points.emplace_back(x0, z0);
  }
  points.emplace_back(x0 + half + 1, z0 - 0.5);
  if (scene.grid) {
    HeightMap map{.x0 = x0 - 1, .y0 = -2.5, .dx = 0.2, .dy = 1, .columns = 11, .rows = 5, .height = {}};
    for (int j = 0; j < map.rows; ++j)
      for (int i = 0; i < map.columns; ++i) {
        const double off = std::abs(std::abs(-1 + 0.2 * i) - half);
        map.height.push_back(z0 - 0.5 * off);
      }
    road.grid = Located<HeightMap>(map);
  } else {
    road.profile = Located<std::vector<Vec2>>(points);
  }
  b.add(road);
  Vec3 center(x0, y, 0);
  center[up] = z0 + 0.1005;
  const double yaw = scene.planar ? 0 : 0.4 * number(random);
  const Vec3 axis(std::cos(yaw), std::sin(yaw), 0);
  if (scene.capsule) {
    if (scene.planar) {
      b.body("block", kMass, center, 0.05);
    } else {
      b.body("block", kMass, center, Mat3(0.05 * Mat3::Identity()));
    }
    b.add(GeometrySpec{.body = Name("block"),
                       .shape = CapsuleShape{Place(center - 0.3 * axis), Place(center + 0.3 * axis), 0.1}});
  } else {
    AxesSpec axes;
    axes.x = Direction(axis);
    if (!scene.planar) axes.y = Direction(Vec3(-axis.y(), axis.x(), 0));
    b.add(BodySpec{.name = Name("block"),
                   .shape = BoxShape{scene.planar ? Vec3(0.7, 0.2, 0) : Vec3(0.7, 0.3, 0.2), Place(center)},
                   .mass = Number(kMass),
                   .axes = axes});
  }
  if (scene.free) {
    b.free("ride", "ground", "block");
  } else {
    b.prismatic("ride", "ground", "block", center, Direction(Vec3::Unit(up)));
  }
  ContactSpec touch;
  touch.name = "touch", touch.between = {"block", "roofs"};
  touch.stiffness = kStiffness, touch.friction = 0.5, touch.restitution = 0.2;
  b.add(touch);
  return b.build();
}

/// Everything comes to rest with N = m g, on so many points.
void expect_rest(const Scene& scene, int points) {
  const Mechanism mechanism = build(scene);
  for (const char* formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const bool explicit_steps = std::string(formulation) == "recursive";
    const FinishedRun run =
        finish(mechanism, options_of(formulation, explicit_steps ? 2e-4 : 1e-3, 0.6, explicit_steps ? "rk4" : "hht"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double depth = kMass * kG / (points * kStiffness);
    EXPECT_NEAR(run.last["touch.load"], kMass * kG, 1e-3 * kMass * kG);
    EXPECT_NEAR(run.last["touch.depth"], depth, 1e-3 * depth);
    EXPECT_LE(run.summary.allocations, 0);
  }
}

TEST(ContactRidges, ABoxIsCarriedByOneRidge) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expect_rest({.seed = seed}, 2);
    expect_rest({.grid = true, .seed = seed}, 2);
    expect_rest({.planar = true, .seed = seed}, 1);
  }
}

TEST(ContactRidges, ACapsuleIsCarriedByOneRidge) {
  for (unsigned seed = 4; seed <= 6; ++seed) {
    expect_rest({.capsule = true, .seed = seed}, 1);
    expect_rest({.grid = true, .capsule = true, .seed = seed}, 1);
    expect_rest({.planar = true, .capsule = true, .seed = seed}, 1);
  }
}

/// Nothing else holds it.
TEST(ContactRidges, ABoxLiesOnTwoRidges) {
  for (unsigned seed = 7; seed <= 9; ++seed) {
    expect_rest({.free = true, .ridges = 2, .seed = seed}, 4);
    expect_rest({.grid = true, .free = true, .ridges = 2, .seed = seed}, 4);
    expect_rest({.planar = true, .free = true, .ridges = 2, .seed = seed}, 2);
  }
}

}  // namespace
}  // namespace cardan::contact_ridges_test
