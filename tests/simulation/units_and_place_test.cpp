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
#include "random_place.hpp"
#include "system/compile.hpp"

namespace cardan {
namespace {

constexpr int kSteps = 40, kFewSteps = 5;
constexpr double kTolerance = 1e-7;  // of integrators that choose their steps: it is in m, and the same in mm

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
std::optional<FinishedRun> run_for(const Mechanism& mechanism, RunOptions options, double step, int steps) {
  options.step = step;
  options.until = steps * step;
  options.cut = mechanism.simulation.cut;
  if (chooses_steps(options.formulation, options.integrator)) {
    options.absolute_tolerance = options.relative_tolerance = kTolerance;
  }
  try {
    return finish(mechanism, options);
  } catch (const ModelError&) {
    return {};
  }
}

/// A model as it is, in millimetres and grams, and elsewhere.
struct Variants {
  Mechanism here, in_millimetres, elsewhere;
  double size;
  Vec3 by;
};

/// The same motion in all three, or all refuse it; false in the latter case.
bool same_motion(const Variants& model, const RunOptions& options, int steps) {
  double step = model.here.simulation.step.value_or(1e-3);
  auto here = run_for(model.here, options, step, steps);
  // Fixed-point iterations, and sdirk3 on cartesian at a stiff stop, ask for shorter steps than the model's.
  if (here && here->summary.status != RunStatus::ok) here = run_for(model.here, options, step *= 0.01, steps);
  const auto in_millimetres = run_for(model.in_millimetres, options, step, steps);
  const auto elsewhere = run_for(model.elsewhere, options, step, steps);
  EXPECT_EQ(in_millimetres.has_value(), here.has_value());
  EXPECT_EQ(elsewhere.has_value(), here.has_value());
  if (!here || !in_millimetres || !elsewhere) return false;
  EXPECT_EQ(here->summary.status, RunStatus::ok) << here->summary.reason;
  EXPECT_LT(difference(in_millimetres->last, 1e3, Vec3::Zero(), here->last, model.size, model.here), 1e-6);
  EXPECT_LT(difference(elsewhere->last, 1, model.by, here->last, model.size, model.here), 1e-6);
  const bool given_steps = !chooses_steps(options.formulation, options.integrator);
  for (const FinishedRun& run : {*in_millimetres, *elsewhere}) {
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.degrees_of_freedom, here->summary.degrees_of_freedom);
    if (given_steps) EXPECT_LE(run.summary.iterations, 1.25 * here->summary.iterations + 5);
  }
  return true;
}

TEST(UnitsAndPlace, ChangeNoMotionOfAnyModel) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int compared = 0, refused = 0, left_out = 0;
  const std::vector<std::string> files = all_models();
  for (const std::string& file : files) {
    Variants model{read_mechanism(file), {}, {}, 0, {}};
    if (!model.here.signals.empty()) {  // expressions are in units of their own
      ++left_out;
      continue;
    }
    model.size = compile(model.here, "cartesian", {}).length;
    Vec3 direction(normal(random), normal(random), normal(random));
    if (model.here.planar) direction.z() = 0;
    model.by = 1e5 * model.size * direction.normalized();
    model.in_millimetres = in_units(model.here, 1e3, 1e3);
    model.elsewhere = moved(model.here, model.by);
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation.name, integrator.name).empty()) continue;
        RunOptions options;
        options.formulation = formulation.name;
        options.integrator = integrator.name;
        SCOPED_TRACE(file + " " + options.formulation + " " + options.integrator);
        ++(same_motion(model, options, options.integrator == "trapezoidal" ? kSteps : kFewSteps) ? compared : refused);
      }
    }
  }
  int combinations = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      combinations += why_not(formulation.name, integrator.name).empty();
    }
  }
  EXPECT_EQ(left_out, 8);  // the excavator, the forklift, the driven ones: these two, Iltis and PUMA; two of plans
  EXPECT_EQ(compared + refused, (static_cast<int>(files.size()) - left_out) * combinations);
  EXPECT_LE(refused, 4);  // massless bodies in loops, by recursive
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
    ASSERT_EQ(why_not("cartesian", integrator.name), "");
    const FinishedRun run = finish(pendulum, options_of("cartesian", 1e-3, 0.3, std::string(integrator.name)));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR(run.last["arm.z"] / 1e4, reference["arm.z"] / 1e4, 1e-3);
    ++ran;
  }
  EXPECT_EQ(ran, static_cast<int>(integrators().size()));
}

/// Links without mass and a sliding bob, as large as a hair is thick: cartesian has angles and lengths side by side,
/// and what holds Euler parameters at length 1 is no inertia of a kilogram metre squared.
TEST(UnitsAndPlace, AMechanismMayBeTiny) {
  MechanismBuilder loop("massless links");
  const RandomPlace place(4, false);
  const Vec3 A = place.at(0, 0), B = place.at(0, 0.1, 0.5), C = place.at(0.8, 0.1, 0.9), D = place.at(1, 0);
  loop.gravity(9.81 * place.along(0, 0, -1));
  loop.rod("crank", A, B, 0).rod("coupler", B, C, 2, 0.02).rod("rocker", D, C, 0);
  loop.revolute("A", "ground", "crank", A, place.along(0, 1, -0.2)).spherical("B", "crank", "coupler", B);
  loop.universal("C", "coupler", "rocker", C, place.along(0, 0, 1), place.along(0, 1, 0));
  loop.revolute("D", "ground", "rocker", D, place.along(0.1, 1)).joint_velocity("A", 1);
  MechanismBuilder rail("bob on a rail");
  rail.gravity(9.81 * place.along(0, 0, -1));
  rail.body("slide", 3, place.at(0, 0), Mat3(Vec3(0.01, 0.04, 0.05).asDiagonal()));
  rail.rod("bob", place.at(0, 0), place.at(0, 0.1, -0.5), 1, 0.02);
  rail.prismatic("rail", "ground", "slide", place.at(0, 0), place.along(1, 0));
  rail.revolute("pin", "slide", "bob", place.at(0, 0), place.along(1, 0.2)).joint_velocity("pin", 3);
  for (const Mechanism& mechanism : {loop.build(), rail.build()}) {
    const double size = compile(mechanism, "cartesian", {}).length;
    for (const RegistryEntry& integrator : integrators()) {
      const RunOptions options = options_of("cartesian", 2e-3, 0.2, std::string(integrator.name));
      const FinishedRun here = finish(mechanism, options), tiny = finish(in_units(mechanism, 1e-4, 1e-9), options);
      SCOPED_TRACE(mechanism.name + " " + options.integrator);
      ASSERT_EQ(here.summary.status, RunStatus::ok) << here.summary.reason;
      ASSERT_EQ(tiny.summary.status, RunStatus::ok) << tiny.summary.reason;
      // The tolerance of chosen steps is in m: a hundredth of this size.
      const double allowed =
          options.integrator == "bdf" || options.integrator == "dopri5" || options.integrator == "sdirk4" ? 0.02 : 1e-6;
      for (const Body& body : mechanism.bodies) {
        const auto at = [&](const FinishedRun& run) {
          return run.last.vector(body.name + ".x", body.name + ".y", body.name + ".z");
        };
        EXPECT_LT((at(here) - 1e4 * at(tiny)).norm(), allowed * size) << body.name;
      }
    }
  }
}

}  // namespace
}  // namespace cardan
