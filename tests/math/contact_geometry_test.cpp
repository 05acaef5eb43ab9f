// Contacts of shapes against independent answers: sampled distances, separation along the normal, differences; the same
// turned and moved; how many boxes the broad phase compares.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "math/contact/broad_phase.hpp"
#include "math/contact/terrain.hpp"
#include "math/disc_contact.hpp"

namespace cardan {
namespace {

using Sort = ContactShape::Sort;

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Mat3 turn() { return Eigen::AngleAxisd(number(-3, 3), vector(1).normalized()).toRotationMatrix(); }
  ContactShape shape(Sort sort, double spread) {
    ContactShape s;
    s.sort = sort, s.center = vector(spread), s.axes = turn();
    if (sort != Sort::box && sort != Sort::point) s.radius = number(0.1, 0.3);
    if (sort == Sort::box) s.half = Vec3(number(0.2, 0.6), number(0.2, 0.6), number(0.2, 0.6));
    if (sort == Sort::capsule) s.half = Vec3(number(0.2, 0.6), 0, 0);
    return s;
  }

 private:
  std::mt19937 random_;
};

SmallVector<double, 3> small(const Vec3& v) { return {{v.x(), v.y(), v.z()}}; }
Vec3 big(const SmallVector<double, 3>& v) { return {v[0], v[1], v[2]}; }

struct Found {
  Vec3 normal, place;  // towards the first
  double depth;
};
Found evaluate(const ContactFeature& f) {
  const auto g = contact_geometry<double>(f, {small(f.p), small(f.u), small(f.q), small(f.w), small(f.m)});
  return {(f.flipped ? -1.0 : 1.0) * big(g.normal), big(g.place), g.depth};
}
double deepest(const FeatureList& list) {
  double depth = 0;
  for (int i = 0; i < list.size(); ++i) depth = std::max(depth, evaluate(list[i]).depth);
  return depth;
}

double distance_to_box(const Vec3& p, const ContactShape& box) {
  const Vec3 local = (box.axes.transpose() * (p - box.center)).cwiseAbs() - box.half;
  return local.cwiseMax(0).norm();
}

TEST(ContactGeometry, RoundShapesAreAsFarApartAsSampledPointsOfThem) {
  Dice dice(3);
  int touching = 0;
  for (int sample = 0; sample < 3000; ++sample) {
    const Sort sorts[] = {Sort::point, Sort::sphere, Sort::capsule};
    const ContactShape a = dice.shape(sorts[sample % 3], 0.4), b = dice.shape(sorts[1 + sample / 3 % 2], 0.4);
    double nearest = 1e9;
    for (int i = 0; i <= 400; ++i) {
      const Vec3 p = a.center + (i / 200.0 - 1) * a.half.x() * a.axes.col(0), u = b.axes.col(0);
      const Vec3 q = b.center + std::clamp(u.dot(p - b.center), -b.half.x(), b.half.x()) * u;
      nearest = std::min(nearest, (p - q).norm());
    }
    FeatureList found;
    touch(a, b, found);
    const double expected = a.radius + b.radius - nearest;
    if (expected < 2e-3 && expected > -2e-3) continue;
    touching += expected > 0;
    ASSERT_EQ(found.size() > 0, expected > 0) << sample;
    if (expected > 0) {
      EXPECT_NEAR(deepest(found), expected, 2e-3);
    }
    ASSERT_LE(found.size(), most_contacts(a, b));
  }
  EXPECT_GT(touching, 500);
}

TEST(ContactGeometry, SpheresAndCapsulesMeetBoxesAtTheNearestPoint) {
  Dice dice(4);
  int touching = 0, on_side = 0;
  for (int sample = 0; sample < 3000; ++sample) {
    const ContactShape round = dice.shape(sample % 2 == 0 ? Sort::sphere : Sort::capsule, 0.7);
    const ContactShape box = dice.shape(Sort::box, 0.2);
    double nearest = 1e9;
    for (int i = 0; i <= 400; ++i)
      nearest =
          std::min(nearest, distance_to_box(round.center + (i / 200.0 - 1) * round.half.x() * round.axes.col(0), box));
    if (nearest < 0.01 || std::abs(round.radius - nearest) < 2e-3) continue;  // the axis is outside
    FeatureList found;
    touch(round, box, found);
    ASSERT_EQ(found.size() > 0, nearest < round.radius) << sample;
    if (found.size() == 0) continue;
    ++touching;
    EXPECT_NEAR(deepest(found), round.radius - nearest, 2e-3) << sample;
    for (int i = 0; i < found.size(); ++i) on_side += found[i].kind == ContactFeature::Kind::line_line;
    FeatureList other;
    touch(box, round, other);
    ASSERT_EQ(other.size(), found.size());
    EXPECT_LT((evaluate(found[0]).normal + evaluate(other[0]).normal).norm(), 1e-12);
  }
  EXPECT_GT(touching, 500);
  EXPECT_GT(on_side, 50);
}

/// Moved apart by the depth along the normal, they no longer touch; half as far they do.
TEST(ContactGeometry, BoxesComeApartAlongTheNormal) {
  Dice dice(5);
  int faces = 0, edges = 0, apart = 0;
  for (int sample = 0; sample < 4000; ++sample) {
    ContactShape a = dice.shape(Sort::box, 0.5);
    const ContactShape b = dice.shape(Sort::box, 0.5);
    bool common = false;
    for (int i = 0; i < 300 && !common; ++i)
      common = distance_to_box(Vec3(a.center + a.axes * a.half.cwiseProduct(dice.vector(1))), b) == 0;
    FeatureList found;
    touch(a, b, found);
    ASSERT_TRUE(found.size() > 0 || !common) << sample;
    if (found.size() == 0) {
      ++apart;
      continue;
    }
    const double depth = deepest(found);
    Vec3 n = Vec3::Zero();
    for (int i = 0; i < found.size(); ++i)
      if (evaluate(found[i]).depth == depth) n = evaluate(found[i]).normal;
    const bool edge = found[0].kind == ContactFeature::Kind::line_line;
    (edge ? edges : faces) += 1;
    for (int i = 0; i < found.size(); ++i) {
      const Found c = evaluate(found[i]);
      // Its place is within its depth of both solids.
      EXPECT_LT(distance_to_box(c.place, a), c.depth + 1e-9) << sample;
      EXPECT_LT(distance_to_box(c.place, b), c.depth + 1e-9) << sample;
    }
    FeatureList after;
    a.center += (edge ? 1.0 : 1.05) * (depth + 1e-6) * n;
    if (depth < 0.1) touch(a, b, after);
    EXPECT_EQ(after.size(), 0) << sample;
  }
  EXPECT_GT(faces, 500);
  EXPECT_GT(edges, 100);
  EXPECT_GT(apart, 300);
}

TEST(ContactGeometry, ABoxOnABoxStandsOnAllThatOverlaps) {
  Dice dice(6);
  for (int sample = 0; sample < 50; ++sample) {
    const Mat3 turn = dice.turn();
    const Vec3 shift = dice.vector(3);
    ContactShape below, above;
    below.sort = above.sort = Sort::box;
    below.half = Vec3(0.5, 0.5, 0.1), above.half = Vec3(0.3, 0.3, 0.1);
    const double x = dice.number(-0.6, 0.6), y = dice.number(-0.6, 0.6), angle = dice.number(-0.7, 0.7);
    const double depth = 0.01;
    below.center = shift, below.axes = turn;
    above.center = shift + turn * Vec3(x, y, 0.2 - depth);
    above.axes = turn * Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    FeatureList found;
    touch(above, below, found);
    ASSERT_GE(found.size(), 3);
    std::set<int> names;
    for (int i = 0; i < found.size(); ++i) {
      const Found c = evaluate(found[i]);
      names.insert(found[i].id);
      EXPECT_NEAR(c.depth, depth, 1e-12);
      EXPECT_LT((c.normal - turn.col(2)).norm(), 1e-12);
      EXPECT_LT(distance_to_box(c.place, above) + distance_to_box(c.place, below), 1e-12);
    }
    EXPECT_EQ(static_cast<int>(names.size()), found.size());
  }
}

TEST(ContactGeometry, HasExactDerivatives) {
  Dice dice(7);
  using Kind = ContactFeature::Kind;
  using Number = Dual<15>;
  for (const Kind kind : {Kind::point_plane, Kind::point_point, Kind::point_line, Kind::line_line, Kind::cut_plane}) {
    for (int sample = 0; sample < 20; ++sample) {
      ContactFeature f;
      f.kind = kind, f.offset = 0.1, f.sign = -1, f.p_radius = 0.4, f.q_radius = 0.2;
      if (kind == Kind::cut_plane) f.p_radius = f.q_radius = 0;
      const Vec3 base[5] = {dice.vector(1), dice.vector(1).normalized(), dice.vector(1), dice.vector(1).normalized(),
                            dice.vector(1).normalized()};
      // Directions are unit vectors: variables turn them.
      const auto at = [&](int index, double h) {
        Vec3 v[5];
        for (int i = 0; i < 5; ++i) {
          const Vec3 change = index / 3 == i ? Vec3(h * Vec3::Unit(index % 3)) : Vec3(Vec3::Zero());
          v[i] = i == 0 || i == 2 ? Vec3(base[i] + change)
                                  : Vec3(base[i] + change.cross(base[i]) + 0.5 * change.cross(change.cross(base[i])));
        }
        return contact_geometry<double>(f, {small(v[0]), small(v[1]), small(v[2]), small(v[3]), small(v[4])});
      };
      FeatureGeometry<Number> g;
      SmallVector<Number, 3>* part[5] = {&g.p, &g.u, &g.q, &g.w, &g.m};
      for (int i = 0; i < 5; ++i) {
        for (int c = 0; c < 3; ++c) {
          Number& x = (*part[i])[c];
          x = Number(base[i][c]);
          for (int v = 0; v < 3; ++v)
            x.d[3 * i + v] = i == 0 || i == 2 ? (v == c) : Vec3(Vec3::Unit(v)).cross(base[i])[c];
        }
      }
      const auto exact = contact_geometry<Number>(f, g);
      for (int v = 0; v < 15; ++v) {
        const double h = 1e-5;
        const auto up = at(v, h), down = at(v, -h);
        const double scale = 1e-5 * (1 + std::abs(exact.depth.d[v]));
        EXPECT_NEAR(exact.depth.d[v], (up.depth - down.depth) / (2 * h), scale);
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(exact.normal[c].d[v], (up.normal[c] - down.normal[c]) / (2 * h),
                      1e-4 * (1 + std::abs(exact.normal[c].d[v])));
          EXPECT_NEAR(exact.place[c].d[v], (up.place[c] - down.place[c]) / (2 * h),
                      1e-4 * (1 + std::abs(exact.place[c].d[v])));
        }
      }
    }
  }
}

