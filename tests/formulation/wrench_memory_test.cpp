// Laws that remember something from step to step, and laws whose tangent is not symmetric, in every formulation.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/cardan.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// Dry friction of a block on a table: a spring from where it stuck, along the table, that yields at `limit`.
struct StickingLaw {
  double stiffness, damping, limit;
  Vec3 normal;

  /// Force on frame 2, and where the spring then begins.
  std::pair<Vec3, Vec3> force(const FramePair& at) const {
    const Mat3 along = Mat3::Identity() - normal * normal.transpose();
    const Vec3 stuck(at.memory[0], at.memory[1], at.memory[2]);
    const Vec3 place = along * (at.two.position - at.one.position);
    if (at.memory[3] == 0) return {Vec3::Zero(), place};  // nothing yet
    Vec3 f = -stiffness * (place - stuck);
    const double size = f.norm();
    if (size > limit) f *= limit / size;
    return {f, place + f / stiffness};
  }
  Wrench operator()(const FramePair& at) const { return {force(at).first, Vec3::Zero()}; }
  void remember(const FramePair& at, double* memory) const {
    const Vec3 stuck = force(at).second;
    for (int i = 0; i < 3; ++i) memory[i] = stuck[i];
    memory[3] = 1;
  }
};

/// A block of 2 kg that slides on a plane under 9.81 m/s^2 at a slope, held or braked by friction `limit`.
Mechanism block_on_slope(double slope, double limit, unsigned seed) {
  const RandomPlace place(seed, false);
  MechanismBuilder b("block");
  b.gravity(9.81 * place.along(std::sin(slope), 0, -std::cos(slope)));
  b.body("block", 2, place.at(0, 0, 0), Mat3(Vec3(0.2, 0.3, 0.25).asDiagonal()));
  b.planar_joint("table", "ground", "block", place.at(0, 0, 0), place.along(0, 0, 1));
  WrenchSpec friction{.name = "friction", .body2 = Name("block"), .at1 = Place(place.at(0, 0, 0))};
  const StickingLaw law{1e5, 0, limit, place.along(0, 0, 1)};
  friction.law = law;
  friction.memory = 4;
  friction.remember = [law](const FramePair& at, double* memory) { law.remember(at, memory); };
  b.add(friction);
  return b.build();
}

struct Combination {
  std::string formulation, integrator;
};

/// All that take a constant step.
std::vector<Combination> combinations() {
  std::vector<Combination> list;
  for (const RegistryEntry& formulation : formulations()) {
    for (const char* integrator : {"trapezoidal", "newmark", "hht", "generalized-alpha", "sdirk3", "sdirk4", "rk4"}) {
      if (why_not(formulation.name, integrator).empty()) list.push_back({std::string(formulation.name), integrator});
    }
  }
  return list;
}

TEST(WrenchMemory, HoldsABlockOnASlopeAndLetsItSlide) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations()) {
    SCOPED_TRACE(formulation + " " + integrator);
    const double slope = 0.3, weight = 2 * 9.81, push = weight * std::sin(slope);
    const RunOptions options = options_of(formulation, 1e-3, 0.5, integrator);
    const Mechanism held = block_on_slope(slope, 2.1 * push, 3 + static_cast<unsigned>(runs));
    const Mechanism slides = block_on_slope(slope, 0.5 * push, 3 + static_cast<unsigned>(runs));
    const FinishedRun rest = finish(held, options);
    ASSERT_EQ(rest.summary.status, RunStatus::ok) << rest.summary.reason;
    // It hangs on its spring, and swings there, since nothing damps it: at most twice as far as the push holds it.
    const Vec3 start = held.bodies[0].center;
    EXPECT_LT((rest.last.vector("block.x", "block.y", "block.z") - start).norm(), 2.05 * push / 1e5);
    const FinishedRun motion = finish(slides, options);
    ASSERT_EQ(motion.summary.status, RunStatus::ok) << motion.summary.reason;
    // Until the spring yields at half the push it swings, k x = push (1 - cos w t); from there half the push is left.
    const double k = 1e5, w = std::sqrt(k / 2), t1 = std::acos(0.5) / w, x1 = 0.5 * push / k,
                 v1 = push / k * w * std::sin(w * t1), rest_of_time = 0.5 - t1;
    const double expected = x1 + v1 * rest_of_time + 0.5 * (0.5 * push / 2) * rest_of_time * rest_of_time;
    EXPECT_NEAR((motion.last.vector("block.x", "block.y", "block.z") - start).norm(), expected, 1e-3 * expected);
    EXPECT_LE(motion.summary.allocations, 0);
    EXPECT_LT(std::abs(motion.summary.energy_max_error), 2e-3 * push * expected);
    ++runs;
  }
  EXPECT_GE(runs, 20);
}

