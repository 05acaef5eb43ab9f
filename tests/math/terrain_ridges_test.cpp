// Edges and peaks of the ground under the sides of boxes and capsules: where they touch and how deep, by closed forms
// and by trying directions.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "math/contact/terrain.hpp"

namespace cardan::terrain_ridges_test {
namespace {

ContactShape box(const Vec3& center, const Mat3& axes, const Vec3& edges, bool planar = false) {
  ContactShape shape;
  shape.sort = ContactShape::Sort::box;
  shape.center = center, shape.axes = axes, shape.half = 0.5 * edges, shape.planar = planar;
  return shape;
}
ContactShape capsule(const Vec3& center, const Vec3& along, double length, double radius, bool planar = false) {
  ContactShape shape;
  shape.sort = ContactShape::Sort::capsule;
  shape.center = center, shape.half = Vec3(0.5 * length, 0, 0), shape.radius = radius, shape.planar = planar;
  shape.axes = Quat::FromTwoVectors(Vec3::UnitX(), along).toRotationMatrix();
  return shape;
}
Mat3 turned(double angle, const Vec3& axis) { return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(); }
Vec3 normal_of(const ContactFeature& f) {
  const auto small = [](const Vec3& v) { return SmallVector<double, 3>{{v.x(), v.y(), v.z()}}; };
  const auto n = contact_geometry<double>(f, {small(f.p), small(f.u), small(f.q), small(f.w), small(f.m)}).normal;
  return (f.flipped ? -1 : 1) * Vec3(n[0], n[1], n[2]);
}

/// A roof along y with its ridge at (2, 1).
const std::vector<Vec2> kRoof{{0, 0}, {2, 1}, {4, 0}};
HeightMap roof(double spacing) {
  HeightMap map{.x0 = 0, .y0 = -2, .dx = spacing, .dy = spacing, .columns = 0, .rows = 0, .height = {}};
  map.columns = map.rows = static_cast<int>(4 / spacing) + 1;
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i) map.height.push_back(1 - 0.5 * std::abs(i * spacing - 2));
  return map;
}

TEST(TerrainRidges, ABoxRestsOnARidgeWhereverItsEdgesCrossIt) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> number(-1, 1);
  int both = 0;
  // No node of the grid lies under the box.
  for (const Terrain& ground : {Terrain::profile(kRoof, false), Terrain::grid(roof(1))}) {
    for (int i = 0; i < 50; ++i) {
      const double depth = 0.001 + 0.0005 * number(random), yaw = 3 * number(random);
      const Vec3 center(2 + 0.05 * number(random), 0.45 + 0.1 * number(random), 1 - depth + 0.1);
      FeatureList found;
      ground.touch(box(center, turned(yaw, Vec3::UnitZ()), Vec3(0.5, 0.3, 0.2)), found);
      ASSERT_GE(found.size(), 2) << i;  // and a corner, where that is over the ridge
      ASSERT_LE(found.size(), 3) << i;
      for (int k = found.size() - 2; k < found.size(); ++k) {
        EXPECT_NEAR(depth_of(found[k]), depth, 1e-12);
        EXPECT_LT((normal_of(found[k]) - Vec3::UnitZ()).norm(), 1e-12);
      }
      EXPECT_NE(found[0].id, found[1].id);
      both += found.size() == 2 ? 1 : 0;
    }
    FeatureList found;
    ground.touch(box(Vec3(2, 0.45, 1.101), Mat3::Identity(), Vec3(0.5, 0.3, 0.2)), found);
    EXPECT_EQ(found.size(), 0);
    // On an edge of its own, which points down across the ridge.
    ground.touch(box(Vec3(2, 0.45, 1 + std::sqrt(0.5) * 0.2 - 0.002), turned(std::numbers::pi / 4, Vec3::UnitX()),
                     Vec3(0.5, 0.2, 0.2)),
                 found);
    ASSERT_EQ(found.size(), 1);
    EXPECT_NEAR(depth_of(found[0]), 0.002, 1e-12);
    EXPECT_LT((normal_of(found[0]) - Vec3::UnitZ()).norm(), 1e-12);
  }
  EXPECT_GT(both, 90);
}

TEST(TerrainRidges, ABoxOverhangsAStep) {
  const Terrain step = Terrain::profile({{-3, 0.5}, {0, 0.5}, {0, 0}, {3, 0}}, false);
  FeatureList found;
  step.touch(box(Vec3(0.1, 0, 0.599), Mat3::Identity(), Vec3(1, 0.4, 0.2)), found);
  ASSERT_EQ(found.size(), 4);  // two corners on the upper side, two edges over that of the step
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(depth_of(found[i]), 0.001, 1e-12);
  // Against its wall, above its foot.
  step.touch(box(Vec3(0.1985, 0, 0.45), Mat3::Identity(), Vec3(0.4, 0.4, 0.2)), found);
  ASSERT_GE(found.size(), 2);
  for (int i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(depth_of(found[i]), 0.0015, 1e-12);
    EXPECT_LT((normal_of(found[i]) - Vec3::UnitX()).norm(), 1e-12);
  }
}