TEST(ContactGeometry, AProfileMeetsADiscAsTheTyresDo) {
  const std::vector<Vec2> points{{-5, 0}, {0.3, 0}, {0.6, 0}, {0.9, 0.1}, {1.3, 0.1}, {1.3, 0}, {30, 0}};
  const Profile profile(points);
  Dice dice(8);
  int compared = 0, corners = 0;
  for (const bool planar : {false, true}) {
    const Terrain terrain = Terrain::profile(points, planar);
    for (int sample = 0; sample < 500; ++sample) {
      ContactShape disc;
      disc.sort = Sort::sphere, disc.radius = 0.3, disc.planar = planar;
      const double x = dice.number(-0.5, 2), z = profile.height(x) + dice.number(0.15, 0.35);
      disc.center = planar ? Vec3(x, z, 0) : Vec3(x, dice.number(-1, 1), z);
      FeatureList found;
      terrain.touch(disc, found);
      const auto expected = profile.touch<double>({{x, z}}, {{0, 0}}, 0.3, 0.01);
      Vec3 push = Vec3::Zero();
      for (int i = 0; i < found.size(); ++i) {
        push += evaluate(found[i]).depth * evaluate(found[i]).normal;
        corners += found[i].kind != ContactFeature::Kind::point_plane;
      }
      const Vec2 seen(push.x(), planar ? push.y() : push.z());
      // In a concave corner tyres leave out what both sides share.
      if (found.size() > 1) continue;
      ++compared;
      EXPECT_LT((seen - Vec2(expected.push[0], expected.push[1])).norm(), 1e-12) << x << " " << z;
    }
  }
  EXPECT_GT(compared, 700);
  EXPECT_GT(corners, 30);
}

