// Joints that take hold and let go at given times: momentum stays, and the energy that leaves is known in closed form.
#include <cmath>

#include "simulation/caught_rod.hpp"

namespace cardan::events {
namespace {

double kinetic_energy(double m, double inertia, const BodyMotion& b) {
  return 0.5 * m * b.velocity.squaredNorm() + 0.5 * inertia * b.angular_velocity.z() * b.angular_velocity.z();
}

TEST(Attach, LosesTheEnergyOfAPlasticImpulse) {
  constexpr double kTime = 0.37;
  for (const char* formulation : kFormulations) {
    Simulation simulation(caught_rod(kTime), options_of(formulation, 1e-3, 1));
    go_to(simulation, kTime, 1e-3);
    EXPECT_NEAR(simulation.time(), kTime, 1e-12) << formulation;
    const BodyMotion before = simulation.body(0);
    EXPECT_NEAR(before.rotation(1, 0), std::sin(2 * kTime), 1e-5) << formulation;
    EXPECT_LT((before.velocity - Vec3(0.3, 0.7, 0)).norm(), 1e-9) << formulation;
    // From the peg to the centre; the angular momentum about the peg stays.
    const Vec3 r = -(1.1 - 0.6) * before.rotation.col(0), peg = before.position - r;
    const double about_peg = kInertia + kMass * r.squaredNorm();
    const double w = (kInertia * before.angular_velocity.z() + kMass * r.cross(before.velocity).z()) / about_peg;
    const double left = 0.5 * about_peg * w * w;
    ASSERT_EQ(simulation.pass_events(), StepStatus::ok) << formulation;
    EXPECT_LT((simulation.body(0).position - before.position).norm(), 1e-12) << formulation;
    EXPECT_NEAR(simulation.body(0).angular_velocity.z(), w, 1e-9) << formulation;
    ASSERT_EQ(simulation.summary().events.size(), 1u);
    EXPECT_NEAR(simulation.summary().events[0].energy, left - kinetic_energy(kMass, kInertia, before), 1e-9)
        << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 1) << formulation;
    EXPECT_EQ(simulation.summary().events[0].name, "catch");
    EXPECT_EQ(simulation.summary().events[0].time, kTime);
    // The rod turns about the peg from now on, whatever the drawn place of the peg was.
    go_to(simulation, 1, 1e-3);
    const BodyMotion end = simulation.body(0);
    EXPECT_NEAR(end.angular_velocity.z(), w, 1e-6) << formulation;
    EXPECT_LT((end.position + 0.5 * end.rotation.col(0) - peg).norm(), 1e-7) << formulation;
    EXPECT_NEAR(kinetic_energy(kMass, kInertia, end), left, 1e-6) << formulation;
    EXPECT_LT(std::abs(simulation.summary().energy_max_error), 1e-5) << formulation;
  }
}

/// A double pendulum whose knee is caught: the upper rod stops, the lower one goes on about the knee.
TEST(Attach, APendulumThatCatchesAPeg) {
  MechanismBuilder b("knee");
  b.planar();
  b.rod("upper", Place(0, 0), Place(1, 0), 1).rod("lower", Place(1, 0), Place(1.8, 0.3), 0.7);
  b.revolute("pin", "ground", "upper", Place(0, 0)).revolute("knee", "upper", "lower", Place(1, 0));
  b.revolute("peg", "ground", "lower", Place(1, 0));
  b.attach("catch", 0.5, "peg");
  const Mechanism mechanism = b.build();
  const double lower = std::hypot(0.8, 0.3), inertia = 0.7 * lower * lower / 12;
  for (const char* formulation : kFormulations) {
    Simulation simulation(mechanism, options_of(formulation, 0.005, 1));
    go_to(simulation, 0.5, 0.005);
    const BodyMotion before = simulation.body(1), upper = simulation.body(0);
    const Vec3 r = before.rotation.col(0) * 0.5 * lower;
    ASSERT_EQ(simulation.pass_events(), StepStatus::ok) << formulation;
    const double about_knee = inertia + 0.7 * r.squaredNorm();
    const double w = (inertia * before.angular_velocity.z() + 0.7 * r.cross(before.velocity).z()) / about_knee;
    EXPECT_NEAR(simulation.body(1).angular_velocity.z(), w, 1e-8) << formulation;
    EXPECT_NEAR(simulation.body(0).angular_velocity.z(), 0, 1e-8) << formulation;
    const double loss =
        0.5 * about_knee * w * w - kinetic_energy(0.7, inertia, before) - kinetic_energy(1, 1.0 / 12, upper);
    EXPECT_NEAR(simulation.summary().events[0].energy, loss, 1e-7) << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 1) << formulation;
  }
}

