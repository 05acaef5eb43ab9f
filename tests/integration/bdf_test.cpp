// bdf: end values within 100 times the tolerance asked, on stiff mechanisms without and with a loop.
#include "integration/bdf.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "integration/bdf_system.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

/// Seven bodies in two loops on ground, driven by a constant torque against a spring that is much stiffer than gravity,
/// like Andrews' squeezing mechanism.
Mechanism stiff_linkage() {
  MechanismBuilder b("stiff linkage");
  b.planar().gravity({0, -9.81, 0});
  const Vec3 O(0, 0, 0), A(0.1, 0.02, 0), B(0.4, 0.15, 0), C(0.5, -0.1, 0), D(0.2, 0.35, 0), E(0.6, 0.3, 0),
      F(0.8, 0.05, 0), G(0.45, 0.5, 0);
  b.rod("crank", O, A, 0.1).rod("coupler", A, B, 0.2).rod("rocker", C, B, 0.3);
  b.rod("arm", B, D, 0.1).rod("link", D, G, 0.15).rod("lever", F, E, 0.25).rod("tie", G, E, 0.1);
  b.revolute("O", "ground", "crank", O).revolute("A", "crank", "coupler", A).revolute("B", "coupler", "rocker", B);
  b.revolute("C", "ground", "rocker", C).revolute("B2", "rocker", "arm", B).revolute("D", "arm", "link", D);
  b.revolute("G", "link", "tie", G).revolute("E", "tie", "lever", E).revolute("F", "ground", "lever", F);
  b.spring("spring", "ground", "arm", Vec3(-0.1, 0.6, 0), D, 5000, 20);
  b.spring("other", "ground", "lever", Vec3(1, 0.5, 0), E, 4000, 20);
  b.actuator("motor", "O", Function::constant(0.5));
  return b.build();
}

RunOptions bdf_options(double until, int index, double tolerance) {
  RunOptions options = options_of("cartesian", until / 10, until, "bdf");
  options.index = index;
  options.absolute_tolerance = options.relative_tolerance = tolerance;
  return options;
}

void expect_end_values(const Mechanism& mechanism, double until, double fine_step) {
  const FinishedRun reference = finish(mechanism, options_of("hybrid", fine_step, until, "rk4"));
  ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
  for (int index : {2, 3}) {
    for (double tolerance : {1e-3, 1e-4, 3e-5, 1e-5, 4e-6, 1e-6, 1e-7}) {
      const FinishedRun run = finish(mechanism, bdf_options(until, index, tolerance));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      for (const Body& body : mechanism.bodies) {
        for (const char* field : {".x", ".y", ".angle"}) {
          const double end = reference.last[body.name + field];
          EXPECT_NEAR(run.last[body.name + field], end, 100 * tolerance)
              << body.name << field << ", index " << index << ", tolerance " << tolerance;
        }
      }
    }
  }
}

TEST(Bdf, EndsWhereTheStiffDoublePendulumDoes) {
  expect_end_values(read_mechanism(CARDAN_SOURCE_DIR "/models/stiff_double_pendulum.yaml"), 0.1, 1e-6);
}

TEST(Bdf, EndsWhereAStiffLinkageDoes) { expect_end_values(stiff_linkage(), 0.2, 2e-5); }

TEST(Bdf, EndsWhereAndrewsSqueezerDoes) {
  expect_end_values(read_mechanism(CARDAN_SOURCE_DIR "/models/andrews_squeezer.yaml"), 0.03, 2e-6);
}

TEST(Bdf, EndsWhereASpatialChainDoes) {
  const Mechanism mechanism = chain_in_space();
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-3, 1, "rk4"));
  for (int index : {2, 3}) {
    const FinishedRun run = finish(mechanism, bdf_options(1, index, 1e-7));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e-4) << index;
  }
}

