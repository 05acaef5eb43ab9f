// Bodies without mass on cartesian with dopri5: how a mechanism is turned in its drawing counts neither for the motion
// nor for the steps, also where some constraints feel no mass as drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

struct Frame2 {
  double angle;
  bool planar;
  Vec3 at(double x, double y) const {
    return {x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle), 0};
  }
};

void pin(MechanismBuilder& b, const Frame2& frame, const char* name, const char* body1, const char* body2,
         const Vec3& at) {
  frame.planar ? b.revolute(name, body1, body2, at) : b.revolute(name, body1, body2, at, Vec3(0, 0, 1));
}

void begin(MechanismBuilder& b, const Frame2& frame) {
  if (frame.planar) b.planar();
  b.gravity(9.81 * frame.at(0.6, -0.8));
}

/// A point mass on a massless rod.
Mechanism pendulum(const Frame2& frame) {
  MechanismBuilder b("point mass on a rod");
  begin(b, frame);
  b.rod("rod", frame.at(0, 0), frame.at(1, 0), 0);
  frame.planar ? b.body("bob", 1, frame.at(1, 0), 0.0) : b.body("bob", 1, frame.at(1, 0), Mat3(Mat3::Zero()));
  pin(b, frame, "pin", "ground", "rod", frame.at(0, 0));
  b.fixed("weld", "rod", "bob");
  return b.build();
}

/// A four-bar whose crank and coupler have no mass, with a point mass where they meet.
Mechanism square(const Frame2& frame) {
  MechanismBuilder b("massless coupler");
  begin(b, frame);
  const Vec3 A = frame.at(0, 0), B = frame.at(0, 1), C = frame.at(1.5, 1), D = frame.at(1.2, 0);
  b.rod("crank", A, B, 0).rod("bob", B, C, 0).rod("rocker", D, C, 0.5, 0.02);
  frame.planar ? b.body("weight", 1, B, 0.0) : b.body("weight", 1, B, Mat3(Mat3::Zero()));
  pin(b, frame, "A", "ground", "crank", A), pin(b, frame, "B", "crank", "bob", B);
  pin(b, frame, "C", "bob", "rocker", C), pin(b, frame, "D", "ground", "rocker", D);
  b.fixed("weld", "crank", "weight");
  return b.build();
}

TEST(MasslessBodies, TheTurnOfTheDrawingDoesNotCount) {
  int runs = 0;
  for (const auto mechanism : {pendulum, square}) {
    for (const bool planar : {true, false}) {
      RunOptions options = options_of("cartesian", 0.01, 0.5, "dopri5");
      options.absolute_tolerance = options.relative_tolerance = 1e-9;
      const FinishedRun tilted = finish(mechanism({0.4, planar}), options);
      ASSERT_EQ(tilted.summary.status, RunStatus::ok) << tilted.summary.reason;
      const Vec3 expected =
          Eigen::AngleAxisd(-0.4, Vec3(0, 0, 1)) * Vec3(tilted.last["bob.x"], tilted.last["bob.y"], 0);
      for (const double angle : {0.0, 0.5 * std::numbers::pi, 1e-3, -2.0}) {
        const FinishedRun run = finish(mechanism({angle, planar}), options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        const Vec3 end = Eigen::AngleAxisd(-angle, Vec3(0, 0, 1)) * Vec3(run.last["bob.x"], run.last["bob.y"], 0);
        EXPECT_LT((end - expected).norm(), 1e-6) << run.summary.model << " " << planar << " " << angle;
        // The tolerance looks at coordinates one by one, so that the steps are not quite the same.
        EXPECT_LT(run.summary.steps + run.summary.rejected_steps, 2 * tilted.summary.steps) << angle;
        ++runs;
      }
    }
  }
  EXPECT_EQ(runs, 16);
}

}  // namespace
}  // namespace cardan
