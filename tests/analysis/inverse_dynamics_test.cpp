// Efforts along given paths: closed forms, what a driven simulation says, and forward runs that come back to the path.
#include <gtest/gtest.h>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kFall = 9.81;

Mechanism two_links(bool driven) {
  MechanismBuilder b("2R");
  b.planar().gravity({0, -kFall, 0});
  b.rod("upper", Place(0, 0), Place(0.8, 0), 3).rod("lower", Place(0.8, 0), Place(1.4, 0), 2);
  b.revolute("shoulder", "ground", "upper", Place(0, 0)).revolute("elbow", "upper", "lower", Place(0.8, 0));
  if (driven) {
    b.driver("m1", "shoulder", Function::sine(0.8, 2.1, 0.3, 0.2));
    b.driver("m2", "elbow", Function::sine(1.1, 3.3, -0.5, 0.7));
  }
  return b.build();
}

/// The textbook's equations of two rods.
Vec2 two_link_torques(const Vec2& q, const Vec2& v, const Vec2& a) {
  const double m1 = 3, m2 = 2, l1 = 0.8, l2 = 0.6, c1 = l1 / 2, c2 = l2 / 2;
  const double i1 = m1 * l1 * l1 / 12, i2 = m2 * l2 * l2 / 12;
  const double h = m2 * l1 * c2 * std::sin(q[1]), x = m2 * l1 * c2 * std::cos(q[1]);
  const double m11 = i1 + m1 * c1 * c1 + i2 + m2 * (l1 * l1 + c2 * c2) + 2 * x, m12 = i2 + m2 * c2 * c2 + x,
               m22 = i2 + m2 * c2 * c2;
  const double g1 = (m1 * c1 + m2 * l1) * kFall * std::cos(q[0]) + m2 * c2 * kFall * std::cos(q[0] + q[1]);
  const double g2 = m2 * c2 * kFall * std::cos(q[0] + q[1]);
  return {m11 * a[0] + m12 * a[1] - h * (2 * v[0] * v[1] + v[1] * v[1]) + g1,
          m12 * a[0] + m22 * a[1] + h * v[0] * v[0] + g2};
}

TEST(InverseDynamics, OfTwoLinksIsTheTextbooks) {
  const InverseDynamics result = inverse_dynamics(two_links(true), {0.05, 2.03});
  ASSERT_EQ(result.time.size(), 42U);
  EXPECT_EQ(result.time.back(), 2.03);
  EXPECT_EQ(result.degrees_of_freedom, 2);
  for (Eigen::Index i = 0; i < result.effort.rows(); ++i) {
    const Vec2 expected = two_link_torques(result.position.row(i), result.velocity.row(i), result.acceleration.row(i));
    EXPECT_NEAR(result.effort(i, 0), expected[0], 1e-9);
    EXPECT_NEAR(result.effort(i, 1), expected[1], 1e-9);
  }
}

/// Runs the mechanism on its efforts and returns the largest distance of the driven joints from their paths at the end.
double forward_error(const Mechanism& mechanism, double until, double step, const std::vector<std::string>& joints) {
  const InverseDynamics result = inverse_dynamics(mechanism, {step, until});
  RunOptions options = options_of("hybrid", step, until, "rk4");
  const FinishedRun run = finish(with_efforts(mechanism, result), options);
  EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  double worst = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double wanted = mechanism.drivers[i].position(until);
    worst = std::max(worst, std::abs(run.last[joints[i] + ".q"] - wanted));
    worst = std::max(worst, std::abs(run.last[joints[i] + ".v"] - mechanism.drivers[i].position.evaluate(until).d1));
  }
  return worst;
}

TEST(InverseDynamics, EffortsOfTwoLinksBringTheForwardRunAlongThePath) {
  EXPECT_LT(forward_error(two_links(true), 1, 1e-3, {"shoulder", "elbow"}), 1e-5);
}

Mechanism four_bar(const Function& path) {
  MechanismBuilder b("four-bar");
  b.planar().gravity({0, -kFall, 0});
  b.rod("crank", Place(0, 0), Place(0.1, 0.3), 0.7).rod("coupler", Place(0.1, 0.3), Place(1.1, 0.8), 0.9);
  b.rod("rocker", Place(1, 0), Place(1.1, 0.8), 1.3);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0.1, 0.3));
  b.revolute("c", "coupler", "rocker", Place(1.1, 0.8)).revolute("d", "ground", "rocker", Place(1, 0));
  b.torsion("torsion", "d", 3, 0.2);
  b.driver("motor", "a", path);
  return b.build();
}

