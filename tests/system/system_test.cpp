// What a System says at a state: against differences, against the equations of motion, and between formulations.
#include "cardan/system.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "system/asked_systems.hpp"

namespace cardan {
namespace {

class SystemTest : public testing::TestWithParam<const char*> {};

TEST_P(SystemTest, SolvesTheEquationsOfMotionAtAnyState) {
  std::mt19937 random(5);
  for (const Mechanism& mechanism : asked_mechanisms()) {
    const System system(mechanism, GetParam());
    const Context context = moved(mechanism, GetParam());
    const VecX tau = scattered(random, system.coordinates());
    const Accelerations found = forward_dynamics(system, context, tau);
    const Eigen::MatrixXd M = mass_matrix(system, context), J = constraint_jacobian(system, context);
    const VecX h = bias_forces(system, context);
    const double size = 1 + largest(h);
    EXPECT_LT(largest(M * found.acceleration + h + J.transpose() * found.multipliers - tau), 1e-9 * size);
    EXPECT_LT(largest(J * found.acceleration - constraint_bias(system, context)),
              1e-9 * (1 + largest(found.acceleration)));
    EXPECT_LT(largest(M - M.transpose()), 1e-12 * largest(M));
    EXPECT_LT(largest(inverse_dynamics(system, context, found.acceleration) + J.transpose() * found.multipliers - tau),
              1e-9 * size);
  }
}

TEST_P(SystemTest, HasTheKineticEnergyOfTheMassMatrix) {
  for (const Mechanism& mechanism : asked_mechanisms()) {
    const System system(mechanism, GetParam());
    const Context context = moved(mechanism, GetParam());
    // In independent coordinates a driver moves bodies at v = 0 too, and the energy has more parts than this one.
    if (!mechanism.drivers.empty() && system.formulation() == "topological") continue;
    const double kinetic = 0.5 * context.v.dot(mass_matrix(system, context) * context.v);
    EXPECT_NEAR(kinetic, energy(system, context).kinetic, 1e-9 * (1 + kinetic)) << mechanism.name;
  }
}

TEST_P(SystemTest, HasJacobiansThatAreDerivatives) {
  std::mt19937 random(7);
  for (const Mechanism& mechanism : asked_mechanisms()) {
    const System system(mechanism, GetParam());
    const Context context = moved(mechanism, GetParam());
    VecX direction = scattered(random, system.coordinates());
    if (system.formulation() == "global" || system.formulation() == "cartesian") {
      // Points that are not rigidly apart have no axes, nor have four parameters that are no unit: derivatives are
      // those of motions.
      const Eigen::MatrixXd J = constraint_jacobian(system, context);
      direction -= J.completeOrthogonalDecomposition().solve(J * direction);
    }
    const auto at = [&](double h) {
      Context other = context;
      other.q += h * direction;
      return other;
    };
    const double h = 1e-3;
    if (system.constraints() > 0) {
      const VecX slope = difference([&](double x) { return constraint_values(system, at(x)); }, h);
      EXPECT_LT(largest(constraint_jacobian(system, context) * direction - slope), 1e-9 * (1 + largest(slope)))
          << mechanism.name;
    }
    const std::string& body = mechanism.bodies.back().name;
    const FrameHandle frame =
        system.frame(body, mechanism.bodies.back().center + Vec3(0.1, 0.2, mechanism.planar ? 0 : 0.3));
    const Eigen::MatrixXd J = frame_jacobian(system, context, frame);
    const Vec3 slope = difference([&](double x) { return frame_motion(system, at(x), frame).position; }, h);
    EXPECT_LT(largest(J.topRows(3) * direction - slope), 1e-9 * (1 + largest(slope))) << mechanism.name;
    const BodyMotion motion = frame_motion(system, context, frame);
    if (mechanism.drivers.empty()) {
      EXPECT_LT(largest(J.topRows(3) * context.v - motion.velocity), 1e-10) << mechanism.name;
      EXPECT_LT(largest(J.bottomRows(3) * context.v - motion.angular_velocity), 1e-10) << mechanism.name;
    }
  }
}

TEST_P(SystemTest, FindsTheEffortsThatWereApplied) {
  const Mechanism plane = loaded_in_plane(false), space = loaded_in_space(false);
  const std::pair<const Mechanism*, std::vector<const char*>> cases[] = {{&plane, {"D", "slide"}}, {&space, {"D"}}};
  for (const auto& [mechanism, joints] : cases) {
    const System system(*mechanism, GetParam());
    const Context context = moved(*mechanism, GetParam());
    std::vector<CoordinateHandle> actuated;
    VecX tau = VecX::Zero(system.coordinates()), efforts(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      actuated.push_back(system.coordinate(joints[i]));
      efforts[static_cast<int>(i)] = 3 - 5.0 * static_cast<double>(i);
      tau += efforts[static_cast<int>(i)] * effort_direction(system, context, actuated.back());
    }
    const VecX a = forward_dynamics(system, context, tau).acceleration;
    if (mechanism == &plane) {
      EXPECT_LT(largest(inverse_dynamics(system, context, a, actuated) - efforts), 1e-9);
      EXPECT_THROW(inverse_dynamics(system, context, a, {actuated[0]}), std::domain_error);
    } else {
      // One actuator of a mechanism with more freedoms brings about this acceleration, since it did.
      EXPECT_LT(largest(inverse_dynamics(system, context, a, actuated) - efforts), 1e-8);
    }
  }
}

TEST_P(SystemTest, IsSetByTheCoordinatesOfItsJoints) {
  const Mechanism mechanism = loaded_in_plane(false);
  const System system(mechanism, GetParam());
  const std::vector<CoordinateHandle> joints{system.coordinate("A"), system.coordinate("slide")};
  const Vec2 positions(0.2, -0.1), velocities(0.7, 1.1);
  const Context context = with_joints(system, system.start(), joints, positions, velocities);
  for (int i : {0, 1}) {
    EXPECT_NEAR(joint_position(system, context, joints[i]), positions[i], 1e-12);
    EXPECT_NEAR(joint_velocity(system, context, joints[i]), velocities[i], 1e-12);
  }
  EXPECT_LT(largest(constraint_values(system, context)), 1e-12);
  EXPECT_THROW(with_joints(system, system.start(), {system.coordinate("D")}, VecX::Constant(1, 1.5), VecX::Zero(1)),
               std::domain_error);  // the crank is too short
}

TEST_P(SystemTest, RefusesContextsThatAreNotItsOwn) {
  const System system(loaded_in_plane(), GetParam());
  EXPECT_THROW(mass_matrix(system, {}), std::invalid_argument);
  EXPECT_THROW(mass_matrix(system, System(loaded_in_space(), GetParam()).start()), std::invalid_argument);
  Context damaged = system.start();
  damaged.v[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(forward_dynamics(system, damaged), std::invalid_argument);
  const Context own = system.start();
  EXPECT_THROW(forward_dynamics(system, own, VecX::Zero(system.coordinates() + 1)), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(system, own, VecX::Zero(system.coordinates() + 1)), std::invalid_argument);
  EXPECT_THROW(inverse_dynamics(system, own, own.acceleration, {CoordinateHandle{}}), std::invalid_argument);
  EXPECT_THROW(joint_position(system, own, CoordinateHandle{1000}), std::invalid_argument);
  EXPECT_THROW(frame_jacobian(system, own, FrameHandle{.body = 1000}), std::invalid_argument);
  Context later = own;
  later.events = 1;
  EXPECT_THROW(energy(system, later), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SystemTest,
                         testing::Values("global", "hybrid", "topological", "recursive", "cartesian"),
                         [](const auto& info) { return std::string(info.param); });

TEST(System, SaysTheSameInEveryFormulation) {
  int compared = 0;
  for (const Mechanism& mechanism : asked_mechanisms()) {
    std::vector<VecX> rows;
    for (const RegistryEntry& formulation : formulations()) {
      const System system(mechanism, std::string(formulation.name));
      rows.push_back(signals(system, system.start()));
      const Context context = system.start();
      const auto& body = mechanism.bodies.back().name;
      const BodyMotion motion = frame_motion(system, context, system.frame(body, mechanism.bodies.back().center));
      EXPECT_NEAR(rows.back()[system.signal(body + ".vx")], motion.velocity.x(), 1e-12);
      EXPECT_LT(largest(rows.back() - rows.front()), 1e-8 * (1 + largest(rows.front())))
          << mechanism.name << " " << formulation.name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 9 * 5);
}

TEST(System, NamesWhatItDoesNotKnow) {
  const System system(loaded_in_plane());
  const auto message = [](auto ask) -> std::string {
    try {
      ask();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message([&] { system.body("cranc"); }).find("did you mean 'crank'?"), std::string::npos);
  EXPECT_NE(message([&] { system.coordinate("slid"); }).find("did you mean 'slide'?"), std::string::npos);
  EXPECT_NE(message([&] { system.signal("crank.vX"); }).find("did you mean 'crank.vx'?"), std::string::npos);
  EXPECT_NE(message([&] { system.coordinate("A", 2); }).find("has no coordinate 2"), std::string::npos);
  EXPECT_NE(message([] { System(loaded_in_plane(), "hybird"); }).find("hybird"), std::string::npos);
  for (const RegistryEntry& formulation : formulations()) {
    const std::string name(formulation.name);
    const std::string said = message([&] { System(loaded_in_plane(), name, {.cut = {"A"}}); });
    if (name == "global" || name == "cartesian") {
      EXPECT_EQ(said, "no cut on the formulation " + name +
                          ": it opens no loops; leave it out, or choose hybrid, topological or recursive");
    } else {
      EXPECT_EQ(said.find("opens no loops"), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace cardan
