// Forces that a System tells of by handle, momenta and accelerations of frames: against the equations of motion,
// against the columns of a run, against differences.
#include <gtest/gtest.h>

#include <set>

#include "mechanism/phases.hpp"
#include "system/asked_systems.hpp"

namespace cardan {
namespace {

class SystemForces : public testing::TestWithParam<const char*> {};

std::set<std::string> load_names(const Mechanism& mechanism) {
  std::set<std::string> names;
  visit_switchable(mechanism, [&](const auto& elements) {
    for (const auto& element : elements) names.insert(element.name);
  });
  for (const Driver& driver : mechanism.drivers) names.erase(driver.name);
  return names;
}

/// Those that constraints allow.
Eigen::MatrixXd motions(const Eigen::MatrixXd& jacobian, int coordinates) {
  if (jacobian.rows() == 0) return Eigen::MatrixXd::Identity(coordinates, coordinates);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeFullV);
  const Eigen::Index rank = (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count();
  return svd.matrixV().rightCols(coordinates - rank);
}

/// Of what is asked with loads, with the velocities that it has.
TEST_P(SystemForces, OfWeightAndLoadsAreWhatTheBiasLacksWithoutThem) {
  int loads = 0;
  for (const Mechanism& mechanism : asked_and_turned()) {
    SCOPED_TRACE(mechanism.name);
    Mechanism bare = mechanism;
    bare.gravity.setZero();
    visit_switchable(bare, [](auto& elements) {
      if constexpr (!std::is_same_v<std::decay_t<decltype(elements)>, std::vector<Driver>>) elements.clear();
    });
    const System system(mechanism, GetParam()), without(system, bare);
    const Context context = moved(mechanism, GetParam());
    const VecX wanted = bias_forces(without, carried_over(system, context, without)) - bias_forces(system, context);
    VecX sum = gravity_forces(system, context);
    for (const std::string& name : load_names(mechanism)) {
      const LoadHandle load = system.load(name);
      const VecX force = load_forces(system, context, load);
      sum += force;
      ++loads;
      // The same by the wrenches on the bodies.
      VecX by_wrenches = VecX::Zero(system.coordinates());
      for (const Body& body : mechanism.bodies) {
        const Wrench wrench = load_wrench(system, context, load, system.body(body.name));
        const Eigen::MatrixXd J = frame_jacobian(system, context, system.centre(body.name));
        by_wrenches += J.topRows(3).transpose() * wrench.force + J.bottomRows(3).transpose() * wrench.moment;
      }
      EXPECT_LT(largest(by_wrenches - force), 1e-9 * (1 + largest(force))) << name;
    }
    // Coordinates of one body that are tied to each other, as on global and cartesian, know of more than motions do.
    const Eigen::MatrixXd allowed = motions(constraint_jacobian(system, context), system.coordinates());
    EXPECT_LT(largest(allowed.transpose() * (sum - wanted)), 1e-9 * (1 + largest(wanted)));
  }
  EXPECT_GT(loads, 30);
}

/// What loads do to ground and to the bodies adds up to nothing.
TEST_P(SystemForces, OfALoadHaveTheirReactionOnGround) {
  const Mechanism mechanism = turned_loop(6);
  const System system(mechanism, GetParam());
  const Context context = moved(mechanism, GetParam());
  const LoadHandle spring = system.load("spring");
  const Wrench on_rod = load_wrench(system, context, spring, system.body("rod"));
  const Wrench on_ground = load_wrench(system, context, spring, kGround);
  const Vec3 centre = frame_motion(system, context, system.centre("rod")).position;
  EXPECT_LT((on_rod.force + on_ground.force).norm(), 1e-12);
  EXPECT_LT((on_rod.moment + centre.cross(on_rod.force) + on_ground.moment).norm(), 1e-11);
  EXPECT_NEAR(on_rod.force.norm(), std::abs(load_effort(system, context, spring).effort), 1e-10);
}

TEST_P(SystemForces, AreThoseOfTheColumns) {
  int reactions = 0, efforts = 0;
  for (const Mechanism& mechanism : asked_and_turned()) {
    SCOPED_TRACE(mechanism.name);
    RunOptions options;
    options.formulation = GetParam();
    Simulation simulation(mechanism, options);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const System system(mechanism, GetParam());
    const Context context = simulation.state();
    VecX row(std::ssize(simulation.columns()));
    simulation.sample(row.data());
    const auto column = [&](const std::string& name) { return row[simulation.column(name)]; };
    const double size = 1 + largest(row);
    for (const Joint& joint : mechanism.joints) {
      const Wrench reaction = joint_reaction(system, context, system.joint(joint.name));
      ++reactions;
      EXPECT_NEAR(reaction.force.x(), column(joint.name + ".fx"), 1e-4 * size) << joint.name;
      EXPECT_NEAR(reaction.force.y(), column(joint.name + ".fy"), 1e-4 * size) << joint.name;
      EXPECT_NEAR(reaction.moment.z(), column(joint.name + ".mz"), 1e-4 * size) << joint.name;
      if (mechanism.planar) continue;
      EXPECT_NEAR(reaction.force.z(), column(joint.name + ".fz"), 1e-4 * size) << joint.name;
      EXPECT_NEAR(reaction.moment.x(), column(joint.name + ".mx"), 1e-4 * size) << joint.name;
      EXPECT_NEAR(reaction.moment.y(), column(joint.name + ".my"), 1e-4 * size) << joint.name;
    }
    const auto scalar = [&](const std::string& name) { return load_effort(system, context, system.load(name)); };
    for (const SpringDamper& spring : mechanism.springs) {
      ++efforts;
      EXPECT_NEAR(scalar(spring.name).length, column(spring.name + ".length"), 1e-12 * size);
      EXPECT_NEAR(scalar(spring.name).effort, column(spring.name + ".force"), 1e-10 * size);
    }
    for (const LineForce& force : mechanism.line_forces) {
      ++efforts;
      EXPECT_NEAR(scalar(force.name).length, column(force.name + ".length"), 1e-12 * size);
      EXPECT_NEAR(scalar(force.name).effort, column(force.name + ".force"), 1e-10 * size);
    }
    for (const Actuator& actuator : mechanism.actuators) {
      ++efforts;
      EXPECT_NEAR(scalar(actuator.name).effort, column(actuator.name + ".effort"), 1e-10 * size);
    }
    for (const JointSpringDamper& spring : mechanism.joint_springs) {
      const CoordinateHandle at = system.coordinate(mechanism.joints[spring.joint].name, spring.coordinate + 1);
      const LoadEffort pull = scalar(spring.name);
      ++efforts;
      EXPECT_NEAR(pull.length, joint_position(system, context, at), 1e-12);
      const VecX force = load_forces(system, context, system.load(spring.name));
      EXPECT_LT(largest(force + pull.effort * effort_direction(system, context, at)), 1e-10 * (1 + largest(force)));
    }
  }
  EXPECT_GT(reactions, 60);
  EXPECT_GT(efforts, 15);
}

TEST_P(SystemForces, HaveAMomentumThatIsOfAllBodies) {
  for (const Mechanism& mechanism : asked_and_turned()) {
    SCOPED_TRACE(mechanism.name);
    const System system(mechanism, GetParam());
    const Context context = moved(mechanism, GetParam());
    const Momentum whole = momentum(system, context);
    double mass = 0;
    Vec3 first = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();
    for (const Body& body : mechanism.bodies) {
      const BodyMotion motion = frame_motion(system, context, system.centre(body.name));
      mass += body.mass;
      first += body.mass * motion.position;
      linear += body.mass * motion.velocity;
      const Mat3 R = motion.rotation, inertia = body.axes.transpose() * body.inertia * body.axes;
      angular += R * inertia * R.transpose() * motion.angular_velocity +
                 (motion.position - whole.centre).cross(body.mass * motion.velocity);
    }
    EXPECT_NEAR(whole.mass, mass, 1e-12 * mass);
    EXPECT_LT((whole.centre - first / mass).norm(), 1e-11);
    EXPECT_LT((whole.linear - linear).norm(), 1e-10 * (1 + linear.norm()));
    EXPECT_LT((whole.velocity - linear / mass).norm(), 1e-10 * (1 + linear.norm()));
    EXPECT_LT((whole.angular - angular).norm(), 1e-10 * (1 + angular.norm()));
    if (!mechanism.drivers.empty()) continue;
    const auto centre = [&](double h) {
      Context other = context;
      other.q += h * context.v;
      return momentum(system, other).centre;
    };
    EXPECT_LT((difference(centre, 1e-3) - whole.velocity).norm(), 1e-9 * (1 + whole.velocity.norm()));
  }
}

TEST_P(SystemForces, HaveAccelerationsOfFramesThatAreJacobianAndBias) {
  std::mt19937 random(3);
  for (const Mechanism& mechanism : asked_and_turned()) {
    SCOPED_TRACE(mechanism.name);
    const System system(mechanism, GetParam());
    const Context context = moved(mechanism, GetParam());
    const VecX a = forward_dynamics(system, context).acceleration;
    for (const Body& body : mechanism.bodies) {
      const Vec3 off = scattered(random, 3);
      const FrameHandle frame =
          system.frame(body.name, body.center + (mechanism.planar ? Vec3(off.x(), off.y(), 0) : off));
      const BodyMotion motion = frame_motion(system, context, frame);
      VecX wanted(6);
      wanted << motion.acceleration, motion.angular_acceleration;
      const VecX found = frame_jacobian(system, context, frame) * a + frame_bias(system, context, frame);
      EXPECT_LT(largest(found - wanted), 1e-9 * (1 + largest(wanted))) << body.name;
    }
  }
}

TEST_P(SystemForces, RefuseHandlesThatAreNotTheirOwn) {
  const System system(loaded_in_plane(), GetParam());
  const Context context = system.start();
  EXPECT_THROW(joint_reaction(system, context, {}), std::invalid_argument);
  EXPECT_THROW(load_forces(system, context, {}), std::invalid_argument);
  EXPECT_THROW(load_wrench(system, context, system.load("spring"), 99), std::invalid_argument);
  EXPECT_THROW(load_effort(system, context, system.load("push")), std::invalid_argument);
  EXPECT_THROW(system.load("sprink"), std::invalid_argument);
  EXPECT_THROW(system.joint_frame("A", 3), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SystemForces,
                         testing::Values("global", "hybrid", "topological", "recursive", "cartesian"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cardan