TEST(TerrainRidges, InThePlaneAPointOfTheProfileMeetsASide) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const Terrain ground = Terrain::profile(kRoof, true);
  for (int i = 0; i < 50; ++i) {
    const double tilt = 0.4 * number(random), depth = 0.002, off = 0.1 * number(random);
    const Mat3 axes = turned(tilt, Vec3::UnitZ());
    const Vec3 center = Vec3(2, 1, 0) + axes * Vec3(off, 0.1 - depth, 0);
    FeatureList found;
    ground.touch(box(center, axes, Vec3(0.4, 0.2, 0), true), found);
    ASSERT_EQ(found.size(), 1);
    EXPECT_NEAR(depth_of(found[0]), depth, 1e-12);
    EXPECT_LT((normal_of(found[0]) - axes.col(1)).norm(), 1e-12);
    ground.touch(capsule(center, axes.col(0), 0.5, 0.1, true), found);
    ASSERT_EQ(found.size(), 1);
    EXPECT_NEAR(depth_of(found[0]), depth, 1e-12);
    EXPECT_LT((normal_of(found[0]) - axes.col(1)).norm(), 1e-12);
  }
}

TEST(TerrainRidges, CapsulesLieAcrossRidgesAndOnPeaks) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Terrain& ground : {Terrain::profile(kRoof, false), Terrain::grid(roof(1))}) {
    for (int i = 0; i < 50; ++i) {
      const double depth = 0.002, tilt = 0.2 * number(random), yaw = 0.5 * number(random);
      const Mat3 axes = turned(yaw, Vec3::UnitZ()) * turned(tilt, Vec3::UnitY());
      const Vec3 n = Vec3::UnitY().cross(-axes.col(0)).normalized();
      const Vec3 at = Vec3(2, 0.45, 1) + (0.1 - depth) * n + 0.1 * number(random) * axes.col(0);
      FeatureList found;
      ground.touch(capsule(at, axes.col(0), 0.6, 0.1), found);
      ASSERT_EQ(found.size(), 1) << i;
      EXPECT_NEAR(depth_of(found[0]), depth, 1e-12);
      EXPECT_LT((normal_of(found[0]) - n).norm(), 1e-12);
    }
  }
  HeightMap map{.x0 = 0, .y0 = 0, .dx = 1, .dy = 1, .columns = 5, .rows = 5, .height = std::vector<double>(25, 0.0)};
  map.height[12] = 0.6;  // a pyramid about (2, 2)
  const Terrain peak = Terrain::grid(map);
  for (int i = 0; i < 50; ++i) {
    const Mat3 axes =
        turned(3 * number(random), Vec3::UnitZ()) * turned(0.2 * number(random), Vec3(number(random), 1, 0));
    const Vec3 top(2, 2, 0.6);
    FeatureList found;
    peak.touch(capsule(top + axes * Vec3(0.1 * number(random), 0, 0.098), axes.col(0), 0.5, 0.1), found);
    ASSERT_EQ(found.size(), 1) << i;
    EXPECT_NEAR(depth_of(found[0]), 0.002, 1e-12);
    peak.touch(box(top + axes * Vec3(0.1 * number(random), 0.05 * number(random), 0.098), axes, Vec3(0.5, 0.4, 0.2)),
               found);
    ASSERT_EQ(found.size(), 1) << i;
    EXPECT_NEAR(depth_of(found[0]), 0.002, 1e-12);
    EXPECT_LT((normal_of(found[0]) - axes.col(2)).norm(), 1e-12);
  }
}

/// A grid that samples a plane has no edges, so that a box on it stands on its corners as on the plane.
TEST(TerrainRidges, ThereAreNoneInAPlane) {
  HeightMap map{.x0 = -2, .y0 = -2, .dx = 0.1, .dy = 0.15, .columns = 41, .rows = 28, .height = {}};
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i)
      map.height.push_back(0.3 * (map.x0 + i * map.dx) - 0.2 * (map.y0 + j * map.dy));
  const Terrain grid = Terrain::grid(map), plane = Terrain::plane(Vec3::Zero(), Vec3(-0.3, 0.2, 1));
  std::mt19937 random(9);
  std::uniform_real_distribution<double> number(-1, 1);
  int contacts = 0;
  for (int i = 0; i < 100; ++i) {
    const Vec3 n = plane.normal(), tilt = 0.01 * Vec3(number(random), number(random), number(random));
    const Mat3 axes = turned(tilt.norm(), tilt) * Quat::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix() *
                      turned(3 * number(random), Vec3::UnitZ());
    const ContactShape shape = box(0.098 * n + 0.5 * number(random) * Vec3(1, 0, 0.3), axes, Vec3(0.5, 0.4, 0.2));
    FeatureList on_grid, on_plane;
    grid.touch(shape, on_grid), plane.touch(shape, on_plane);
    ASSERT_EQ(on_grid.size(), on_plane.size()) << i;
    for (int k = 0; k < on_grid.size(); ++k) EXPECT_NEAR(depth_of(on_grid[k]), depth_of(on_plane[k]), 1e-12);
    contacts += on_grid.size();
  }
  EXPECT_GT(contacts, 150);
}

}  // namespace
}  // namespace cardan::terrain_ridges_test