TEST(Release, ALinkOfADoublePendulumFliesOn) {
  MechanismBuilder b("released");
  b.planar();
  b.rod("upper", Place(0, 0), Place(1, 0), 1).rod("lower", Place(1, 0), Place(2, 0), 1);
  b.revolute("pin", "ground", "upper", Place(0, 0)).revolute("knee", "upper", "lower", Place(1, 0));
  b.free("air", "ground", "lower");
  b.release("let_go", 0.6, "knee");
  const Mechanism mechanism = b.build();
  for (const char* formulation : kFormulations) {
    Simulation simulation(mechanism, options_of(formulation, 0.002, 1));
    EXPECT_EQ(simulation.summary().degrees_of_freedom, 2) << formulation;
    go_to(simulation, 0.6, 0.002);
    const BodyMotion before = simulation.body(1);
    ASSERT_EQ(simulation.pass_events(), StepStatus::ok) << formulation;
    EXPECT_NEAR(simulation.summary().events[0].energy, 0, 1e-9) << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 4) << formulation;
    EXPECT_LT((simulation.body(1).acceleration - Vec3(0, -9.81, 0)).norm(), 1e-8) << formulation;
    go_to(simulation, 1, 0.002);
    const Vec3 expected = before.position + 0.4 * before.velocity + 0.5 * 0.16 * Vec3(0, -9.81, 0);
    EXPECT_LT((simulation.body(1).position - expected).norm(), 1e-8) << formulation;
    EXPECT_NEAR(simulation.body(1).angular_velocity.z(), before.angular_velocity.z(), 1e-7) << formulation;
    EXPECT_LT(std::abs(simulation.summary().energy_max_error), 3e-3) << formulation;
  }
}

/// Two bodies that tumble in space become one: momentum and angular momentum stay, and so does how they stand.
TEST(Attach, AFixedJointGripsABodyAsItFlies) {
  MechanismBuilder b("grip");
  b.gravity({0, 0, 0});
  b.box("tug", {0.4, 0.3, 0.2}, Place(0, 0, 0), 3).box("load", {0.5, 0.2, 0.6}, Place(1, 0.2, 0.1), 2);
  b.free("air1", "ground", "tug").free("air2", "ground", "load");
  b.fixed("claw", "tug", "load");
  b.velocity("tug", {0.2, 0, -0.1}).angular_velocity("tug", {0.5, -1, 2});
  b.velocity("load", {-0.3, 0.2, 0}).angular_velocity("load", {-1.5, 0.7, 0.4});
  b.attach("grip", 1.1, "claw");
  const Mechanism mechanism = b.build();
  const auto momenta = [&](const Simulation& s) {
    Eigen::Matrix<double, 6, 1> result = Eigen::Matrix<double, 6, 1>::Zero();
    for (int i = 0; i < 2; ++i) {
      const Body& body = mechanism.bodies[i];
      const BodyMotion m = s.body(i);
      result.head<3>() += body.mass * m.velocity;
      const Vec3 spin =
          m.rotation * (body.axes.transpose() * body.inertia * body.axes) * m.rotation.transpose() * m.angular_velocity;
      result.tail<3>() += body.mass * m.position.cross(m.velocity) + spin;
    }
    return result;
  };
  for (const char* formulation : kFormulations) {
    Simulation simulation(mechanism, options_of(formulation, 0.001, 2));
    go_to(simulation, 1.1, 0.001);
    const auto before = momenta(simulation);
    const Mat3 turned = simulation.body(0).rotation.transpose() * simulation.body(1).rotation;
    ASSERT_EQ(simulation.pass_events(), StepStatus::ok) << formulation;
    EXPECT_LT((momenta(simulation) - before).norm(), 1e-9) << formulation;
    EXPECT_LT((simulation.body(0).angular_velocity - simulation.body(1).angular_velocity).norm(), 1e-9) << formulation;
    EXPECT_LT(simulation.summary().events[0].energy, -0.1) << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 6) << formulation;
    go_to(simulation, 2, 0.001);
    const Mat3 end = simulation.body(0).rotation.transpose() * simulation.body(1).rotation;
    EXPECT_LT((end - turned).norm(), 1e-6) << formulation;
    EXPECT_LT((momenta(simulation) - before).norm(), 1e-4) << formulation;
  }
}

