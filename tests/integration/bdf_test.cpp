// bdf: end values within 100 times the tolerance asked, on stiff mechanisms without and with a loop.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"

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

void expect_end_values(const Mechanism& mechanism, double until, double fine_step, const std::vector<int>& indices) {
  const FinishedRun reference = finish(mechanism, options_of("hybrid", fine_step, until, "rk4"));
  ASSERT_EQ(reference.summary.status, "ok") << reference.summary.reason;
  for (int index : indices) {
    for (double tolerance : {1e-5, 1e-7}) {
      RunOptions options = options_of("cartesian", 0.01, until, "bdf");
      options.index = index;
      options.absolute_tolerance = options.relative_tolerance = tolerance;
      const FinishedRun run = finish(mechanism, options);
      ASSERT_EQ(run.summary.status, "ok") << run.summary.reason;
      for (const Body& body : mechanism.bodies) {
        for (const char* field : {".x", ".y", ".angle"}) {
          EXPECT_NEAR(run.last[body.name + field], reference.last[body.name + field], 100 * tolerance)
              << body.name << field << ", index " << index << ", tolerance " << tolerance;
        }
      }
    }
  }
}

TEST(Bdf, EndsWhereTheStiffDoublePendulumDoes) {
  expect_end_values(read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/stiff_double_pendulum.yaml", {}), 0.1,
                    1e-6, {2, 3});
}

/// In index 3 nothing tests the error of the velocities, and in stiff loops it finds its way into the positions: there
/// the stabilized form, the default, is the one that keeps what is asked.
TEST(Bdf, EndsWhereAStiffLinkageDoes) { expect_end_values(stiff_linkage(), 0.2, 5e-5, {2}); }

TEST(Bdf, SamplesComeAtTheTimesAskedFor) {
  const Mechanism mechanism = stiff_linkage();
  struct Times final : Sink {
    std::vector<double> t;
    void start(const std::vector<std::string>&) override {}
    void sample(const double* row, std::size_t) override { t.push_back(row[0]); }
  } times;
  EXPECT_EQ(run(mechanism, options_of("cartesian", 0.01, 0.05, "bdf"), &times).status, "ok");
  ASSERT_EQ(times.t.size(), 6U);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(times.t[i], 0.01 * i, 1e-12);
}

}  // namespace
}  // namespace cardan
