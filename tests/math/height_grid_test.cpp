// Heights on a grid as the ground of wheels: pieces that count once, what is nearest, continuity.
#include "math/contact/height_grid.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/contact/terrain.hpp"
#include "math/tyre/wheel_shape.hpp"

namespace cardan::height_grid_test {
namespace {

using Vector = SmallVector<double, 3>;

Vec3 vec(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector small(const Vec3& v) { return {{v.x(), v.y(), v.z()}}; }

template <class Height>
HeightMap sampled(double spacing, const Height& height) {
  HeightMap map{.x0 = -3, .y0 = -2.5, .dx = spacing, .dy = 0.8 * spacing, .columns = 0, .rows = 0, .height = {}};
  map.columns = static_cast<int>(6 / map.dx) + 1, map.rows = static_cast<int>(5 / map.dy) + 1;
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i) map.height.push_back(height(map.x0 + i * map.dx, map.y0 + j * map.dy));
  return map;
}
double hills(double x, double y) { return 0.12 * std::sin(1.3 * x + 0.4) * std::cos(1.1 * y); }

/// Sum of depth times n, and how many pieces made it.
Vec3 push_on(const Terrain& ground, const WheelShape& shape, const Vec3& axle, const Vec3& center, int& pieces) {
  Vec3 push = Vec3::Zero();
  ground.visit_near(small(center), shape.reach(), [&](const Vector& n, double distance, double sign) {
    const double depth = dot(n, shape.furthest(small(axle), n)) - distance;
    if (depth > 0) push += sign * depth * vec(n), ++pieces;
  });
  return push;
}

TEST(HeightGrid, OfAPlaneIsThePlane) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const WheelShape shape(0.4, 0.25, 0.06);
  int pieces = 0, touching = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 slope(0.4 * number(random), 0.4 * number(random), 0);
    const Terrain plane = Terrain::plane(Vec3(0, 0, 0.2), Vec3(-slope.x(), -slope.y(), 1));
    const Terrain grid = Terrain::grid(sampled(0.05 + 0.2 * std::abs(number(random)), [&](double x, double y) {
      return 0.2 + slope.x() * x + slope.y() * y;
    }));
    Vec3 center(number(random), number(random), 0);
    EXPECT_NEAR(grid.clearance(center), plane.clearance(center) / plane.normal().z(), 1e-12);
    center += (0.2 + slope.dot(center)) * Vec3::UnitZ() + (0.35 + 0.06 * number(random)) * plane.normal();
    const Vec3 axle = Vec3(0.3 * number(random), 1, 0.4 * number(random)).normalized();
    int alone = 0;
    const Vec3 on_plane = push_on(plane, shape, axle, center, alone),
               on_grid = push_on(grid, shape, axle, center, pieces);
    EXPECT_LT((on_plane - on_grid).norm(), 1e-13) << i;
    touching += alone;
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(pieces, 4 * touching);
}

/// The point of the ground that lies deepest in the wheel, by trying all, and the direction in which the wheel is least
/// far from leaving it.
TEST(HeightGrid, PushesAWheelFromTheNearestPointOfHills) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-1, 1);
  const Terrain grid = Terrain::grid(sampled(0.04, hills));
  const WheelShape ball(0.4, 0.7999, 0.3999);  // as good as a ball: the nearest point is the deepest
  for (int i = 0; i < 40; ++i) {
    Vec3 center(2 * number(random), 1.5 * number(random), 0);
    center.z() = hills(center.x(), center.y()) + 0.39;
    Vec3 nearest = Vec3::Zero();
    double least = 1e300;
    for (double x = center.x() - 0.25; x < center.x() + 0.25; x += 0.002) {
      for (double y = center.y() - 0.25; y < center.y() + 0.25; y += 0.002) {
        const double distance = (center - Vec3(x, y, hills(x, y))).norm();
        if (distance < least) least = distance, nearest = Vec3(x, y, hills(x, y));
      }
    }
    int pieces = 0;
    const Vec3 push = push_on(grid, ball, Vec3::UnitY(), center, pieces), n = (center - nearest).normalized();
    EXPECT_NEAR(push.norm(), 0.4 - least, 1e-3) << i;  // the grid cuts hills off by less than that
    EXPECT_LT((push.normalized() - n).norm(), 0.03) << i;
    const Vec3 place = center - push.normalized() * (0.4 - push.norm());
    EXPECT_LT((place - nearest).norm(), 0.012) << i;
  }
}

/// Along a line over edges and nodes the push has no jump: steps a thousand times shorter change it that much less.
TEST(HeightGrid, PushesContinuouslyOverEdgesAndNodes) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const Terrain grid = Terrain::grid(sampled(0.15, [&](double, double) { return 0.03 * number(random); }));
  const WheelShape shape(0.4, 0.25, 0.06);
  int pieces = 0;
  for (int line = 0; line < 20; ++line) {
    const Vec3 from(number(random), number(random), 0.38), along(number(random), number(random), 0.02 * number(random));
    Vec3 last = push_on(grid, shape, Vec3::UnitY(), from, pieces);
    for (int i = 1; i <= 4000; ++i) {
      const Vec3 now = push_on(grid, shape, Vec3::UnitY(), from + 1e-4 * i * along, pieces);
      ASSERT_LT((now - last).norm(), 30 * 1e-4 * along.norm()) << line << " " << i;
      last = now;
    }
  }
  EXPECT_GT(pieces, 80000);
}

}  // namespace
}  // namespace cardan::height_grid_test