TEST(InverseDynamics, OfALoopIsTheEffortOfADrivenRun) {
  // A full turn of the crank and more, in samples far apart.
  const Mechanism m = four_bar(Function::polynomial({0, 3, 2}));
  const InverseDynamics result = inverse_dynamics(m, {0.25, 1.5});
  RunOptions options = options_of("hybrid", 2e-4, 1.5);
  const FinishedRun run = finish(m, options);
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  const Eigen::Index last = result.effort.rows() - 1;
  EXPECT_NEAR(result.effort(last, 0), run.last["motor.effort"], 1e-3 * std::abs(result.effort(last, 0)));
  EXPECT_EQ(result.degrees_of_freedom, 1);
}

TEST(InverseDynamics, OfALoopPutsInThePowerThatTheEnergyTakes) {
  MechanismBuilder b("loop");
  b.gravity({0, 0, -kFall});
  const Vec3 a(0, 0, 0), p(0.1, 0.25, 0.2), q(0.9, 0.35, 0.3), c(1, 0, 0);
  b.cylinder("crank", a, p, 0.03, 0.7).cylinder("coupler", p, q, 0.02, 0.9).cylinder("rocker", c, q, 0.04, 1.1);
  b.revolute("pin1", "ground", "crank", a, Direction(1, 0.1, 0)).spherical("ball", "crank", "coupler", p);
  b.universal("cross", "coupler", "rocker", q, Direction(Vec3(0, 0.3, -0.35)), Direction(Vec3(1, 0, 0)));
  b.revolute("pin2", "ground", "rocker", c, Direction(0.2, 1, 0));
  b.driver("motor", "pin1", Function::sine(0.3, 2));
  const Mechanism m = b.build();
  const InverseDynamics result = inverse_dynamics(m, {1e-3, 1});
  double work = 0;
  for (Eigen::Index i = 0; i + 1 < result.effort.rows(); ++i) {
    work +=
        0.5e-3 * (result.effort(i, 0) * result.velocity(i, 0) + result.effort(i + 1, 0) * result.velocity(i + 1, 0));
  }
  RunOptions options = options_of("hybrid", 1e-3, 1);
  const RunSummary summary = run(m, options);
  ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
  EXPECT_NEAR(work, summary.energy_final - summary.energy_initial, 2e-5);
}

TEST(InverseDynamics, EffortsOfALoopBringTheForwardRunAlongThePath) {
  EXPECT_LT(forward_error(four_bar(Function::sine(0.6, 3, 0.2)), 1, 5e-4, {"a"}), 1e-5);
}

/// Six links with axes in all directions, driven or not.
Mechanism six_links(bool driven) {
  MechanismBuilder b("6R");
  b.gravity({0, 0, -kFall});
  const Vec3 axis[6] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0.2}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0.1}};
  const double length[6] = {0.4, 0.5, 0.4, 0.3, 0.2, 0.15};
  Vec3 at = Vec3::Zero();
  std::string before = "ground";
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i + 1);
    const Vec3 next = at + length[i] * (i == 0 ? Vec3(0, 0, 1) : Vec3(1, 0.1 * i, 0.05 * i).normalized());
    b.cylinder("link" + n, at, next, 0.06, 4.0 - 0.5 * i)
        .revolute("joint" + n, before, "link" + n, at, Direction(axis[i]));
    if (driven) b.driver("motor" + n, "joint" + n, Function::sine(0.3 + 0.05 * i, 2 + 0.3 * i, 0.4 * i));
    before = "link" + n, at = next;
  }
  return b.build();
}

