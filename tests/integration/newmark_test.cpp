// The Newmark family on conservative and damped mechanisms: order of convergence, dissipation where theory says,
// energy.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <complex>
#include <map>

#include "cardan/builder.hpp"
#include "integration/linkages.hpp"
#include "integration/newmark_rule.hpp"
#include "last_sample.hpp"
#include "options/applicable_options.hpp"
#include "sprung_mass.hpp"

namespace cardan {
namespace {

/// A spatial closed loop (revolute, spherical, universal, revolute) with springs: its mass matrix depends on the
/// position in relative coordinates, and nothing is lost.
Mechanism conservative_loop() {
  MechanismBuilder b("loop");
  b.gravity({0, 0, -9.81});
  const Vec3 a(0, 0, 0), p(0.1, 0.25, 0.2), q(0.9, 0.35, 0.3), c(1, 0, 0);
  b.cylinder("crank", a, p, 0.03, 0.7);
  b.cylinder("coupler", p, q, 0.02, 0.9);
  b.cylinder("rocker", c, q, 0.04, 1.1);
  b.revolute("pin1", "ground", "crank", a, Direction(1, 0.1, 0));
  b.spherical("ball", "crank", "coupler", p);
  b.universal("cross", "coupler", "rocker", q, Direction(Vec3(0, 0.3, -0.35)), Direction(Vec3(1, 0, 0)));
  b.revolute("pin2", "ground", "rocker", c, Direction(0.2, 1, 0));
  b.spring("spring", "ground", "coupler", Vec3(0.4, 0.5, -0.6), Vec3(0.5, 0.3, 0.25), 60);
  b.angular_velocity("crank", {std::nan(""), std::nan(""), std::nan("")});
  b.joint_velocity("pin1", 2);
  return b.build();
}

/// Log2 of how the error at the end falls when the step is halved, against a fine run of the trapezoidal rule.
double order(const Mechanism& mechanism, const std::string& formulation, const std::string& integrator, double step,
             double dissipation) {
  static std::map<const Mechanism*, FinishedRun> references;
  if (!references.count(&mechanism)) references[&mechanism] = finish(mechanism, options_of("hybrid", 1e-5, 0.5));
  double error[2];
  for (int i = 0; i < 2; ++i) {
    RunOptions options = options_of(formulation, i == 0 ? step : step / 2, 0.5, integrator);
    if (integrator == "newmark" || integrator == "hht") options.dissipation = dissipation;
    const FinishedRun run = finish(mechanism, options);
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    error[i] = LastSample::difference(run.last, references[&mechanism].last, mechanism);
  }
  return std::log2(error[0] / error[1]);
}

TEST(Newmark, HasTheOrderOfTheoryInEveryFormulation) {
  const Mechanism loop = conservative_loop();
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    EXPECT_NEAR(order(loop, formulation, "trapezoidal", 1e-3, 0), 2, 0.1) << formulation;
    EXPECT_NEAR(order(loop, formulation, "hht", 1e-3, 0.2), 2, 0.1) << formulation;
    EXPECT_NEAR(order(loop, formulation, "generalized-alpha", 1e-3, 0), 2, 0.1) << formulation;
    EXPECT_NEAR(order(loop, formulation, "newmark", 5e-4, 0.1), 1, 0.15) << formulation;
  }
}

TEST(Newmark, TrapezoidalEnergyErrorFallsWithTheSquareOfTheStep) {
  const Mechanism loop = conservative_loop();
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    const double coarse = finish(loop, options_of(formulation, 2e-3, 1)).summary.energy_max_error;
    const double fine = finish(loop, options_of(formulation, 1e-3, 1)).summary.energy_max_error;
    EXPECT_NEAR(coarse / fine, 4, 0.6) << formulation << " " << coarse << " " << fine;
  }
}

/// One mass on a spring, omega h = 20: what the rule leaves of the amplitude (by the energy) of a frequency far beyond
/// its step.
double amplitude_after_ten_steps(const std::string& integrator, double dissipation, double spectral_radius) {
  MechanismBuilder b("oscillator");
  b.planar().gravity({0, 0, 0});
  b.body("mass", 1, Vec3(1, 0, 0), 1.0);
  b.prismatic("slide", "ground", "mass", Vec3(1, 0, 0), Direction(1, 0, 0));
  JointSpringSpec spring{.name = "spring", .joint = "slide", .torsion = false};
  spring.stiffness = 4e6;
  b.add(spring);
  b.joint_position("slide", 0.1);
  RunOptions options = options_of("hybrid", 0.01, 0.1, integrator);
  options.dissipation = dissipation;
  options.spectral_radius = spectral_radius;
  const FinishedRun run = finish(b.build(), without_foreign_options(options));
  return std::sqrt(run.summary.energy_final / run.summary.energy_initial);
}

