// The law of a tyre that rolls: its shape, its derivatives, what it does at steady slip, how its deflection is
// integrated.
#include "math/tyre/rolling_tyre.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "elements/tyre_file.hpp"
#include "io/documented_models.hpp"

namespace cardan::rolling_tyre_test {
namespace {

using Vector = SmallVector<double, 3>;
constexpr double kRadius = 0.355, kWidth = 0.225;

Vec3 vec(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector small(const Vec3& v) { return {{v.x(), v.y(), v.z()}}; }

MagicFormula touring() {
  const auto file = read_tyre_file(
      text_of(CARDAN_SOURCE_DIR "/models/parts/touring.tir"),
      [](int line, const std::string& message, const std::string&) { FAIL() << line << ": " << message; });
  return file ? file->formula : MagicFormula();
}

/// Version 6.1 of the formula, with numbers of our own making.
MagicFormula touring_later() {
  MagicFormula f = touring();
  f.later = true;
  f.NOMPRES = 2.2e5, f.INFLPRES = 2.5e5, f.PEY5 = 1.3, f.PKY4 = 1.9, f.PKY5 = 0.7, f.PKY6 = -0.9, f.PKY7 = -0.2;
  f.RBX3 = 3.1, f.RBY4 = 2.2, f.QDZ10 = 0.3, f.QDZ11 = -0.1, f.PPX1 = -0.35, f.PPX3 = -0.1, f.PPY1 = -0.6,
  f.PPY5 = -0.5;
  f.LONGITUDINAL_STIFFNESS = 3.5e5, f.LATERAL_STIFFNESS = 1.1e5, f.QSY5 = 0.02, f.QSY7 = 0.85;
  f.find_peaks();
  return f;
}

std::vector<SlipModel> models() {
  return {LinearSlip{120000, 80000, 0.8, 0.03, 0.3, 0.5},
          CalspanSlip{.a1 = 12,
                      .a2 = 30000,
                      .a3 = 0.9,
                      .a4 = 9000,
                      .b1 = -1e-5,
                      .b3 = 1.05,
                      .skid = 0.9,
                      .m1 = 2e-6,
                      .m2 = 1e-6,
                      .ratio = 1.3,
                      .sigma_x = 0.25,
                      .sigma_y = 0.4},
          touring(), touring_later()};
}

Terrain level_ground() { return Terrain::plane(Vec3::Zero(), Vec3::UnitZ()); }

RollingTyre tyre_with(const SlipModel& model, Terrain terrain = level_ground()) {
  return {.shape = WheelShape(kRadius, kWidth, 0.05),
          .ground = std::move(terrain),
          .model = model,
          .radius = kRadius,
          .stiffness = 9e5,
          .damping = 4000,
          .tread_damping = 0.01,
          .low_speed = 0.1,
          .rolling_resistance = 0.01};
}

TEST(WheelShape, IsAsRoundAndAsWideAsSaid) {
  const WheelShape shape(kRadius, kWidth, 0.05);
  const Vector axle{{0, 1, 0}};
  const auto extent = [&](const Vec3& n) { return vec(shape.furthest(axle, small(n))).dot(n); };
  EXPECT_NEAR(extent(Vec3::UnitZ()), kRadius, 1e-15);
  EXPECT_NEAR(extent(Vec3(0.6, 0, -0.8)), kRadius, 1e-15);
  EXPECT_NEAR(extent(Vec3::UnitY()), kWidth / 2, 1e-15);
  EXPECT_NEAR(extent(-Vec3::UnitY()), kWidth / 2, 1e-15);
  // Half way over it stands on its shoulder.
  const Vec3 n = Vec3(0, 1, 1).normalized(), edge = vec(shape.furthest(axle, small(n)));
  EXPECT_NEAR(edge.y(), kWidth / 2, 0.025);
  EXPECT_NEAR(edge.z(), kRadius, 0.025);
}

/// The point that touches is where the support function falls off fastest; no point of the wheel is further out.
TEST(WheelShape, TouchesAPlaneAtOnePointThatMovesContinuously) {
  const WheelShape shape(kRadius, kWidth, 0.03);
  const Vector axle{{0, 1, 0}};
  Vec3 before = Vec3::Zero(), normal = Vec3::Zero();
  for (int i = 0; i <= 3600; ++i) {
    const double camber = i * std::numbers::pi / 1800;
    const Vec3 n(0, std::sin(camber), std::cos(camber)), at = vec(shape.furthest(axle, small(n)));
    if (i > 0) {
      EXPECT_LT((at - before).norm(), 0.035) << camber;  // a tenth of a degree; on the flat side it goes fastest
      EXPECT_NEAR((at - before).dot(n + normal), 0, 1e-6) << camber;
    }
    before = at, normal = n;
    for (int j = 0; j < 36; ++j) {
      const double other = j * std::numbers::pi / 18;
      const Vec3 m(0, std::sin(other), std::cos(other));
      EXPECT_LE(vec(shape.furthest(axle, small(m))).dot(n), at.dot(n) + 1e-12);
    }
  }
}

struct Sample {
  WheelMotion<double> wheel;
  TreadMemory memory;
  double elapsed = 0;
};

/// Somewhere on or in the ground, turning, sliding, with a deflection of its tread.
Sample sample(std::mt19937& random, double slide) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&](double size) -> Vec3 { return size * Vec3(number(random), number(random), number(random)); };
  Sample s;
  const double camber = 0.6 * number(random), heading = 3 * number(random);
  const Vec3 axle = Eigen::AngleAxisd(heading, Vec3::UnitZ()) * Vec3(0, std::cos(camber), std::sin(camber));
  const Vec3 ahead = axle.cross(Vec3::UnitZ()).normalized();
  s.wheel.axle = small(axle);
  s.wheel.center = small(Vec3(0.3 * number(random), number(random), 0.32 + 0.02 * number(random)));
  s.wheel.velocity = small(6 * number(random) * ahead + vector(slide));
  s.wheel.spin = small(15 * number(random) * axle + vector(slide));
  s.memory.deflection = small(vector(slide > 1 ? 0.5 : 0.01));
  s.memory.slip_velocity = small(vector(slide));
  s.memory.forward = small(ahead);
  s.memory.rate_x = 10 * std::abs(number(random)), s.memory.rate_y = 10 * std::abs(number(random));
  s.memory.touches = number(random) > -0.5 ? 1 : 0;
  s.elapsed = 0.002 + 0.002 * number(random);
  return s;
}

/// Hills of a decimetre on a grid that is not square, over which samples are.
HeightMap hills() {
  HeightMap map{.x0 = -2, .y0 = -2, .dx = 0.07, .dy = 0.06, .columns = 60, .rows = 70, .height = {}};
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i)
      map.height.push_back(0.05 * std::sin(2.1 * (map.x0 + i * map.dx)) * std::cos(1.7 * (map.y0 + j * map.dy)));
  return map;
}

