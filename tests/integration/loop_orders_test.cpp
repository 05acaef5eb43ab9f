// Orders of what is special to cartesian and recursive, on loops in the plane, in space, redundant ones, and with
// massless bodies; and errors that never grow as the step shrinks, until they are rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "integration/linkages.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

Mechanism planar_loop(unsigned seed, double coupler_mass) {
  const RandomPlace place(seed, true);
  MechanismBuilder b("planar loop");
  b.planar().gravity(9.81 * place.along(0, -1));
  const Vec3 A = place.at(0, 0), B = place.at(0, 0.4), C = place.at(1.1, 0.9), D = place.at(1, 0);
  b.rod("crank", A, B, 1).rod("coupler", B, C, coupler_mass).rod("rocker", D, C, 1.5);
  b.revolute("A", "ground", "crank", A).revolute("B", "crank", "coupler", B);
  b.revolute("C", "coupler", "rocker", C).revolute("D", "ground", "rocker", D);
  b.joint_velocity("A", 5);
  return b.build();
}
Mechanism loop_in_plane() { return planar_loop(3, 2); }
Mechanism massless_coupler() { return planar_loop(4, 0); }

/// Bricard's: five rods along the edges of a cube, one constraint redundant at every instant.
Mechanism redundant_loop() {
  const RandomPlace place(6, false);
  MechanismBuilder b("bricard");
  b.gravity(9.81 * place.along(0, -1));
  const Vec3 corners[] = {place.at(0, 0, 0),  place.at(1, 0, 0),  place.at(1, -1, 0),
                          place.at(1, -1, 1), place.at(0, -1, 1), place.at(0, 0, 1)};
  const Vec3 axes[] = {place.along(0, 1, 0), place.along(0, 0, 1), place.along(1, 0, 0)};
  const std::string names[] = {"ground", "rod1", "rod2", "rod3", "rod4", "rod5", "ground"};
  for (int i = 0; i < 5; ++i) b.rod(names[i + 1], corners[i], corners[i + 1], 1, 0.05 * place.size());
  for (int i = 0; i < 6; ++i) b.revolute("hinge" + std::to_string(i), names[i], names[i + 1], corners[i], axes[i % 3]);
  return b.build();
}

Mechanism pendulum() {
  const RandomPlace place(7, false);
  MechanismBuilder b("pendulum");
  b.gravity(9.81 * place.along(0, -1));
  b.rod("arm", place.at(0, 0), place.at(1, 0), 2, 0.02 * place.size());
  b.revolute("pin", "ground", "arm", place.at(0, 0), place.along(0.1, 0.2, 1));
  return b.build();
}

constexpr double kUntil = 0.24, kBetween = 0.048;  // s; how far, and between two places where motions are compared

/// Positions and velocities of all bodies on the way.
class Motion final : public Sink {
 public:
  explicit Motion(const Mechanism& mechanism) : width_(mechanism.bodies.size() * (mechanism.planar ? 6 : 13)) {}
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t) override { values_.insert(values_.end(), row + 1, row + 1 + width_); }
  double difference(const Motion& other) const {
    double worst = values_.size() == other.values_.size() ? 0 : 1;
    for (std::size_t i = 0; worst < 1 && i < values_.size(); ++i) {
      worst = std::max(worst, std::abs(values_[i] - other.values_[i]));
    }
    return worst;
  }

 private:
  std::size_t width_;
  std::vector<double> values_;
};

RunSummary run_along(const Mechanism& mechanism, RunOptions options, Motion& motion) {
  options.every = static_cast<int>(std::lround(kBetween / options.step));
  return run(mechanism, options, &motion);
}

struct Case {
  const char* formulation;
  const char* integrator;
  double order;
  double step;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.formulation) + "_" + info.param.integrator;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class LoopOrder : public testing::TestWithParam<Case> {};

