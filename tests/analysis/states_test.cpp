// Rest, modes and inverse dynamics of models with states of their own: against mechanisms without states that rest in
// the same place, against linearize() of a System, against closed forms.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "follow.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// Two links under gravity, in a plane or turned in space; motors are added.
MechanismBuilder two_links(const RandomPlace& p, bool planar) {
  MechanismBuilder b("two links");
  b.planar(planar).gravity(9.81 * p.along(0.3, -0.9, planar ? 0 : 0.2));
  b.rod("one", p.at(0, 0), p.at(1, 0.3), 2, 0.05);
  b.rod("two", p.at(1, 0.3), p.at(1.8, -0.2), 1, 0.05);
  if (planar) {
    b.revolute("hinge", "ground", "one", p.at(0, 0)).revolute("elbow", "one", "two", p.at(1, 0.3));
  } else {
    b.revolute("hinge", "ground", "one", p.at(0, 0), p.along(0.1, 0.2, 1));
    b.revolute("elbow", "one", "two", p.at(1, 0.3), p.along(0.3, -0.2, 1));
  }
  return b;
}

void expect_no_rates(const Mechanism& mechanism, const Equilibrium& rest) {
  ASSERT_EQ(rest.states.size(), mechanism.states.size());
  for (std::size_t i = 0; i < rest.states.size(); ++i)
    EXPECT_EQ(rest.value(mechanism.states[i].name), rest.states[i]) << mechanism.states[i].name;
}

/// A filter in front of a motor changes how it moves, not where it rests.
TEST(AnalysesWithStates, AFilteredMotorRestsWhereASpringDoes) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const RandomPlace p(seed, planar);
      const Mechanism springs =
          two_links(p, planar).torsion("a", "hinge", 90, 1, 0.1).torsion("b", "elbow", 30, 1).build();
      const Mechanism filtered = two_links(p, planar)
                                     .state("seen", 3, follow("(hinge.q - 0.1 - seen)/0.02"))
                                     .state("felt", 0, follow("(90*seen + hinge.v - felt)/0.1"))
                                     .actuator("a", "hinge", follow("-felt"))
                                     .torsion("b", "elbow", 30, 1)
                                     .build();
      const Equilibrium one = find_equilibrium(springs), two = find_equilibrium(filtered);
      ASSERT_TRUE(one.converged) << one.reason;
      ASSERT_TRUE(two.converged) << two.reason;
      for (const char* column : {"hinge.q", "elbow.q"})
        EXPECT_NEAR(one.value(column), two.value(column), 1e-9) << column;
      EXPECT_NEAR(two.value("seen"), two.value("hinge.q") - 0.1, 1e-10);
      EXPECT_EQ(one.unstable, two.unstable);
      expect_no_rates(filtered, two);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6);
}

/// An integral rests only where the error is zero; what it then is, gravity decides.
TEST(AnalysesWithStates, AnIntegralRestsWhereTheErrorIsZero) {
  for (const bool planar : {true, false}) {
    const RandomPlace p(4, planar);
    const Mechanism mechanism = two_links(p, planar)
                                    .state("sum", 0, follow("0.25 - hinge.q"))
                                    .actuator("a", "hinge", follow("60*(0.25 - hinge.q) + 20*sum - 5*hinge.v"))
                                    .torsion("b", "elbow", 30, 1)
                                    .build();
    const Equilibrium rest = find_equilibrium(mechanism);
    ASSERT_TRUE(rest.converged) << rest.reason;
    EXPECT_NEAR(rest.value("hinge.q"), 0.25, 1e-10);
    EXPECT_LT(rest.force, 1e-7);
    EXPECT_LT(rest.moment, 1e-7);
    const Mechanism held =
        two_links(p, planar).driver("a", "hinge", Function::constant(0.25)).torsion("b", "elbow", 30, 1).build();
    const Equilibrium same = find_equilibrium(held);
    ASSERT_TRUE(same.converged) << same.reason;
    EXPECT_NEAR(20 * rest.value("sum"), same.value("a.effort"), 1e-6 * std::abs(same.value("a.effort")));
    expect_no_rates(mechanism, rest);
  }
}

/// A tank whose leak the motion shuts: where it is shut nothing changes what is in it, which stays.
TEST(AnalysesWithStates, AStateThatNothingChangesWhereAllRestsStays) {
  MechanismBuilder b("tank");
  b.planar().body("valve", 2, {0, 0}, 0.1).prismatic("slide", "ground", "valve", {0, 0}, "x");
  b.state("inside", 2, follow("-max(0, 0.1 - slide.q)*inside"));
  b.actuator("push", "slide", follow("20 + inside - 100*slide.q - slide.v"));
  const Equilibrium rest = find_equilibrium(b.build());
  ASSERT_TRUE(rest.converged) << rest.reason;
  EXPECT_NEAR(rest.value("slide.q"), 0.2, 1e-9);  // it had run empty while the leak was open
  EXPECT_NEAR(rest.value("inside"), 0, 1e-9);
}

