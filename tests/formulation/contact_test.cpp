// Contact with friction: textbook answers in every formulation, in random places and orientations; exact derivatives,
// energy, memory.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "cardan/cardan.hpp"
#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/contact_scenes.hpp"
#include "formulation/differences.hpp"
#include "last_sample.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

constexpr const char* kFormulations[] = {"hybrid", "global", "topological", "cartesian", "recursive"};

Vec3 place_of(const LastSample& last, const std::string& body, bool planar) {
  return planar ? Vec3(last[body + ".x"], last[body + ".y"], 0) : last.vector(body + ".x", body + ".y", body + ".z");
}
Vec3 velocity_of(const LastSample& last, const std::string& body, bool planar) {
  return planar ? Vec3(last[body + ".vx"], last[body + ".vy"], 0)
                : last.vector(body + ".vx", body + ".vy", body + ".vz");
}
/// A stiff contact is stepped explicitly where there are no tangents.
RunOptions method(const std::string& formulation, double step, double until) {
  return formulation == "recursive" ? options_of(formulation, std::min(step, 1e-4), until, "rk4")
                                    : options_of(formulation, step, until);
}

TEST(Contact, ABallReboundsByItsRestitution) {
  int runs = 0;
  for (const bool planar : {false, true}) {
    for (const double e : {0.2, 0.5, 0.8, 0.95}) {
      for (const char* formulation : kFormulations) {
        if (planar && e != 0.5) continue;
        SCOPED_TRACE(std::string(formulation) + " e = " + std::to_string(e));
        Slope s("ball", 20 + static_cast<unsigned>(runs), 0, planar);
        const double radius = 0.05, height = 0.1;
        const Vec3 center = s.at(0.3, -0.2, radius + height);
        s.ball("ball", 1, radius, center);
        // So stiff that gravity does nothing during the impact, for which the restitution holds.
        s.builder.add(s.contact({"ball", "floor"}, 1e8, 0.3, e));
        const FinishedRun run = finish(
            s.builder.build(),
            options_of(formulation, 5e-6, 0.15, std::string(formulation) == "recursive" ? "rk4" : "trapezoidal"));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        const double z = s.along(0, 0, 1).dot(place_of(run.last, "ball", planar) - s.at(0, 0, radius));
        const double v = velocity_of(run.last, "ball", planar).norm();
        ASSERT_GT(z, 0);
        const double rebound = (z + 0.5 * v * v / 9.81) / height;
        EXPECT_NEAR(std::sqrt(rebound), e, 0.01 * e);  // heights within 2 %
        EXPECT_LT(std::abs(run.summary.energy_max_error), 0.01 * 9.81 * height);
        EXPECT_LE(run.summary.allocations, 0);
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 25);
}

/// The instant at which two bodies meet is not located: the jerk jumps within a step, which leaves h^2 of it in the
/// velocity, by chance in between. Rules of order 2 keep their order.
TEST(Contact, AnImpactIsMetToSecondOrder) {
  Slope s("ball", 47, 0);
  s.ball("ball", 1, 0.1, s.at(0, 0, 0.3));
  s.builder.add(s.contact({"ball", "floor"}, 1e4, 0, 0.5));
  const Mechanism mechanism = s.builder.build();
  const auto height = [&](const std::string& rule, double step) {
    const FinishedRun run = finish(mechanism, options_of(rule == "rk4" ? "recursive" : "hybrid", step, 0.35, rule));
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    return s.along(0, 0, 1).dot(place_of(run.last, "ball", false));
  };
  const double exact = height("rk4", 2e-6);
  for (const char* rule : {"trapezoidal", "hht", "sdirk3", "rk4"}) {
    const auto error = [&](double step) {
      double sum = 0;
      for (int i = 0; i < 8; ++i) sum += std::pow(height(rule, step * (1 + 0.02 * i)) - exact, 2);
      return std::sqrt(sum / 8);
    };
    EXPECT_GT(std::log2(error(1e-3) / error(1.25e-4)) / 3, 1.8) << rule;
  }
}

struct Slide {
  double way, speed;
  FinishedRun run;
};
/// A box that lies on a slope as deep as its weight presses it.
Slide slide(const std::string& formulation, double angle, double friction, double until, bool planar, unsigned seed,
            double step = 1e-3) {
  Slope s("box", seed, angle, planar);
  const double k = 1e6, depth = 2 * 9.81 * std::cos(angle) / (k * (planar ? 2 : 4));
  const Vec3 center = s.at(0, 0, 0.05 - depth);
  s.box("box", 2, Vec3(0.3, 0.2, 0.1), center);
  s.builder.add(s.contact({"box", "floor"}, k, friction, 0.3));
  Slide result{0, 0, finish(s.builder.build(), method(formulation, step, until))};
  if (result.run.summary.status != RunStatus::ok) return result;
  result.way = s.downhill(center, place_of(result.run.last, "box", planar));
  result.speed = s.along(1, 0, 0).dot(velocity_of(result.run.last, "box", planar));
  return result;
}

TEST(Contact, ABoxSticksBelowTheFrictionAngleAndSlidesAbove) {
  int runs = 0;
  const double mu = 0.5;
  for (const bool planar : {false, true}) {
    for (const char* formulation : kFormulations) {
      SCOPED_TRACE(std::string(formulation) + (planar ? " in the plane" : ""));
      const unsigned seed = 60 + static_cast<unsigned>(runs++);
      const Slide held = slide(formulation, std::atan(0.99 * mu), mu, 1, planar, seed);
      ASSERT_EQ(held.run.summary.status, RunStatus::ok) << held.run.summary.reason;
      EXPECT_LT(std::abs(held.speed), 1e-6);
      EXPECT_LT(std::abs(held.way), 5e-4);  // until the springs of the friction are loaded
      for (const double more : {1.01, 1.5}) {
        const double angle = std::atan(more * mu);
        const Slide early = slide(formulation, angle, mu, 0.5, planar, seed);
        const Slide late = slide(formulation, angle, mu, 1, planar, seed);
        ASSERT_EQ(late.run.summary.status, RunStatus::ok) << late.run.summary.reason;
        const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR((late.speed - early.speed) / 0.5, expected, 0.002 * expected) << more;
        EXPECT_NEAR(late.way - early.way - 0.5 * early.speed, 0.125 * expected, 0.002 * 0.125 * expected) << more;
      }
    }
  }
  EXPECT_EQ(runs, 10);
}

/// A box that slides up to speed 1 - a t, in all that there is.
TEST(Contact, IsHonouredByEveryMethod) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      const double angle = 0.2, mu = 0.5, k = 2e4, mass = 2, depth = mass * 9.81 * std::cos(angle) / (4 * k);
      Slope s("box", 70 + static_cast<unsigned>(runs), angle);
      s.box("box", mass, Vec3(0.3, 0.2, 0.02), s.at(0, 0, 0.01 - depth));
      s.builder.add(s.contact({"box", "floor"}, k, mu, 0.3)).velocity("box", s.along(1, 0, 0));
      s.builder.angular_velocity("box", Vec3::Zero());
      const FinishedRun run =
          finish(s.builder.build(), options_of(std::string(formulation.name), 2e-4, 0.2, std::string(integrator.name)));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double expected = 1 - 0.2 * 9.81 * (mu * std::cos(angle) - std::sin(angle));
      EXPECT_NEAR(s.along(1, 0, 0).dot(velocity_of(run.last, "box", false)), expected, 2e-3);
      ++runs;
    }
  }
  EXPECT_GE(runs, 35);
}