TEST_P(LoopOrder, IsAsInTheory) {
  const Case& c = GetParam();
  int measured = 0;
  struct {
    Mechanism mechanism;
    double slower;  // than the loop in the plane, so that the error is above rounding
  } const loops[] = {{loop_in_plane(), 1}, {massless_coupler(), 1}, {spatial_loop(5), 4}, {redundant_loop(), 8}};
  for (const auto& [mechanism, slower] : loops) {
    const bool massless = mechanism.bodies[1].mass == 0;
    Motion reference(mechanism);
    ASSERT_EQ(run_along(mechanism, options_of("cartesian", 1.25e-4, kUntil, "rk4"), reference).status, RunStatus::ok);
    double error[2];
    for (int i = 0; i < 2; ++i) {
      RunOptions options = options_of(c.formulation, slower * c.step / (1 + i), kUntil, c.integrator);
      options.step_control = "fixed";
      if (options.integrator == std::string("sdirk4")) options.jacobian = "fresh";
      if (massless && options.formulation == "recursive") {
        EXPECT_THROW(Simulation(mechanism, options), ModelError);
        continue;
      }
      Motion motion(mechanism);
      const RunSummary summary = run_along(mechanism, options, motion);
      ASSERT_EQ(summary.status, RunStatus::ok) << mechanism.name << ": " << summary.reason;
      EXPECT_LT(summary.position.value, 1e-11) << mechanism.name;
      EXPECT_LT(summary.velocity.value, 1e-10) << mechanism.name;
      error[i] = motion.difference(reference);
    }
    if (massless && std::string(c.formulation) == "recursive") continue;
    EXPECT_NEAR(std::log2(error[0] / error[1]), c.order, 0.2) << mechanism.name << " " << error[0] << " " << error[1];
    ++measured;
  }
  EXPECT_GE(measured, 3);
}

INSTANTIATE_TEST_SUITE_P(Methods, LoopOrder,
                         testing::Values(Case{"cartesian", "trapezoidal", 2, 2e-3}, Case{"cartesian", "abm2", 2, 2e-3},
                                         Case{"cartesian", "rk4", 4, 2e-3}, Case{"cartesian", "sdirk4", 4, 2e-3},
                                         Case{"recursive", "trapezoidal", 2, 2e-3}, Case{"recursive", "rk4", 4, 2e-3},
                                         Case{"recursive", "newmark", 1, 5e-4}, Case{"recursive", "hht", 2, 2e-3},
                                         Case{"recursive", "generalized-alpha", 2, 2e-3}),
                         name_of);

class SmallSteps : public testing::TestWithParam<Case> {};

/// Down to where each step moves by rounding alone.
TEST_P(SmallSteps, NeverMakeTheErrorGrow) {
  const Case& c = GetParam();
  constexpr double kRounding = 2e-11;
  for (const Mechanism& mechanism : {pendulum(), loop_in_plane(), spatial_loop(5), redundant_loop()}) {
    const bool small = mechanism.bodies.size() == 1;
    const double until = small ? 0.02 : 0.01;
    const FinishedRun reference = finish(mechanism, options_of("cartesian", 1e-4, until, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    double before = 1;
    for (const double step : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      if (step < (small ? 1e-6 : 1e-5)) break;
      const FinishedRun run = finish(mechanism, options_of(c.formulation, step, until, c.integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << mechanism.name << ": " << run.summary.reason;
      const double error = LastSample::difference(run.last, reference.last, mechanism);
      EXPECT_LE(error, std::max(before, kRounding)) << mechanism.name << ", step " << step;
      before = error;
    }
    EXPECT_LE(before, 1e-10) << mechanism.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SmallSteps,
                         testing::Values(Case{"cartesian", "trapezoidal"}, Case{"cartesian", "rk4"},
                                         Case{"recursive", "trapezoidal"}, Case{"recursive", "rk4"},
                                         Case{"recursive", "generalized-alpha"}),
                         name_of);

}  // namespace
}  // namespace cardan