/// All that the law gives, as numbers in a row.
Eigen::Matrix<double, 9, 1> results(const RollingTyre& tyre, const Sample& s) {
  const RollingForce<double> f = tyre.evaluate(s.wheel, s.memory, s.elapsed);
  Eigen::Matrix<double, 9, 1> result;
  result << vec(f.force), vec(f.moment), f.load, f.slip.kappa, f.slip.side;
  return result;
}

/// As the law is written: the springs of all that is near, those of corners with their sign.
Vec3 springs(const RollingTyre& tyre, const WheelMotion<double>& wheel, int& count) {
  Vec3 sum = Vec3::Zero();
  tyre.ground.visit_near(wheel.center, tyre.shape.reach(), [&](const Vector& n, double distance, double sign) {
    const double depth = dot(n, tyre.shape.furthest(wheel.axle, n)) - distance;
    if (depth > 0) sum += sign * tyre.stiffness * depth * vec(n), ++count;
  });
  return sum;
}

TEST(RollingTyre, IsPressedByAllThatIsNearThoughMostOfItCancels) {
  std::vector<Vec2> fine, steps;
  for (int i = 0; i <= 200; ++i) {
    const double x = -2 + 0.02 * i;
    fine.emplace_back(x, 0.1 * std::sin(3 * x));
    steps.emplace_back(x, 0.05 * std::floor(4 * x));
  }
  std::mt19937 random(11);
  int contacts = 0;
  for (const std::vector<Vec2>& points : {fine, steps}) {
    const RollingTyre tyre = tyre_with(models()[0], Terrain::endless_profile(points, false));
    for (int i = 0; i < 200; ++i) {
      const Sample s = sample(random, 0.02);
      const Vec3 expected = springs(tyre, s.wheel, contacts);
      EXPECT_LT((vec(tyre.evaluate(s.wheel, s.memory, s.elapsed).elastic) - expected).norm(),
                1e-11 * (tyre.stiffness * kRadius));
    }
  }
  EXPECT_GT(contacts, 2000);
}