TEST(Contact, WhatRestsOnASlopeDoesNotCreep) {
  for (const char* formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    const double mu = 0.6, angle = 0.5 * std::atan(mu);
    const Slide early = slide(formulation, angle, mu, 1, false, 80, 2e-3),
                late = slide(formulation, angle, mu, 11, false, 80, 2e-3);
    ASSERT_EQ(late.run.summary.status, RunStatus::ok) << late.run.summary.reason;
    EXPECT_LT(std::abs(late.way - early.way), 1e-9);
    EXPECT_LT(std::abs(late.way), 1e-4);
  }
}

TEST(Contact, BallsAndDiscsRollDown) {
  int runs = 0;
  for (const bool planar : {false, true}) {
    for (const char* formulation : kFormulations) {
      SCOPED_TRACE(std::string(formulation) + (planar ? " in the plane" : ""));
      const double angle = 0.3, radius = 0.1, k = 1e6, depth = 3 * 9.81 * std::cos(angle) / k;
      Slope s("rolling", 90 + static_cast<unsigned>(runs++), angle, planar);
      const Vec3 center = s.at(0.1, 0.2, radius - depth);
      s.ball("ball", 3, radius, center);
      s.builder.add(s.contact({"ball", "floor"}, k, 0.4, 0.5));
      const FinishedRun run = finish(s.builder.build(), method(formulation, 1e-3, 1));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      const double expected = 9.81 * std::sin(angle) / (planar ? 1.5 : 1.4);
      EXPECT_NEAR(s.downhill(center, place_of(run.last, "ball", planar)), 0.5 * expected, 1e-3 * 0.5 * expected);
      EXPECT_NEAR(s.along(1, 0, 0).dot(velocity_of(run.last, "ball", planar)), expected, 1e-3 * expected);
    }
  }
  EXPECT_EQ(runs, 10);
}