TEST(Newmark, DissipatesWhereTheorySays) {
  // The trapezoidal rule keeps what it cannot resolve, the others damp it: generalized-alpha by rho a step.
  EXPECT_NEAR(amplitude_after_ten_steps("trapezoidal", 0, 1), 1, 1e-9);
  EXPECT_LT(amplitude_after_ten_steps("newmark", 0.3, 1), 0.3);
  EXPECT_LT(amplitude_after_ten_steps("hht", 0.3, 1), 0.3);
  EXPECT_LT(amplitude_after_ten_steps("generalized-alpha", 0, 0.5), 0.1);
}

/// Eigenvalues of one step of the rule on q'' = -w^2 q, by (q, v, a) at its start; the true acceleration is -w^2 q.
Eigen::Vector3cd amplification(const NewmarkRule& r, double wh) {
  Eigen::Matrix3d step;
  for (int k = 0; k < 3; ++k) {
    const double q = k == 0, v = k == 1, a = k == 2, w2 = wh * wh;  // h = 1
    // (1 - df) A1 = (1 - dm) (a + d / b) + dm a - df A0 with A1 = -w^2 (q + v + a/2 + d)
    const double known = (1 - r.df) * w2 * (q + v + a / 2) + a + r.df * w2 * q;
    const double d = -known / ((1 - r.df) * w2 + (1 - r.dm) / r.beta);
    step.col(k) << q + v + a / 2 + d, v + a + r.gamma / r.beta * d, a + d / r.beta;
  }
  return step.eigenvalues();
}

double distance(const Eigen::Vector3cd& values, std::complex<double> value) {
  return (values.array() - value).abs().minCoeff();
}

/// The eigenvalue of the motion is exp(i w h) but for h^(p+1), none is beyond 1 at any w h, and at infinite frequency
/// the largest is what is asked for.
TEST(Newmark, HasTheOrderAndTheDampingOfItsParameters) {
  struct {
    NewmarkRule rule;
    double order, radius;
  } const cases[] = {{NewmarkRule::trapezoidal(), 2, 1},
                     {NewmarkRule::newmark(0.2), 1, -1},
                     {NewmarkRule::hht(0.2), 2, -1},
                     {NewmarkRule::generalized_alpha(0), 2, 0},
                     {NewmarkRule::generalized_alpha(0.3), 2, 0.3},
                     {NewmarkRule::generalized_alpha(0.8), 2, 0.8},
                     {NewmarkRule::generalized_alpha(1), 2, 1}};
  for (const auto& [rule, order, radius] : cases) {
    const double coarse = distance(amplification(rule, 0.02), std::polar(1.0, 0.02));
    const double fine = distance(amplification(rule, 0.01), std::polar(1.0, 0.01));
    EXPECT_NEAR(std::log2(coarse / fine), order + 1, 0.1) << radius;
    for (double wh = 0.01; wh < 1e4; wh *= 1.3)
      EXPECT_LE(amplification(rule, wh).cwiseAbs().maxCoeff(), 1 + 1e-7) << wh;
    if (radius >= 0) EXPECT_NEAR(amplification(rule, 1e6).cwiseAbs().maxCoeff(), radius, 1e-3) << radius;
  }
}