/// At random y and y', with mu = 0: dF/dy + c dF/dy' by central differences.
TEST(Bdf, TheJacobianIsThatOfTheResidual) {
  const Mechanism mechanisms[] = {stiff_linkage(), chain_in_space()};
  for (const Mechanism& mechanism : mechanisms) {
    CompiledMechanism compiled = compile(mechanism, "cartesian", {});
    const auto work = compiled.formulation->make_workspace();
    Context state;
    compiled.formulation->start(state, *work);
    std::vector<int> rows(compiled.formulation->structure().constraints);
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<int>(k);
    for (int index : {2, 3}) {
      BdfSettings settings;
      settings.index = index;
      settings.typical_step = 0.1;
      BdfSystem system(*compiled.formulation, *work, rows, settings);
      system.set_reference(state);
      const int size = system.size(), n = compiled.formulation->structure().coordinates,
                m = static_cast<int>(rows.size());
      SUNContext context = nullptr;
      SUNContext_Create(nullptr, &context);
      N_Vector y = N_VNew_Serial(size, context), rate = N_VClone(y), result = N_VClone(y);
      std::mt19937 random(5);
      std::uniform_real_distribution<double> number(-1, 1);
      double *Y = N_VGetArrayPointer(y), *R = N_VGetArrayPointer(rate), *F = N_VGetArrayPointer(result);
      for (int i = 0; i < size; ++i) {
        Y[i] = i < n ? state.q[i] + 0.01 * number(random) : i < 2 * n + m ? number(random) : 0;
        R[i] = number(random);
      }
      const double c = 7.0, e = 1e-6;
      ASSERT_EQ(BdfSystem::jacobian(0, c, y, rate, nullptr, nullptr, &system, nullptr, nullptr, nullptr), 0);
      const Eigen::MatrixXd matrix = system.matrix().full();
      double worst = 0;
      for (int j = 0; j < size; ++j) {
        const double y0 = Y[j], r0 = R[j];
        VecX difference = VecX::Zero(size);
        for (int sign : {1, -1}) {
          Y[j] = y0 + sign * e;
          R[j] = r0 + sign * c * e;
          ASSERT_EQ(BdfSystem::residual(0, y, rate, result, &system), 0);
          difference += sign / (2 * e) * Eigen::Map<const VecX>(F, size);
        }
        Y[j] = y0, R[j] = r0;
        for (int i = 0; i < size; ++i) {
          const double exact = matrix(i, j);
          worst = std::max(worst, std::abs(difference[i] - exact) / (1 + std::abs(exact)));
        }
      }
      EXPECT_LT(worst, 1e-6) << mechanism.name << ", index " << index;
      for (N_Vector vector : {y, rate, result}) N_VDestroy(vector);
      SUNContext_Free(&context);
    }
  }
}

TEST(Bdf, RestoringAStateRepeatsTheStepsBitForBit) {
  for (int index : {2, 3}) {
    const Mechanism mechanism = stiff_linkage();
    const RunOptions options = bdf_options(0.2, index, 1e-6);
    Simulation one(mechanism, options), two(mechanism, options);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(one.step(0.2 - one.time()), StepStatus::ok);
    const Context saved = one.state();
    const auto go_on = [](Simulation& simulation) {
      for (int i = 0; i < 60; ++i) ASSERT_EQ(simulation.step(0.2 - simulation.time()), StepStatus::ok);
    };
    go_on(one);
    const Context once = one.state();
    one.restore(saved);
    go_on(one);
    two.restore(saved);  // which has not taken a step yet
    go_on(two);
    for (const Context* again : {&one.state(), &two.state()}) {
      EXPECT_EQ(again->t, once.t) << index;
      EXPECT_EQ(again->q, once.q) << index;
      EXPECT_EQ(again->v, once.v) << index;
      EXPECT_EQ(again->stepper, once.stepper) << index;
    }
  }
}

TEST(Bdf, AStateChangedByHandStartsAnew) {
  const Mechanism mechanism = stiff_linkage();
  const RunOptions options = bdf_options(0.2, 2, 1e-7);
  Simulation one(mechanism, options), two(mechanism, options);
  for (int i = 0; i < 60; ++i) ASSERT_EQ(one.step(0.2 - one.time()), StepStatus::ok);
  Context changed = one.state();
  changed.stepper.setConstant(0);  // a history that does not belong to it
  two.restore(changed);
  while (one.time() < 0.2) ASSERT_EQ(one.step(0.2 - one.time()), StepStatus::ok);
  while (two.time() < 0.2) ASSERT_EQ(two.step(0.2 - two.time()), StepStatus::ok);
  EXPECT_LT((one.state().q - two.state().q).cwiseAbs().maxCoeff(), 100 * 1e-7);
}

TEST(Bdf, KeepsTheBoundsOfTheStep) {
  RunOptions options = bdf_options(0.2, 2, 1e-5);
  options.step_max = 5e-4;
  const FinishedRun bounded = finish(stiff_linkage(), options);
  ASSERT_EQ(bounded.summary.status, RunStatus::ok) << bounded.summary.reason;
  EXPECT_LE(bounded.summary.step_largest, 5e-4 * (1 + 1e-9));
  EXPECT_GE(bounded.summary.steps, 400);
  options = bdf_options(0.2, 2, 1e-10);
  options.step_min = 1e-3;
  const FinishedRun refused = finish(stiff_linkage(), options);
  EXPECT_EQ(refused.summary.status, RunStatus::failed);
  EXPECT_NE(refused.summary.reason.find("the shortest step allowed was reached"), std::string::npos)
      << refused.summary.reason;
}

TEST(Bdf, SamplesComeAtTheTimesAskedFor) {
  const Mechanism mechanism = stiff_linkage();
  struct Times final : Sink {
    std::vector<double> t;
    void start(const std::vector<std::string>&) override {}
    void sample(const double* row, std::size_t) override { t.push_back(row[0]); }
  } times;
  EXPECT_EQ(run(mechanism, options_of("cartesian", 0.01, 0.05, "bdf"), &times).status, RunStatus::ok);
  ASSERT_EQ(times.t.size(), 6U);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(times.t[i], 0.01 * i, 1e-12);
}

}  // namespace
}  // namespace cardan
