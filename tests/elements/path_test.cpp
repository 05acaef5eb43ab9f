// Drivers along paths of poses: the motion is the path's and the efforts those of Newton and Euler, in every way to
// compute it; on a body that moves itself; with events, in a mirror, in the plane, and by inverse dynamics.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "cardan/cardan.hpp"
#include "cardan/specs/joints.hpp"
#include "every_method.hpp"
#include "last_sample.hpp"
#include "math/rotation_path.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kPlateMass = 3, kPathEnd = 0.7;
const Mat3 kPlateInertia{{0.3, 0.02, -0.01}, {0.02, 0.4, 0.03}, {-0.01, 0.03, 0.25}};

/// Six poses over a second, 25 to 50 degrees apart, the first near the drawing.
struct Poses {
  std::vector<double> time;
  std::array<std::vector<double>, 3> place;
  std::vector<Quat> rotation;

  explicit Poses(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(-1, 1);
    Quat q = Quat::Identity();
    for (int i = 0; i < 6; ++i) {
      const Vec3 axis = Vec3(part(random), part(random), part(random)).normalized();
      q = q * Quat(Eigen::AngleAxisd(0.45 + 0.4 * std::abs(part(random)), axis));
      time.push_back(0.2 * i);
      for (auto& coordinate : place) coordinate.push_back(0.3 * part(random));
      rotation.push_back(q);
    }
  }
  std::vector<TableRow> rows(bool translations) const {
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < time.size(); ++i) {
      TableRow& row = rows.emplace_back(TableRow{{time[i]}});
      for (int j = 0; translations && j < 3; ++j) row.values.push_back(place[static_cast<std::size_t>(j)][i]);
      const Quat& q = rotation[i];
      for (const double part : {q.w(), q.x(), q.y(), q.z()}) row.values.push_back(2 * part);  // of any length
    }
    return rows;
  }
  RotationPath turn() const { return RotationPath(time, rotation, Function::Beyond::error); }
  Vec3 at(double t, int derivative) const {
    Vec3 result;
    for (int i = 0; i < 3; ++i) {
      const auto value =
          Function::table(time, place[static_cast<std::size_t>(i)], Function::Interpolation::cubic).evaluate(t);
      result[i] = derivative == 0 ? value.f : derivative == 1 ? value.d1 : value.d2;
    }
    return result;
  }
};

PathSpec motion_along(const char* joint, std::vector<TableRow> rows) {
  PathSpec spec;
  spec.name = "motion", spec.joint = joint, spec.poses = std::move(rows);
  return spec;
}

/// Calls `check` with what every method gives, and how much worse the one of first order may be.
template <class Check>
int along_in_every_way(const Mechanism& m, const Check& check) {
  return with_every_method(0.005, kPathEnd, 1e-8, [&](const RunOptions& options) {
    const FinishedRun run = finish(m, options);
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    if (run.summary.status == RunStatus::ok) check(run.last, options.integrator == "newmark" ? 10.0 : 1.0);
  });
}

Mat3 attitude(const LastSample& last, const std::string& body) {
  return Quat(last[body + ".qw"], last[body + ".qx"], last[body + ".qy"], last[body + ".qz"]).toRotationMatrix();
}

/// R^T R' of a motion of three matrices, as a vector.
Vec3 vector_of(const Mat3& skew) { return {skew(2, 1), skew(0, 2), skew(1, 0)}; }

TEST(Path, ABodyFollowsItWithTheEffortsOfNewtonAndEuler) {
  int runs = 0;
  for (const unsigned seed : {1U, 2U}) {
    const RandomPlace place(seed, false);
    const Poses poses(seed);
    const Vec3 start = place.at(0.3, -0.2, 0.1), gravity = 9.81 * place.along(0, 0, -1);
    MechanismBuilder b("flight");
    b.gravity(gravity).body("plate", kPlateMass, Place(start), kPlateInertia).free("flight", "ground", "plate");
    const Mechanism m = b.add(motion_along("flight", poses.rows(true))).build();
    ASSERT_EQ(m.drivers.size(), 6U);
    const auto turn = poses.turn().evaluate(kPathEnd);
    const Vec3 w = turn.angular_velocity();
    const Vec3 rate = vector_of(turn.R.transpose() * turn.second + turn.rate.transpose() * turn.rate);
    const Vec3 force = kPlateMass * (poses.at(kPathEnd, 2) - gravity),
               torque = kPlateInertia * rate + w.cross(kPlateInertia * w);
    runs += along_in_every_way(m, [&](const LastSample& last, double) {
      EXPECT_LT((last.vector("plate.x", "plate.y", "plate.z") - start - poses.at(kPathEnd, 0)).norm(), 1e-6);
      EXPECT_LT((last.vector("plate.vx", "plate.vy", "plate.vz") - poses.at(kPathEnd, 1)).norm(), 1e-5);
      EXPECT_LT((attitude(last, "plate") - turn.R).norm(), 1e-6);
      EXPECT_LT((last.vector("plate.wx", "plate.wy", "plate.wz") - turn.R * w).norm(), 1e-5);
      const Vec3 pushed = last.vector("motion.x.effort", "motion.y.effort", "motion.z.effort");
      const Vec3 turned = last.vector("motion.turn_x.effort", "motion.turn_y.effort", "motion.turn_z.effort");
      EXPECT_LT((pushed - force).norm(), 1e-4 * force.norm());
      EXPECT_LT((turned - torque).norm(), 1e-4 * torque.norm());
    });
    // Without integrating.
    const InverseDynamics inverse = inverse_dynamics(m, {0.1, kPathEnd});
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(inverse.effort.bottomRows<1>()(i), force[i], 1e-7 * force.norm());
      EXPECT_NEAR(inverse.effort.bottomRows<1>()(3 + i), torque[i], 1e-7 * torque.norm());
      EXPECT_NEAR(inverse.velocity.bottomRows<1>()(3 + i), w[i], 1e-12);
      EXPECT_NEAR(inverse.acceleration.bottomRows<1>()(3 + i), rate[i], 1e-10);
    }
  }
  EXPECT_GE(runs, 2 * 36);
}

