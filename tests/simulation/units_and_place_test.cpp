// Every model of models/ in millimetres and grams, and a hundred thousand of its sizes away: the same motion.
#include "simulation/units_and_place.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <random>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "system/compile.hpp"

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

/// Largest difference of the bodies' centres, and a tenth of that of their velocities, over the size of the mechanism
/// (velocities: its size in a second), `one` being in units of `unit` and moved by `by`, both in metres.
double difference(const LastSample& one, double unit, const Vec3& by, const LastSample& two, double size,
                  const Mechanism& mechanism) {
  double worst = 0;
  for (const Body& body : mechanism.bodies) {
    for (int i = 0; i < (mechanism.planar ? 2 : 3); ++i) {
      const char axis = "xyz"[i];
      const std::string place = body.name + "." + axis, rate = body.name + ".v" + axis;
      worst = std::max(worst, std::abs(one[place] / unit - by[i] - two[place]) / size);
      worst = std::max(worst, 0.1 * std::abs(one[rate] / unit - two[rate]) / size);
    }
  }
  return worst;
}

/// Nothing where the formulation refuses the mechanism.
std::optional<FinishedRun> run_for(const Mechanism& mechanism, const std::string& formulation, double step) {
  RunOptions options = options_of(formulation, step, kSteps * step);
  options.cut = mechanism.simulation.cut;
  try {
    return finish(mechanism, options);
  } catch (const ModelError&) {
    return {};
  }
}

TEST(UnitsAndPlace, ChangeNoMotionOfAnyModel) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int compared = 0, refused = 0;
  const std::vector<std::string> files = all_models();
  for (const std::string& file : files) {
    const Mechanism model = read_mechanism(file);
    const double size = compile(model, "cartesian", {}).length;
    Vec3 direction(normal(random), normal(random), normal(random));
    if (model.planar) direction.z() = 0;
    const Vec3 by = 1e5 * size * direction.normalized();
    const Mechanism small = in_units(model, 1e3, 1e3), far = moved(model, by);
    for (const RegistryEntry& entry : formulations()) {
      const std::string formulation(entry.name);
      SCOPED_TRACE(file + " " + formulation);
      // At the 0.01 s of the Iltis the iteration in independent coordinates depends on which of them are chosen, and
      // that is open where pivots are alike.
      double step = (formulation == "cartesian" ? 0.2 : 1) * model.simulation.step.value_or(1e-3);
      auto here = run_for(model, formulation, step);
      // The fixed-point iteration of recursive asks for shorter steps where a model is stiff.
      if (here && here->summary.status != "ok") here = run_for(model, formulation, step *= 0.01);
      const auto in_millimetres = run_for(small, formulation, step), elsewhere = run_for(far, formulation, step);
      ASSERT_EQ(in_millimetres.has_value(), here.has_value());
      ASSERT_EQ(elsewhere.has_value(), here.has_value());
      if (!here) {
        ++refused;
        continue;
      }
      ASSERT_EQ(here->summary.status, "ok") << here->summary.reason;
      EXPECT_LT(difference(in_millimetres->last, 1e3, Vec3::Zero(), here->last, size, model), 1e-6);
      EXPECT_LT(difference(elsewhere->last, 1, by, here->last, size, model), 1e-6);
      for (const FinishedRun& run : {*in_millimetres, *elsewhere}) {
        EXPECT_EQ(run.summary.status, "ok") << run.summary.reason;
        EXPECT_EQ(run.summary.degrees_of_freedom, here->summary.degrees_of_freedom);
        EXPECT_LE(run.summary.iterations, 1.25 * here->summary.iterations + 5);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared + refused, static_cast<int>(files.size()) * 5);
  EXPECT_LE(refused, 2);  // massless bodies in loops, by recursive
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
