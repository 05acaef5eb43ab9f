// Every model of models/ in millimetres and grams, and a hundred thousand of its sizes away: the same motion.
#include "simulation/units_and_place.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "simulation/observer.hpp"

namespace cardan {
namespace {

constexpr int kSteps = 60;

std::vector<std::string> all_models() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Largest difference of the bodies' centres and velocities over the size of the mechanism (velocities: its size in a
/// second), `one` being in units of `unit` and moved by `by`, both in metres.
double difference(const LastSample& one, double unit, const Vec3& by, const LastSample& two, double size,
                  const Mechanism& mechanism) {
  double worst = 0;
  for (const Body& body : mechanism.bodies) {
    for (int i = 0; i < (mechanism.planar ? 2 : 3); ++i) {
      const char axis = "xyz"[i];
      const std::string place = body.name + "." + axis, rate = body.name + ".v" + axis;
      worst = std::max(worst, std::abs(one[place] / unit - by[i] - two[place]) / size);
      worst = std::max(worst, std::abs(one[rate] / unit - two[rate]) / size);
    }
  }
  return worst;
}

FinishedRun run_for(const Mechanism& mechanism, const std::string& formulation, double step,
                    const std::string& integrator = "trapezoidal") {
  RunOptions options = options_of(formulation, step, kSteps * step, integrator);
  options.cut = mechanism.simulation.cut;
  return finish(mechanism, options);
}

TEST(UnitsAndPlace, ChangeNoMotionOfAnyModel) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int compared = 0;
  const std::vector<std::string> files = all_models();
  for (const std::string& file : files) {
    const Mechanism model = read_mechanism(file);
    const double size = compile(model, "cartesian", {}).length, step = model.simulation.step.value_or(1e-3);
    Vec3 direction(normal(random), normal(random), normal(random));
    if (model.planar) direction.z() = 0;
    const Vec3 by = 1e5 * size * direction.normalized();
    for (const RegistryEntry& entry : formulations()) {
      SCOPED_TRACE(file + " " + std::string(entry.name));
      const std::string formulation(entry.name);
      const FinishedRun here = run_for(model, formulation, step);
      // recursive iterates without a matrix, so stiff models stop it at their own step: that is not what is asked here
      const double used = here.summary.status == "ok" ? step : 0.01 * step;
      const FinishedRun reference = used == step ? here : run_for(model, formulation, used);
      ASSERT_EQ(reference.summary.status, "ok") << reference.summary.reason;
      const FinishedRun small = run_for(in_units(model, 1e3, 1e3), formulation, used);
      EXPECT_EQ(small.summary.status, "ok") << small.summary.reason;
      EXPECT_LT(difference(small.last, 1e3, Vec3::Zero(), reference.last, size, model), 1e-6);
      const FinishedRun far = run_for(moved(model, by), formulation, used);
      EXPECT_EQ(far.summary.status, "ok") << far.summary.reason;
      EXPECT_LT(difference(far.last, 1, by, reference.last, size, model), 1e-6);
      for (const FinishedRun* run : {&small, &far}) {
        EXPECT_EQ(run->summary.degrees_of_freedom, reference.summary.degrees_of_freedom);
        EXPECT_LE(run->summary.iterations, 1.1 * reference.summary.iterations + 5);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, static_cast<int>(files.size()) * 5);
}

/// Ten metres long, in millimetres: every method of cartesian takes it.
TEST(UnitsAndPlace, ALongPendulumIsNotRefused) {
  MechanismBuilder b("pendulum");
  b.gravity({0, 0, -9.81e3});
  b.body("arm", 2e3, Vec3(5e3, 0, 0), Mat3(Vec3(1e3, 1e9, 1e9).asDiagonal()));
  b.revolute("pin", "ground", "arm", Vec3(0, 0, 0), Vec3(0, 1, 0));
  const Mechanism pendulum = b.build();
  const LastSample reference = finish(pendulum, options_of("hybrid", 1e-3, 0.3, "rk4")).last;
  int ran = 0;
  for (const RegistryEntry& integrator : integrators()) {
    SCOPED_TRACE(std::string(integrator.name));
    if (!why_not("cartesian", integrator.name).empty()) continue;
    const FinishedRun run = finish(pendulum, options_of("cartesian", 1e-3, 0.3, std::string(integrator.name)));
    ASSERT_EQ(run.summary.status, "ok") << run.summary.reason;
    EXPECT_NEAR(run.last["arm.z"] / 1e4, reference["arm.z"] / 1e4, 1e-3);
    ++ran;
  }
  EXPECT_EQ(ran, 10);
}

}  // namespace
}  // namespace cardan
