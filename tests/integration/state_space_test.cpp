// Integration in independent coordinates: orders, Newton's convergence, changes of the split, dense output, restoring,
// failures.
#include <gtest/gtest.h>

#include <algorithm>

#include "cardan/io.hpp"
#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "integration/state_space/state_space_integrator.hpp"
#include "last_sample.hpp"
#include "options/integrators.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

RunOptions controlled(const std::string& integrator, double tolerance, double until) {
  RunOptions options = options_of("cartesian", 0.01, until, integrator);
  options.step_control = "error";
  options.absolute_tolerance = options.relative_tolerance = tolerance;
  return options;
}

/// All moving links turn fully (the ground link is the shortest), no position is singular, and no coordinate is a good
/// independent one all the way.
Mechanism turning_four_bar() {
  MechanismBuilder b("turning four-bar");
  b.planar().gravity({0, -9.81, 0});
  b.rod("crank", Vec3(0, 0, 0), Vec3(0, 1, 0), 1);
  b.rod("coupler", Vec3(0, 1, 0), Vec3(0.9, 0.8, 0), 1);
  b.rod("rocker", Vec3(0.3, 0, 0), Vec3(0.9, 0.8, 0), 1);
  b.revolute("A", "ground", "crank", Vec3(0, 0, 0)).revolute("B", "crank", "coupler", Vec3(0, 1, 0));
  b.revolute("C", "coupler", "rocker", Vec3(0.9, 0.8, 0)).revolute("D", "ground", "rocker", Vec3(0.3, 0, 0));
  b.joint_velocity("A", -8);
  return b.build();
}