TEST(InverseDynamics, EffortsOfASpatialArmBringTheForwardRunAlongThePath) {
  EXPECT_LT(forward_error(six_links(true), 1, 5e-4, {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6"}),
            1e-5);
}

TEST(InverseDynamics, AlongAPathIsWhatItIsPointByPoint) {
  const InverseDynamics path = inverse_dynamics(six_links(true), {0.2, 0.4});
  const Mechanism arm = six_links(false);
  for (Eigen::Index i = 0; i < path.effort.rows(); ++i) {
    const VecX point = inverse_dynamics_at(arm, path.position.row(i).transpose(), path.velocity.row(i).transpose(),
                                           path.acceleration.row(i).transpose());
    EXPECT_LT((point - path.effort.row(i).transpose()).norm(), 1e-9);
    const Eigen::MatrixXd M = joint_space_mass_matrix(arm, path.position.row(i).transpose());
    const VecX zero = VecX::Zero(6);
    const VecX difference = inverse_dynamics_at(arm, path.position.row(i).transpose(), zero, VecX::Ones(6)) -
                            inverse_dynamics_at(arm, path.position.row(i).transpose(), zero, zero);
    EXPECT_LT((M * VecX::Ones(6) - difference).norm(), 1e-9);
  }
}

/// A body in three driven rings, its centre beside their common point. With a ball joint at that point besides, which
/// takes nothing and turns far between two samples, the motors need the same.
Mechanism gimbal(const RandomPlace& place, bool with_ball) {
  MechanismBuilder b("gimbal");
  b.gravity(place.along(0.5, -9, 3));
  const double r = place.size();
  const auto ring = [r](double x, double y, double z) { return Mat3(Vec3(r * r * Vec3(x, y, z)).asDiagonal()); };
  b.body("outer", 2, place.at(0, 0, 0), ring(0.3, 0.3, 0.5)).body("inner", 1, place.at(0, 0, 0), ring(0.1, 0.2, 0.2));
  b.body("core", 3, place.at(0.1, 0.2, 0.05), ring(0.5, 0.4, 0.6));
  const auto at = [&place] { return Place(place.at(0, 0, 0)); };
  b.revolute("yaw", "ground", "outer", at(), Direction(place.along(0, 0, 1)));
  b.revolute("pitch", "outer", "inner", at(), Direction(place.along(0, 1, 0)));
  b.revolute("roll", "inner", "core", at(), Direction(place.along(1, 0, 0)));
  if (with_ball) b.spherical("ball", "ground", "core", at());
  b.driver("m1", "yaw", Function::polynomial({0, 4, 1}));
  b.driver("m2", "pitch", Function::sine(0.9, 3));
  b.driver("m3", "roll", Function::polynomial({0, -2, 3}));
  return b.build();
}

TEST(InverseDynamics, DoesNotFeelABallJointThatTurnsFar) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomPlace place(seed, false);
    const InverseDynamics rings = inverse_dynamics(gimbal(place, false), {0.1, 2});
    const InverseDynamics ball = inverse_dynamics(gimbal(place, true), {0.1, 2});
    EXPECT_LT((rings.effort - ball.effort).cwiseAbs().maxCoeff(), 1e-10 * rings.effort.cwiseAbs().maxCoeff());
    EXPECT_EQ(ball.degrees_of_freedom, 3);
  }
}

TEST(InverseDynamics, NamesWhatIsNotDriven) {
  MechanismBuilder b("half driven");
  b.planar();
  b.rod("upper", Place(0, 0), Place(0.8, 0), 3).rod("lower", Place(0.8, 0), Place(1.4, 0), 2);
  b.revolute("shoulder", "ground", "upper", Place(0, 0)).revolute("elbow", "upper", "lower", Place(0.8, 0));
  b.driver("m1", "shoulder", Function::sine(0.8, 2.1));
  try {
    inverse_dynamics(b.build(), {});
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the drivers give 1 of 2 degrees of freedom; no driver gives elbow.q"), std::string::npos)
        << text;
  }
}

Mechanism parallelogram(const Function& first, const Function& second) {
  MechanismBuilder b("parallelogram");
  b.planar().gravity({0, -kFall, 0});
  b.rod("left", Place(0, 0), Place(0.2, 0.5), 1).rod("right", Place(1, 0), Place(1.2, 0.5), 1);
  b.rod("bar", Place(0.2, 0.5), Place(1.2, 0.5), 3);
  b.revolute("a", "ground", "left", Place(0, 0)).revolute("b", "ground", "right", Place(1, 0));
  b.revolute("c", "left", "bar", Place(0.2, 0.5)).revolute("d", "right", "bar", Place(1.2, 0.5));
  b.driver("m1", "a", first).driver("m2", "b", second);
  return b.build();
}

TEST(InverseDynamics, SharesTheEffortOfDriversThatAgree) {
  const Function path = Function::sine(0.3, 2);
  const InverseDynamics result = inverse_dynamics(parallelogram(path, path), {0.1, 1});
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("2 drivers give 1 degrees of freedom"), std::string::npos) << result.notes[0];
  Mechanism single = parallelogram(path, path);
  single.drivers.pop_back();
  const InverseDynamics alone = inverse_dynamics(single, {0.1, 1});
  for (Eigen::Index i = 0; i < result.effort.rows(); ++i) {
    EXPECT_NEAR(result.effort(i, 0), 0.5 * alone.effort(i, 0), 1e-9);
    EXPECT_NEAR(result.effort(i, 1), 0.5 * alone.effort(i, 0), 1e-9);
  }
}