TEST(AnalysesWithStates, StatesThatCannotRestAreNamed) {
  const RandomPlace p(1, true);
  const auto with = [&](const std::string& rate) {
    return find_equilibrium(
        two_links(p, true).state("total", 2, follow(rate)).torsion("a", "hinge", 90).torsion("b", "elbow", 30).build());
  };
  for (const auto& [rate, said] : {std::pair("1 + 0*t", "its rate is 1 wherever"),
                                   {"3*hinge.v", "velocities alone"},
                                   {"exp(total) + 1", "state 'total'"}}) {
    const Equilibrium rest = with(rate);
    EXPECT_FALSE(rest.converged) << rate;
    EXPECT_NE(rest.reason.find("'total'"), std::string::npos) << rest.reason;
    EXPECT_NE(rest.reason.find(said), std::string::npos) << rest.reason;
  }
  const Equilibrium still = with("0*t");
  EXPECT_TRUE(still.converged) << still.reason;
  EXPECT_EQ(still.value("total"), 2);
}

/// About a position of rest `modes` has the eigenvalues of the matrix that linearize() finds by differences.
TEST(AnalysesWithStates, ModesAreTheEigenvaluesOfTheLinearSystem) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const RandomPlace p(seed, planar);
      MechanismBuilder b = two_links(p, planar);
      b.gravity(Vec3::Zero());  // so that it rests as drawn, with the states at their starts
      b.state("seen", 0, follow("(hinge.q - seen)/0.05 + 0.3*elbow.v"));
      b.state("sum", 0, follow("-2*hinge.q + elbow.q"));
      b.actuator("a", "hinge", follow("-40*seen - 3*hinge.v + 5*sum"));
      b.actuator("b", "elbow", follow("-25*elbow.q - 2*elbow.v + 4*seen"));
      const Mechanism mechanism = b.build();
      const Linearization rest = linearize(mechanism);
      EXPECT_LT(rest.force + rest.moment, 1e-12);
      const System system(mechanism, "hybrid");
      const Eigen::VectorXcd values = linearize(system, system.start()).A.eigenvalues();
      ASSERT_EQ(values.size(), 6);
      const double fastest = values.cwiseAbs().maxCoeff();
      int found = 0;
      for (const auto& value : values) {
        double nearest = 1e300;
        for (const Mode& mode : rest.modes)
          nearest =
              std::min({nearest, std::abs(value - mode.eigenvalue), std::abs(value - std::conj(mode.eigenvalue))});
        EXPECT_LT(nearest, 1e-7 * fastest) << value;
        ++found;
      }
      const Eigen::VectorXcd own = rest.state_matrix.eigenvalues();
      for (const auto& value : own) {
        double nearest = 1e300;
        for (const auto& other : values) nearest = std::min(nearest, std::abs(value - other));
        EXPECT_LT(nearest, 1e-7 * fastest) << value;
      }
      compared += found;
    }
  }
  EXPECT_EQ(compared, 4 * 6);
}

/// A state that nothing moves, and one that decays, of a mechanism that drivers hold.
TEST(AnalysesWithStates, StatesOfAHeldMechanismHaveModes) {
  const RandomPlace p(2, true);
  const Mechanism mechanism = two_links(p, true)
                                  .driver("a", "hinge", Function::constant(0))
                                  .driver("b", "elbow", Function::constant(0))
                                  .state("decays", 0, follow("-4*decays"))
                                  .state("stays", 1, follow("0*t"))
                                  .build();
  const Linearization rest = linearize(mechanism);
  ASSERT_EQ(rest.modes.size(), 2u);
  EXPECT_TRUE(rest.modes[0].rigid);
  EXPECT_NEAR(rest.modes[1].eigenvalue.real(), -4, 1e-12);
}

/// Driven by q = sin(w t), a filter T z' = q - z is known in closed form; a motor that follows it takes its torque from
/// the driver's effort. The trapezoidal rule has order 2.
TEST(AnalysesWithStates, StatesFollowAGivenMotion) {
  constexpr double kFrequency = 3, kTime = 0.2, kGain = 50;
  const double wT = kFrequency * kTime;
  const auto filtered = [&](double t) {
    return (std::sin(kFrequency * t) - wT * std::cos(kFrequency * t) + wT * std::exp(-t / kTime)) / (1 + wT * wT);
  };
  for (const bool planar : {true, false}) {
    const RandomPlace p(3, planar);
    const auto path = Function::expression("sin(3*t)", "t");
    const Mechanism plain =
        two_links(p, planar).driver("a", "hinge", path).driver("b", "elbow", Function::constant(0.1)).build();
    const Mechanism helped = two_links(p, planar)
                                 .driver("a", "hinge", path)
                                 .driver("b", "elbow", Function::constant(0.1))
                                 .state("seen", 0, follow("(hinge.q - seen)/0.2"))
                                 .actuator("motor", "hinge", follow("-50*seen"))
                                 .build();
    double errors[2];
    for (const int fine : {0, 1}) {
      const InverseOptions options{.step = fine ? 0.01 : 0.02, .until = 1};
      const InverseDynamics one = inverse_dynamics(plain, options), two = inverse_dynamics(helped, options);
      errors[fine] = 0;
      for (std::size_t i = 0; i < one.time.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const double motor = -kGain * filtered(one.time[i]);
        errors[fine] = std::max(errors[fine], std::abs(two.effort(row, 0) + motor - one.effort(row, 0)));
      }
      EXPECT_LT(errors[fine], 0.01 * kGain);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1);
  }
}

}  // namespace
}  // namespace cardan