/// With d as the unknown or with A1: the same motion, for any rule, state and step.
TEST(Newmark, IsTheSameRuleByDisplacementAndByAcceleration) {
  std::srand(17);
  int compared = 0;
  for (const NewmarkRule& rule : {NewmarkRule::trapezoidal(), NewmarkRule::newmark(0.3), NewmarkRule::hht(0.25),
                                  NewmarkRule::generalized_alpha(0.2), NewmarkRule::generalized_alpha(0.9)}) {
    for (const double h : {1e-3, 0.02, 0.7}) {
      const VecX q0 = VecX::Random(5), v0 = VecX::Random(5), a0 = VecX::Random(5), A0 = VecX::Random(5);
      const NewmarkRule::Start start{q0, v0, a0, A0};
      const VecX d = h * h * VecX::Random(5);
      VecX q(5), v(5), a(5), A(5), known_q(5), known_v(5), known_a(5);
      rule.predict(h, start, known_q, known_v);
      rule.expressions(h, start, known_q, known_v, d, q, v, a, A);
      rule.known_parts(h, start, known_q, known_v, known_a);
      EXPECT_LT((known_a + rule.c() * A - a).norm(), 1e-13 * a.norm()) << h;
      EXPECT_LT((known_v + rule.in_velocity(h) * A - v).norm(), 1e-13 * v.norm()) << h;
      EXPECT_LT((known_q + rule.in_position(h) * A - q).norm(), 1e-13 * q.norm()) << h;
      if (rule.dm == 0 && rule.df == 0 && rule.gamma == 0.5) {
        EXPECT_LT((v0 + h / 2 * (a0 + A) - v).norm(), 1e-13) << "the trapezoidal rule";
        EXPECT_LT((q0 + h / 2 * (v0 + v) - q).norm(), 1e-13) << "the trapezoidal rule";
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 15);
}

TEST(Newmark, ViolationsStayAtTheToleranceAwayFromSingularPositions) {
  const Mechanism loop = conservative_loop();
  for (const char* formulation : {"global", "hybrid"}) {
    for (const char* integrator : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
      for (double step : {1e-3, 5e-3}) {
        const RunSummary summary = finish(loop, options_of(formulation, step, 2, integrator)).summary;
        EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
        EXPECT_LT(summary.position.value, 1e-8) << formulation << " " << integrator;
        EXPECT_LT(summary.velocity.value, 1e-8) << formulation << " " << integrator;
        EXPECT_LT(summary.acceleration.value, 1e-8) << formulation << " " << integrator;
        EXPECT_GT(summary.position.time, 0);
        EXPECT_FALSE(summary.position.constraint.empty());
      }
    }
  }
}

/// A mass on a short cable under a large constant pull, slung sideways: with a step of 0.01 s h^2 / 4 f / s is five
/// times the mass, and an iteration that does not know of it leads away.
Mechanism taut_mass(bool planar, const Vec3& axis, double turn) {
  const Mat3 R = Eigen::AngleAxisd(turn, axis.normalized()).toRotationMatrix();
  const Vec3 anchor = R * Vec3(0.3, -0.2, 0), centre = anchor + R * Vec3(0.05, 0, 0);
  SpringSpec cable{.name = "cable", .free_length = Number(0.05)};
  cable.force = Located<Function>(Function::polynomial({2e4, 4e7}));
  MechanismBuilder b = sprung_mass(planar, 2, anchor, centre, cable);
  b.velocity("mass", R * Vec3(0, 2, 0));
  return b.build();
}

TEST(Newmark, ConvergesUnderALargePreloadOverAShortLength) {
  int ran = 0;
  for (bool planar : {true, false}) {
    const Mechanism taut = taut_mass(planar, planar ? Vec3(0, 0, 1) : Vec3(0.3, -0.7, 0.4), 0.8);
    for (const char* formulation : {"global", "hybrid", "topological", "cartesian"}) {
      for (const char* integrator : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
        if (std::string(formulation) == "cartesian" && std::string(integrator) == "trapezoidal") continue;
        const RunSummary summary = finish(taut, options_of(formulation, 0.01, 0.2, integrator)).summary;
        EXPECT_EQ(summary.status, RunStatus::ok) << planar << formulation << integrator << " " << summary.reason;
        EXPECT_LT(static_cast<double>(summary.iterations) / static_cast<double>(summary.steps), 12)
            << planar << formulation << integrator;
        ++ran;
      }
    }
  }
  EXPECT_EQ(ran, 30);
}

/// A tangent that is kept to the end of the iteration changes what steps cost, and their error by less than a tenth:
/// what iterations leave, by their tolerance a thousandth of what a step moves beyond constant accelerations, and along
/// which rows velocities are projected.
TEST(Newmark, KeepsItsTangentWhereItHardlyChanges) {
  for (const Mechanism& mechanism : {conservative_loop(), closed_four_bar(), chain_in_space()}) {
    for (const char* rule : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
      SCOPED_TRACE(mechanism.name + " " + rule);
      RunOptions options = options_of("hybrid", 5e-3, 1, rule);
      const FinishedRun run = finish(mechanism, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_LT(run.summary.factorizations, 1.2 * static_cast<double>(run.summary.steps));
      EXPECT_EQ(run.summary.evaluations, run.summary.iterations);
      options.tolerance = 1e-13;  // every increment with a tangent of its own
      const FinishedRun exact = finish(mechanism, options);
      EXPECT_EQ(exact.summary.factorizations, exact.summary.iterations);
      options.step /= 16;
      const FinishedRun finer = finish(mechanism, options);
      EXPECT_LT(LastSample::difference(run.last, finer.last, mechanism),
                1.1 * LastSample::difference(exact.last, finer.last, mechanism));
    }
  }
}

TEST(Newmark, TakesAFixedBudgetOfIterations) {
  RunOptions options = options_of("hybrid", 5e-3, 1);
  options.iterations = 2;
  const RunSummary summary = finish(conservative_loop(), options).summary;
  EXPECT_EQ(summary.status, RunStatus::ok);
  EXPECT_EQ(summary.iterations, 2 * summary.steps);
}

}  // namespace
}  // namespace cardan