TEST(InverseDynamics, RefusesDriversThatDisagree) {
  EXPECT_THROW(inverse_dynamics(parallelogram(Function::sine(0.3, 2), Function::sine(0.31, 2)), {0.1, 1}), ModelError);
}

TEST(InverseDynamics, SaysWhenAPathLeavesTheReach) {
  // The crank is too long to turn all the way round.
  MechanismBuilder b("rocker");
  b.planar();
  b.rod("crank", Place(0, 0), Place(0, 1), 1).rod("coupler", Place(0, 1), Place(1, 1), 1);
  b.rod("rocker", Place(1.2, 0), Place(1, 1), 1);
  b.revolute("a", "ground", "crank", Place(0, 0)).revolute("b", "crank", "coupler", Place(0, 1));
  b.revolute("c", "coupler", "rocker", Place(1, 1)).revolute("d", "ground", "rocker", Place(1.2, 0));
  b.driver("motor", "a", Function::polynomial({0, 3}));
  try {
    inverse_dynamics(b.build(), {0.05, 2});
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("path"), std::string::npos) << error.what();
  }
}

TEST(InverseDynamics, LooksAtTheMechanismOfTheStart) {
  // A hand that is attached later closes no loop yet, and a driver that is switched on later drives nothing.
  MechanismBuilder b("2R");
  b.planar().gravity({0, -kFall, 0});
  b.rod("upper", Place(0, 0), Place(0.8, 0), 3).rod("lower", Place(0.8, 0), Place(1.4, 0), 2);
  b.revolute("shoulder", "ground", "upper", Place(0, 0)).revolute("elbow", "upper", "lower", Place(0.8, 0));
  b.revolute("hand", "ground", "lower", Place(1.4, 0));
  b.driver("m1", "shoulder", Function::sine(0.8, 2.1)).driver("m2", "elbow", Function::sine(1.1, 3.3));
  b.driver("late", "hand", Function::constant(0));
  b.add(EventSpec{.name = "grip", .time = 0.2, .action = Event::Action::attach, .targets = {"hand"}});
  b.add(EventSpec{.name = "hold", .time = 0.2, .action = Event::Action::on, .targets = {"late"}});
  const Mechanism m = b.build();
  EXPECT_EQ(joint_space(m), (std::vector<std::string>{"shoulder", "elbow"}));
  const InverseDynamics result = inverse_dynamics(m, {0.1, 0.5});
  EXPECT_EQ(result.names, (std::vector<std::string>{"m1", "m2"}));
  EXPECT_EQ(result.notes.size(), 2U);
  for (Eigen::Index i = 0; i < result.effort.rows(); ++i) {
    const Vec2 expected = two_link_torques(result.position.row(i), result.velocity.row(i), result.acceleration.row(i));
    EXPECT_NEAR(result.effort(i, 0), expected[0], 1e-9);
    EXPECT_NEAR(result.effort(i, 1), expected[1], 1e-9);
  }
  const Mechanism forward = with_efforts(m, result);
  EXPECT_EQ(forward.actuators.size(), 2U);
  ASSERT_EQ(forward.drivers.size(), 1U);
  EXPECT_EQ(forward.drivers[0].name, "late");
}

TEST(JointSpace, RefusesLoops) {
  Mechanism loop = four_bar(Function::constant(0));
  EXPECT_THROW(joint_space(loop), ModelError);
  EXPECT_EQ(joint_space(two_links(false)), (std::vector<std::string>{"shoulder", "elbow"}));
  EXPECT_THROW(joint_space_mass_matrix(two_links(false), VecX::Zero(3)), std::invalid_argument);
}