/// A ball joint on an arm that swings freely: the arm feels the path. All formulations give one motion, that of a fine
/// step, and energy is accounted for.
TEST(Path, ABallJointFollowsItOnABodyThatSwings) {
  const RandomPlace place(5, false);
  const Poses poses(6);
  MechanismBuilder b("swing");
  b.gravity(9.81 * place.along(0, 0, -1));
  b.rod("arm", place.at(0, 0, 0), place.at(1, 0, 0), 2, 0.05)
      .body("plate", kPlateMass, Place(place.at(1.2, 0, 0)), kPlateInertia);
  b.revolute("pin", "ground", "arm", place.at(0, 0, 0), place.along(0, 1, 0));
  b.spherical("ball", "arm", "plate", place.at(1, 0, 0));
  const Mechanism m = b.add(motion_along("ball", poses.rows(false))).build();
  ASSERT_EQ(m.drivers.size(), 3U);
  const auto turn = poses.turn().evaluate(kPathEnd);
  const Mat3 frame = m.joints[1].frame1.axes;
  const FinishedRun exact = finish(m, options_of("hybrid", 2e-4, kPathEnd));
  ASSERT_EQ(exact.summary.status, RunStatus::ok) << exact.summary.reason;
  EXPECT_LT(std::abs(exact.summary.energy_max_error), 1e-4);
  const Mat3 drawn_arm = m.bodies[0].axes;
  const int runs = along_in_every_way(m, [&](const LastSample& last, double worse) {
    const Mat3 arm = attitude(last, "arm") * drawn_arm.transpose();  // how far it turned
    EXPECT_LT((attitude(last, "plate") - arm * frame * turn.R * frame.transpose()).norm(), 1e-5);
    EXPECT_NEAR(last["pin.q"], exact.last["pin.q"], worse * 2e-3);
    EXPECT_NEAR(last["motion.turn_y.effort"], exact.last["motion.turn_y.effort"],
                worse * 2e-2 * (1 + std::abs(exact.last["motion.turn_y.effort"])));
  });
  EXPECT_GE(runs, 36);
}

TEST(Path, OfAPlaneHasAnAngle) {
  const RandomPlace place(3, true);
  MechanismBuilder b("plane");
  b.planar()
      .gravity({0, -9.81, 0})
      .body("plate", kPlateMass, Place(place.at(0.4, 0.1)), 0.2)
      .free("flight", "ground", "plate");
  const std::vector<std::vector<double>> rows{{0, 0, 0, 0.1}, {0.3, 0.2, 0.1, 1}, {0.6, 0.1, 0.3, 2.5}, {1, 0, 0, 4}};
  std::vector<TableRow> poses;
  for (const auto& row : rows) poses.push_back({row});
  const Mechanism m = b.add(motion_along("flight", poses)).build();
  const auto column = [&](std::size_t i) {
    std::vector<double> t, x;
    for (const auto& row : rows) t.push_back(row[0]), x.push_back(row[i]);
    return Function::table(t, x, Function::Interpolation::cubic).evaluate(kPathEnd);
  };
  const int runs = along_in_every_way(m, [&](const LastSample& last, double) {
    EXPECT_NEAR(last["flight.q1"], column(1).f, 1e-6);
    EXPECT_NEAR(last["flight.q3"], column(3).f, 1e-6);
    EXPECT_NEAR(last["motion.y.effort"], kPlateMass * (column(2).d2 + 9.81), 1e-3);
    EXPECT_NEAR(last["motion.angle.effort"], 0.2 * column(3).d2, 1e-3);
  });
  EXPECT_GE(runs, 36);
}

