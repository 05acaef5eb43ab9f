// No run is ok whose joints are torn: loops that are drawn in a singular position, or come to one, on cartesian with
// all that integrates independent coordinates or leaves out redundant constraints.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr const char* kIntegrators[] = {"trapezoidal", "rk4", "sdirk4", "abm2", "bdf"};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Crank and rocker `angle` above the ground link; 0: flat, where it could go on in two ways.
Mechanism parallelogram(unsigned seed, bool planar, double angle, double rate) {
  const RandomPlace place(seed, planar);
  MechanismBuilder b("parallelogram");
  if (planar) b.planar();
  b.gravity(9.81 * place.along(0, -1));
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3 A = place.at(0, 0), B = place.at(c, s), C = place.at(2 + c, s), D = place.at(2, 0);
  b.rod("crank", A, B, 1, 0.02 * place.size()).rod("coupler", B, C, 2, 0.02 * place.size());
  b.rod("rocker", D, C, 1.5, 0.02 * place.size());
  const auto pin = [&](const char* name, const char* body1, const char* body2, const Vec3& at) {
    planar ? b.revolute(name, body1, body2, at) : b.revolute(name, body1, body2, at, place.along(0, 0, 1));
  };
  pin("A", "ground", "crank", A), pin("B", "crank", "coupler", B);
  pin("C", "coupler", "rocker", C), pin("D", "ground", "rocker", D);
  b.joint_velocity("A", rate);
  return b.build();
}

TEST(TornLoops, DrawnFlatTheStepThatOpensThemFails) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Mechanism mechanism = parallelogram(seed, planar, 0, 0);
      const double size = RandomPlace(seed, planar).size();
      for (const char* integrator : kIntegrators) {
        const RunSummary summary = finish(mechanism, options_of("cartesian", 0.005, 1, integrator)).summary;
        EXPECT_EQ(summary.status, RunStatus::failed) << integrator;
        EXPECT_LT(summary.position.value, 1e-5 * size) << integrator;
        EXPECT_TRUE(says(summary.reason, "opens: it counted as redundant") || says(summary.reason, "singular"))
            << integrator << ": " << summary.reason;
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 30);
}

/// The coupler does not turn, so that (m1/3 + m2 + m3/3) L phi'' = -g (m1/2 + m2 + m3/2) cos(phi).
double time_until_flat(double length, double phi, double rate) {
  const double k = 9.81 / length * (0.5 + 2 + 0.75) / (1.0 / 3 + 2 + 0.5), h = 1e-5;
  double t = 0;
  for (; phi > 0; t += h) {
    rate -= 0.5 * h * k * std::cos(phi);
    phi += h * rate;
    rate -= 0.5 * h * k * std::cos(phi);
  }
  return t;
}

/// Falls, and lies flat after some time: the run ends there with an error, whatever the step, and loses nothing before.
TEST(TornLoops, ComingToASingularPositionEndsTheRun) {
  int runs = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Mechanism mechanism = parallelogram(seed, true, 1, -0.5);
    const double flat = time_until_flat(RandomPlace(seed, true).size(), 1, -0.5);
    for (const char* integrator : kIntegrators) {
      for (const double step : {0.0031, 0.01, 0.017}) {
        const RunSummary summary = finish(mechanism, options_of("cartesian", step, 1.3 * flat, integrator)).summary;
        EXPECT_LT(summary.position.value, 1e-5) << integrator << " " << step;
        EXPECT_LT(std::abs(summary.energy_max_error), 0.05) << integrator << " " << step;
        ++runs;
        if (std::string(integrator) == "bdf" && summary.status == RunStatus::ok) continue;  // its steps may pass on
        EXPECT_EQ(summary.status, RunStatus::failed) << integrator << " " << step;
        EXPECT_NEAR(summary.duration, flat, 4 * step) << integrator << " " << step;
        EXPECT_TRUE(says(summary.reason, "singular")) << integrator << ": " << summary.reason;
      }
    }
  }
  EXPECT_EQ(runs, 45);
}

/// Rows come at the times asked for up to the end, also within the steps that shrink towards the singular position.
TEST(TornLoops, SamplesKeepTheirTimesUpToASingularPosition) {
  struct Times final : Sink {
    std::vector<double> t;
    void start(const std::vector<std::string>&) override {}
    void sample(const double* row, std::size_t) override { t.push_back(row[0]); }
  } times;
  const RunSummary summary = run(parallelogram(1, true, 1, -0.5), options_of("cartesian", 1e-3, 2, "sdirk4"), &times);
  EXPECT_EQ(summary.status, RunStatus::failed);
  ASSERT_GT(times.t.size(), 100U);
  for (std::size_t i = 0; i + 1 < times.t.size(); ++i) EXPECT_NEAR(times.t[i], 1e-3 * static_cast<double>(i), 1e-12);
}

/// The step that opens a loop leaves the state as it was.
TEST(TornLoops, AStepThatFailsLeavesTheState) {
  for (const char* integrator : kIntegrators) {
    Simulation simulation(parallelogram(2, true, 0, 0), options_of("cartesian", 0.005, 1, integrator));
    Context before = simulation.state();
    StepStatus status = StepStatus::ok;
    for (int i = 0; i < 1000 && status == StepStatus::ok; ++i) {
      before = simulation.state();
      status = simulation.step();
    }
    EXPECT_NE(status, StepStatus::ok) << integrator;
    EXPECT_EQ(simulation.state().t, before.t) << integrator;
    EXPECT_TRUE(simulation.state().q == before.q) << integrator;
    EXPECT_TRUE(simulation.state().v == before.v) << integrator;
  }
}

/// A penalty far too weak leaves a joint open: the run is ok, as asked, and says so.
TEST(TornLoops, AnOpenJointIsWarnedOf) {
  for (const char* formulation : {"hybrid", "global"}) {
    RunOptions options = options_of(formulation, 0.01, 0.5);
    options.penalty = 10;
    options.iterations = 1;
    const RunSummary summary = finish(closed_four_bar(), options).summary;
    ASSERT_EQ(summary.status, RunStatus::ok) << formulation;
    ASSERT_GT(summary.position.value, 1e-3) << formulation;
    const auto warned = [](const std::string& warning) { return says(warning, "the joints do not hold"); };
    EXPECT_EQ(std::count_if(summary.warnings.begin(), summary.warnings.end(), warned), 1) << formulation;
    const RunSummary sound = finish(closed_four_bar(), options_of(formulation, 0.01, 0.5)).summary;
    EXPECT_EQ(std::count_if(sound.warnings.begin(), sound.warnings.end(), warned), 0) << formulation;
  }
}

}  // namespace
}  // namespace cardan
