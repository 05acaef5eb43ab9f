// Many short steps of one length: what each of them rounds must not add up.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// A wheel on a torsion spring swings with w; the step is no sum of powers of two, so that t + h is rounded every time,
/// and always to the same side for long. 16,000 steps that are longer than time goes on by would be 2e-12 s ahead.
TEST(ShortSteps, AreAsLongAsTimeGoesOnBy) {
  constexpr double w = 30, inertia = 0.5, amplitude = 1, h = 1.25e-4;
  constexpr int steps = 16000;
  int ran = 0;
  for (unsigned seed : {1u, 2u}) {
    const RandomPlace place(seed, false);
    MechanismBuilder b("wheel");
    b.gravity({0, 0, 0});
    b.body("wheel", 1, place.at(0, 0), Mat3(Vec3(inertia, inertia, inertia).asDiagonal()));
    b.revolute("axle", "ground", "wheel", place.at(0, 0), place.along(0.3, -0.4, 0.8).normalized());
    b.torsion("spring", "axle", inertia * w * w, 0);
    b.joint_velocity("axle", amplitude * w);
    const Mechanism mechanism = b.build();
    for (const char* formulation : {"hybrid", "topological"}) {
      RunOptions options = options_of(formulation, h, steps * h, "dopri5");
      options.absolute_tolerance = options.relative_tolerance = 1e6;  // any step meets them
      Simulation simulation(mechanism, options);
      for (int i = 0; i < steps; ++i) ASSERT_EQ(simulation.step(h), StepStatus::ok);
      const double t = simulation.time();
      EXPECT_NEAR(t, steps * h, 1e-11);
      const double angle = amplitude * std::sin(w * t);
      const Vec3 axis = place.along(0.3, -0.4, 0.8).normalized();
      const Mat3 turned = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      EXPECT_LT((simulation.body(0).rotation - turned).cwiseAbs().maxCoeff(), 4e-12) << formulation << " " << seed;
      ++ran;
    }
  }
  EXPECT_EQ(ran, 4);
}

/// The length that is told is the one asked for.
TEST(ShortSteps, AreToldAsAskedFor) {
  MechanismBuilder b("wheel");
  b.gravity({0, 0, 0}).planar();
  b.body("wheel", 1, Place(0.3, 0.1), 0.5).revolute("axle", "ground", "wheel", Place(0.3, 0.1));
  const RunSummary summary = run(b.build(), options_of("hybrid", 1e-3, 0.5, "trapezoidal"), nullptr);
  EXPECT_NEAR(summary.step_smallest, 1e-3, 1e-12);  // the last one ends the run
  EXPECT_EQ(summary.step_largest, 1e-3);
}

}  // namespace
}  // namespace cardan