/// On points of its rim: m r^2/2 w' = -mu m g r.
TEST(Contact, ASpinningCoinSlowsByItsRim) {
  for (const char* formulation : kFormulations) {
    SCOPED_TRACE(formulation);
    Slope s("coin", 110, 0);
    const double radius = 0.1, mass = 0.2, mu = 0.25, k = 1e5, w = 30, depth = mass * 9.81 / (8 * k);
    const Vec3 n = s.along(0, 0, 1), center = s.at(0.3, 0.1, 0.002 - depth);
    const Mat3 inertia = mass * radius * radius * (0.25 * Mat3::Identity() + 0.25 * n * n.transpose());
    s.builder.body("coin", mass, center, inertia).free("free", "ground", "coin");
    ContactSpec touch = s.contact({"coin", "floor"}, k, mu, 0.2);
    for (int i = 0; i < 8; ++i)
      touch.points.emplace_back(s.at(0.3 + radius * std::cos(i * std::numbers::pi / 4),
                                     0.1 + radius * std::sin(i * std::numbers::pi / 4), -depth));
    s.builder.add(touch).angular_velocity("coin", w * n).velocity("coin", Vec3::Zero());
    const FinishedRun run = finish(s.builder.build(), method(formulation, 1e-3, 0.4));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double expected = w - 2 * mu * 9.81 / radius * 0.4;
    EXPECT_NEAR(n.dot(run.last.vector("coin.wx", "coin.wy", "coin.wz")), expected, 1e-3 * w);
    EXPECT_LT((place_of(run.last, "coin", false) - center).norm(), 1e-4);
    const FinishedRun later = finish(s.builder.build(), method(formulation, 5e-4, 0.8));
    EXPECT_LT(later.last.vector("coin.wx", "coin.wy", "coin.wz").norm(), 1e-3);
  }
}

/// 1 kg on 1000 kg, stiffness 1e8 N/m. How many steps are left before they have converged is a matter of rounding,
/// which differs from place to place.
TEST(Contact, LightAndHeavyBodiesComeToRestOnStiffGround) {
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    SCOPED_TRACE(formulation);
    long steps = 0, stagnated = 0;
    for (unsigned seed = 120; seed < 124; ++seed) {
      SCOPED_TRACE(seed);
      Slope s("stack", seed, 0);
      const double k = 1e8;
      s.box("heavy", 1000, Vec3(1, 1, 0.5), s.at(0, 0, 0.26));
      s.box("light", 1, Vec3(0.2, 0.2, 0.1), s.at(0.1, 0.05, 0.58));
      s.builder.add(s.contact({"heavy", "light", "floor"}, k, 0.4, 0.2));
      const Mechanism mechanism = s.builder.build();
      const FinishedRun run = finish(mechanism, options_of(formulation, 2e-4, 3, "hht"));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      steps += run.summary.steps;
      stagnated += run.summary.stagnated_steps;
      for (const char* body : {"heavy", "light"}) EXPECT_LT(velocity_of(run.last, body, false).norm(), 1e-8);
      EXPECT_NEAR(run.last["touch.load"], 1002 * 9.81, 0.01 * 9820);
      EXPECT_NEAR(run.last["touch.depth"], 1001 * 9.81 / (4 * k), 0.05 * 1001 * 9.81 / (4 * k));
      EXPECT_LT(run.summary.energy_max_error, 0.005 * 1000 * 9.81 * 0.26);
    }
    // They would keep what is light in motion.
    EXPECT_LT(stagnated, steps / 20);
  }
}