TEST(WrenchMemory, IsRestoredBitForBit) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations()) {
    SCOPED_TRACE(formulation + " " + integrator);
    const Mechanism block = block_on_slope(0.4, 5, 11);
    Simulation one(block, options_of(formulation, 2e-3, 1, integrator)),
        two(block, options_of(formulation, 2e-3, 1, integrator));
    for (int i = 0; i < 50; ++i) ASSERT_EQ(one.step(), StepStatus::ok);
    two.restore(one.state());
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(one.step(), StepStatus::ok);
      ASSERT_EQ(two.step(), StepStatus::ok);
    }
    EXPECT_TRUE(one.body(0).position == two.body(0).position);
    EXPECT_TRUE(one.state().memory == two.state().memory);
    ++runs;
  }
  EXPECT_GE(runs, 20);
}

/// What an event switches off forgets.
TEST(WrenchMemory, IsForgottenWhileTheLoadIsOff) {
  const RandomPlace place(5, false);
  MechanismBuilder b("block");
  b.gravity(place.along(3, 0, 0)).body("block", 2, place.at(0, 0, 0), Mat3(Mat3::Identity()));
  b.planar_joint("table", "ground", "block", place.at(0, 0, 0), place.along(0, 0, 1));
  WrenchSpec friction{.name = "friction", .body2 = Name("block"), .at1 = Place(place.at(0, 0, 0))};
  const StickingLaw law{1e4, 0, 1000, place.along(0, 0, 1)};
  friction.law = law, friction.memory = 4;
  friction.remember = [law](const FramePair& at, double* memory) { law.remember(at, memory); };
  b.add(friction).switch_off("let_go", 0.2, {"friction"}).switch_on("hold", 0.5, {"friction"});
  const Mechanism mechanism = b.build();
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian"}) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 0.9));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    // It falls for 0.3 s, and is then held there, not where it first stuck: 1/2 3 0.09 and the swing of the spring.
    const double way = (run.last.vector("block.x", "block.y", "block.z") - mechanism.bodies[0].center).norm();
    EXPECT_NEAR(way, 0.135, 0.9 * std::sqrt(2 / 1e4) + 2e-3) << formulation;
  }
}

TEST(WrenchMemory, ThatNothingFillsIsRefused) {
  MechanismBuilder b("forgetful");
  b.planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0});
  WrenchSpec blank{.name = "blank", .body2 = Name("arm"), .at1 = Place(1, 0)};
  blank.law = [](const FramePair&) { return Wrench{}; };
  blank.memory = 3;
  WrenchSpec huge = blank;
  huge.name = "huge", huge.memory = 1000;
  b.add(blank).add(huge);
  try {
    b.build();
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u) << error.what();
    EXPECT_EQ(error.diagnostics()[0].text(),
              "error: load 'blank': it has a memory that nothing fills; give 'remember'");
    EXPECT_EQ(error.diagnostics()[1].text(),
              "error: load 'huge': it asks for 1000 numbers to remember; ask for 0 to 64");
  }
}

/// A rotor in a seal is pushed across where it moves to, f = -k r - q n x r - c r', and circles: q makes its tangent
/// unsymmetric. m r'' + c r' + k r + i q r = 0 in the complex plane.
struct SealLaw {
  double k, q, c;
  Vec3 n;
  Wrench operator()(const FramePair& at) const {
    const Vec3 r = at.two.position - at.one.position, v = at.two.velocity - at.one.velocity;
    return {-k * r - q * n.cross(r) - c * v, Vec3::Zero()};
  }
};

TEST(WrenchMemory, UnsymmetricTangentsAreTakenAsTheyAre) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations()) {
    if (formulation == "recursive" || integrator == "rk4") continue;
    SCOPED_TRACE(formulation + " " + integrator);
    const RandomPlace place(17 + static_cast<unsigned>(runs), false);
    const double m = 2, k = 1e5, q = 6e4, c = 700;
    MechanismBuilder b("rotor");
    b.gravity({0, 0, 0}).body("rotor", m, place.at(0.01, 0, 0), Mat3(Mat3::Identity()));
    b.planar_joint("plane", "ground", "rotor", place.at(0.01, 0, 0), place.along(0, 0, 1));
    WrenchSpec seal{
        .name = "seal", .body2 = Name("rotor"), .at1 = Place(place.at(0, 0, 0)), .at2 = Place(place.at(0.01, 0, 0))};
    seal.law = SealLaw{k, q, c, place.along(0, 0, 1)};
    b.add(seal);
    const Mechanism mechanism = b.build();
    const double h = 5e-3;  // a quarter of a turn of its vibration
    const RunSummary summary = run(mechanism, options_of(formulation, h, 0.1, integrator));
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    const double per_step = static_cast<double>(summary.iterations) / static_cast<double>(summary.steps);
    // The law is linear: an increment, one that shows it, and for stages one more each.
    EXPECT_LE(per_step, integrator.starts_with("sdirk") ? 12 : 3.1);
    ++runs;
  }
  EXPECT_GE(runs, 15);
}

}  // namespace
}  // namespace cardan