TEST(Attach, ADistanceLinkKeepsTheDistanceOfThatMoment) {
  MechanismBuilder b("rope");
  b.planar();
  b.rod("arm", Place(0, 0), Place(1, 0), 1).rod("bob", Place(1, 0), Place(1.5, 0), 1);
  b.revolute("pin", "ground", "arm", Place(0, 0)).revolute("knee", "arm", "bob", Place(1, 0));
  b.distance("rope", "ground", "bob", Place(0, 1), Place(1.5, 0));
  b.attach("taut", 0.4, "rope");
  const Mechanism mechanism = b.build();
  for (const char* formulation : kFormulations) {
    Simulation simulation(mechanism, options_of(formulation, 0.002, 1));
    const auto distance = [&] {
      const BodyMotion bob = simulation.body(1);
      return (bob.position + 0.25 * bob.rotation.col(0) - Vec3(0, 1, 0)).norm();
    };
    go_to(simulation, 0.4, 0.002);
    const double length = distance();
    EXPECT_GT(std::abs(length - std::hypot(1.5, 1)), 0.01);
    go_to(simulation, 1, 0.002);
    EXPECT_NEAR(distance(), length, 1e-5) << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 1) << formulation;
  }
}

/// A ball that falls past a table that tilts, and is held in the plane through where it is.
TEST(Attach, APointStaysInThePlaneOfThatMoment) {
  MechanismBuilder b("plane");
  b.body("table", 3, Place(0, 0, 0), Vec3(0.2, 0.2, 0.3).asDiagonal().toDenseMatrix());
  b.sphere("ball", 0.1, Place(0.3, 0.1, 0.5), 1);
  b.revolute("tilt", "ground", "table", Place(0, 0, 0), "y").free("air", "ground", "ball");
  JointSpec glide;
  glide.name = "glide";
  glide.type = JointType::point_on_plane;
  glide.body1 = "table";
  glide.body2 = "ball";
  glide.at1 = Place(0, 0, 0);
  glide.at2 = Place(0.3, 0.1, 0.5);
  glide.axis1 = Direction("z");
  b.add(glide).joint_velocity("tilt", 0.8).velocity("ball", {0.2, -0.3, 0.4});
  b.attach("meet", 0.15, "glide");
  const Mechanism mechanism = b.build();
  for (const char* formulation : kFormulations) {
    Simulation simulation(mechanism, options_of(formulation, 0.001, 0.4));
    const auto height = [&] {
      return simulation.body(0).rotation.col(2).dot(simulation.body(1).position - simulation.body(0).position);
    };
    go_to(simulation, 0.15, 0.001);
    const double held = height();
    EXPECT_GT(std::abs(held - 0.5), 0.01) << formulation;
    ASSERT_EQ(simulation.pass_events(), StepStatus::ok) << formulation;
    EXPECT_LT(simulation.summary().events[0].energy, -1e-3) << formulation;
    EXPECT_EQ(simulation.summary().events[0].degrees_of_freedom, 6) << formulation;
    go_to(simulation, 0.4, 0.001);
    EXPECT_NEAR(height(), held, 1e-6) << formulation;
  }
}

}  // namespace
}  // namespace cardan::events