/// Let go at 0.3 s: it flies on as a free body does.
TEST(Path, AnEventLetsGo) {
  const Poses poses(8);
  MechanismBuilder b("let go");
  b.gravity({0, 0, 0})
      .body("plate", kPlateMass, Place(Vec3(0.1, 0.2, 0.3)), kPlateInertia)
      .free("flight", "ground", "plate");
  Mechanism driven = b.add(motion_along("flight", poses.rows(true))).build();
  Event off;
  off.name = "off", off.time = 0.3, off.action = Event::Action::off, off.targets = {"motion"};
  driven.events.push_back(off);
  const FinishedRun run = finish(driven, options_of("hybrid", 0.002, kPathEnd));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  const Vec3 gone = poses.at(0.3, 0) + (kPathEnd - 0.3) * poses.at(0.3, 1);
  EXPECT_LT((run.last.vector("plate.x", "plate.y", "plate.z") - Vec3(0.1, 0.2, 0.3) - gone).norm(), 1e-5);
  const auto turn = poses.turn().evaluate(0.3);
  const Vec3 momentum = turn.R * kPlateInertia * turn.angular_velocity();
  const Mat3 R = attitude(run.last, "plate");
  EXPECT_LT((R * kPlateInertia * R.transpose() * run.last.vector("plate.wx", "plate.wy", "plate.wz") - momentum).norm(),
            1e-4 * momentum.norm());
}

/// In a mirror the path is its image, whether it is written with quaternions or angles.
TEST(Path, IsMirrored) {
  const auto folder = std::filesystem::temp_directory_path() / "cardan-path-in-a-mirror";
  std::filesystem::create_directories(folder);
  for (const char* poses : {"[[0, 0, 0, 0, 1, 0, 0, 0], [0.7, 0.3, 0.2, 0.4, 0.9, 0.2, 0.3, 0.4]]",
                            "[[0, 0, 0, 0, 0, 0, 0], [0.7, 0.3, 0.2, 0.4, 0.5, -0.4, 0.6]]"}) {
    std::ofstream(folder / "part.yaml") << "cardan: 1\nname: part\n"
                                        << "bodies: {plate: {box: [0.4, 0.3, 0.1], at: [0, 0, 0], mass: 2}}\n"
                                        << "joints: {flight: {free: [ground, plate]}}\n"
                                        << "drivers: {motion: {path: flight, poses: " << poses << "}}\n";
    std::ofstream(folder / "both.yaml")
        << "cardan: 1\nname: both\nsubsystems:\n  left: {file: part.yaml}\n  right: {file: part.yaml, mirror: z}\n";
    const FinishedRun run =
        finish(read_mechanism((folder / "both.yaml").string()), options_of("hybrid", 0.01, kPathEnd));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const Mat3 mirror = Vec3(1, 1, -1).asDiagonal();
    const auto at = [&](const std::string& side) {
      return run.last.vector(side + "/plate.x", side + "/plate.y", side + "/plate.z");
    };
    EXPECT_GT(at("left").norm(), 0.3);
    EXPECT_LT((at("right") - mirror * at("left")).norm(), 1e-9);
    EXPECT_LT((attitude(run.last, "right/plate") - mirror * attitude(run.last, "left/plate") * mirror).norm(), 1e-9);
  }
}

/// Roll, pitch and yaw are the quaternion of the turns about z, y, x.
TEST(Path, AnglesAreQuaternions) {
  const double roll = 0.3, pitch = -0.5, yaw = 0.9;
  const Quat q(Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
               Eigen::AngleAxisd(roll, Vec3::UnitX()));
  const auto run_of = [](std::vector<TableRow> rows) {
    MechanismBuilder b("angles");
    b.body("plate", kPlateMass, Place(Vec3(0, 0, 0)), kPlateInertia)
        .spherical("ball", "ground", "plate", Place(Vec3(0, 0, 0)));
    return finish(b.add(motion_along("ball", std::move(rows))).build(), options_of("hybrid", 0.01, kPathEnd)).last;
  };
  const LastSample one = run_of({{{0, 0, 0, 0}}, {{kPathEnd, roll, pitch, yaw}}}),
                   two = run_of({{{0, 1, 0, 0, 0}}, {{kPathEnd, q.w(), q.x(), q.y(), q.z()}}});
  EXPECT_LT((attitude(one, "plate") - q.toRotationMatrix()).norm(), 1e-7);
  EXPECT_LT((attitude(two, "plate") - q.toRotationMatrix()).norm(), 1e-7);
}

}  // namespace
}  // namespace cardan