class Order : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(Order, IsAsInTheory) {
  const auto [integrator, order] = GetParam();
  for (const Mechanism& mechanism : {loaded_in_plane(), loaded_in_space(false)}) {
    const FinishedRun reference = finish(mechanism, controlled("sdirk4", 1e-12, 0.48));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const char* solver : {"dense", "sparse"}) {
      double error[2];
      for (int i = 0; i < 2; ++i) {
        RunOptions options = options_of("cartesian", order / (i == 0 ? 125 : 250), 0.48, integrator);
        options.step_control = "fixed";
        options.treatment = "independent";
        options.solver = solver;
        const FinishedRun run = finish(mechanism, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        EXPECT_EQ(run.summary.solver_used, solver);
        EXPECT_LT(run.summary.position.value, 1e-12);
        EXPECT_LT(run.summary.velocity.value, 1e-12);
        EXPECT_LT(run.summary.acceleration.value, 1e-11);
        error[i] = LastSample::difference(run.last, reference.last, mechanism);
      }
      EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.3)
          << mechanism.name << " " << solver << " " << error[0] << " " << error[1];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Order,
                         testing::Values(std::pair{"trapezoidal", 2.0}, std::pair{"sdirk4", 4.0},
                                         std::pair{"abm2", 2.0}, std::pair{"rk4", 4.0}, std::pair{"newmark", 1.0},
                                         std::pair{"hht", 2.0}, std::pair{"generalized-alpha", 2.0}),
                         [](const auto& info) {
                           std::string name = info.param.first;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Rules that have a companion are those of which the list of integrators says so.
TEST(Rules, EstimateTheirErrorWhereTheListSaysSo) {
  const Mechanism mechanism = loaded_in_plane();
  auto model = std::make_shared<const BodyModel<2>>(mechanism);
  const Assembly<2> assembly = assemble(*model);
  const CartesianFormulation<2> formulation(model, assembly.bodies, assembly.length);
  const auto work = formulation.make_workspace();
  IndependentMotion motion(formulation, *work);
  int rules = 0;
  for (const RegistryEntry& integrator : integrators()) {
    const IntegratorEntry& entry = integrator_entry(integrator.name);
    if (entry.family == Family::bdf) continue;
    RunOptions options;
    options.integrator = std::string(integrator.name);
    const auto rule = make_state_space_rule(options.integrator, NewmarkRule::for_options(options), motion, {});
    EXPECT_EQ(rule->error_order() > 0, entry.estimates_error) << integrator.name;
    EXPECT_EQ(rule->stages() == nullptr, entry.family == Family::explicit_runge_kutta) << integrator.name;
    ++rules;
  }
  EXPECT_GE(rules, 11);
}

/// Steps that grow until Newton needs four iterations; then e3 = c e2^2 and e2 = c e1^2, so that
/// log(e3/e2) = 2 log(e2/e1).
template <int D>
void check_quadratic(const Mechanism& mechanism) {
  auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const Assembly<D> assembly = assemble(*model);
  const CartesianFormulation<D> formulation(model, assembly.bodies, assembly.length);
  const auto work = formulation.make_workspace();
  StateSpaceSettings settings;
  settings.newton.keep_jacobian = false;
  settings.error.absolute = settings.error.relative = 1e-8;
  settings.length = assembly.length;
  for (double h = 0.02; h < 1; h *= 1.02) {
    StateSpaceIntegrator integrator(formulation, *work, settings);
    Context state;
    formulation.start(state, *work);
    ASSERT_EQ(integrator.start(state), StepStatus::ok);
    if (integrator.step(state, h) != StepStatus::ok || integrator.report().iterations < 4) continue;
    const double* e = integrator.last_increments();
    const double rounding = 1e-5;  // of an increment, in units of 1e-8
    if (e[0] < rounding) continue;
    EXPECT_NEAR(std::log(e[0] / e[1]) / std::log(e[1] / e[2]), 2, 0.3)
        << e[2] << " " << e[1] << " " << e[0] << ", h = " << h;
    return;
  }
  ADD_FAILURE() << "no step was hard enough";
}

TEST(StateSpace, NewtonConvergesQuadratically) {
  check_quadratic<2>(loaded_in_plane());
  check_quadratic<3>(loaded_in_space(false));
}

TEST(StateSpace, KeptAndFreshJacobiansGiveOneMotion) {
  const Mechanism mechanism = loaded_in_space(false);
  RunOptions options = options_of("cartesian", 0.01, 0.5);
  const FinishedRun kept = finish(mechanism, options);
  options.jacobian = "fresh";
  const FinishedRun fresh = finish(mechanism, options);
  EXPECT_LT(LastSample::difference(kept.last, fresh.last, mechanism), 1e-9);
  EXPECT_LT(kept.summary.factorizations, fresh.summary.factorizations / 4);
}

TEST(StateSpace, SplitChangesWithoutLossOfAccuracy) {
  const Mechanism mechanism = turning_four_bar();
  const FinishedRun fine = finish(mechanism, options_of("hybrid", 5e-5, 2));
  for (const char* solver : {"dense", "sparse"}) {
    RunOptions options = controlled("sdirk4", 1e-10, 2);
    options.solver = solver;
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GT(std::abs(run.last["A.q"]), 12);  // two turns and more
    EXPECT_GT(run.summary.repartitions, 3);
    EXPECT_LT(LastSample::difference(run.last, fine.last, mechanism), 1e-5);
    EXPECT_LT(std::abs(run.summary.position.value), 1e-12);
    // Another split is another sparse matrix.
    if (options.solver == "dense") EXPECT_EQ(run.summary.allocations, 0);
    // Energy at the end, where there is no damping, at the order of the tolerance.
    EXPECT_NEAR(run.summary.energy_final, run.summary.energy_initial, 1e-5);
  }
}

/// The algorithmic acceleration goes along to other independent coordinates: without it, or with a wrong one, every
/// change would cost a part of h^2 of a velocity, and many of them an order.
TEST(StateSpace, TheNewmarkFamilyKeepsItsOrderWhereTheSplitChanges) {
  const Mechanism mechanism = turning_four_bar();
  const FinishedRun exact = finish(mechanism, controlled("sdirk4", 1e-12, 1));
  for (const auto& [integrator, order] :
       {std::pair("newmark", 1), std::pair("hht", 2), std::pair("generalized-alpha", 2)}) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      RunOptions options = options_of("cartesian", i == 0 ? 1e-3 : 5e-4, 1, integrator);
      options.treatment = "independent";
      const FinishedRun run = finish(mechanism, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_GT(run.summary.repartitions, 3);
      EXPECT_EQ(run.summary.allocations, 0);
      error[i] = LastSample::difference(run.last, exact.last, mechanism);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), order, 0.1) << integrator << " " << error[0] << " " << error[1];
  }
}

/// newmark without dissipation is the trapezoidal rule, whichever way the constraints are held.
TEST(StateSpace, OneRuleIsOneMotionInEachTreatment) {
  const Mechanism mechanism = loaded_in_space(false);
  std::vector<FinishedRun> runs;
  for (const char* treatment : {"augmented", "independent"}) {
    for (const char* integrator : {"trapezoidal", "newmark", "generalized-alpha"}) {
      RunOptions options = options_of("cartesian", 0.005, 0.3, integrator);
      options.treatment = treatment;
      if (options.integrator == "newmark") options.dissipation = 0;
      if (options.integrator == "generalized-alpha") options.spectral_radius = 1;
      runs.push_back(finish(mechanism, options));
      ASSERT_EQ(runs.back().summary.status, RunStatus::ok) << runs.back().summary.reason;
      EXPECT_EQ(runs.back().summary.treatment_used, treatment);
    }
  }
  EXPECT_EQ(runs[0].last.row(), runs[1].last.row());
  EXPECT_EQ(runs[3].last.row(), runs[4].last.row());
  // Not the same bits: these hold dm = df = 1/2, whose errors are those of the trapezoidal rule up to order three.
  EXPECT_LT(LastSample::difference(runs[2].last, runs[5].last, mechanism), 2e-3);
  EXPECT_LT(LastSample::difference(runs[0].last, runs[3].last, mechanism), 2e-3);
}

/// The difference to the embedded method is that of theory: the step goes with the fifth root of the tolerance, and
/// what is asked for is what comes.
TEST(StateSpace, Dopri5HoldsItsTolerance) {
  const Mechanism mechanism = turning_four_bar();
  const FinishedRun exact = finish(mechanism, controlled("sdirk4", 1e-12, 1));
  std::int64_t steps[2];
  for (int i = 0; i < 2; ++i) {
    RunOptions options = controlled("dopri5", i == 0 ? 1e-6 : 1e-6 / 1024, 1);
    options.step = 1;  // samples shorten no step
    options.treatment = "independent";
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_GT(run.summary.repartitions, 0);
    EXPECT_EQ(run.summary.allocations, 0);
    EXPECT_LT(LastSample::difference(run.last, exact.last, mechanism), 300 * options.absolute_tolerance);
    steps[i] = run.summary.steps;
  }
  EXPECT_NEAR(static_cast<double>(steps[1]) / static_cast<double>(steps[0]), 4, 0.8);
}

TEST(StateSpace, NothingIsAllocatedOnTheWay) {
  for (const char* integrator : {"trapezoidal", "sdirk4", "abm2", "rk4"}) {
    for (const Mechanism& mechanism : {loaded_in_plane(), loaded_in_space(false)}) {
      EXPECT_EQ(finish(mechanism, options_of("cartesian", 0.01, 0.3, integrator)).summary.allocations, 0) << integrator;
    }
  }
  EXPECT_EQ(finish(loaded_in_space(false), controlled("trapezoidal", 1e-4, 0.3)).summary.allocations, 0);
}

/// Keeps every sample.
class WholeMotion final : public Sink {
 public:
  void start(const std::vector<std::string>&) override { rows.reserve(10000); }
  void sample(const double* row, std::size_t size) override { rows.emplace_back(row, row + size); }
  std::vector<std::vector<double>> rows;
};

TEST(StateSpace, SamplesComeWhenAskedForWhereverStepsEnd) {
  const Mechanism mechanism = loaded_in_plane(false);
  RunOptions options = controlled("sdirk4", 1e-7, 0.5);
  options.step = 0.0123;
  WholeMotion samples;
  const RunSummary summary = run(mechanism, options, &samples);
  ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
  ASSERT_EQ(samples.rows.size(), 42U);  // 0, 40 multiples and the end
  for (std::size_t i = 0; i < 41; ++i) EXPECT_NEAR(samples.rows[i][0], 0.0123 * static_cast<double>(i), 1e-12);
  EXPECT_EQ(samples.rows.back()[0], 0.5);
  // Between steps as accurate as at their ends.
  for (const std::size_t i : {7U, 20U, 33U}) {
    const FinishedRun exact = finish(mechanism, controlled("sdirk4", 1e-11, samples.rows[i][0]));
    for (int c = 1; c <= 24; ++c) EXPECT_NEAR(samples.rows[i][c], exact.last.row()[c], 2e-5) << i << " " << c;
  }
}

TEST(StateSpace, RestoringAStateRepeatsTheMotionBitForBit) {
  for (const char* control : {"fixed", "error"}) {
    for (const char* solver : {"dense", "sparse"}) {
      RunOptions options = options_of("cartesian", 0.01, 1);
      options.step_control = control;
      options.solver = solver;
      Simulation simulation(turning_four_bar(), options), other(turning_four_bar(), options);
      for (int i = 0; i < 20; ++i) ASSERT_EQ(simulation.step(0.01), StepStatus::ok);
      const Context saved = simulation.state();
      for (int i = 0; i < 20; ++i) ASSERT_EQ(simulation.step(0.01), StepStatus::ok);
      const Context end = simulation.state();
      for (Simulation* again : {&simulation, &other}) {
        again->restore(saved);
        for (int i = 0; i < 20; ++i) ASSERT_EQ(again->step(0.01), StepStatus::ok);
        EXPECT_EQ(again->state().t, end.t) << control << " " << solver;
        EXPECT_EQ(again->state().q, end.q) << control << " " << solver;
        EXPECT_EQ(again->state().v, end.v) << control << " " << solver;
      }
    }
  }
}

/// What a step does is in proportion to the bodies; a loop on every body leaves constraints that depend on others.
TEST(StateSpace, ManyBodiesAreSparseAndMoveAsFewWould) {
  MechanismBuilder b("chain with doubled joints");
  b.gravity({0, 0, -9.81});
  std::string before = "ground";
  for (int i = 0; i < 30; ++i) {
    const std::string name = "link" + std::to_string(i), joint = "joint" + std::to_string(i);
    const Vec3 at(0.2 * i, 0, 0), axis = i % 3 == 0 ? Vec3(0, 0, 1) : Vec3(0, 1, 0);
    b.body(name, 1, Vec3(at + Vec3(0.1, 0, 0)), Mat3(Vec3(0.001, 0.004, 0.004).asDiagonal()));
    b.revolute(joint, before, name, at, axis);
    if (i % 5 == 2) b.revolute(joint + "_again", before, name, Vec3(at + 0.05 * axis), axis);
    before = name;
  }
  b.angular_velocity("link0", {0, 0, 0.5});
  const Mechanism mechanism = b.build();
  RunOptions options = options_of("cartesian", 0.002, 0.1);
  const FinishedRun sparse = finish(mechanism, options);
  ASSERT_EQ(sparse.summary.status, RunStatus::ok) << sparse.summary.reason;
  EXPECT_EQ(sparse.summary.solver_used, "sparse");
  EXPECT_EQ(sparse.summary.redundant_constraints, 6 * 5);
  options.solver = "dense";
  const FinishedRun dense = finish(mechanism, options);
  ASSERT_EQ(dense.summary.status, RunStatus::ok) << dense.summary.reason;
  EXPECT_LT(LastSample::difference(sparse.last, dense.last, mechanism), 1e-3);
  const FinishedRun fine = finish(mechanism, options_of("hybrid", 2e-4, 0.1));
  EXPECT_LT(LastSample::difference(sparse.last, fine.last, mechanism), 5e-3);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(StateSpace, ASingularPositionEndsWithAClearError) {
  // A parallelogram: where its rods lie flat it could go on in two ways.
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/four_bar.yaml");
  for (const char* integrator : {"trapezoidal", "sdirk4"}) {
    WholeMotion samples;
    const RunSummary summary = run(mechanism, options_of("cartesian", 0.01, 10, integrator), &samples);
    EXPECT_EQ(summary.status, RunStatus::failed) << integrator;
    EXPECT_GT(summary.duration, 0.3) << integrator;
    EXPECT_GT(samples.rows.size(), 30U) << integrator;  // results so far are kept
    for (const char* part :
         {"from t = ", "singular", "the constraint '", "no longer determines", "steps before", "hybrid"}) {
      EXPECT_TRUE(contains(summary.reason, part)) << integrator << ": " << summary.reason;
    }
  }
}

TEST(StateSpace, ATolerancePastRoundingEndsWithAClearError) {
  RunOptions options = controlled("trapezoidal", 1e-6, 1);
  options.absolute_tolerance = 1e-40;
  options.relative_tolerance = 0;
  const RunSummary summary = run(turning_four_bar(), options);
  EXPECT_EQ(summary.status, RunStatus::failed);
  for (const char* part : {"from t = ", "below the rounding of time", "larger tolerances"}) {
    EXPECT_TRUE(contains(summary.reason, part)) << summary.reason;
  }
  EXPECT_FALSE(contains(summary.reason, "worst constraint")) << "all of them are met: " << summary.reason;
}

TEST(StateSpace, WhatCannotBeDoneIsRefusedByName) {
  const auto refusal = [](const RunOptions& options) {
    try {
      Simulation simulation(turning_four_bar(), options);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  RunOptions options = controlled("trapezoidal", 1e-6, 1);
  options.absolute_tolerance = 0;
  EXPECT_TRUE(contains(refusal(options), "absolute_tolerance is 0"));
  EXPECT_TRUE(contains(refusal(controlled("rk4", 1e-6, 1)), "no error estimate"));
  EXPECT_TRUE(contains(refusal(options_of("hybrid", 0.01, 1, "abm2")), "cartesian"));
  options = options_of("cartesian", 1e-18, 1);
  EXPECT_TRUE(contains(refusal(options), "rounding"));
}

TEST(Cartesian, TheNewmarkFamilyRunsOnItToo) {
  const Mechanism mechanism = loaded_in_space(false);
  const FinishedRun exact = finish(mechanism, controlled("sdirk4", 1e-10, 0.5));
  for (const char* integrator : {"hht", "generalized-alpha"}) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish(mechanism, options_of("cartesian", i == 0 ? 0.004 : 0.002, 0.5, integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << integrator << ": " << run.summary.reason;
      EXPECT_LT(run.summary.position.value, 1e-7) << integrator;
      error[i] = LastSample::difference(run.last, exact.last, mechanism);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.5) << integrator << " " << error[0];
  }
}

/// Crank, coupler on a ball and a universal joint, and a slider on a line that does not meet the crank's axis.
Mechanism spatial_slider_crank() {
  const Vec3 A(0, 0, 0), B(0, 0.1, 0.4), C(1.2, 0.15, -0.1);
  MechanismBuilder b("spatial slider-crank");
  b.gravity({0, 0, -9.81});
  b.rod("crank", A, B, 1, 0.02).rod("coupler", B, C, 1.5, 0.02);
  b.box("slider", {0.2, 0.1, 0.1}, C, 2);
  b.revolute("pin", "ground", "crank", A, Vec3(0.3, 1, 0)).spherical("ball", "crank", "coupler", B);
  const Vec3 along = Vec3(1, 0.1, 0.2).normalized(), across = along.cross(Vec3(0, 0, 1)).normalized();
  b.universal("cross", "coupler", "slider", C, across, along.cross(across));
  b.prismatic("slide", "ground", "slider", C, along);
  b.joint_velocity("pin", 2);
  return b.build();
}

/// R-U-S-R: falls from rest and swings.
Mechanism spatial_four_bar() {
  const Vec3 A(0, 0, 0), B(0.1, 0.6, 0.2), C(1.1, 0.9, 0.5), D(1, 0.1, 0.4);
  MechanismBuilder b("spatial four-bar");
  b.gravity({0, -9.81, 0});
  b.rod("crank", A, B, 1, 0.03).rod("coupler", B, C, 2, 0.02).rod("rocker", D, C, 1.5, 0.03);
  b.revolute("A", "ground", "crank", A, Vec3(0.2, 0.1, 1)).revolute("D", "ground", "rocker", D, Vec3(-0.3, 0, 1));
  b.universal("B", "crank", "coupler", B, Vec3(0.2, 0.1, 1), Vec3(-0.5, 1, 0));
  b.spherical("C", "coupler", "rocker", C);
  return b.build();
}

/// R-S-S-R with a massless rod between the balls and a spring that keeps it moving.
Mechanism rod_linked_four_bar() {
  const Vec3 A(0, 0, 0), B(0, 0.3, 0.5), C(1, 0.4, 0.8), D(1.1, 0, 0);
  MechanismBuilder b("rod-linked four-bar");
  b.gravity({0, 0, -9.81});
  b.rod("crank", A, B, 1, 0.03).rod("rocker", D, C, 2, 0.03);
  b.revolute("A", "ground", "crank", A, Vec3(1, 0.2, -0.1)).revolute("D", "ground", "rocker", D, Vec3(0.2, 1, 0));
  b.distance("link", "crank", "rocker", B, C);
  b.spring("spring", "ground", "rocker", Vec3(2, 0.3, 0.6), C, 30);
  return b.build();
}

struct Loop {
  const char* name;
  Mechanism (*mechanism)();
  double until;
  double step;  // of hybrid, small enough to show its order
};
class SpatialLoop : public testing::TestWithParam<Loop> {};

/// Hybrid's error is a h^2 + b h^3 with b of either sign, so that the ratio comes to 4 from above or from below.
TEST_P(SpatialLoop, AgreesWithRelativeCoordinatesToTheOrderOfTheStep) {
  const Mechanism mechanism = GetParam().mechanism();
  const double until = GetParam().until, step = GetParam().step;
  RunOptions options = controlled("sdirk4", 1e-9, until);
  options.jacobian = "fresh";
  const FinishedRun exact = finish(mechanism, options);
  ASSERT_EQ(exact.summary.status, RunStatus::ok) << exact.summary.reason;
  EXPECT_LT(exact.summary.position.value, 1e-12);
  double difference[2];
  for (int i = 0; i < 2; ++i) {
    const FinishedRun hybrid = finish(mechanism, options_of("hybrid", i == 0 ? step : step / 2, until));
    ASSERT_EQ(hybrid.summary.status, RunStatus::ok) << hybrid.summary.reason;
    difference[i] = LastSample::difference(hybrid.last, exact.last, mechanism);
  }
  EXPECT_LT(difference[1], 5e-4) << mechanism.name;
  EXPECT_NEAR(difference[0] / difference[1], 4, 1) << mechanism.name << " " << difference[0];
}

Mechanism bricard() { return read_mechanism(CARDAN_SOURCE_DIR "/models/bricard.yaml"); }
Mechanism loaded() { return loaded_in_space(false); }

INSTANTIATE_TEST_SUITE_P(Mechanisms, SpatialLoop,
                         testing::Values(Loop{"bricard", bricard, 10, 5e-4},
                                         Loop{"slider_crank", spatial_slider_crank, 10, 5e-4},
                                         Loop{"four_bar", spatial_four_bar, 10, 2.5e-4},
                                         Loop{"rod_linked", rod_linked_four_bar, 10, 5e-4},
                                         Loop{"loaded", loaded, 2, 5e-4}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cardan