TEST(ContactGeometry, AnInclinedGridIsAPlane) {
  HeightMap map{-2, -3, 0.25, 0.2, 17, 31, {}};
  const auto height = [](double x, double y) { return 0.3 * x - 0.2 * y + 0.1; };
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i) map.height.push_back(height(-2 + 0.25 * i, -3 + 0.2 * j));
  const Terrain grid = Terrain::grid(map), plane = Terrain::plane(Vec3(0, 0, 0.1), Vec3(-0.3, 0.2, 1));
  Dice dice(9);
  int touching = 0;
  for (int sample = 0; sample < 600; ++sample) {
    const Sort sorts[] = {Sort::point, Sort::sphere, Sort::capsule, Sort::box};
    ContactShape shape = dice.shape(sorts[sample % 4], 1);
    shape.center.z() = height(shape.center.x(), shape.center.y()) + dice.number(-0.1, 0.5);
    FeatureList one, two;
    grid.touch(shape, one);
    plane.touch(shape, two);
    ASSERT_EQ(one.size(), two.size()) << sample;
    touching += one.size() > 0;
    for (int i = 0; i < one.size(); ++i) {
      const Found a = evaluate(one[i]), b = evaluate(two[i]);
      EXPECT_NEAR(a.depth, b.depth, 1e-12);
      EXPECT_LT((a.normal - b.normal).norm() + (a.place - b.place).norm(), 1e-11);
    }
    ASSERT_LE(one.size(), grid.most_contacts(shape));
  }
  EXPECT_GT(touching, 200);
}

TEST(BroadPhase, FindsWhatOverlapsWithFewComparisons) {
  Dice dice(10);
  for (const bool mixed : {false, true}) {
    const int count = 1000;
    BroadPhase broad;
    broad.resize(count);
    std::vector<Vec3> center, extent;
    for (int i = 0; i < count; ++i) {
      center.push_back(Vec3(i % 10, i / 10 % 10, i / 100) + dice.vector(0.1));
      extent.push_back(mixed && i % 200 == 0 ? Vec3(8, 0.5, 0.5) : Vec3(Vec3::Constant(dice.number(0.4, 0.55))));
      broad.place(i, center.back(), extent.back());
    }
    std::set<std::pair<int, int>> expected, found;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (((center[i] - center[j]).cwiseAbs().array() < (extent[i] + extent[j]).array()).all())
          expected.insert({i, j});
    broad.find([&](int i, int j) { EXPECT_TRUE(found.insert({i, j}).second); });
    EXPECT_EQ(found, expected);
    EXPECT_GT(static_cast<int>(expected.size()), 1000);
    EXPECT_LT(broad.comparisons(), mixed ? 30000 : 25000);
  }
}

}  // namespace
}  // namespace cardan
