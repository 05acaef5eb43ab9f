// Discs that roll without slip, against the textbook's equations integrated here and against closed forms, in every
// formulation.
#include <gtest/gtest.h>

#include <numbers>

#include "simulation/rolling_mechanisms.hpp"

namespace cardan {
namespace {

/// Of the centre, its velocity, the turning and the axle.
double disc_error(const Disc& disc, const DiscOde::X& x, const LastSample& last, const DiscOde::X& start) {
  const double size = disc.place.size();
  const Quat turned(last["disc.qw"], last["disc.qx"], last["disc.qy"], last["disc.qz"]);
  const Vec3 axle = turned * disc.axes(start[0], start[1]).a;
  return std::max({(place_of(last, "disc", false) - disc.center(x)).norm() / size,
                   (velocity_of(last, "disc", false) - disc.velocity(x)).norm() / size,
                   (turning_of(last, "disc", false) - disc.angular_velocity(x)).norm(),
                   (axle - disc.axes(x[0], x[1]).a).norm()});
}

/// Of the lowest point of the rim.
Vec3 velocity_of_contact(const Disc& disc, const LastSample& last, const DiscOde::X& start) {
  const Quat turned(last["disc.qw"], last["disc.qx"], last["disc.qy"], last["disc.qz"]);
  const Vec3 a = turned * disc.axes(start[0], start[1]).a, n = disc.place.along(0, 0, 1);
  const Vec3 down = -disc.ode.r * a.cross(n).normalized().cross(a);
  return velocity_of(last, "disc", false) + turning_of(last, "disc", false).cross(down);
}

TEST(RollingDisc, ReleasedFromATiltFollowsTheTextbook) {
  constexpr double kUntil = 1.2;
  int runs = 0;
  for (const unsigned seed : {1u, 2u}) {
    const Disc disc(seed);
    DiscOde::X start;
    start << 1.2, 0.4, 0.5, 0.3, -3.5, 0, 0;
    const DiscOde::X x = disc.ode.after(start, kUntil, 20000);
    ASSERT_LT((x - disc.ode.after(start, kUntil, 10000)).norm(), 1e-9) << "the reference has converged";
    const Mechanism mechanism = disc.build(start);
    const Vec3 force = disc.force(x);
    const Disc::Axes e = disc.axes(x[0], x[1]);
    for (const char* formulation : kAllFormulations) {
      for (const auto& [integrator, step] : {std::pair("trapezoidal", 1e-4), std::pair("rk4", 1e-3)}) {
        const FinishedRun run = finish(mechanism, options_of(formulation, step, kUntil, integrator));
        const std::string what = std::string(formulation) + " " + integrator;
        ASSERT_EQ(run.summary.status, RunStatus::ok) << what << " " << run.summary.reason;
        EXPECT_LT(disc_error(disc, x, run.last, start), integrator == std::string("rk4") ? 1e-6 : 1e-5) << what;
        EXPECT_LT(velocity_of_contact(disc, run.last, start).norm(), 1e-7) << what;
        EXPECT_NEAR(run.last["rim.load"], force.dot(e.n), 2e-4) << what;
        EXPECT_NEAR(run.last["rim.longitudinal"], force.dot(e.h), 2e-4) << what;
        EXPECT_NEAR(run.last["rim.lateral"], force.dot(e.l), 2e-4) << what;
        expect_sound(run.summary, disc.ode.m * disc.ode.g * disc.ode.r, 5, 3, what);
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 20);
}

/// The tilt stays, and the centre goes round a circle of radius r s / psi' at the rate psi'.
TEST(RollingDisc, GoesRoundInACircle) {
  int runs = 0;
  const Disc disc(3);
  constexpr double theta = 1.3, p = -1.1;
  const double s = disc.ode.steady_spin(theta, p), rate = p / std::sin(theta),
               turn = 2 * std::numbers::pi / std::abs(rate);
  DiscOde::X start;
  start << theta, 0, p, 0, s, 0, 0;
  const Mechanism mechanism = disc.build(start);
  const double t = turn / 3;
  DiscOde::X x = start;
  x[1] = rate * t;
  const double radius = disc.ode.r * s / rate;
  x[5] = radius * std::sin(x[1]);
  x[6] = radius * (1 - std::cos(x[1]));
  for (const char* formulation : kAllFormulations) {
    for (const auto& [integrator, step] :
         {std::pair("trapezoidal", 2.5e-4), std::pair("rk4", 4e-3), std::pair("gauss4", 4e-3)}) {
      if (!why_not(formulation, integrator).empty()) continue;
      const FinishedRun run = finish(mechanism, options_of(formulation, step, t, integrator));
      const std::string what = std::string(formulation) + " " + integrator;
      EXPECT_LT(disc_error(disc, x, run.last, start), integrator == std::string("trapezoidal") ? 3e-6 : 1e-6) << what;
      EXPECT_NEAR(run.last["rim.load"], disc.ode.m * disc.ode.g, 1e-4) << what;
      EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-6 * disc.ode.m * disc.ode.g * disc.ode.r) << what;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 14);
}

TEST(RollingDisc, EveryIntegratorKeepsItsOrder) {
  constexpr double kUntil = 0.6;
  const Disc disc(4);
  DiscOde::X start;
  start << 1.25, 0.2, 0.6, -0.2, 3, 0, 0;
  const DiscOde::X x = disc.ode.after(start, kUntil, 10000);
  const Mechanism mechanism = disc.build(start);
  int runs = 0;
  for (const char* formulation : kAllFormulations) {
    for (const auto& [integrator, order, step] :
         {std::tuple("trapezoidal", 2, 0.004), std::tuple("hht", 2, 0.004), std::tuple("generalized-alpha", 2, 0.004),
          std::tuple("newmark", 1, 0.002), std::tuple("rk4", 4, 0.01), std::tuple("sdirk3", 3, 0.01),
          std::tuple("sdirk4", 4, 0.02), std::tuple("gauss4", 4, 0.02), std::tuple("abm2", 2, 0.004)}) {
      if (!why_not(formulation, integrator).empty()) continue;
      RunOptions options = options_of(formulation, step, kUntil, integrator);
      if (chooses_steps(formulation, integrator)) options.step_control = "fixed";
      const double coarse = disc_error(disc, x, finish(mechanism, options).last, start);
      options.step = step / 2;
      const double fine = disc_error(disc, x, finish(mechanism, options).last, start);
      const double seen = std::log2(coarse / fine);
      EXPECT_GT(seen, order - 0.25) << formulation << " " << integrator << " " << coarse << " " << fine;
      EXPECT_LT(seen, order + 1.25) << formulation << " " << integrator << " " << coarse << " " << fine;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 3 * 8 + 5 + 9);
}

/// On a table that is pushed along at a constant speed it moves against the table as it does on ground.
TEST(RollingDisc, OnAMovingTableItMovesAgainstTheTable) {
  constexpr double kUntil = 0.8, kSpeed = 0.7;
  const Disc disc(5);
  DiscOde::X start;
  start << 1.3, 0.1, 0.4, 0.2, 2.5, 0, 0;
  const DiscOde::X x = disc.ode.after(start, kUntil, 10000);
  const Vec3 along = disc.place.along(0.6, 0.8);
  MechanismBuilder b = disc.builder(start);
  b.box("table", {1, 1, 0.1}, disc.place.at(0, 0, -0.1), 5);
  b.prismatic("rail", "ground", "table", disc.place.at(0, 0, -0.1), Direction(along));
  b.driver("push", "rail", Function::polynomial({0, kSpeed})).add(disc.rim(start, "table"));
  const Mechanism mechanism = b.build();
  int runs = 0;
  for (const char* formulation : kAllFormulations) {
    for (const auto& [integrator, step] : {std::pair("rk4", 2e-3), std::pair("trapezoidal", 2e-4)}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, step, kUntil, integrator));
      const Vec3 center = place_of(run.last, "disc", false) - kSpeed * kUntil * along;
      EXPECT_LT((center - disc.center(x)).norm(), 3e-6) << formulation << " " << integrator;
      EXPECT_LT((turning_of(run.last, "disc", false) - disc.angular_velocity(x)).norm(), 1e-5) << formulation;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 10);
}

/// Down a slope: x'' = g sin / (1 + J / (m r^2)).
TEST(RollingDisc, RollsDownASlopeInThePlane) {
  constexpr double m = 1.4, J = 0.09, g = 9.81, slope = 0.3, t = 0.9;
  const RandomPlace place(6, true);
  const double r = 0.4 * place.size(), a = g * std::sin(slope) / (1 + J / (m * r * r));
  MechanismBuilder b("wheel");
  b.planar().gravity(g * place.along(std::sin(slope), -std::cos(slope)));
  b.body("wheel", m, place.at(0, 0.4), J).free("anywhere", "ground", "wheel");
  b.add(RollingSpec{
      .name = "rim", .body2 = "wheel", .radius = r, .normal = Direction(place.along(0, 1)), .on = place.at(1, 0)});
  const Mechanism mechanism = b.build();
  int runs = 0;
  for (const char* formulation : kAllFormulations) {
    for (const char* integrator : {"trapezoidal", "rk4", "dopri5", "sdirk3", "bdf"}) {
      if (!why_not(formulation, integrator).empty()) continue;
      const FinishedRun run = finish(mechanism, options_of(formulation, 5e-4, t, integrator));
      const std::string what = std::string(formulation) + " " + integrator;
      EXPECT_LT((place_of(run.last, "wheel", true) - place.at(0, 0.4) - 0.5 * a * t * t * place.along(1, 0)).norm(),
                1e-6)
          << what;
      EXPECT_NEAR(run.last["wheel.w"], -a * t / r, 1e-5) << what;
      EXPECT_NEAR(run.last["rim.load"], m * g * std::cos(slope), 1e-5) << what;
      EXPECT_NEAR(run.last["rim.longitudinal"], J * a / (r * r), 1e-5) << what;
      EXPECT_EQ(run.summary.degrees_of_freedom, 2) << what;
      EXPECT_EQ(run.summary.velocity_degrees_of_freedom, 1) << what;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 3 * 4 + 2 + 5);
}

/// An ideal wheel that holds only one slip: across, it glides along its heading like a skate; along, it slides sideways
/// off a slope and does not turn.
TEST(RollingDisc, HoldsTheSlipThatItIsAskedToHold) {
  const Disc disc(7);
  DiscOde::X start;
  start << std::numbers::pi / 2, 0, 0, 0, 0, 0, 0;
  int runs = 0;
  for (const auto grip : {RollingSpec::Grip::lateral, RollingSpec::Grip::longitudinal}) {
    RollingSpec rim = disc.rim(start);
    rim.grip = grip;
    MechanismBuilder b("wheel");
    const Vec3 n = disc.place.along(0, 0, 1), h = disc.place.along(1, 0), l = disc.place.along(0, 1);
    const Vec3 pull = grip == RollingSpec::Grip::lateral ? h : l;
    b.gravity(-9.81 * n + 2 * (h + l));
    b.body("disc", disc.ode.m, disc.center(start), Mat3(disc.ode.J * Mat3::Identity()));
    b.planar_joint("anywhere", "ground", "disc", disc.center(start), n);
    b.add(JointSpec{.name = "upright",
                    .type = JointType::perpendicular,
                    .body1 = "ground",
                    .body2 = "disc",
                    .axis1 = Direction(h),
                    .axis2 = Direction(l)});
    b.add(rim);
    const Mechanism mechanism = b.build();
    for (const char* formulation : kAllFormulations) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 0.5));
      // Without spin the longitudinal row holds the centre along the heading, the lateral one across it.
      const Vec3 moved = place_of(run.last, "disc", false) - disc.center(start);
      EXPECT_LT((moved - 0.5 * 2 * 0.25 * pull).norm(), 1e-6) << formulation << " " << static_cast<int>(grip);
      EXPECT_EQ(run.last[grip == RollingSpec::Grip::lateral ? "rim.longitudinal" : "rim.lateral"], 0) << formulation;
      EXPECT_NEAR(run.last[grip == RollingSpec::Grip::lateral ? "rim.lateral" : "rim.longitudinal"], -2 * disc.ode.m,
                  1e-6)
          << formulation;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 10);
}

TEST(RollingDisc, RestoredARunGoesOnBitForBit) {
  const Disc disc(8);
  DiscOde::X start;
  start << 1.3, 0.1, 0.4, 0.2, 2.5, 0, 0;
  const Mechanism mechanism = disc.build(start);
  int combinations = 0;
  for (const char* formulation : kAllFormulations) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation, integrator.name).empty()) continue;
      const std::string what = std::string(formulation) + " " + std::string(integrator.name);
      const RunOptions options = options_of(formulation, 4e-3, 1, std::string(integrator.name));
      Simulation one(mechanism, options), two(mechanism, options);
      for (int i = 0; i < 15; ++i) ASSERT_EQ(one.step(), StepStatus::ok) << what;
      const Context saved = one.state();
      for (int i = 0; i < 15; ++i) ASSERT_EQ(one.step(), StepStatus::ok) << what;
      two.restore(saved);
      for (int i = 0; i < 15; ++i) ASSERT_EQ(two.step(), StepStatus::ok) << what;
      EXPECT_TRUE(one.state().q == two.state().q) << what;
      EXPECT_TRUE(one.state().lambda == two.state().lambda) << what;
      ++combinations;
    }
  }
  EXPECT_GE(combinations, 40);
}

}  // namespace
}  // namespace cardan