TEST(Contact, HasExactDerivativesInCartesianCoordinates) {
  std::mt19937 random(5);
  const auto number = [&](double size) { return size * std::uniform_real_distribution<double>(-1, 1)(random); };
  int touching = 0;
  for (int scene = 0; scene < 6; ++scene) {
    Slope s("scene", 130 + static_cast<unsigned>(scene), 0.2);
    const Vec3 shift = s.along(0.02, 0.03, 0);
    if (scene == 0) s.ball("one", 1, 0.2, s.at(0, 0, 0.19)), s.ball("two", 2, 0.3, s.at(0.2, 0.3, 0.49));
    if (scene == 1)
      s.box("one", 1, Vec3(0.4, 0.4, 0.2), s.at(0, 0, 0.09)),
          s.box("two", 1, Vec3(0.3, 0.3, 0.1), s.at(0.1, 0.12, 0.23));
    if (scene == 2)
      s.box("one", 1, Vec3(0.4, 0.4, 0.2), s.at(0, 0, 0.09)), s.ball("two", 1, 0.1, s.at(0.25, 0.05, 0.2));
    if (scene >= 3) {
      s.box("one", 1, Vec3(0.4, 0.4, 0.2), s.at(0, 0, 0.09));
      const Vec3 center = s.at(0.1, 0, scene == 3 ? 0.27 : 0.3);
      s.builder.body("two", 1, center, Mat3(0.01 * Mat3::Identity())).free("free_two", "ground", "two");
      const Vec3 axis = scene == 3   ? s.along(0.3, 0.1, 0.002)
                        : scene == 4 ? s.along(0.15, 0.1, 0.15)
                                     : s.along(0.1, 0.35, 0.1);
      s.builder.add(GeometrySpec{
          .body = Name("two"), .shape = CapsuleShape{Place(center - axis + shift), Place(center + axis + shift), 0.1}});
    }
    ContactSpec touch = s.contact({"one", "two", "floor"}, 2e3, 0.3, 0.6);
    if (scene == 0) touch.exponent = 1.5, touch.tangential_stiffness = 900.0;
    s.builder.add(touch);
    const auto model = std::make_shared<const BodyModel<3>>(s.builder.build());
    const Assembly<3> assembly = assemble(*model);
    const CartesianFormulation<3> formulation(model, assembly.bodies, assembly.length);
    const auto work = formulation.make_workspace();
    Context state;
    formulation.start(state, *work);
    const int n = formulation.structure().coordinates, m = formulation.structure().constraints;
    const auto force = [&](const VecX& q, const VecX& v) {
      formulation.position(0.1, q, state, *work);
      formulation.velocity(v, *work);
      formulation.dynamics(*work);
      return VecX(-work->equations.force);
    };
    for (int sample = 0; sample < 6; ++sample) {
      const VecX q = state.q + VecX(VecX::NullaryExpr(n, [&] { return number(1e-3); }));
      const VecX v = VecX(VecX::NullaryExpr(n, [&] { return number(sample % 2 == 0 ? 0.3 : 0.002); }));
      force(q, v);
      touching += static_cast<int>(model
                                       ->touching(formulation.kinematics(*work),
                                                  state.memory.tail(model->load_memory() + model->counted_angles() + 1))
                                       .size());
      MotionDerivatives d(formulation.structure());
      formulation.differentiate(VecX::Zero(n), VecX::Zero(m), *work, d);
      EXPECT_LT(
          relative_deviation(d.stiffness.full(), differences([&](const VecX& x) { return force(x, v); }, q, 2e-6)),
          1e-5)
          << scene;
      EXPECT_LT(relative_deviation(d.damping.full(), differences([&](const VecX& x) { return force(q, x); }, v, 1e-5)),
                1e-5)
          << scene;
    }
  }
  EXPECT_GT(touching, 100);
}

TEST(Contact, IsRestoredBitForBit) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const char* integrator : {"trapezoidal", "hht", "sdirk3", "rk4"}) {
      if (!why_not(formulation.name, integrator).empty()) continue;
      if (formulation.name == "recursive" && std::string(integrator) != "rk4") continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + integrator);
      Slope s("box", 150, 0.6);
      s.box("box", 2, Vec3(0.3, 0.2, 0.1), s.at(0, 0, 0.06));
      s.builder.add(s.contact({"box", "floor"}, 1e5, 0.5, 0.3)).angular_velocity("box", s.along(0.3, 1, 2));
      const Mechanism mechanism = s.builder.build();
      const RunOptions options = options_of(std::string(formulation.name), 5e-4, 1, integrator);
      Simulation one(mechanism, options), two(mechanism, options);
      for (int i = 0; i < 200; ++i) ASSERT_EQ(one.step(), StepStatus::ok);
      two.restore(one.state());
      for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(one.step(), StepStatus::ok);
        ASSERT_EQ(two.step(), StepStatus::ok);
      }
      EXPECT_TRUE(one.body(0).position == two.body(0).position);
      EXPECT_TRUE(one.state().memory == two.state().memory);
      EXPECT_GT(one.state().memory.norm(), 1);
      ++runs;
    }
  }
  EXPECT_GE(runs, 14);
}

}  // namespace
}  // namespace cardan