/// The PUMA 560 of the standard Denavit-Hartenberg table (Corke and Armstrong-Helouvry 1994), drawn at the zero pose,
/// without rotors and friction.
Mechanism puma() {
  struct Link {
    Vec3 point, axis, center;
    double mass;
    Vec3 inertia;
  };
  const Link links[6] = {
      {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, 0, {0, 0, 0.35}},
      {{0, 0, 0}, {0, -1, 0}, {0.068, -0.2275, 0.006}, 17.4, {0.13, 0.539, 0.524}},
      {{0.4318, 0, 0}, {0, -1, 0}, {0.4318, -0.16415, 0.07}, 4.8, {0.066, 0.086, 0.0125}},
      {{0.4521, -0.15005, 0}, {0, 0, 1}, {0.4521, -0.15005, 0.4508}, 0.82, {0.0018, 0.0018, 0.0013}},
      {{0.4521, -0.15005, 0.4318}, {0, -1, 0}, {0.4521, -0.15005, 0.4318}, 0.34, {0.0003, 0.0004, 0.0003}},
      {{0.4521, -0.15005, 0.4318}, {0, 0, 1}, {0.4521, -0.15005, 0.4638}, 0.09, {0.00015, 0.00015, 4e-05}}};
  MechanismBuilder b("puma560");
  b.gravity({0, 0, -kFall});
  std::string before = "ground";
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i + 1);
    const Link& link = links[i];
    BodySpec body{.name = "link" + n,
                  .shape = GivenInertia{.center = Place(link.center), .inertia = Mat3(link.inertia.asDiagonal())}};
    body.mass = Number(link.mass);
    body.unphysical = true;  // link 1: only the inertia about its axis is known
    b.add(body).revolute("joint" + n, before, "link" + n, link.point, Direction(link.axis));
    before = "link" + n;
  }
  return b.build();
}

TEST(JointSpace, MassMatrixAndGravityOfThePumaAreThePublished) {
  const Mechanism arm = puma();
  VecX nominal(6);
  nominal << 0, M_PI / 4, M_PI, 0, M_PI / 4, 0;
  const Eigen::MatrixXd M = joint_space_mass_matrix(arm, nominal);
  // Published with the rotors' inertia G^2 Jm on the diagonal, which is taken off here.
  Eigen::MatrixXd published(6, 6);
  published << 3.6594, -0.4044, 0.1006, -0.0025, 0, 0,  //
      -0.4044, 4.4137, 0.3509, 0, 0.0024, 0,            //
      0.1006, 0.3509, 0.9378, 0, 0.0015, 0,             //
      -0.0025, 0, 0, 0.1925, 0, 0,                      //
      0, 0.0024, 0.0015, 0, 0.1713, 0,                  //
      0, 0, 0, 0, 0, 0.1941;
  const double rotor[6] = {2e-4, 2e-4, 2e-4, 3.3e-5, 3.3e-5, 3.3e-5};
  const double gear[6] = {-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686};
  for (int i = 0; i < 6; ++i) published(i, i) -= rotor[i] * gear[i] * gear[i];
  EXPECT_LT((M - published).cwiseAbs().maxCoeff(), 5.1e-5) << M;
  // The same to all digits, by an independent recursion.
  EXPECT_NEAR(M(0, 0), 2.875345443510791, 1e-9);
  EXPECT_NEAR(M(0, 1), -0.4043612460415187, 1e-9);
  EXPECT_NEAR(M(1, 1), 2.0889270886357907, 1e-9);
  EXPECT_NEAR(M(2, 4), 0.0014801663885198025, 1e-9);
  EXPECT_NEAR(M(3, 5), 2.828427124746195e-05, 1e-9);

  VecX gravity(6);
  gravity << 0, 31.6399, 6.0351, 0, 0.0283, 0;
  EXPECT_LT((gravity_torques(arm, nominal) - gravity).cwiseAbs().maxCoeff(), 5.1e-5);
  EXPECT_LT((inverse_dynamics_at(arm, nominal, VecX::Zero(6), VecX::Zero(6)) - gravity).cwiseAbs().maxCoeff(), 5.1e-5);
}

TEST(JointSpace, VelocityTorquesOfThePumaAreThePublished) {
  // C(q, q') q' with q' = (1, 2, 3, 1, 2, 3), from the published matrix of four digits.
  Eigen::MatrixXd C(6, 6);
  C << -0.1735, -2.0494, -0.1178, -0.0002, -0.0045, 0.0001,  //
      0.6274, 1.1572, 1.9287, -0.0015, -0.0003, 0,           //
      -0.3608, -0.7734, -0.0018, -0.0009, -0.0064, 0,        //
      0.0011, 0.0005, -0.0001, 0.0002, 0.0002, -0.0001,      //
      -0.0002, 0.0028, 0.0046, -0.0002, 0, 0,                //
      0.0001, 0, 0, 0, 0, 0;
  VecX v(6), nominal(6);
  v << 1, 2, 3, 1, 2, 3;
  nominal << 0, M_PI / 4, M_PI, 0, M_PI / 4, 0;
  const Mechanism arm = puma();
  const VecX torque = inverse_dynamics_at(arm, nominal, v, VecX::Zero(6)) - gravity_torques(arm, nominal);
  EXPECT_LT((torque - C * v).cwiseAbs().maxCoeff(), 12 * 5.1e-5);
}

}  // namespace
}  // namespace cardan
