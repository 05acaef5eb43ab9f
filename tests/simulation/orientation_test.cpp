// No orientation is singular: a free body that tumbles, a pendulum on a ball joint that goes everywhere.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

const char* const kTurnedFormulations[] = {"global", "hybrid", "topological", "cartesian"};

const Vec3 kPrincipal(0.2, 0.5, 0.6);

/// Turns about its middle axis, and a little about the others: it turns over again and again.
Mechanism tumbling_body(double about_x, double about_z) {
  MechanismBuilder b("tumbling");
  b.gravity({0, 0, 0});
  b.body("body", 2, Vec3(0.3, 0, 0), Mat3(kPrincipal.asDiagonal()));
  b.free("float", "ground", "body");
  b.velocity("body", {0.1, 0, 0.2});
  b.angular_velocity("body", {about_x, 5, about_z});
  return b.build();
}

/// Keeps the largest change of angular momentum (about the mass centre) and how often the middle axis turned over.
class MomentumWatch final : public Sink {
 public:
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t) override {
    const Quat q(row[4], row[5], row[6], row[7]);
    const Vec3 w(row[11], row[12], row[13]);
    const Vec3 momentum = q * (kPrincipal.asDiagonal() * (q.conjugate() * w));
    if (first_) initial_ = momentum, first_ = false;
    error_ = std::max(error_, (momentum - initial_).norm());
    const bool up = (q * Vec3::UnitY()).y() > 0;
    if (up != up_) ++turns_;
    up_ = up;
  }
  double error() const { return error_; }
  int turns() const { return turns_; }

 private:
  bool first_ = true, up_ = true;
  Vec3 initial_;
  double error_ = 0;
  int turns_ = 0;
};

/// With angular momentum I w as it is, a turn exactly about the middle axis has 1.8e-3 J less: the motion's distance
/// from the one that never turns over. Errors of energy must stay below it before they can fall with their order.
TEST(FreeBody, TumblesAboutItsMiddleAxisFor100Seconds) {
  const Mechanism body = tumbling_body(0.2, 0.1);
  for (const char* formulation : kTurnedFormulations) {
    double energy[2], momentum[2];
    for (int i = 0; i < 2; ++i) {
      MomentumWatch watch;
      const RunSummary summary = run(body, options_of(formulation, i == 0 ? 0.004 : 0.002, 100), &watch);
      ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
      EXPECT_EQ(watch.turns(), 28) << formulation;
      energy[i] = std::abs(summary.energy_max_error);
      momentum[i] = watch.error();
    }
    EXPECT_LT(energy[0], 5e-4) << formulation;
    EXPECT_LT(energy[1], energy[0] / 3.4 + 1e-9) << formulation << " " << energy[0];
    EXPECT_LT(momentum[1], momentum[0] / 3.4 + 1e-9) << formulation << " " << momentum[0];
  }
}

/// A hundred times closer, 1.8e-5 J: how often it turns over depends on errors, and yet it stays a free body's motion.
TEST(FreeBody, TumblesNextToTheMotionThatNeverTurnsOver) {
  const Mechanism body = tumbling_body(0.02, 0.01);
  for (const char* formulation : kTurnedFormulations) {
    MomentumWatch watch;
    const RunSummary summary = run(body, options_of(formulation, 0.002, 100), &watch);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    EXPECT_GE(watch.turns(), 18) << formulation;
    EXPECT_LT(std::abs(summary.energy_max_error), 1e-4) << formulation;
    EXPECT_LT(watch.error(), 2e-4) << formulation;
  }
}

Mechanism spherical_pendulum() {
  MechanismBuilder b("spherical pendulum");
  b.gravity({0, 0, -9.81});
  b.body("bob", 1, Vec3(0.4, 0, 0.1), Mat3(Vec3(0.02, 0.03, 0.04).asDiagonal()));
  b.spherical("ball", "ground", "bob", Vec3(0, 0, 0));
  b.angular_velocity("bob", {3, 8, 2});  // fast enough to swing over the top
  return b.build();
}

/// Which eighths of the orientation sphere each body axis has visited.
class OrientationWatch final : public Sink {
 public:
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t) override {
    const Mat3 R = Quat(row[4], row[5], row[6], row[7]).toRotationMatrix();
    for (int axis = 0; axis < 3; ++axis) {
      visited_[axis][(R(0, axis) > 0) * 4 + (R(1, axis) > 0) * 2 + (R(2, axis) > 0)] = true;
    }
  }
  int visited() const {
    int count = 0;
    for (const auto& axis : visited_) count += static_cast<int>(std::count(std::begin(axis), std::end(axis), true));
    return count;
  }

 private:
  bool visited_[3][8] = {};
};

TEST(SphericalPendulum, GoesThroughEveryOrientation) {
  const Mechanism pendulum = spherical_pendulum();
  for (const char* formulation : kTurnedFormulations) {
    double energy[2];
    for (int i = 0; i < 2; ++i) {
      OrientationWatch watch;
      const RunSummary summary = run(pendulum, options_of(formulation, i == 0 ? 0.002 : 0.0005, 20), &watch);
      ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
      EXPECT_EQ(watch.visited(), 24) << formulation;
      energy[i] = std::abs(summary.energy_max_error);
    }
    // The motion is irregular and the largest error comes at different times, so over two halvings.
    EXPECT_LT(energy[0], 0.05) << formulation;
    EXPECT_LT(energy[1], energy[0] / 13) << formulation;
  }
}

}  // namespace
}  // namespace cardan