TEST(RollingTyre, HasTheDerivativesOfItsLaw) {
  using Number = Dual<12>;
  const std::vector<Vec2> profile{{-3, 0}, {-0.2, 0.01}, {0.1, -0.02}, {0.1, 0.06}, {4, 0.1}};
  std::mt19937 random(5);
  int compared = 0, slid = 0;
  for (const SlipModel& model : models()) {
    for (const Terrain& ground : {level_ground(), Terrain::endless_profile(profile, false), Terrain::grid(hills())}) {
      const RollingTyre tyre = tyre_with(model, ground);
      for (int i = 0; i < 60; ++i) {
        const Sample s = sample(random, i % 2 == 0 ? 0.02 : 2);
        WheelMotion<Number> wheel;
        const auto seed = [&](const Vector& from, SmallVector<Number, 3>& to, int first) {
          for (int j = 0; j < 3; ++j) to[j] = Number::variable(from[j], first + j);
        };
        seed(s.wheel.center, wheel.center, 0), seed(s.wheel.axle, wheel.axle, 3);
        seed(s.wheel.velocity, wheel.velocity, 6), seed(s.wheel.spin, wheel.spin, 9);
        const RollingForce<Number> f = tyre.evaluate(wheel, s.memory, s.elapsed);
        if (f.load.f < 20) continue;  // so near to leaving the ground that differences would
        Eigen::Matrix<double, 9, 12> exact;
        for (int j = 0; j < 3; ++j) exact.row(j) = f.force[j].d, exact.row(3 + j) = f.moment[j].d;
        exact.row(6) = f.load.d, exact.row(7) = f.slip.kappa.d, exact.row(8) = f.slip.side.d;
        Eigen::Matrix<double, 9, 12> found;
        for (int j = 0; j < 12; ++j) {
          const double h = 1e-7;
          const auto at = [&](double by) {
            Sample moved = s;
            Vector* const part[] = {&moved.wheel.center, &moved.wheel.axle, &moved.wheel.velocity, &moved.wheel.spin};
            (*part[j / 3])[j % 3] += by;
            return results(tyre, moved);
          };
          found.col(j) = (at(h) - at(-h)) / (2 * h);
        }
        for (int row = 0; row < 9; ++row) {
          const double scale = 1e-3 * (row < 7 ? 1e4 : 1) + exact.row(row).cwiseAbs().maxCoeff();
          EXPECT_LT((found.row(row) - exact.row(row)).cwiseAbs().maxCoeff() / scale, 2e-5)
              << "model " << model.index() << " ground " << static_cast<int>(ground.sort()) << " sample " << i
              << " row " << row;
        }
        // The chain rule through what the tread looks at gives the same, with turns of the wheel for changes of its
        // axle.
        Eigen::Matrix<double, 6, 12> turned = exact.topRows<6>();
        for (int j = 0; j < 3; ++j)
          turned.col(3 + j) = exact.block<6, 3>(0, 3) * Vec3::Unit(j).cross(vec(s.wheel.axle));
        const RollingTyre::Derivatives chained = tyre.derivatives(s.wheel, s.memory, s.elapsed);
        EXPECT_LT((chained - turned).cwiseAbs().maxCoeff(), 1e-10 * turned.cwiseAbs().maxCoeff())
            << "model " << model.index() << " ground " << static_cast<int>(ground.sort()) << " sample " << i;
        slid += std::abs(f.slip.side.f) > 0.3 ? 1 : 0;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 400);
  EXPECT_GT(slid, 45);
}

/// A wheel of given load that is pulled along with constant velocities for some relaxation lengths.
RollingForce<double> steady(const SlipModel& model, double load, double forward, double kappa, double side,
                            double camber) {
  RollingTyre tyre = tyre_with(model);
  tyre.rolling_resistance = 0;
  Sample s;
  const Vec3 axle(0, std::cos(camber), std::sin(camber));
  s.wheel.axle = small(axle);
  const Vec3 lowest = -vec(tyre.shape.furthest(s.wheel.axle, Vector{{0, 0, 1}}));
  const double depth = load / tyre.stiffness;
  s.wheel.center = small(Vec3(0, 0, -lowest.z() - depth));
  const Vec3 arm = lowest + Vec3(0, 0, depth);
  s.wheel.velocity = small(Vec3(forward, side * std::abs(forward), 0));
  // v_sx = -kappa |V| = V + (w x arm)_x
  s.wheel.spin = small((-kappa * std::abs(forward) - forward) / axle.cross(arm).x() * axle);
  s.elapsed = 0.002;
  RollingForce<double> f;
  for (int i = 0; i < 4000; ++i) {
    f = tyre.evaluate(s.wheel, s.memory, s.elapsed);
    s.memory = f.tread;
  }
  EXPECT_NEAR(f.load, load, 1e-9 * load);
  EXPECT_NEAR(f.slip.kappa, kappa, 1e-9);
  EXPECT_NEAR(f.slip.side, side, 1e-9);
  EXPECT_NEAR(f.slip.camber, camber, 1e-9);
  return f;
}

TEST(RollingTyre, SlipsSteadilyByTheLinearLaw) {
  const LinearSlip law{120000, 80000, 0.8, 0.03, 0.3, 0.5};
  for (const double forward : {8.0, -8.0}) {
    const auto small_slip = steady(law, 12000, forward, 0.01, -0.02, 0);
    EXPECT_NEAR(small_slip.forces.forward, 1200, 1e-6);
    EXPECT_NEAR(small_slip.forces.left, 1600, 1e-6);
    // Behind the wheel wherever it goes: it turns the wheel into its way.
    const double used = std::hypot(1200, 1600) / 9600 / 1.5;
    EXPECT_NEAR(small_slip.forces.aligning, (forward < 0 ? 1 : -1) * 0.03 * (1 - used) * 1600, 0.05);
    const auto locked = steady(law, 12000, forward, -1, 0, 0);
    EXPECT_NEAR(locked.forces.forward, -9600, 1e-6);
    const auto both = steady(law, 12000, forward, 0.3, 0.3, 0);
    EXPECT_NEAR(std::hypot(both.forces.forward, both.forces.left), 9600, 1e-6);
    EXPECT_NEAR(both.forces.left / both.forces.forward, -80000.0 / 120000, 1e-9);
  }
}

TEST(RollingTyre, SlipsSteadilyByTheCalspanFormulas) {
  const double a1 = 12, a2 = 30000, a3 = 0.9, a4 = 9000, b3 = 1.05, ratio = 1.3, N = 5000;
  const CalspanSlip law{.a1 = a1, .a2 = a2, .a3 = a3, .a4 = a4, .b3 = b3, .m1 = 2e-6, .ratio = ratio};
  const double c_slip = a1 * N - a1 / a2 * N * N, c_camber = a3 * N - a3 / a4 * N * N, most = b3 * N;
  for (const auto& [kappa, alpha, camber] :
       {std::array{0.0, 0.05, 0.0}, {0.0, -0.05, 0.1}, {0.06, 0.0, 0.0}, {0.05, 0.04, -0.05}, {0.4, 0.6, 0.0}}) {
    const auto f = steady(law, N, 10, kappa, std::tan(alpha), camber);
    const double x = ratio * c_slip * kappa / most, y = (c_slip * alpha + c_camber * camber) / most;
    const double s = std::hypot(x, y), g = s < 3 ? s - s * s / 3 + s * s * s / 27 : 1;
    EXPECT_NEAR(f.forces.forward, most * g * x / s, 1e-5);
    EXPECT_NEAR(f.forces.left, -most * g * y / s, 1e-5);
    EXPECT_NEAR(f.forces.aligning, 2e-6 * N * f.forces.left * 10 / std::sqrt(100 + 0.01), 1e-8);
  }
}

/// Two steps of half the length come four times nearer, while slip, load and heading change.
TEST(RollingTyre, IntegratesItsDeflectionToSecondOrder) {
  for (const SlipModel& model : models()) {
    const RollingTyre tyre = tyre_with(model);
    const auto run = [&](int steps) {
      TreadMemory memory;
      RollingForce<double> f;
      const double until = 0.2;
      for (int i = 0; i <= steps; ++i) {
        const double t = until * i / steps, heading = 2 * t;
        WheelMotion<double> wheel;
        wheel.axle = small(Eigen::AngleAxisd(heading, Vec3::UnitZ()) * Vec3::UnitY());
        wheel.center = small(Vec3(0, 0, kRadius - 0.006 - 0.001 * std::sin(20 * t)));
        wheel.velocity = small(Vec3(6 + 2 * std::sin(7 * t), 0.1 * std::cos(9 * t), 0));
        const Vec3 axle = vec(wheel.axle);
        wheel.spin = small((17 + 6 * std::sin(7 * t + 0.02)) * axle);
        f = tyre.evaluate(wheel, memory, i == 0 ? 0 : until / steps);
        memory = f.tread;
      }
      return vec(f.tread.deflection);
    };
    const Vec3 exact = run(12800);
    const double coarse = (run(100) - exact).norm(), fine = (run(200) - exact).norm();
    EXPECT_GT(exact.norm(), 1e-4);
    EXPECT_NEAR(coarse / fine, 4, 0.4) << "model " << model.index();
  }
}

/// At rest a push bends the tread and no more; what is beyond friction slides and leaves the deflection where it
/// slides.
TEST(RollingTyre, HoldsAtRestAndSlidesAtItsLimit) {
  const LinearSlip law{120000, 80000, 0.8, 0, 0.3, 0.5};
  const RollingTyre tyre = tyre_with(law);
  Sample s;
  s.wheel.axle = Vector{{0, 1, 0}};
  s.wheel.center = Vector{{0, 0, kRadius - 0.01}};
  s.wheel.velocity = s.wheel.spin = Vector{{0, 0, 0}};
  s.elapsed = 0.001;
  const auto push = [&](double speed, double seconds) {
    s.wheel.velocity = Vector{{0, speed, 0}};
    RollingForce<double> f;
    for (int i = 0; i < std::lround(seconds / s.elapsed); ++i) {
      f = tyre.evaluate(s.wheel, s.memory, s.elapsed);
      s.memory = f.tread;
    }
    return f;
  };
  push(0.01, 0.5);
  const auto held = push(0, 10);
  EXPECT_NEAR(held.forces.left, -80000 * 0.005 / 0.5, 1.0);  // 5 mm
  EXPECT_EQ(push(0, 10).forces.left, held.forces.left);
  const auto sliding = push(0.05, 20);
  EXPECT_NEAR(sliding.forces.left, -0.8 * 9000, 1e-6);
  const auto resting = push(0, 1);
  EXPECT_LE(resting.tread.deflection[1], 1.5 * 0.8 * 9000 / 80000 * 0.5 * 1.001);
}

}  // namespace
}  // namespace cardan::rolling_tyre_test
