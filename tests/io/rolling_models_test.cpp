// Constraints on velocities from model files: mirrored and placed with a part, felt by signals.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

const char* const kRollingPart = R"(
cardan: 1
name: part
bodies:
  coin: {mass: 1, center: [0, 0, 0.5], inertia: [0.0625, 0.125, 0.0625]}
  sleigh: {mass: 1, center: [0.3, 2, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  air: {free: [ground, coin]}
  ice: {planar: [ground, sleigh], at: [0, 2, 0], axis: z}
constraints:
  rim: {rolling: coin, radius: 0.5}
  edge: {knife_edge: sleigh, at: [0, 2, 0]}
signals:
  push: edge.force + 2*rim.load
initial:
  coin: {angular_velocity: [0.5, 4, 1]}
  sleigh: {velocity: [1, 0.6, 0], angular_velocity: [0, 0, 2]}
)";

/// y of one is -y of the other, both moved and turned alike by what places them.
TEST(RollingModels, MirroredAPartMovesAsItsImage) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "cardan_rolling_models";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.yaml") << kRollingPart;
  std::ofstream(folder / "model.yaml") << R"(
cardan: 1
name: both
gravity: [0, 0, -9.81]
subsystems:
  left: {file: part.yaml}
  right: {file: part.yaml, mirror: y}
  away: {file: part.yaml, place: {at: [1, 0, 2], turn: {axis: z, angle: 0.7}}}
)";
  const Mechanism mechanism = read_mechanism((folder / "model.yaml").string());
  std::filesystem::remove_all(folder);
  ASSERT_EQ(mechanism.rolling_discs.size(), 3u);
  ASSERT_EQ(mechanism.knife_edges.size(), 3u);
  const Vec3 at(1, 0, 2);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();
  int compared = 0;
  for (const char* formulation : {"global", "hybrid", "cartesian"}) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 2e-3, 0.6, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const LastSample& last = run.last;
    const auto place = [&](const std::string& body) { return last.vector(body + ".x", body + ".y", body + ".z"); };
    const auto turning = [&](const std::string& body) { return last.vector(body + ".wx", body + ".wy", body + ".wz"); };
    for (const std::string body : {"coin", "sleigh"}) {
      const Vec3 left = place("left/" + body), right = place("right/" + body), away = place("away/" + body);
      const Vec3 w = turning("left/" + body), mirrored = turning("right/" + body);
      EXPECT_LT((left - Vec3(right.x(), -right.y(), right.z())).norm(), 1e-9) << body;
      EXPECT_LT((w - Vec3(-mirrored.x(), mirrored.y(), -mirrored.z())).norm(), 1e-8) << body;
      EXPECT_LT((at + turn * left - away).norm(), 1e-9) << body;
      EXPECT_LT((turn * w - turning("away/" + body)).norm(), 1e-8) << body;
      ++compared;
    }
    EXPECT_GT(place("left/coin").x(), 0.5) << "it rolls";
    EXPECT_NEAR(last["left/rim.load"], last["right/rim.load"], 1e-7);
    EXPECT_NEAR(last["left/rim.longitudinal"], last["right/rim.longitudinal"], 1e-7);
    EXPECT_NEAR(std::abs(last["left/rim.lateral"]), std::abs(last["right/rim.lateral"]), 1e-7);
    EXPECT_NEAR(last["right/push"], last["right/edge.force"] + 2 * last["right/rim.load"], 1e-9);
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace cardan
