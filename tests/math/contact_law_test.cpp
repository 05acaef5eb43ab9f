// The law of one contact: rebound, depth of an impact, damping at rest, tangents.
#include "math/contact/contact_law.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::contact_law_test {
namespace {

ContactLaw law_of(double restitution, double exponent) {
  ContactLaw law{.stiffness = 1e4, .exponent = exponent, .damping = restitution_damping(restitution)};
  law.share = elastic_share(law.damping);
  return law;
}

struct Impact {
  double rebound = 0, depth = 0;
};

/// The motion of a mass against the law, in small steps.
Impact meet(const ContactLaw& law, double speed, double mass, const ContactPast& past) {
  Impact result;
  double d = 1e-12, v = speed;
  const double h = 1e-6;
  const auto acceleration = [&](double depth, double rate) {
    return depth > 0 ? -NormalForce<double>(law, depth, rate, past).force / mass : 0.0;
  };
  for (int i = 0; i < 100000000 && d > 0; ++i) {
    const double a1 = acceleration(d, v), a2 = acceleration(d + 0.5 * h * v, v + 0.5 * h * a1);
    d += h * (v + 0.5 * h * a1);
    v += h * a2;
    result.depth = std::max(result.depth, d);
  }
  result.rebound = -v / speed;
  return result;
}

TEST(ContactLaw, ReboundsWithTheRestitutionThatIsGiven) {
  for (const double e : {0.02, 0.1, 0.2, 0.5, 0.8, 0.95, 1.0}) {
    EXPECT_NEAR(meet(law_of(e, 1), 2, 0.5, {.began = 2}).rebound, e, 1e-3 + 1e-3 * e) << e;
    EXPECT_NEAR(meet(law_of(e, 1.5), 0.3, 3, {.began = 0.3}).rebound, e, 1e-3 + 1e-3 * e) << e;
  }
  // Hunt and Crossley's own value, for little damping.
  EXPECT_NEAR(restitution_damping(0.999), 1.5 * 0.001, 2e-6);
}

/// So that the damping at rest, which goes by the depth, is no other for an impact of the two bodies.
TEST(ContactLaw, AnImpactIsAsDeepAsItsEnergySays) {
  for (const double e : {0.3, 0.5, 0.8, 1.0}) {
    for (const double exponent : {1.0, 1.5}) {
      const ContactLaw law = law_of(e, exponent);
      const double mass = 0.7, speed = 1.5;
      const Impact impact = meet(law, speed, mass, {.began = speed});
      const double elastic = law.stiffness * std::pow(impact.depth, exponent + 1) / (exponent + 1);
      EXPECT_NEAR(elastic, law.share * mass * speed * speed, 1e-3 * mass * speed * speed) << e << " " << exponent;
      const Impact settled = meet(law, speed, mass, {.mass = mass, .began = speed, .settled = true});
      EXPECT_NEAR(settled.rebound, e, 1e-3 + 1e-3 * e) << e << " " << exponent;
    }
  }
}

/// Critically at most, however heavy the load, and not less than an impact is.
TEST(ContactLaw, AtRestIsDampedAsAnImpactThatWentAsDeep) {
  int critical = 0;
  for (const double e : {0.01, 0.1, 0.2, 0.3, 0.5, 0.8}) {
    const ContactLaw law = law_of(e, 1);
    for (const double load : {1.0, 10.0, 1e3, 1e5}) {
      const double mass = 0.5, unit = std::sqrt(law.stiffness * mass), s = law.damping;
      const NormalForce<double> at_rest(law, load / law.stiffness, 0, {.mass = mass, .settled = true});
      EXPECT_NEAR(at_rest.force, load, 1e-12 * load);
      const double own = std::sqrt(2 * (s - std::log1p(s))) * unit, most = std::min(own, 2 * unit);
      EXPECT_NEAR(at_rest.damping, std::min(most, s * load / law.speed), 1e-9 * unit) << e << " " << load;
      critical += own > 2 * unit && s * load / law.speed > most ? 1 : 0;
    }
  }
  EXPECT_GE(critical, 6);
}

TEST(ContactLaw, HasTheTangentsOfItsForces) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  using Number = Dual<2>;
  int pressed = 0, critical = 0, slips = 0;
  for (int i = 0; i < 400; ++i) {
    ContactLaw law = law_of(0.5 + 0.45 * number(random), i % 2 == 0 ? 1 : 1.5);
    law.friction = 0.4, law.tangential = 5e3, law.rolling = 0.03;
    const ContactPast past{.mass = i % 5 == 0 ? 0.0 : 0.3 + 0.2 * number(random),
                           .began = 0.2 * std::abs(number(random)),
                           .settled = i % 3 != 0};
    const double d = 1e-3 * (1.2 + number(random)), v = 0.1 * number(random);
    const NormalForce<Number> exact(law, Number::variable(d, 0), Number::variable(v, 1), past);
    const NormalForce<double> now(law, d, v, past);
    if (!(now.force > 0)) continue;
    const auto force = [&](double depth, double rate) { return NormalForce<double>(law, depth, rate, past).force; };
    const double h = 1e-9, scale = law.stiffness;
    EXPECT_NEAR((force(d + h, v) - force(d - h, v)) / (2 * h), now.stiffness, 1e-4 * scale) << i;
    EXPECT_NEAR((force(d, v + h) - force(d, v - h)) / (2 * h), now.damping, 1e-4 * scale) << i;
    EXPECT_NEAR(exact.force.d[0], now.stiffness, 1e-9 * scale) << i;
    EXPECT_NEAR(exact.force.d[1], now.damping, 1e-9 * scale) << i;
    pressed += now.damping < 0.99 * now.elastic * law.damping / std::max(past.began, law.speed) && now.damping > 0;

    // Along the surface: by the load and by the velocity.
    const SmallVector<double, 3> x{{1e-3 * number(random), 0, 0}}, slide{{0, 0.2 * number(random), 0}};
    const SmallVector<Number, 3> fixed{{Number(x[0]), Number(0), Number(0)}};
    const SmallVector<Number, 3> moving{{Number(0), Number::variable(slide[1], 1), Number(0)}};
    const FrictionForce<Number> tangent(law, Number::variable(now.force, 0), fixed, moving, past);
    const auto friction = [&](double load, double rate) {
      return FrictionForce<double>(law, load, x, SmallVector<double, 3>{{0, rate, 0}}, past).force;
    };
    for (int row = 0; row < 2; ++row) {
      const double by_load =
          (friction(now.force + 1e-6, slide[1])[row] - friction(now.force - 1e-6, slide[1])[row]) / 2e-6;
      const double by_speed =
          (friction(now.force, slide[1] + 1e-8)[row] - friction(now.force, slide[1] - 1e-8)[row]) / 2e-8;
      EXPECT_NEAR(tangent.force[row].d[0], by_load, 1e-5) << i;
      EXPECT_NEAR(tangent.force[row].d[1], by_speed, 1e-3) << i;
    }
    critical += past.mass > 0 && tangent.by_limit == 0 ? 1 : 0;
    slips += tangent.slips ? 1 : 0;
  }
  EXPECT_GT(pressed, 30);
  EXPECT_GT(critical, 20);
  EXPECT_GT(slips, 20);
}

}  // namespace
}  // namespace cardan::contact_law_test
